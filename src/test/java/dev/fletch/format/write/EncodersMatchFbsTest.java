// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Flyweights;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// There is an encoder for each table that `format/` declares, with what its fields ask for and
/// nothing else.
class EncodersMatchFbsTest {
    static List<TableDecl> tables() {
        return Flyweights.tables();
    }

    @Test
    void everyTableWithFieldsHasAnEncoder() {
        assertEquals(27, tables().size());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void parametersMatchTheFields(TableDecl table) {
        List<Class<?>> all = new ArrayList<>(List.of(FlatBufferWriter.class));
        table.fields().forEach(field -> all.addAll(Encoders.parameters(field.type())));
        Optional<Method> own = Encoders.create(table);
        if (own.isEmpty()) {
            return; // TableEncoder.create writes it
        }
        assertEquals(all, List.of(own.get().getParameterTypes()));
        for (Method form : Encoders.methods(TableEncoder.class)) {
            if (form.getName().equals("create" + table.name())) {
                int count = form.getParameterCount(); // of a form from before the last field
                assertEquals(all.subList(0, count), List.of(form.getParameterTypes()));
                assertEquals(int.class, form.getReturnType());
            }
        }
    }

    /// There is no method but for tables that are written often, for vectors of blocks, for types
    /// without fields, and for all other tables.
    @Test
    void encodersHaveNoOtherMethods() {
        assertTrue(Modifier.isFinal(TableEncoder.class.getModifiers()));
        assertEquals(0, TableEncoder.class.getConstructors().length);
        List<Method> methods = Encoders.methods(TableEncoder.class);
        methods.forEach(each -> assertTrue(Modifier.isStatic(each.getModifiers())));
        long names = methods.stream().map(Method::getName).distinct().count();
        long own = tables().stream().filter(each -> Encoders.create(each).isPresent()).count();
        assertEquals(8, own);
        assertEquals(own + 1 + 1 + 1, names);
    }

    /// A struct that is a vector's element somewhere can be written as one: with two 64-bit numbers
    /// by the writer, with other numbers by a method of its own.
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
        assertEquals(2 * Long.BYTES, FieldNode.BYTES);
        assertEquals(2 * Long.BYTES, Buffer.BYTES);
        assertEquals(
                List.of(FlatBufferWriter.class, long[].class, int.class, int.class),
                List.of(
                        Encoders.method(TableEncoder.class, "createBlockVector")
                                .getParameterTypes()));
    }
}
