// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
