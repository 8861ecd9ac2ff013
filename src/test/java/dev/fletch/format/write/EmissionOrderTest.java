// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.stream.Collectors;

/// The order of which there may be no producer's files here; `EmissionProducersTest` and
/// `FlatcDocumentsTest` hold the others against whole buffers.
class EmissionOrderTest {
    private static TableDeclaration rules(String table) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(table));
    }

    @ParameterizedTest
    @CsvSource({
        "ARROW_CPP_1_KEY_FIRST, KeyValue, key value",
        "ARROW_CPP_1_KEY_FIRST, Field, name children[] type children dictionary customMetadata[]"
                + " customMetadata",
    })
    void objectsAreWrittenInThisOrder(EmissionOrder order, String table, String expected) {
        assertEquals(
                expected,
                Arrays.stream(order.steps(rules(table)))
                        .map(each -> each.field().name() + (each.elements() ? "[]" : ""))
                        .collect(Collectors.joining(" ")));
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
