// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.StructureRule;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.wire.Shape;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// Which encapsulated messages [Verifier#batch] binds, prefix included; [BatchMutantsTest] compares
/// what they show.
class VerifierBatchTest {
    /// Messages of a stream: the last ones have the shape of those before.
    private static final int MESSAGES = BatchPass.SOONEST + 2;

    private static final int PREFIX = EncapsulatedMessage.PREFIX_BYTES;

    private static final int SHORT_FORMS = 8;
    private static final long[] NONE = {};
    private static final FullWalk READINGS = FullWalk.bounded();

    @TempDir private Path folder;

    private List<MemorySegment> memories(Arena arena, long size) throws IOException {
        return BatchMessages.memories(folder.resolve("mapped"), arena, size);
    }

    // ---- what is bound

    /// Memory with messages of the same form, one after the other.
    private static final class Stream {
        private final List<Long> offsets = new ArrayList<>();
        private final MemorySegment memory;
        private final int length;

        Stream(int form, int messages) {
            this(random -> BatchMessages.message(form, random), messages);
        }

        Stream(Function<Random, byte[]> source, int messages) {
            Random random = new Random(messages);
            length = source.apply(random).length;
            memory = MemorySegment.ofArray(new byte[messages * (PREFIX + length)]);
            for (int i = 0; i < messages; i++) {
                offsets.add((long) i * (PREFIX + length));
                BatchMessages.put(memory, offsets.get(i), source.apply(random));
            }
        }
    }

    /// Lengths around that from which the first words are compared at constant positions.
    @Test
    void shortMessagesAreBound() throws IOException {
        List<Integer> lengths = new ArrayList<>();
        for (int form = 0; form < SHORT_FORMS; form++) {
            int each = form;
            Stream stream = new Stream(random -> shortMessage(each, random), MESSAGES);
            inAllMemories(stream);
            mutantsOfTheFirst(stream);
            lengths.add(stream.length - Shape.FIRST_BYTES);
        }
        assertTrue(lengths.containsAll(List.of(-32, -8, 0, 8)), lengths.toString());
    }

    private static void mutantsOfTheFirst(Stream stream) {
        EncapsulatedMessage anew = new EncapsulatedMessage();
        Message message = new Message();
        long end = stream.memory.byteSize();
        int alike = 0;
        for (int bit = 0; bit < (PREFIX + stream.length) * Byte.SIZE; bit++) {
            Verifier verifier = new Verifier();
            for (long at : stream.offsets) {
                assertTrue(verifier.message(stream.memory, at + PREFIX, stream.length, message));
            }
            assertTrue(message.parts().isFixed);
            flip(stream.memory, bit / Byte.SIZE, bit);
            int found = verifier.batch(stream.memory, 0, end, message);
            if (found != 0) {
                alike += message.parts().isFixed ? 1 : 0;
                Message expected = new Message();
                if (message.bodyLength() < 0) {
                    assertThrows(
                            FletchException.class, () -> anew.wrap(stream.memory, 0, expected));
                } else if (message.version() == MetadataVersion.V5) {
                    assertEquals(
                            FrameKind.MESSAGE, anew.wrap(stream.memory, 0, expected), "bit " + bit);
                }
                Message decoded = new Message().wrap(stream.memory, PREFIX, found);
                assertEquals(READINGS.bound(decoded), READINGS.bound(message));
            }
            flip(stream.memory, bit / Byte.SIZE, bit);
        }
        // The number of rows, the body's length if it is there, and padding: less than half.
        int half = stream.length * Byte.SIZE / 2;
        assertTrue(alike >= Long.SIZE && alike < half, alike + " bits");
    }

    /// @param form its bits: a body length, an empty vector of nodes, one of buffers
    private static byte[] shortMessage(int form, Random random) {
        FlatBufferWriter writer = EmissionOrder.ARROW_JAVA.newWriter();
        long rows = 1L + random.nextInt(Integer.MAX_VALUE);
        int nodes = (form & 2) == 0 ? 0 : writer.createVector(NONE, 0, 0, 2);
        int buffers = (form & 4) == 0 ? 0 : writer.createVector(NONE, 0, 0, 2);
        int batch = TableEncoder.createRecordBatch(writer, rows, nodes, buffers, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer,
                        MetadataVersion.V5,
                        MessageHeader.RECORD_BATCH,
                        batch,
                        (form & 1) * 8L,
                        0));
        return writer.toByteArray();
    }

    private void inAllMemories(Stream stream) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : memories(arena, stream.memory.byteSize())) {
                memory.copyFrom(stream.memory);
                isBound(stream, memory);
                isBound(stream, memory.asReadOnly());
            }
        }
    }

    private static void isBound(Stream stream, MemorySegment memory) {
        Verifier verifier = new Verifier();
        Message message = new Message();
        long end = memory.byteSize();
        for (int i = 0; i < stream.offsets.size(); i++) {
            long at = stream.offsets.get(i);
            assertEquals(stream.length, verifier.batch(memory, at, end, message));
            assertEquals(i >= BatchPass.SOONEST, message.parts().isFixed);
            Message anew = new Message().wrap(memory, at + PREFIX, stream.length);
            assertEquals(READINGS.bound(anew), READINGS.bound(message));
        }
    }

    @Test
    void schemasAreNotBound() {
        byte[] metadata = LargeSchemas.schemaMessage(2);
        MemorySegment memory = MemorySegment.ofArray(new byte[PREFIX + metadata.length]);
        BatchMessages.put(memory, 0, metadata);
        Verifier verifier = new Verifier();
        Message message = new Message();
        for (int i = 0; i < 5; i++) {
            assertTrue(verifier.message(memory, PREFIX, metadata.length, message));
            assertNull(message.parts());
            assertEquals(0, verifier.batch(memory, 0, memory.byteSize(), message));
            assertThrows(IllegalStateException.class, message::position);
        }
    }

    @Test
    void aNegativeBodyLengthIsRefused() {
        Stream stream = new Stream(1, MESSAGES);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        long last = stream.offsets.getLast();
        new Message().wrap(stream.memory, last + PREFIX, stream.length).setBodyLength(-8);
        for (int i = 0; i < MESSAGES - 1; i++) {
            frame.wrap(stream.memory, stream.offsets.get(i), message);
        }
        assertRule(FrameRule.NEGATIVE_BODY_LENGTH, () -> frame.wrap(stream.memory, last, message));
        frame.wrap(stream.memory, stream.offsets.get(MESSAGES - 2), message);
        assertTrue(message.bodyLength() > 0);
    }

    /// A wrapped message stays readable after a frame finds that there is no other.
    @Test
    void theLastMessageStaysBoundAtTheEnd() {
        Stream stream = new Stream(6, MESSAGES);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        long size = stream.memory.byteSize();
        for (long at : stream.offsets) {
            assertEquals(FrameKind.MESSAGE, frame.wrap(stream.memory, at, message));
        }
        long shown = READINGS.bound(message);
        assertEquals(FrameKind.END_OF_INPUT, frame.wrap(stream.memory, size, message));
        assertEquals(shown, READINGS.bound(message));
        assertEquals(2, message.customMetadataCount());
    }

    /// A verifier accepts versions that a frame does not open.
    @Test
    void anUnsupportedVersionIsRefusedEachTime() {
        Stream stream = new Stream(1, MESSAGES);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message setter = new Message();
        for (long at : stream.offsets) {
            setter.wrap(stream.memory, at + PREFIX, stream.length).setVersion(MetadataVersion.V3);
        }
        Message message = new Message();
        for (long at : stream.offsets) {
            assertRule(
                    MeaningRule.UNSUPPORTED_VERSION, () -> frame.wrap(stream.memory, at, message));
        }
    }

    /// A shape belongs to its verifier, and not to the flyweight.
    @Test
    void shapesOfOneVerifierAreNotThoseOfAnother() {
        byte[] metadata = BatchMessages.message(1, new Random(1));
        MemorySegment memory = MemorySegment.ofArray(new byte[PREFIX + metadata.length]);
        BatchMessages.put(memory, 0, metadata);
        Verifier narrow =
                new Verifier(Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withTables(1)));
        Verifier wide = new Verifier();
        Message message = new Message();
        EncapsulatedMessage frame =
                new EncapsulatedMessage(ReadOptions.DEFAULT.withLimits(narrow.options().limits()));
        for (int i = 0; i < MESSAGES; i++) { // two messages each
            assertTrue(wide.message(memory, PREFIX, metadata.length, message));
            assertEquals(metadata.length, wide.batch(memory, 0, memory.byteSize(), message));
            assertEquals(2 * i >= BatchPass.SOONEST, message.parts().isFixed);
            assertEquals(0, narrow.batch(memory, 0, memory.byteSize(), message));
            assertFalse(narrow.message(memory, PREFIX, metadata.length, message));
            assertRule(StructureRule.TABLE_LIMIT, () -> frame.wrap(memory, 0, message));
        }
    }

    private static void flip(MemorySegment memory, long at, int bit) {
        byte value = memory.get(ValueLayout.JAVA_BYTE, at);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (value ^ 1 << bit % Byte.SIZE));
    }
}
