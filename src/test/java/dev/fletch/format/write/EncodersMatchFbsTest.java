// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Flyweights;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// There is an encoder for each table that `format/` declares, with what its fields ask for and
/// nothing else.
class EncodersMatchFbsTest {
    static List<TableDecl> tables() {
        return Flyweights.tables();
    }

    @Test
    void thereAreAsManyEncodersAsTablesWithFields() {
        assertEquals(27, tables().size());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void methodsAreThoseOfTheFieldsAndNoOthers(TableDecl table) {
        Class<?> encoder = Encoders.type(table.name());
        assertTrue(Modifier.isFinal(encoder.getModifiers()));
        assertEquals(0, encoder.getConstructors().length);
        List<Class<?>> all = new ArrayList<>(List.of(FlatBufferWriter.class));
        for (FieldDecl field : table.fields()) {
            List<Class<?>> own = new ArrayList<>(List.of(FlatBufferWriter.class));
            own.addAll(Encoders.parameters(field.type()));
            all.addAll(Encoders.parameters(field.type()));
            Method add = Encoders.add(table, field);
            assertEquals(own, List.of(add.getParameterTypes()), add::toString);
            assertEquals(void.class, add.getReturnType());
        }
        Method create = Encoders.create(table);
        assertEquals(all, List.of(create.getParameterTypes()));
        assertEquals(int.class, create.getReturnType());
        assertEquals(table.fields().size() + 1, Encoders.methods(encoder).size());
        Encoders.methods(encoder)
                .forEach(each -> assertTrue(Modifier.isStatic(each.getModifiers())));
    }

    /// A struct that is a vector's element somewhere can be written as one.
    @Test
    void structsAreWrittenAsElements() {
        Set<String> elements =
                Flyweights.ARROW.tables().stream()
                        .flatMap(table -> table.fields().stream())
                        .filter(
                                field ->
                                        field.type() instanceof FbsType.Vector vector
                                                && vector.element() instanceof FbsType.Struct)
                        .map(field -> ((FbsType.Vector) field.type()).element().spelling())
                        .collect(Collectors.toSet());
        assertEquals(Set.of("FieldNode", "Buffer", "Block"), elements);
        for (String struct : elements) {
            Class<?> encoder = Encoders.type(struct);
            assertEquals(
                    List.of(FlatBufferWriter.class, long[].class, int.class, int.class),
                    List.of(Encoders.method(encoder, "createVector").getParameterTypes()));
            List<Class<?>> numbers = new ArrayList<>(List.of(FlatBufferWriter.class));
            Flyweights.ARROW
                    .struct(struct)
                    .fields()
                    .forEach(each -> numbers.add(Flyweights.javaType(each.type())));
            assertEquals(numbers, List.of(Encoders.method(encoder, "push").getParameterTypes()));
        }
    }
}
