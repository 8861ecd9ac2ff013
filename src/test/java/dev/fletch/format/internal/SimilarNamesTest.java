// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.Allocations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class SimilarNamesTest {
    private static final List<String> NAMES =
            List.of("price", "Prices", "symbol", "size", "side", "x", "", "time_of_day");

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "pric, price Prices",
                "PRICE, price Prices",
                "prize, price",
                "sym, symbol",
                "sice, size side",
                "time, time_of_day",
                "timeofday, time_of_day",
                "y, none",
                "'', none",
                "volume, none"
            })
    void namesWithFewOtherCharactersAreSimilar(String name, String similar) {
        List<String> expected = similar == null ? List.of() : List.of(similar.split(" "));
        assertEquals(expected, SimilarNames.of(name, NAMES.stream()), name);
    }

    @Test
    void longNamesOfColumnsAreNotDecoded() {
        String name = "x".repeat(1 << 20);
        Schema schema = ArrowSchema.of(ArrowField.of(name, ArrowType.Simple.BOOL)).toTable();
        long bytes = Allocations.leastBytes(10, () -> ColumnCheck.missing("y", schema));
        assertTrue(bytes < 10 * name.length(), "bytes=" + bytes);
    }

    @Test
    void manyAndLongNamesTakeNoTime() {
        String name = "x".repeat(1 << 20);
        Stream<String> names = IntStream.range(0, 1 << 20).mapToObj(i -> name + i);
        assertTimeout(
                Duration.ofSeconds(5), () -> assertEquals(List.of(), SimilarNames.of(name, names)));
    }
}
