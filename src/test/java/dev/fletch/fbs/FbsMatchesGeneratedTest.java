// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;

import org.apache.arrow.flatbuf.Message;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/// The project's declarations say what Arrow's own say, as far as the classes of `arrow-format`
/// show that flatc made from the latter: the same names, values, fields and required fields.
/// `FlyweightSlotsTest` and `AccessorsAgreeTest` compare slots, defaults and struct layouts.
class FbsMatchesGeneratedTest {
    private static final String PACKAGE = Message.class.getPackageName();
    private static final FbsDocument ARROW = ArrowDeclarations.all();

    @Test
    void declarationsHaveTheNamesOfTheGeneratedClasses() throws Exception {
        Set<String> declared = new TreeSet<>();
        ARROW.enums().forEach(each -> declared.add(each.name()));
        ARROW.unions().forEach(each -> declared.add(each.name()));
        ARROW.structs().forEach(each -> declared.add(each.name()));
        ARROW.tables().forEach(each -> declared.add(each.name()));
        assertEquals(generatedNames(), declared);
        System.out.printf("format/*.fbs against arrow-format: %d declarations%n", declared.size());
    }

    /// Returns the simple names of all generated classes, those nested in others left out.
    private static Set<String> generatedNames() throws IOException, URISyntaxException {
        String folder = PACKAGE.replace('.', '/') + "/";
        var source = Message.class.getProtectionDomain().getCodeSource().getLocation();
        try (JarFile jar = new JarFile(Path.of(source.toURI()).toFile())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(folder) && name.endsWith(".class"))
                    .map(name -> name.substring(folder.length(), name.length() - 6))
                    .filter(name -> name.indexOf('$') < 0)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Class<?> generated(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + "." + name);
    }

    @Test
    void enumsAndUnionsHaveTheGeneratedValues() throws Exception {
        for (EnumDecl each : ARROW.enums()) {
            assertSameValues(each.name(), each.values());
        }
        for (UnionDecl each : ARROW.unions()) {
            assertSameValues(each.name(), each.members());
        }
    }

    private static void assertSameValues(String name, List<Value> values) throws Exception {
        Map<String, Long> declared = new TreeMap<>();
        values.forEach(each -> declared.put(each.name(), each.value()));
        Map<String, Long> constants = new TreeMap<>();
        for (Field field : generated(name).getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
                constants.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        assertEquals(constants, declared, name);
    }

    /// A generated class has a method `addX` for each field and no other.
    @Test
    void tablesHaveTheGeneratedFields() throws Exception {
        for (TableDecl table : ARROW.tables()) {
            Set<String> declared = new TreeSet<>();
            for (FieldDecl each : table.fields()) {
                String name = each.javaName();
                declared.add("add" + Character.toUpperCase(name.charAt(0)) + name.substring(1));
            }
            assertEquals(
                    Arrays.stream(generated(table.name()).getDeclaredMethods())
                            .filter(method -> Modifier.isStatic(method.getModifiers()))
                            .map(Method::getName)
                            .filter(name -> name.startsWith("add"))
                            .collect(Collectors.toCollection(TreeSet::new)),
                    declared,
                    table.name());
        }
    }

    /// The generated `endX` refuses a table that lacks a required field, and no other.
    @Test
    void requiredFieldsAreTheGeneratedOnes() throws Exception {
        for (TableDecl table : ARROW.tables()) {
            assertTrue(endAccepts(table, null), table.name());
            for (FieldDecl each : table.fields()) {
                assertEquals(
                        !each.required(),
                        endAccepts(table, each),
                        () -> table.name() + " without " + each.name());
            }
        }
    }

    /// Builds a table of its required fields but `omitted`, and tells whether that was enough.
    private static boolean endAccepts(TableDecl table, FieldDecl omitted) throws Exception {
        Class<?> type = generated(table.name());
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int target = builder.createString("");
        // One slot too many, and that one present: the builder cuts absent slots off the end of a
        // vtable, and its check of a required last slot then reads what lies behind.
        builder.startTable(table.slotCount() + 1);
        builder.addOffset(table.slotCount(), target, 0);
        for (FieldDecl each : table.fields()) {
            if (each.required() && !each.equals(omitted)) {
                builder.addOffset(each.slot(), target, 0);
            }
        }
        try {
            type.getMethod("end" + table.name(), FlatBufferBuilder.class).invoke(null, builder);
            return true;
        } catch (InvocationTargetException e) {
            assertInstanceOf(AssertionError.class, e.getCause());
            return false;
        }
    }
}
