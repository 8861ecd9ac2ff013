// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.flatbuf.Struct;
import dev.fletch.flatbuf.Table;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The flyweights' classes and constants, held against `format/*.fbs`. What calls each accessor by
/// the name of its field, as `AccessorComparer` does, fails without it.
class FlyweightsMatchFbsTest {
    static List<StructDecl> structs() {
        return Flyweights.ARROW.structs();
    }

    @Test
    void exactlyTheTablesWithFieldsAndTheStructsHaveClasses() throws Exception {
        Set<String> withFields =
                Flyweights.tables().stream()
                        .map(TableDecl::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(27, withFields.size());
        assertEquals(withFields, subclasses(Table.class));
        Set<String> structs =
                structs().stream()
                        .map(StructDecl::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(3, structs.size());
        assertEquals(structs, subclasses(Struct.class));
    }

    private static Set<String> subclasses(Class<?> base) throws Exception {
        Path folder = Path.of(Schema.class.getResource("Schema.class").toURI()).getParent();
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                if (file.toString().endsWith(".class")
                        && !name.contains("-info")
                        && base.isAssignableFrom(Flyweights.type(name))
                        && !Modifier.isAbstract(Flyweights.type(name).getModifiers())) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.Flyweights#tables")
    void everyTableIsAPublicFinalClassWithAConstructor(TableDecl table) {
        boolean isType =
                Flyweights.members("Type").stream()
                        .anyMatch(each -> each.name().equals(table.name()));
        assertIsFlyweight(Flyweights.type(table.name()), isType ? TypeTable.class : Table.class);
    }

    @ParameterizedTest
    @MethodSource("structs")
    void everyStructIsAPublicFinalClassWithAConstructor(StructDecl struct) {
        assertIsFlyweight(Flyweights.type(struct.name()), Struct.class);
    }

    private static void assertIsFlyweight(Class<?> type, Class<?> base) {
        int modifiers = type.getModifiers();
        assertTrue(Modifier.isPublic(modifiers) && Modifier.isFinal(modifiers));
        assertEquals(base, type.getSuperclass());
        assertEquals(1, type.getConstructors().length);
        assertEquals(0, type.getConstructors()[0].getParameterCount());
    }

    /// A constant: its visibility, type and value.
    private record Constant(String visibility, Class<?> type, long value) {}

    private static Constant published(long value) {
        return published(int.class, value);
    }

    private static Constant published(Class<?> type, long value) {
        return new Constant("public", type, value);
    }

    private static Map<String, Constant> constants(Class<?> type) throws IllegalAccessException {
        Map<String, Constant> byName = new TreeMap<>();
        for (var field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            // Tools that watch the code run add fields of their own.
            if (Modifier.isStatic(modifiers) && !field.isSynthetic()) {
                assertTrue(Modifier.isFinal(modifiers), () -> "not final: " + field);
                String visibility =
                        Modifier.isPublic(modifiers)
                                ? "public"
                                : Modifier.isPrivate(modifiers) ? "private" : "";
                long value = ((Number) field.get(null)).longValue();
                byName.put(field.getName(), new Constant(visibility, field.getType(), value));
            }
        }
        return byName;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.Flyweights#tables")
    void constantsOfTablesAreSlotsDefaultsAndSizes(TableDecl table) throws Exception {
        Map<String, Constant> expected = new TreeMap<>();
        long sizes = 0;
        for (FieldDecl field : table.fields()) {
            String name = Flyweights.constantName(field.name());
            expected.put(name + "_SLOT", published(field.slot()));
            if (field.type().isScalar() && field.defaultValue() != 0) {
                boolean wide = Flyweights.javaType(field.type()) == long.class;
                expected.put(
                        name + "_DEFAULT",
                        published(wide ? long.class : int.class, field.defaultValue()));
            }
            sizes |= (long) field.type().inlineBytes() << (8 * field.slot());
        }
        assertTrue(table.slotCount() <= 8, "more slots than a word has bytes");
        expected.put("SIZES", new Constant("", long.class, sizes));
        assertEquals(expected, constants(Flyweights.type(table.name())));
    }

    @ParameterizedTest
    @MethodSource("structs")
    void constantsOfStructsAreOffsetsAndSize(StructDecl struct) throws Exception {
        Map<String, Constant> expected = new TreeMap<>();
        expected.put("BYTES", published(struct.sizeBytes()));
        for (StructField field : struct.fields()) {
            expected.put(
                    Flyweights.constantName(field.name()) + "_AT",
                    published(int.class, field.offsetBytes()));
        }
        assertEquals(expected, constants(Flyweights.type(struct.name())));
    }
}
