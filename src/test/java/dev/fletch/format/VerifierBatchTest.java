// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
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
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.wire.Shape;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// [Verifier#batch] binds an encapsulated message, prefix included, only if the general way accepts
/// it under the same options, and it then shows the same. A frame that uses it decides as a new
/// one.
class VerifierBatchTest {
    private static final int CASES = CaseCount.of(8_000, 500_000);
    private static final int ROOM = 4_096;

    /// Messages of a stream: the last ones have the shape of those before.
    private static final int MESSAGES = BatchPass.SOONEST + 2;

    private static final int PREFIX = EncapsulatedMessage.PREFIX_BYTES;

    private static final List<ReadOptions> OPTIONS =
            List.of(
                    ReadOptions.DEFAULT,
                    ReadOptions.DEFAULT.withLevel(Level.TOUCHED),
                    ReadOptions.DEFAULT.withChecks(Checks.STRICT.enabled()),
                    ReadOptions.DEFAULT.withLimits((Checks.ARROW_CPP.limits().withTables(3))),
                    ReadOptions.DEFAULT.withLimits(
                            (Checks.ARROW_CPP.limits().withMetadataBytes(600))),
                    ReadOptions.DEFAULT.with(Check.UTF8, true));

    private static final int SHORT_FORMS = 8;
    private static final long[] NONE = {};

    @TempDir private Path folder;

    private static byte[] message(int form, Random random) {
        return BatchMessages.message(BatchMessages.FORMS[form], random);
    }

    private static void put(MemorySegment memory, long at, byte[] metadata) {
        memory.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at, -1);
        memory.set(
                ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                at + Integer.BYTES,
                metadata.length);
        MemorySegment.copy(
                metadata, 0, memory, ValueLayout.JAVA_BYTE, at + PREFIX, metadata.length);
    }

    /// All that a frame and its message show, or what is thrown instead.
    private static List<Object> wrapped(
            EncapsulatedMessage frame, Message message, MemorySegment memory, long at, long end) {
        List<Object> shown = new ArrayList<>();
        try {
            shown.add(frame.wrap(memory, at, end, message));
            shown.addAll(
                    List.of(
                            frame.kind(),
                            frame.offset(),
                            frame.prefixLength(),
                            frame.metadataLength(),
                            frame.bodyLength(),
                            frame.isBodyComplete()));
            if (frame.kind() == FrameKind.MESSAGE) {
                shown.addAll(new MessageReadings().of(message));
                shown.add(message.bufferLength());
                shown.add(frame.inputOffset(message.position()));
            }
            shown.add(frame.nextOffset());
        } catch (FletchException | IndexOutOfBoundsException e) {
            shown.add(e.toString());
        }
        return shown;
    }

    // ---- mutants

    /// A frame that has seen many messages in the same memory.
    private static final class Known {
        private final ReadOptions options;
        private final EncapsulatedMessage frame;
        private final Message message = new Message();
        private long cases;
        private long fixed;
        private long inOneStep;

        Known(ReadOptions options) {
            this.options = options;
            frame = new EncapsulatedMessage(options);
        }

        void compare(MemorySegment view, long at, long end, String what) {
            List<Object> expected =
                    wrapped(new EncapsulatedMessage(options), new Message(), view, at, end);
            List<Object> shown = wrapped(frame, message, view, at, end);
            assertEquals(expected, shown, what);
            cases++;
            if (shown.getFirst() == FrameKind.MESSAGE && message.parts() != null) {
                fixed += message.parts().isFixed ? 1 : 0;
                inOneStep += message.parts().isFixed ? 0 : 1;
            }
        }
    }

    private List<MemorySegment> memories(Arena arena, long size) throws IOException {
        return BatchMessages.memories(folder.resolve("mapped"), arena, size);
    }

    @Test
    void mutantsAreWrappedAsByAFreshFrame() throws IOException {
        Random random = new Random(20_261_125);
        long fixed = 0;
        long inOneStep = 0;
        long cases = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : memories(arena, ROOM)) {
                for (MemorySegment view : List.of(memory, memory.asReadOnly())) {
                    for (ReadOptions options : OPTIONS) {
                        Known known = new Known(options);
                        run(known, memory, view, CASES / OPTIONS.size() / 6, random);
                        fixed += known.fixed;
                        inOneStep += known.inOneStep;
                        cases += known.cases;
                    }
                }
            }
        }
        CaseCount.report(
                "Batches in frames: %d messages and mutants under %d options in 6 memories,"
                        + " %d bound by the last shape, %d in one step, no difference",
                cases, OPTIONS.size(), fixed, inOneStep);
        assertTrue(fixed > cases / 16, fixed + " bound by the last shape");
        assertTrue(inOneStep > cases / 2, inOneStep + " in one step");
    }

    private static void run(
            Known known, MemorySegment memory, MemorySegment view, int cases, Random random) {
        while (known.cases < cases) {
            int form = random.nextInt(BatchMessages.FORMS.length);
            for (int i = 0; i < 4; i++) {
                int at = random.nextInt(40);
                byte[] metadata = message(form, random);
                put(memory, at, metadata);
                known.compare(view, at, at + PREFIX + metadata.length, "form " + form);
            }
            int at = random.nextInt(40);
            byte[] metadata = message(form, random);
            put(memory, at, metadata);
            int end = at + PREFIX + metadata.length;
            int change = random.nextInt(7);
            change(memory, at, metadata.length, change, random);
            int cut = random.nextInt(3) == 0 ? random.nextInt(24) - 8 : 0;
            known.compare(view, at, end - cut, "form " + form + ", change " + change);
        }
    }

    private static void change(
            MemorySegment memory, int at, int length, int change, Random random) {
        ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int place = at + random.nextInt(Math.min(120, PREFIX + length));
        switch (change) {
            case 1, 2 ->
                    bytes.put(place, (byte) (bytes.get(place) ^ 1 << random.nextInt(Byte.SIZE)));
            case 3 -> bytes.putInt(at + 4, length + random.nextInt(33) - 16);
            case 4 -> bytes.putInt(place & -4, random.nextInt(64) - 32);
            case 5 -> bytes.putInt(at, 0); // an end of the stream, without continuation
            case 6 -> bytes.putShort(place & -2, (short) random.nextInt(64));
            default -> {} // as it was written
        }
    }

    // ---- what is bound

    /// Memory with messages of the same form, one after the other.
    private static final class Stream {
        private final List<Long> offsets = new ArrayList<>();
        private final MemorySegment memory;
        private final int length;

        Stream(int form, int messages) {
            this(random -> message(form, random), messages);
        }

        Stream(Function<Random, byte[]> source, int messages) {
            Random random = new Random(messages);
            length = source.apply(random).length;
            memory = MemorySegment.ofArray(new byte[messages * (PREFIX + length)]);
            for (int i = 0; i < messages; i++) {
                offsets.add((long) i * (PREFIX + length));
                put(memory, offsets.get(i), source.apply(random));
            }
        }
    }

    @Test
    void batchesOfEveryFormAreBound() throws IOException {
        for (int form = 0; form < BatchMessages.FORMS.length; form++) {
            inAllMemories(new Stream(form, MESSAGES));
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
                assertEquals(new MessageReadings().of(decoded), new MessageReadings().of(message));
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
            assertEquals(new MessageReadings().of(anew), new MessageReadings().of(message));
        }
    }

    @Test
    void schemasAreNotBound() {
        byte[] metadata = LargeSchemas.schemaMessage(2);
        MemorySegment memory = MemorySegment.ofArray(new byte[PREFIX + metadata.length]);
        put(memory, 0, metadata);
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
    void aMessageOutsideTheInputIsNotBound() {
        for (int verified = 1; verified < MESSAGES; verified++) {
            Stream stream = new Stream(1, MESSAGES);
            Verifier verifier = new Verifier();
            Message message = new Message();
            for (int i = 0; i < verified; i++) {
                long at = stream.offsets.get(i) + PREFIX;
                assertTrue(verifier.message(stream.memory, at, stream.length, message));
            }
            outside(stream, verifier, message);
        }
    }

    private static void outside(Stream stream, Verifier verifier, Message message) {
        long size = stream.memory.byteSize();
        long last = stream.offsets.getLast();
        List<Object> shown = new MessageReadings().of(message);
        for (long at :
                new long[] {
                    -1,
                    -PREFIX,
                    last + 1,
                    last + PREFIX,
                    size,
                    size + 1,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE - stream.length,
                    Long.MIN_VALUE
                }) {
            assertEquals(0, verifier.batch(stream.memory, at, size, message), "offset " + at);
        }
        for (long wrongEnd :
                new long[] {
                    last + PREFIX + stream.length - 1,
                    last,
                    0,
                    -1,
                    Long.MIN_VALUE,
                    size + 1,
                    Long.MAX_VALUE
                }) {
            assertEquals(
                    0, verifier.batch(stream.memory, last, wrongEnd, message), "end " + wrongEnd);
        }
        MemorySegment end = MemorySegment.ofArray(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
        assertEquals(0, verifier.batch(end, 0, end.byteSize(), message), "end of a stream");
        MemorySegment other = stream.memory.asSlice(0);
        assertEquals(stream.length, verifier.batch(other, last, size, new Message()));
        for (int bit = 0; bit < PREFIX * Byte.SIZE; bit++) {
            flip(stream.memory, last + bit / Byte.SIZE, bit);
            int length = stream.memory.get(ValueLayout.JAVA_INT_UNALIGNED, last + 4);
            if (bit < Integer.SIZE || length <= 0 || length > stream.length) {
                assertEquals(0, verifier.batch(stream.memory, last, size, message), "bit " + bit);
            }
            flip(stream.memory, last + bit / Byte.SIZE, bit);
        }
        assertEquals(shown, new MessageReadings().of(message), "unchanged and not outdated");
        assertEquals(stream.length, verifier.batch(stream.memory, last, size, message));
        assertNotEquals(shown, new MessageReadings().of(message));
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
        FletchException e =
                assertThrows(FletchException.class, () -> frame.wrap(stream.memory, last, message));
        assertEquals(FrameRule.NEGATIVE_BODY_LENGTH, e.rule());
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
        List<Object> shown = new MessageReadings().of(message);
        assertEquals(FrameKind.END_OF_INPUT, frame.wrap(stream.memory, size, message));
        assertEquals(shown, new MessageReadings().of(message));
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
            FletchException e =
                    assertThrows(
                            FletchException.class, () -> frame.wrap(stream.memory, at, message));
            assertEquals(MeaningRule.UNSUPPORTED_VERSION, e.rule());
        }
    }

    /// A shape belongs to its verifier, and not to the flyweight.
    @Test
    void shapesOfOneVerifierAreNotThoseOfAnother() {
        byte[] metadata = message(1, new Random(1));
        MemorySegment memory = MemorySegment.ofArray(new byte[PREFIX + metadata.length]);
        put(memory, 0, metadata);
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
            FletchException e =
                    assertThrows(FletchException.class, () -> frame.wrap(memory, 0, message));
            assertEquals(StructureRule.TABLE_LIMIT, e.rule());
        }
    }

    /// One flyweight, and two verifiers that have learned different shapes.
    @Test
    void oneFlyweightServesTwoVerifiers() {
        Verifier[] verifiers = {new Verifier(), new Verifier()};
        Stream[] streams = {new Stream(1, MESSAGES), new Stream(4, MESSAGES)};
        Message message = new Message();
        MessageReadings readings = new MessageReadings();
        for (int round = 0; round < 200; round++) {
            int each = round < 2 * MESSAGES ? round / MESSAGES : round % 2;
            Stream stream = streams[each];
            long at = stream.offsets.get(round % MESSAGES);
            assertTrue(verifiers[each].message(stream.memory, at + PREFIX, stream.length, message));
            assertTrue(round < 2 * MESSAGES || message.parts().isFixed);
            Message anew = new Message().wrap(stream.memory, at + PREFIX, stream.length);
            assertEquals(readings.of(anew), readings.of(message));
        }
    }

    /// Memory that changes between two calls.
    @Test
    void aChangedMessageIsVerifiedAgain() {
        Stream stream = new Stream(1, MESSAGES);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (long at : stream.offsets) {
            frame.wrap(stream.memory, at, message);
        }
        long at = stream.offsets.getLast();
        for (int bit = 0; bit < (PREFIX + stream.length) * Byte.SIZE; bit++) {
            long place = at + bit / Byte.SIZE;
            flip(stream.memory, place, bit);
            List<Object> expected =
                    wrapped(
                            new EncapsulatedMessage(),
                            new Message(),
                            stream.memory,
                            at,
                            stream.memory.byteSize());
            List<Object> shown =
                    wrapped(frame, message, stream.memory, at, stream.memory.byteSize());
            assertEquals(expected, shown, "bit " + bit);
            flip(stream.memory, place, bit);
            wrapped(frame, message, stream.memory, at, stream.memory.byteSize());
        }
    }

    private static void flip(MemorySegment memory, long at, int bit) {
        byte value = memory.get(ValueLayout.JAVA_BYTE, at);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (value ^ 1 << bit % Byte.SIZE));
    }
}
