// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Which exceptions are faults of an input.
class InputFaultsTest {
    /// The metadata of inputs is verified before it is read.
    @Test
    void errorOfTheProgramIsNoFaultOfTheInput() throws IOException {
        MemorySegment stream = MemorySegment.ofArray(TradesSample.stream());
        try (InputBytes bytes = InputBytes.of(stream);
                Input input = Input.of(bytes)) {
            assertTrue(input.next());
            RuntimeException error = new IndexOutOfBoundsException("of an array");
            assertSame(
                    error,
                    assertThrows(RuntimeException.class, () -> InputFaults.required(error, input)));
        }
    }

    /// Offsets in bytes that were not verified may lead anywhere.
    @Test
    void faultIsInsideTheBytesThatWereRead() {
        assertEquals(100, offset(7, 100));
        assertEquals(149, offset(7, 149));
        assertEquals(100, offset(7, 150));
        assertEquals(100, offset(7, 99));
        assertEquals(100, offset(7, Long.MAX_VALUE));
        assertEquals(100, offset(7, Long.MIN_VALUE));
        assertEquals(100, offset(FletchException.NO_OFFSET, 120));
    }

    private static long offset(long position, long inInput) {
        FletchException e = FletchException.malformed("table is outside", position);
        Fault fault = InputFaults.placed(e, 3, inInput, 100, 50);
        assertEquals(3, fault.message());
        return fault.position();
    }
}
