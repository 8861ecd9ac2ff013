// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Flyweights;
import dev.fletch.format.Type;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The encoders of tables take what `format/` declares for them and nothing else. Types and tensors have
/// none: they are written by their declarations.
class EncodersMatchFbsTest {
    private static final Set<String> BY_DECLARATION =
            Stream.concat(
                            Type.NAMES.all().stream(),
                            Stream.of(
                                    "Tensor",
                                    "TensorDim",
                                    "SparseTensor",
                                    "SparseTensorIndexCOO",
                                    "SparseMatrixIndexCSX",
                                    "SparseTensorIndexCSF"))
                    .collect(Collectors.toSet());

    static List<TableDecl> tables() {
        return Flyweights.tables();
    }

    static List<TableDecl> tablesWithMethods() {
        return tables().stream().filter(each -> !BY_DECLARATION.contains(each.name())).toList();
    }

    @Test
    void nineTablesHaveMethods() {
        assertEquals(27, tables().size());
        assertEquals(9, tablesWithMethods().size());
        for (TableDecl table : tables()) {
            boolean hasMethod = tablesWithMethods().contains(table);
            assertEquals(hasMethod, Encoders.create(table).isPresent(), table.name());
        }
    }

    @ParameterizedTest
    @MethodSource("tablesWithMethods")
    void parametersAreThoseOfTheFieldsAndNoOthers(TableDecl table) {
        List<Class<?>> all = new ArrayList<>(List.of(FlatBufferWriter.class));
        table.fields().forEach(field -> all.addAll(Encoders.parameters(field.type())));
        assertEquals(all, List.of(Encoders.create(table).orElseThrow().getParameterTypes()));
        for (Method form : Encoders.methods(TableEncoder.class)) {
            if (form.getName().equals("create" + table.name())) {
                int count = form.getParameterCount(); // of a form from before the last field
                assertEquals(all.subList(0, count), List.of(form.getParameterTypes()));
                assertEquals(int.class, form.getReturnType());
            }
        }
    }

    /// There is no method but for tables, for the vectors of three structs, for tables by their declarations,
    /// and for types without fields.
    @Test
    void thereAreNoOtherMethods() {
        assertTrue(Modifier.isFinal(TableEncoder.class.getModifiers()));
        assertEquals(0, TableEncoder.class.getConstructors().length);
        List<Method> methods = Encoders.methods(TableEncoder.class);
        methods.forEach(each -> assertTrue(Modifier.isStatic(each.getModifiers())));
        long names = methods.stream().map(Method::getName).distinct().count();
        assertEquals(tablesWithMethods().size() + 3 + 2, names);
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
            assertEquals(
                    List.of(FlatBufferWriter.class, long[].class, int.class, int.class),
                    List.of(
                            Encoders.method(TableEncoder.class, "create" + struct + "Vector")
                                    .orElseThrow()
                                    .getParameterTypes()));
        }
    }
}
