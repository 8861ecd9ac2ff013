// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// Bytes that another thread changes while they are verified.
@Timeout(60)
class VerifierDuringChangesTest {
    private static final long NANOSECONDS = 1_000_000_000L;

    /// What calls ended with.
    private static final class Results {
        int accepted;
        int rejected;
        int malformed;
        int outOfBounds;

        void count(BooleanSupplier call) {
            try {
                if (call.getAsBoolean()) {
                    accepted++;
                } else {
                    rejected++;
                }
            } catch (FletchException _) {
                malformed++;
            } catch (IndexOutOfBoundsException _) {
                outOfBounds++;
            } // anything else fails the test
        }

        boolean hasBoth() {
            return accepted > 0 && rejected > 0;
        }

        @Override
        public String toString() {
            return "accepted=%d, rejected=%d, malformed=%d, out of bounds=%d"
                    .formatted(accepted, rejected, malformed, outOfBounds);
        }
    }

    @Test
    void changingBytesThrowOnlyDocumentedExceptions() throws InterruptedException {
        byte[] batch = LargeSchemas.recordBatchMessage(40);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8L + batch.length, 8);
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 4, batch.length);
            MemorySegment.copy(MemorySegment.ofArray(batch), 0, memory, 8, batch.length);
            Verifier verifier = new Verifier();
            Message message = new Message();
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Results verified = new Results();
            Results bound = new Results();
            Results batched = new Results();
            Results wrapped = new Results();
            Verifier streaming = new Verifier();
            Message streamed = new Message();
            RecordBatch rows = new RecordBatch();
            assertTrue(streaming.message(memory, 8, batch.length, streamed));
            AtomicBoolean isEnd = new AtomicBoolean();
            Thread writer = new Thread(() -> change(memory.asSlice(8), isEnd));
            writer.start();
            long end = System.nanoTime() + 2 * NANOSECONDS;
            // On a busy machine, longer than that: until both threads have run.
            while (System.nanoTime() < end
                    || !(verified.hasBoth() && bound.hasBoth() && batched.hasBoth())) {
                verified.count(
                        () -> verifier.verify(Verifier.Root.MESSAGE, memory, 8, batch.length));
                bound.count(() -> verifier.message(memory, 8, batch.length, message));
                batched.count(
                        () -> {
                            int length = streaming.batch(memory, 0, memory.byteSize(), streamed);
                            if (length == 0) {
                                return false;
                            }
                            assertEquals(batch.length, length);
                            assertInside(streamed, rows, length);
                            return true;
                        });
                wrapped.count(() -> frame.wrap(memory, 0, message) != null);
            }
            isEnd.set(true);
            writer.join();
            System.out.println(
                    "verify: "
                            + verified
                            + "; message: "
                            + bound
                            + "; batch: "
                            + batched
                            + "; wrap: "
                            + wrapped);
            assertEquals(0, batched.malformed + batched.outOfBounds, batched::toString);
            assertEquals(0, wrapped.rejected);
            MemorySegment.copy(MemorySegment.ofArray(batch), 0, memory, 8, batch.length);
            assertTrue(verifier.message(memory, 8, batch.length, message));
            frame.wrap(memory, 0, message);
        }
    }

    /// Vectors are inside the message as they were verified, even if their counts change
    /// afterwards.
    private static void assertInside(Message message, RecordBatch batch, int length) {
        if (message.header(batch)) {
            long[] numbers = new long[2 * (batch.nodesCount() + batch.buffersCount())];
            int at = batch.copyNodes(numbers, 0);
            assertEquals(numbers.length, at + batch.copyBuffers(numbers, at));
            assertTrue((long) numbers.length * Long.BYTES <= 2L * length);
        }
    }

    /// Replaces each word of the first bytes for a moment, which have the offsets of the tables.
    private static void change(MemorySegment memory, AtomicBoolean isEnd) {
        int[] values = {0, -1, 1, Integer.MAX_VALUE, 1 << 16, 4, 64};
        for (int i = 0; !isEnd.get(); i++) {
            long at = 4L * (i % (Math.min(256, memory.byteSize()) / 4));
            int before = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, values[i % values.length]);
            Thread.onSpinWait();
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, before);
        }
    }
}
