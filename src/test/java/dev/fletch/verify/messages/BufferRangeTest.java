// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.format.internal.BufferRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/// Buffers at the edges of a body.
class BufferRangeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 24, 24, true",
        "8, 16, 24, true",
        "8, 17, 24, false",
        "0, 25, 24, false",
        "24, 1, 24, false",
        "-1, 1, 24, false",
        "0, -1, 24, false",
        "-8, -1, 24, false",
        "99, 0, 24, true",
        "9223372036854775807, 8, 24, false",
        "8, 9223372036854775807, 24, false"
    })
    void rangeIsInsideTheBodyOrEmpty(long offset, long length, long size, boolean isInside) {
        assertEquals(isInside, BufferRange.isInside(offset, length, size));
    }

    @Test
    void faultHasTheEndOfTheBufferAndThePositionOfItsLength() {
        List<Fault> found = new ArrayList<>();
        BufferRange ranges = new BufferRange(found::add, false);
        ranges.check(64, 8, 17, 24, "buffers", 0);
        assertEquals(25, found.getFirst().value());
        assertEquals(72, found.getFirst().position());
        ranges.check(0, 8, 17, 24, "buffers", 0);
        assertEquals(8, found.get(1).position());
        ranges.check(-1, 8, 17, 24, "buffers", 0);
        assertEquals(-1, found.get(2).position());
    }

    @Test
    void compressedBufferMayBeItsPrefix() {
        List<Fault> found = new ArrayList<>();
        BufferRange ranges = new BufferRange(found::add, false);
        ranges.check(64, 8, 8, 24, "buffers", 0);
        ranges.prefix();
        assertTrue(ranges.isInside());
        ranges.check(64, 8, 7, 24, "buffers", 0);
        ranges.prefix();
        assertEquals(1, found.size());
    }
}
