// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The orders of the tables that producers treat differently, as their output shows them; other
/// tests compare whole buffers.
class EmissionOrderTest {
    private static TableDeclaration rules(String table) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(table));
    }

    @ParameterizedTest
    @CsvSource({
        "FLATC, Field, name type dictionary children[] children customMetadata[] customMetadata",
        "ARROW_JAVA, Field, name type dictionary children[] children customMetadata[]"
                + " customMetadata",
        "ARROW_CPP, Field, children[] type dictionary customMetadata[] customMetadata name"
                + " children",
        "ARROW_CPP_1, Field, name children[] type children dictionary customMetadata[]"
                + " customMetadata",
        "ARROW_CPP, KeyValue, key value",
        "ARROW_CPP_1, KeyValue, value key",
        "ARROW_CPP_1_KEY_FIRST, KeyValue, key value",
        "ARROW_CPP_1_KEY_FIRST, Field, name children[] type children dictionary customMetadata[]"
                + " customMetadata",
        "ARROW_CPP_3, KeyValue, key value",
        "ARROW_CPP_3, Field, children[] type dictionary customMetadata[] customMetadata name"
                + " children",
        "FLATC, Message, header customMetadata[] customMetadata",
        "ARROW_CPP, Schema, fields[] fields customMetadata[] customMetadata features",
        "FLATC, Tensor, type shape[] shape strides data",
        "ARROW_CPP, Tensor, type shape[] shape strides",
        "ARROW_CPP, SparseTensorIndexCSF, indptrType indicesType indicesBuffers indptrBuffers"
                + " axisOrder",
        "FLATC, SparseTensorIndexCSF, indptrType indptrBuffers indicesType indicesBuffers"
                + " axisOrder",
    })
    void objectsAreWrittenInThisOrder(EmissionOrder order, String table, String expected) {
        assertEquals(
                expected,
                Arrays.stream(order.steps(rules(table)))
                        .map(each -> each.field().name() + (each.elements() ? "[]" : ""))
                        .collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "FLATC, Field, customMetadata children dictionary type name typeType nullable",
        "ARROW_CPP, Field, customMetadata children dictionary type name typeType nullable",
        "ARROW_JAVA, Field, name nullable typeType type children customMetadata dictionary",
        "ARROW_CPP_1, Message, bodyLength customMetadata header version headerType",
        "ARROW_JAVA, Message, headerType header version bodyLength customMetadata",
        "ARROW_CPP, Schema, features customMetadata fields endianness",
        "ARROW_JAVA, Schema, endianness fields customMetadata features",
        "ARROW_CPP, Tensor, data strides shape type typeType",
        "ARROW_JAVA, Tensor, typeType type shape strides data",
    })
    void fieldsAreAddedInThisOrder(EmissionOrder order, String table, String expected) {
        List<String> known = List.of(expected.split(" "));
        assertEquals(
                known,
                Arrays.stream(order.added(rules(table)))
                        .map(FieldDeclaration::name)
                        .filter(known::contains) // a field that a producer does not write yet
                        // may be anywhere
                        .toList());
    }

    @Test
    void anOrderNamesOnlyDeclaredFields() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> EmissionOrder.ARROW_CPP.steps(TableDeclaration.of("Field")));
        assertEquals("unknown field: name=children", e.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void everyTableHasItsOrder(EmissionOrder order) {
        TableOrder[] all = TableOrder.all(order);
        assertEquals(ArrowRules.ALL.size(), all.length);
        for (int kind = 0; kind < all.length; kind++) {
            TableDeclaration rules = ArrowRules.ALL.get(kind);
            assertSame(rules, all[kind].declaration);
            assertArrayEquals(order.steps(rules), all[kind].steps);
            assertArrayEquals(order.added(rules), all[kind].fields);
            assertArrayEquals(ArrowRules.SET.targets(kind), all[kind].targets);
        }
    }
}
