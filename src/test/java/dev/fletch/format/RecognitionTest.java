// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.verify.VerifierEngine;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A message is recognized only if the general way accepts it under the same options, and all
/// accessors then show what they show after the general way.
class RecognitionTest {
    private static final int CASES = CaseCount.of(100_000, 2_000_000);
    private static final int THREADS = 2;
    private static final long SEED = 20_261_122;

    private static final int ROOM = 4_096;
    private static final int KIND = ArrowRules.SET.kind("Message");

    private static final List<VerifierOptions> OPTIONS =
            List.of(
                    VerifierOptions.ARROW_CPP,
                    VerifierOptions.FLATBUFFERS,
                    VerifierOptions.STRICT,
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.ALIGNMENT, false),
                    VerifierOptions.ARROW_CPP.withLimits(
                            VerifierOptions.ARROW_CPP.limits().withDepth(2)),
                    VerifierOptions.ARROW_CPP.withLimits(
                            VerifierOptions.ARROW_CPP.limits().withDepth(3)),
                    VerifierOptions.ARROW_CPP.withLimits(
                            VerifierOptions.ARROW_CPP.limits().withTables(3)),
                    VerifierOptions.ARROW_CPP.withLimits(
                            VerifierOptions.ARROW_CPP.limits().withMetadataBytes(600)),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.UTF8, true),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.TABLE_SIZE, true),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.VTABLE_SIZE, true),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.UNION_PAIRS, true),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.ZERO_OFFSETS, true),
                    VerifierOptions.ARROW_CPP
                            .with(VerifierOptions.Check.VECTOR_ALIGNMENT, true)
                            .with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true),
                    VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true));

    @TempDir private static Path folder;

    private static byte[] message(int form, Random random) {
        return BatchMessages.message(BatchMessages.FORMS[form], random);
    }

    // ---- mutants

    /// Readers that know eight forms, and the general way.
    private static final class Sides {
        private final Verifier knowing;
        private final VerifierEngine general;
        private final Message verified = new Message();
        private final Message unverified = new Message();
        private final MessageReadings readings = new MessageReadings();
        private int recognized;

        Sides(VerifierOptions options, Random random) {
            knowing = new Verifier(options);
            general = new VerifierEngine(ArrowRules.SET, options);
            for (int round = 0; round < 4; round++) {
                for (int form = 0; form < MessageShapes.MOST; form++) {
                    MemorySegment bytes = MemorySegment.ofArray(message(form, random));
                    knowing.message(bytes, 0, bytes.byteSize(), verified);
                    unverified.wrap(bytes);
                }
            }
        }

        void compare(MemorySegment memory, long offset, long length, String what) {
            boolean expected = general.verify(KIND, memory, offset, length);
            assertEquals(expected, knowing.message(memory, offset, length, verified), what);
            recognized += expected && verified.isRecognized() ? 1 : 0;
            verdict(expected, what);
            assertEquals(
                    expected, knowing.verify(Verifier.Root.MESSAGE, memory, offset, length), what);
            verdict(expected, what);
            Message anew = new Message();
            List<Object> shown = null;
            String refused = null;
            try {
                anew.decodeAnew(memory, offset, length);
                shown = readings.of(anew);
            } catch (FlatBufferFormatException e) {
                refused = e.getMessage();
            }
            if (expected) {
                assertEquals(shown, readings.of(verified), what);
            }
            try {
                unverified.wrap(memory, offset, length);
                assertEquals(shown, readings.of(unverified), what);
            } catch (FlatBufferFormatException e) {
                assertEquals(refused, e.getMessage(), what);
            }
        }

        void compare(ByteBuffer buffer, String what) {
            boolean expected = general.verify(KIND, buffer);
            assertEquals(expected, knowing.verify(Verifier.Root.MESSAGE, buffer), what);
            verdict(expected, what);
            Message anew = new Message();
            try {
                anew.decodeAnew(buffer);
                List<Object> shown = readings.of(anew);
                assertEquals(shown, readings.of(unverified.wrap(buffer)), what);
                recognized += unverified.isRecognized() ? 1 : 0;
            } catch (FlatBufferFormatException e) {
                assertThrows(FlatBufferFormatException.class, () -> unverified.wrap(buffer), what);
            }
        }

        private void verdict(boolean expected, String what) {
            assertEquals(general.tablesVisited(), knowing.tablesVisited(), what);
            assertEquals(general.faultCount() == 0, !knowing.fault().isPresent(), what);
            if (!expected) {
                assertEquals(general.fault().toString(), knowing.fault().toString(), what);
            }
        }
    }

    private static long run(int thread, int cases) throws IOException {
        Random random = new Random(SEED + thread);
        long recognized = 0;
        try (Arena arena = Arena.ofConfined()) {
            Path file = folder.resolve("mapped" + thread);
            List<MemorySegment> places = BatchMessages.memories(file, arena, ROOM);
            for (VerifierOptions options : OPTIONS) {
                Sides sides = new Sides(options, random);
                for (int i = 0; i < cases / OPTIONS.size(); i++) {
                    one(sides, places, random, options);
                }
                recognized += sides.recognized;
            }
        }
        return recognized;
    }

    /// Puts a case somewhere into one of the memories, whose end it is in every other case.
    private static void one(
            Sides sides, List<MemorySegment> places, Random random, VerifierOptions options) {
        int form = random.nextInt(BatchMessages.FORMS.length);
        byte[] bytes = message(form, random);
        int change = random.nextInt(9);
        bytes = changed(bytes, change, random);
        String what = options + ", form " + form + ", change " + change + ": " + hex(bytes);
        int offset = random.nextInt(40);
        MemorySegment memory = places.get(random.nextInt(places.size()));
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset, bytes.length);
        if (random.nextBoolean()) {
            memory = memory.asSlice(0, offset + bytes.length);
        }
        if (random.nextInt(8) == 0) {
            memory = memory.asReadOnly();
        }
        if (random.nextInt(4) == 0) {
            ByteBuffer buffer = memory.asByteBuffer();
            sides.compare(buffer.position(offset).limit(offset + bytes.length), what);
        } else {
            sides.compare(memory, offset, bytes.length, what);
        }
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }

    private static byte[] changed(byte[] bytes, int change, Random random) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(120, bytes.length));
        switch (change) {
            case 1, 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 3 -> buffer.putInt(at & -4, interesting(bytes.length, random));
            case 4 -> buffer.putShort(at & -2, (short) interesting(bytes.length, random));
            case 5 -> {
                int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length;
                return Arrays.copyOf(bytes, length + random.nextInt(3) * 4);
            }
            case 6 -> {
                byte[] other = message(random.nextInt(BatchMessages.FORMS.length), random);
                int count = Math.min(1 + random.nextInt(64), Math.min(bytes.length, other.length));
                int from = random.nextInt(Math.min(bytes.length, other.length) - count + 1);
                System.arraycopy(other, from, bytes, from, count);
            }
            case 7 -> {
                return withVtableElsewhere(buffer, random);
            }
            default -> {} // as it was written
        }
        return bytes;
    }

    private static int interesting(int length, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> -1 - random.nextInt(8);
            case 2 -> random.nextInt(64);
            case 3 -> length - random.nextInt(32);
            case 4 -> Integer.MAX_VALUE >>> random.nextInt(16);
            default -> random.nextInt();
        };
    }

    /// Puts the vtable of the message, or of its header, at the end.
    private static byte[] withVtableElsewhere(ByteBuffer bytes, Random random) {
        int table = bytes.getInt(0);
        if (random.nextBoolean()) {
            int vtable = table - bytes.getInt(table);
            int header = table + bytes.getShort(vtable + 8);
            table = header + bytes.getInt(header);
        }
        int vtable = table - bytes.getInt(table);
        int size = bytes.getShort(vtable);
        byte[] longer = Arrays.copyOf(bytes.array(), bytes.limit() + (size + 7 & -8));
        System.arraycopy(longer, vtable, longer, bytes.limit(), size);
        ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN).putInt(table, table - bytes.limit());
        return longer;
    }

    @Test
    void mutantsAreReadAsWithoutRecognition() throws InterruptedException {
        Throwable[] failed = new Throwable[THREADS];
        long[] recognized = new long[THREADS];
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threads[t] =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            recognized[thread] = run(thread, CASES / THREADS);
                                        } catch (Throwable e) {
                                            failed[thread] = e;
                                        }
                                    });
        }
        for (int t = 0; t < THREADS; t++) {
            threads[t].join();
            if (failed[t] != null) {
                throw new AssertionError(failed[t]);
            }
        }
        long all = Arrays.stream(recognized).sum();
        CaseCount.report(
                "Recognition: %d mutants of %d forms under %d options, %d recognized, no"
                        + " difference",
                CASES, BatchMessages.FORMS.length, OPTIONS.size(), all);
        assertTrue(all > CASES / 5, all + " recognized");
    }

    // ---- what is recognized

    private static int count(Verifier verifier, int form, int messages) {
        Random random = new Random(form);
        Message message = new Message();
        int recognized = 0;
        for (int i = 0; i < messages; i++) {
            MemorySegment bytes = MemorySegment.ofArray(message(form, random));
            assertTrue(verifier.message(bytes, 0, bytes.byteSize(), message));
            recognized += message.isRecognized() ? 1 : 0;
        }
        return recognized;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void messagesAreRecognizedInEverySegment(SegmentBacking backing) {
        Verifier verifier = new Verifier();
        Message message = new Message();
        MessageReadings readings = new MessageReadings();
        Random random = new Random(2);
        for (int i = 0; i < 5; i++) {
            try (PlacedSegment placed = backing.place(message(1, random))) {
                MemorySegment memory = placed.segment();
                assertTrue(verifier.message(memory, placed.offset(), placed.length(), message));
                assertEquals(i >= 2, message.isRecognized());
                Message anew = new Message();
                anew.decodeAnew(memory, placed.offset(), placed.length());
                assertEquals(readings.of(anew), readings.of(message));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void messagesAreRecognizedInEveryByteBuffer(BufferBacking backing) {
        Message message = new Message();
        MessageReadings readings = new MessageReadings();
        Random random = new Random(3);
        for (int i = 0; i < 5; i++) {
            try (PlacedBuffer placed = backing.place(message(1, random))) {
                message.wrap(placed.buffer());
                assertEquals(i >= 2, message.isRecognized());
                Message anew = new Message();
                anew.decodeAnew(placed.buffer());
                assertEquals(readings.of(anew), readings.of(message));
            }
        }
    }

    // ---- what was bound so

    /// A message that was recognized, in memory that can be written to.
    private static final class Recognized {
        private final MemorySegment memory;
        private final Message message = new Message();
        private final RecordBatch batch = new RecordBatch();

        Recognized(int form) {
            Random random = new Random(4);
            for (int i = 0; i < 3; i++) {
                message.wrap(MemorySegment.ofArray(message(form, random)));
            }
            byte[] bytes = message(form, random);
            memory = MemorySegment.ofArray(bytes);
            message.wrap(memory);
            assertTrue(message.isRecognized());
        }
    }

    @Test
    void settersWorkOnRecognizedMessages() {
        Recognized of = new Recognized(1);
        assertTrue(of.message.header(of.batch));
        of.message.setBodyLength(77);
        of.message.setVersion(MetadataVersion.V4);
        of.batch.setLength(78);
        of.batch.nodes(2, new FieldNode()).set(79, 80);
        of.batch.buffers(3, new Buffer()).set(81, 82);
        assertEquals(77, of.message.bodyLength());
        assertEquals(78, of.batch.length());
        Message anew = new Message();
        RecordBatch batch = new RecordBatch();
        anew.decodeAnew(of.memory, 0, of.memory.byteSize());
        assertTrue(anew.header(batch));
        assertEquals(77, anew.bodyLength());
        assertEquals(MetadataVersion.V4, anew.version());
        assertEquals(78, batch.length());
        assertEquals(79, batch.nodesLength(2));
        assertEquals(80, batch.nodesNullCount(2));
        assertEquals(81, batch.buffersOffset(3));
        assertEquals(82, batch.buffersLength(3));
        // Another flyweight that is bound now shows the new number of rows, too.
        RecordBatch other = new RecordBatch();
        assertTrue(of.message.header(other));
        assertEquals(78, other.length());
    }

    /// What was set belongs to that message, and not to the next one of its shape.
    @Test
    void numbersThatWereSetAreNotThoseOfTheNextMessage() {
        Recognized of = new Recognized(5);
        DictionaryBatch dictionary = new DictionaryBatch();
        assertTrue(of.message.header(dictionary));
        MemorySegment next = MemorySegment.ofArray(of.memory.toArray(ValueLayout.JAVA_BYTE));
        List<Object> message = MessageReadings.numbersOf(of.message);
        List<Object> header = MessageReadings.numbersOf(dictionary);
        int set = setAll(of.message) + setAll(dictionary);
        assertTrue(set >= 4, set + " numbers were set");
        assertNotEquals(message, MessageReadings.numbersOf(of.message));
        assertNotEquals(header, MessageReadings.numbersOf(dictionary));
        of.message.wrap(next);
        assertTrue(of.message.isRecognized());
        assertEquals(message, MessageReadings.numbersOf(of.message));
        assertTrue(of.message.header(dictionary));
        assertEquals(header, MessageReadings.numbersOf(dictionary));
        assertTrue(new Message().wrap(of.memory).header(dictionary));
        assertNotEquals(header, MessageReadings.numbersOf(dictionary));
    }

    /// Sets all numbers that are present to 0.
    private static int setAll(Table table) {
        int set = 0;
        for (FieldDecl field : Flyweights.ARROW.table(table.getClass().getSimpleName()).fields()) {
            boolean settable =
                    field.type().isScalar() && !(field.type() instanceof FbsType.UnionTag);
            if (settable && table.isPresent(field.slot())) {
                Class<?> number = Flyweights.javaType(field.type());
                String name = Flyweights.named("set", field.javaName());
                Method setter = Flyweights.method(table.getClass(), name, number);
                Flyweights.invoke(setter, table, Flyweights.boxed(number, 0));
                set++;
            }
        }
        return set;
    }

    /// A shallow verification does not look at all that a full one does.
    @Test
    void shallowVerificationTeachesNoShape() {
        var form = new BatchMessages.Form(2, 4, -1, -1, 0, 5, false);
        byte[] bytes = BatchMessages.message(form, new Random(10));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Verifier verifier =
                new Verifier(
                        VerifierOptions.ARROW_CPP.withLimits(
                                VerifierOptions.ARROW_CPP.limits().withTables(4)));
        for (int i = 0; i < 8; i++) {
            assertTrue(verifier.verifyShallow(Verifier.Root.MESSAGE, memory, 0, bytes.length));
            assertEquals(2, verifier.tablesVisited());
            assertFalse(verifier.verify(Verifier.Root.MESSAGE, memory));
            assertFalse(verifier.message(memory, 0, bytes.length, new Message()));
        }
        Verifier full = new Verifier();
        for (int i = 0; i < 4; i++) {
            assertTrue(full.verify(Verifier.Root.MESSAGE, memory));
            assertEquals(7, full.tablesVisited());
            assertTrue(full.verifyShallow(Verifier.Root.MESSAGE, memory, 0, bytes.length));
            assertEquals(2, full.tablesVisited());
        }
    }

    @Test
    void wrappingAgainOutdatesTheFlyweightsBelow() {
        Recognized of = new Recognized(1);
        assertTrue(of.message.header(of.batch));
        long first = of.batch.nodesLength(0);
        of.message.wrap(of.memory);
        assertTrue(of.message.isRecognized());
        assertThrows(IllegalStateException.class, () -> of.batch.nodesLength(0));
        assertTrue(of.message.header(of.batch));
        assertEquals(first, of.batch.nodesLength(0));
    }

    /// The same memory, changed between two calls: each bit of the part that decides, and back.
    @Test
    void aChangedMessageIsVerifiedAgain() {
        Verifier knowing = new Verifier();
        VerifierEngine general = new VerifierEngine(ArrowRules.SET, VerifierOptions.ARROW_CPP);
        for (int form : new int[] {1, 2, 4, 6}) {
            Random random = new Random(6);
            Message message = new Message();
            byte[] bytes = message(form, random);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            int recognized = 0;
            for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
                bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                boolean expected = general.verify(KIND, memory, 0, bytes.length);
                assertEquals(expected, knowing.message(memory, 0, bytes.length, message));
                bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                assertTrue(knowing.message(memory, 0, bytes.length, message));
                recognized += message.isRecognized() ? 1 : 0;
            }
            int bits = bytes.length * Byte.SIZE;
            assertTrue(recognized > bits * 9 / 10, "form " + form + ": " + recognized);
        }
    }

    /// Where UTF-8 is checked, messages with texts cannot be learned; others that come between them
    /// are.
    @Test
    void unlearnableMessagesDoNotKeepOthersFromBeingLearned() {
        for (int first = 0; first < 2; first++) {
            Verifier verifier =
                    new Verifier(VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.UTF8, true));
            Random random = new Random(9);
            Message message = new Message();
            int recognized = 0;
            for (int i = 0; i < 200; i++) {
                int form = i % 2 == first ? 6 : 1;
                MemorySegment bytes = MemorySegment.ofArray(message(form, random));
                assertTrue(verifier.message(bytes, 0, bytes.byteSize(), message));
                assertFalse(form == 6 && message.isRecognized());
                recognized += message.isRecognized() ? 1 : 0;
            }
            assertTrue(recognized > 80, recognized + " recognized");
        }
    }

    @Test
    void messagesUpToTheLengthLimitAreRecognized() {
        for (int more = 0; more < 2; more++) {
            byte[] bytes = message(1, new Random(11));
            bytes = Arrays.copyOf(bytes, MessageShapes.MOST_BYTES + 8 * more);
            Message message = new Message();
            for (int i = 0; i < 3; i++) {
                message.wrap(MemorySegment.ofArray(bytes));
            }
            assertEquals(more == 0, message.isRecognized());
        }
    }

    /// Schemas, and messages without a header, have no shape and do not count.
    @Test
    void otherMessagesDoNotDelayRecognition() {
        for (int type : new int[] {MessageHeader.SCHEMA, MessageHeader.RECORD_BATCH}) {
            RawBuffer raw = new RawBuffer(24).offset(0, 16).vtable(4, 0, 4).table(16, 4);
            MemorySegment noHeader = MemorySegment.ofArray(raw.u8(20, type).bytes());
            Message message = new Message();
            for (int i = 0; i < 20; i++) {
                message.wrap(noHeader);
                assertFalse(message.header(new RecordBatch()));
            }
            Random random = new Random(12);
            for (int i = 0; i < 3; i++) {
                message.wrap(MemorySegment.ofArray(message(1, random)));
                assertEquals(i == 2, message.isRecognized());
            }
        }
    }
}
