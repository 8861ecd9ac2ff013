// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/// What arrow-vector writes here, it reads back; and it writes the same each time.
class ArrowVectorFilesTest {
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void writesTheSameEachTime(ArrowCase each) {
        assertArrayEquals(each.stream(), each.stream());
        if (each.hasFile()) {
            assertArrayEquals(each.file(), each.file());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void fileAndStreamReadTheSame(ArrowCase each) {
        if (each.name().equals("decimals_of_32_and_64_bits")) {
            return; // arrow-vector writes these, but refuses to read them.
        }
        ArrowVectorReading stream = ArrowVectorReading.read(each.stream());
        assertEquals(each.batchRows(), stream.batchRows());
        if (each.hasFile()) {
            ArrowVectorReading file = ArrowVectorReading.read(each.file());
            assertEquals(stream.schema(), file.schema());
            assertEquals(stream.values(), file.values());
        }
    }

    @Test
    void everyTypeIsThere() {
        Set<ArrowTypeID> types = EnumSet.noneOf(ArrowTypeID.class);
        ArrowVectorFiles.named("all_types")
                .schema()
                .getFields()
                .forEach(each -> types.add(each.getType().getTypeID()));
        assertEquals(EnumSet.of(ArrowTypeID.NONE), EnumSet.complementOf(EnumSet.copyOf(types)));
    }

    @Test
    void namesAreUnique() {
        Set<String> names = new HashSet<>();
        ArrowVectorFiles.cases().forEach(each -> names.add(each.name()));
        assertEquals(ArrowVectorFiles.cases().size(), names.size());
        System.out.printf("Written by arrow-vector: %d cases%n", names.size());
    }
}
