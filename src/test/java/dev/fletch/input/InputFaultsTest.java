// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
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
    void faultIsInsideTheMessageThatWasRead() {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        MemorySegment stream = MemorySegment.ofArray(TradesSample.stream());
        frame.wrap(stream, 0, new Message());
        frame.wrap(stream, frame.nextOffset(), new Message());
        long start = frame.metadataOffset();
        long last = frame.nextOffset() - 1;
        assertTrue(frame.bodyLength() > 0);
        assertEquals(start, offset(frame, 7, start));
        assertEquals(last, offset(frame, 7, last));
        assertEquals(start, offset(frame, 7, last + 1));
        assertEquals(start, offset(frame, 7, start - 1));
        assertEquals(start, offset(frame, 7, Long.MAX_VALUE));
        assertEquals(start, offset(frame, 7, Long.MIN_VALUE));
        assertEquals(start, offset(frame, FletchException.NO_OFFSET, start + 1));
    }

    private static long offset(EncapsulatedMessage frame, long position, long inInput) {
        FletchException e = FletchException.malformed("table is outside", position);
        Fault fault = InputFaults.placed(e, frame, 3, inInput);
        assertEquals(3, fault.message());
        return fault.position();
    }
}
