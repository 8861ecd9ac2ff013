// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.body;
import static dev.fletch.ipc.WrittenMessages.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.write.SegmentList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;

/// Bodies in memory that cannot be read, and targets that are none: found before anything is
/// written.
class WriteFreedBodyTest {
    private static SegmentList twoParts(MemorySegment second) {
        return body(8).add(second, 0, 8);
    }

    private static void refused(MessageWriter writer, String text, SegmentList body) {
        long position = writer.position();
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> writer.write(batch(16), body));
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertEquals(position, writer.position());
    }

    @Test
    void unreadablePartsAreRefused() throws Exception {
        MemorySegment freed;
        try (Arena arena = Arena.ofConfined()) {
            freed = arena.allocate(8);
        }
        MemorySegment[] foreign = new MemorySegment[1];
        Thread other = new Thread(() -> foreign[0] = Arena.ofConfined().allocate(8));
        other.start();
        other.join();
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        WrittenSinks.Plain plain = new WrittenSinks.Plain(Integer.MAX_VALUE);
        WrittenSinks.Plain gathering = new WrittenSinks.Gathering(Integer.MAX_VALUE);
        MessageWriter[] writers = {
            MessageWriter.of(ArrowContainer.STREAM, stream),
            MessageWriter.of(ArrowContainer.STREAM, plain),
            MessageWriter.of(ArrowContainer.FILE, gathering),
            MessageWriter.of(ArrowContainer.STREAM, MemorySegment.ofArray(new byte[4096]), 0)
        };
        for (MessageWriter writer : writers) {
            writer.write(schema());
            refused(writer, "freed: bodyOffset=8", twoParts(freed));
            refused(writer, "another thread: bodyOffset=8", twoParts(foreign[0]));
            writer.write(batch(16), body(16));
            writer.finish();
        }
        assertEquals(writers[0].position(), stream.size());
        assertEquals(writers[1].position(), plain.content().length);
        assertEquals(writers[2].position(), gathering.content().length);
    }

    @Test
    void missingTargetsAreRefused() {
        Executable[] calls = {
            () -> MessageWriter.of(ArrowContainer.STREAM, (WritableByteChannel) null),
            () -> MessageWriter.of(ArrowContainer.FILE, (WritableByteChannel) null),
            () -> MessageWriter.of(ArrowContainer.STREAM, (OutputStream) null),
            () -> MessageWriter.of(ArrowContainer.FILE, (OutputStream) null),
            () -> MessageWriter.of(ArrowContainer.STREAM, null, 0),
            () -> MessageWriter.of(ArrowContainer.FILE, null, 0)
        };
        for (Executable each : calls) {
            assertThrows(NullPointerException.class, each);
        }
    }
}
