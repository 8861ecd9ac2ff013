// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.ArrowDeclarations;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsScalar;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// The classes of ids and enum values, held against `format/*.fbs`.
class IdsMatchFbsTest {
    /// An enum or union, and the Java type that its values have.
    record Ids(String name, List<Value> values, Class<?> javaType) {
        Class<?> idClass() throws ClassNotFoundException {
            return Class.forName(IdsMatchFbsTest.class.getPackageName() + "." + name);
        }

        EnumNames names() throws ReflectiveOperationException {
            return (EnumNames) idClass().getField("NAMES").get(null);
        }

        /// Values around and far from the known ones.
        LongStream unknown() {
            long behind = values.getLast().value() + 1;
            LongStream ints =
                    LongStream.of(-1, behind, 255, -32768, Integer.MIN_VALUE, Integer.MAX_VALUE);
            return javaType == long.class
                    ? LongStream.concat(ints, LongStream.of(Long.MIN_VALUE, 1L << 32))
                    : ints;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Ids> declared() {
        FbsDocument arrow = ArrowDeclarations.all();
        return Stream.concat(
                arrow.enums().stream().map(IdsMatchFbsTest::ids),
                arrow.unions().stream().map(IdsMatchFbsTest::ids));
    }

    private static Ids ids(EnumDecl decl) {
        boolean wide = decl.underlying() == FbsScalar.LONG;
        return new Ids(decl.name(), decl.values(), wide ? long.class : int.class);
    }

    private static Ids ids(UnionDecl decl) {
        return new Ids(decl.name(), decl.members(), int.class);
    }

    @ParameterizedTest
    @MethodSource("declared")
    void constantsAreTheDeclaredValues(Ids ids) throws Exception {
        Map<String, Long> expected = new TreeMap<>();
        ids.values().forEach(each -> expected.put(each.constantName(), each.value()));
        Map<String, Long> actual = new TreeMap<>();
        for (Field field : publicFields(ids.idClass())) {
            assertTrue(isConstant(field), () -> "not a constant: " + field);
            assertEquals(ids.javaType(), field.getType(), () -> "type of " + field);
            actual.put(field.getName(), ((Number) field.get(null)).longValue());
        }
        assertEquals(expected, actual);
    }

    @ParameterizedTest
    @MethodSource("declared")
    void knownValuesHaveTheSpellingOfTheFormat(Ids ids) throws Exception {
        for (Value each : ids.values()) {
            assertTrue(ids.names().isKnown(each.value()), each.name());
            assertEquals(each.name(), ids.names().name(each.value()));
        }
    }

    @ParameterizedTest
    @MethodSource("declared")
    void unknownValuesAreNamedByTheirNumber(Ids ids) throws Exception {
        for (long value : ids.unknown().toArray()) {
            assertFalse(ids.names().isKnown(value), () -> ids + " " + value);
            assertEquals(ids.name() + "(" + value + ")", ids.names().name(value));
        }
    }

    @ParameterizedTest
    @MethodSource("declared")
    void idClassesHoldOnlyConstants(Ids ids) throws Exception {
        Class<?> type = ids.idClass();
        assertTrue(Modifier.isPublic(type.getModifiers()) && Modifier.isFinal(type.getModifiers()));
        assertEquals(0, type.getConstructors().length);
        // JaCoCo adds synthetic ones.
        assertTrue(Arrays.stream(type.getDeclaredMethods()).allMatch(Method::isSynthetic));
        assertEquals(ids.name(), ids.names().enumName());
        assertEquals(ids.values().stream().map(Value::name).toList(), ids.names().all());
    }

    @Test
    void everyIdClassIsDeclared() throws Exception {
        Set<String> expected =
                declared().map(Ids::name).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, idClassesOfThePackage());
        System.out.printf(
                "id classes against format/*.fbs: %d classes, %d constants%n",
                expected.size(), declared().mapToInt(each -> each.values().size()).sum());
    }

    /// An id class is known by its names.
    private static Set<String> idClassesOfThePackage() throws IOException, URISyntaxException {
        Path folder = Path.of(Type.class.getResource("Type.class").toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("-info"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .filter(IdsMatchFbsTest::isIdClass)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isIdClass(String simpleName) {
        try {
            String name = Type.class.getPackageName() + "." + simpleName;
            Class<?> type = Class.forName(name, false, Type.class.getClassLoader());
            return Arrays.stream(type.getDeclaredFields())
                    .anyMatch(field -> field.getType() == EnumNames.class);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Field> publicFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()))
                .filter(field -> field.getType() != EnumNames.class)
                .toList();
    }

    private static boolean isConstant(Field field) {
        return Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
    }
}
