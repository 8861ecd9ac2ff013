// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Threads;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A batch message is bound in one step, or by the last shape, only if the general way accepts it
/// under the same options; all accessors then show what they show after the general way. A frame
/// decides as a new one.
class BatchMutantsTest {
    private static final int CASES = CaseCount.of(20_000, 2_000_000);
    private static final int THREADS = 4;
    private static final long SEED = 20_261_122;

    private static final int ROOM = 4_096;
    private static final int PREFIX = 8;
    private static final int KIND = ArrowRules.SET.kind("Message");

    /// Cases in a row with messages of one form. The first are not changed, and teach the shape.
    private static final int ROUND = 20;

    private static final int ALIKE = 10;

    /// Rounds of one verifier: more than the shapes that it may learn at first.
    private static final int ROUNDS = BatchPass.FIRST_SHAPES + 1;

    private static final List<Checks> OPTIONS =
            List.of(
                    Checks.ARROW_CPP,
                    Checks.FLATBUFFERS,
                    Checks.STRICT,
                    Checks.ARROW_CPP.with(Check.ALIGNMENT, false),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withDepth(2)),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withDepth(3)),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withTables(3)),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withMetadataBytes(600)),
                    Checks.ARROW_CPP.with(Check.UTF8, true),
                    Checks.ARROW_CPP.with(Check.TABLE_SIZE, true),
                    Checks.ARROW_CPP.with(Check.VTABLE_SIZE, true),
                    Checks.ARROW_CPP.with(Check.UNION_PAIRS, true),
                    Checks.ARROW_CPP.with(Check.ZERO_OFFSETS, true),
                    Checks.ARROW_CPP
                            .with(Check.VECTOR_ALIGNMENT, true)
                            .with(Check.EMPTY_VECTOR_ALIGNMENT, true),
                    Checks.ARROW_CPP.with(Check.VECTOR_ALIGNMENT, true));

    /// Of another length than all forms.
    private static final MemorySegment OTHER =
            MemorySegment.ofArray(Arrays.copyOf(BatchMessages.message(0, new Random(1)), 2_000));

    @TempDir private static Path folder;

    // ---- mutants

    /// How a message was bound.
    private enum Way {
        LAST_SHAPE,
        ONE_STEP,
        GENERAL;

        static Way of(Message bound) {
            MessageParts parts = bound.parts();
            return parts == null ? GENERAL : parts.isFixed ? LAST_SHAPE : ONE_STEP;
        }
    }

    /// A verifier of batches, and the general way. The flyweights serve many verifiers.
    private static final class Sides {
        private final Checks options;
        private final VerifierEngine general;
        private final Message verified = new Message();
        private final Message streamed = new Message();
        private final Message unverified = new Message();
        private final FullWalk readings = FullWalk.bounded();
        private final Counts counts;
        private final boolean passesBatches;
        private final List<ReadOptions> reading = new ArrayList<>();
        private final List<EncapsulatedMessage> frames = new ArrayList<>();
        private Verifier verifier;
        private Verifier streaming;

        Sides(Checks options, Counts counts) {
            this.options = options;
            this.counts = counts;
            general = new VerifierEngine(ArrowRules.SET, options);
            passesBatches = options.limits().depth() >= MessageParts.DEPTH;
            for (Level level : List.of(Level.STRUCTURE, Level.TOUCHED)) {
                reading.add(
                        ReadOptions.DEFAULT
                                .withLevel(level)
                                .withChecks(options.enabled())
                                .withLimits(options.limits()));
            }
            restart();
        }

        void restart() {
            verifier = new Verifier(options);
            streaming = new Verifier(options);
            frames.clear();
            reading.forEach(each -> frames.add(new EncapsulatedMessage(each)));
        }

        /// A frame that has seen many messages decides and shows as a new one.
        void compareFrames(MemorySegment memory, long at, long end, String what) {
            for (int i = 0; i < frames.size(); i++) {
                EncapsulatedMessage anew = new EncapsulatedMessage(reading.get(i));
                assertEquals(
                        wrapped(readings, anew, new Message(), memory, at, end),
                        wrapped(readings, frames.get(i), unverified, memory, at, end),
                        what);
            }
        }

        /// Keeps the last shape: a message of another length, so that mutants in a row, which are
        /// alike, do not teach theirs.
        void interrupt() {
            verifier.message(OTHER, 0, OTHER.byteSize(), unverified);
            streaming.message(OTHER, 0, OTHER.byteSize(), unverified);
        }

        /// [Verifier#message], [Verifier#verify], and [Message#wrap].
        void compare(MemorySegment memory, long offset, long length, String what) {
            boolean expected = general.verify(KIND, memory, offset, length);
            assertEquals(expected, verifier.message(memory, offset, length, verified), what);
            verdict(verifier, expected, what);
            if (expected) {
                counts.messages.merge(Way.of(verified), 1L, Long::sum);
                assertEquals(anew(memory, offset, length), readings.bound(verified), what);
            } else if (passesBatches) {
                assertThrows(IllegalStateException.class, verified::position, what);
            }
            assertEquals(
                    expected, verifier.verify(Verifier.Root.MESSAGE, memory, offset, length), what);
            verdict(verifier, expected, what);
            Long shown = null;
            String refused = null;
            try {
                shown = anew(memory, offset, length);
            } catch (FletchException e) {
                refused = e.getMessage();
            }
            try {
                unverified.wrap(memory, offset, length);
                assertEquals(Way.GENERAL, Way.of(unverified));
                assertEquals(shown, readings.bound(unverified), what);
            } catch (FletchException e) {
                assertEquals(refused, e.getMessage(), what);
            }
        }

        private long anew(MemorySegment memory, long offset, long length) {
            return readings.bound(new Message().wrap(memory, offset, length));
        }

        /// [Verifier#batch].
        void compareBatch(MemorySegment memory, long at, long end, String what) {
            long length = lengthAt(memory, at, end);
            if (length == 0) {
                String before = results();
                assertEquals(0, streaming.batch(memory, at, end, streamed), what);
                assertEquals(before, results(), what);
                return;
            }
            boolean expected = general.verify(KIND, memory, at + PREFIX, length);
            assertEquals(expected, verifier.message(memory, at + PREFIX, length, verified), what);
            boolean isBatch = expected && verified.parts() != null;
            String before = results();
            assertEquals(isBatch ? length : 0, streaming.batch(memory, at, end, streamed), what);
            if (isBatch) {
                counts.streams.merge(Way.of(streamed), 1L, Long::sum);
                verdict(streaming, true, what);
                assertEquals(anew(memory, at + PREFIX, length), readings.bound(streamed), what);
            } else {
                if (passesBatches) {
                    assertThrows(IllegalStateException.class, streamed::position, what);
                }
                assertEquals(before, results(), what);
            }
        }

        private String results() {
            return streaming.tablesVisited() + ", " + streaming.fault();
        }

        void compare(ByteBuffer buffer, String what) {
            boolean expected = general.verify(KIND, buffer);
            assertEquals(expected, verifier.verify(Verifier.Root.MESSAGE, buffer), what);
            verdict(verifier, expected, what);
            try {
                long shown = readings.bound(new Message().wrap(buffer));
                assertEquals(shown, readings.bound(unverified.wrap(buffer)), what);
            } catch (FletchException e) {
                assertThrows(FletchException.class, () -> unverified.wrap(buffer), what);
            }
        }

        private void verdict(Verifier of, boolean expected, String what) {
            assertEquals(general.tablesVisited(), of.tablesVisited(), what);
            assertEquals(general.stringBytesRead(), of.stringBytesRead(), what);
            assertEquals(general.faultCount() == 0, of.fault() == null, what);
            if (!expected) {
                assertEquals(general.fault().toString(), of.fault().toString(), what);
            }
        }
    }

    /// All that a frame and its message show, or what is thrown instead.
    private static List<Object> wrapped(
            FullWalk readings,
            EncapsulatedMessage frame,
            Message message,
            MemorySegment memory,
            long at,
            long end) {
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
                shown.add(readings.bound(message));
                shown.add(frame.inputOffset(message.position()));
            }
            shown.add(frame.nextOffset());
        } catch (FletchException | IndexOutOfBoundsException e) {
            shown.add(e.toString());
        }
        return shown;
    }

    /// Length of the metadata behind a prefix; 0 if the input has none.
    private static long lengthAt(MemorySegment memory, long at, long end) {
        if (at < 0 || end > memory.byteSize() || at > end - PREFIX) {
            return 0;
        }
        int length = memory.get(Wire.INT, at + Integer.BYTES);
        boolean isInside = length > 0 && length <= end - at - PREFIX;
        return memory.get(Wire.INT, at) == -1 && isInside ? length : 0;
    }

    private static final class Counts {
        private final Map<Way, Long> messages = new EnumMap<>(Way.class);
        private final Map<Way, Long> streams = new EnumMap<>(Way.class);

        void add(Counts other) {
            other.messages.forEach((way, count) -> messages.merge(way, count, Long::sum));
            other.streams.forEach((way, count) -> streams.merge(way, count, Long::sum));
        }
    }

    private static Counts run(int thread, int cases) throws IOException {
        Random random = new Random(SEED + thread);
        Counts counts = new Counts();
        try (Arena arena = Arena.ofConfined()) {
            Path file = folder.resolve("mapped" + thread);
            List<MemorySegment> places = BatchMessages.memories(file, arena, ROOM);
            for (Checks options : OPTIONS) {
                Sides sides = new Sides(options, counts);
                int form = 0;
                for (int i = 0; i < cases / OPTIONS.size(); i++) {
                    if (i % (ROUND * ROUNDS) == 0) {
                        sides.restart();
                    }
                    if (i % ROUND == 0) {
                        form = random.nextInt(BatchMessages.FORMS.length);
                    }
                    boolean isOther = random.nextInt(8) == 0;
                    if (i % ROUND < ALIKE) {
                        one(sides, places, random, form, 0);
                    } else {
                        int changed = isOther ? random.nextInt(BatchMessages.FORMS.length) : form;
                        if (i % 8 != 0) {
                            sides.interrupt();
                        }
                        one(sides, places, random, changed, random.nextInt(9));
                    }
                }
            }
        }
        return counts;
    }

    /// Puts a case somewhere into one of the memories, whose end it is in every other case.
    private static void one(
            Sides sides, List<MemorySegment> places, Random random, int form, int change) {
        byte[] bytes = changed(BatchMessages.message(form, random), change, random);
        String hex = HexFormat.of().formatHex(bytes);
        String what = sides.options + ", form " + form + ", change " + change + ": " + hex;
        int offset = PREFIX + random.nextInt(40);
        MemorySegment memory = places.get(random.nextInt(places.size()));
        BatchMessages.put(memory, offset - PREFIX, bytes);
        long end = offset + bytes.length;
        MemorySegment view = memory;
        if (random.nextBoolean()) {
            view = view.asSlice(0, end);
        }
        if (random.nextInt(8) == 0) {
            view = view.asReadOnly();
        }
        if (change != 0 && random.nextInt(4) == 0) {
            ByteBuffer buffer = view.asByteBuffer();
            sides.compare(buffer.position(offset).limit((int) end), what);
            return;
        }
        sides.compare(view, offset, bytes.length, what);
        long at = offset - PREFIX;
        if (change != 0 && random.nextInt(3) == 0) {
            changePrefix(memory, at, bytes.length, random);
            at += random.nextInt(8) == 0 ? wrongBy(random) : 0;
            end += random.nextInt(3) == 0 ? wrongBy(random) : 0;
        }
        what += ", at " + at + ", end " + end;
        sides.compareBatch(view, at, end, what);
        sides.compareFrames(view, at, end, what);
    }

    private static void changePrefix(MemorySegment memory, long at, int length, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> memory.set(Wire.INT, at, memory.get(Wire.INT, at) ^ 1 << random.nextInt(32));
            case 1 -> memory.set(Wire.INT, at + 4, length ^ 1 << random.nextInt(32));
            case 2 -> memory.set(Wire.INT, at + 4, length + random.nextInt(33) - 16);
            case 3 -> memory.set(Wire.INT, at + 4, random.nextInt(3) - 1);
            case 4 -> memory.set(Wire.INT, at, length);
            default -> {} // as it was written
        }
    }

    private static long wrongBy(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Long.MIN_VALUE >> random.nextInt(40);
            case 1 -> Long.MAX_VALUE >> random.nextInt(40) + 1;
            case 2 -> -random.nextInt(200);
            default -> random.nextInt(17) - 8;
        };
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
                int form = random.nextInt(BatchMessages.FORMS.length);
                byte[] other = BatchMessages.message(form, random);
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

    /// Verifiers of equal options share plans, also those of different threads.
    @Test
    void mutantsAreReadAsInTheGeneralWay() throws Exception {
        Counts all = new Counts();
        for (Counts each : Threads.results(THREADS, thread -> run(thread, CASES / THREADS))) {
            all.add(each);
        }
        CaseCount.report(
                "Batch messages: %d mutants of %d forms under %d options, no difference;"
                        + " accepted ones were bound as %s, those with a prefix as %s",
                CASES, BatchMessages.FORMS.length, OPTIONS.size(), all.messages, all.streams);
        assertTrue(all.messages.get(Way.LAST_SHAPE) > CASES / 10, all.messages::toString);
        assertTrue(all.messages.get(Way.ONE_STEP) > CASES / 4, all.messages::toString);
        assertTrue(all.messages.get(Way.GENERAL) > CASES / 20, all.messages::toString);
        assertTrue(all.streams.get(Way.LAST_SHAPE) > CASES / 20, all.streams::toString);
        assertTrue(all.streams.get(Way.ONE_STEP) > CASES / 4, all.streams::toString);
    }

    // ---- how messages are bound

    /// A message that was bound in one of the ways, in memory that can be written to.
    private static final class Bound {
        private final Way way;
        private final Verifier verifier = new Verifier();
        private final MemorySegment memory;
        private final Message message = new Message();
        private final RecordBatch batch = new RecordBatch();

        Bound(Way way, int form) {
            this.way = way;
            Random random = new Random(4);
            for (int i = 0; way == Way.LAST_SHAPE && i < BatchPass.SOONEST; i++) {
                byte[] bytes = BatchMessages.message(form, random);
                verifier.message(MemorySegment.ofArray(bytes), 0, bytes.length, message);
            }
            memory = MemorySegment.ofArray(BatchMessages.message(form, random));
            bind(memory);
        }

        void bind(MemorySegment bytes) {
            if (way == Way.GENERAL) {
                message.wrap(bytes);
            } else {
                assertTrue(verifier.message(bytes, 0, bytes.byteSize(), message));
            }
            assertEquals(way, Way.of(message));
        }
    }

    /// What was set belongs to that message, and not to the next one like it.
    @ParameterizedTest
    @EnumSource(Way.class)
    void numbersThatWereSetAreNotThoseOfTheNextMessage(Way way) {
        Bound of = new Bound(way, 5);
        DictionaryBatch dictionary = new DictionaryBatch();
        assertTrue(of.message.header(dictionary));
        MemorySegment next = MemorySegment.ofArray(of.memory.toArray(ValueLayout.JAVA_BYTE));
        FullWalk readings = FullWalk.bounded();
        long message = readings.bound(of.message);
        long header = readings.bound(dictionary);
        int set = setAll(of.message);
        assertNotEquals(message, readings.bound(of.message));
        set += setAll(dictionary);
        assertNotEquals(header, readings.bound(dictionary));
        assertTrue(dictionary.data(of.batch));
        set += setAll(of.batch);
        of.batch.nodes(0, new FieldNode()).set(79, 80);
        of.batch.buffers(1, new Buffer()).set(81, 82);
        assertTrue(set >= 5, set + " numbers were set");
        long shown = readings.bound(new Message().wrap(of.memory));
        assertEquals(shown, readings.bound(of.message));
        of.bind(next);
        assertEquals(message, readings.bound(of.message));
        assertTrue(of.message.header(dictionary));
        assertEquals(header, readings.bound(dictionary));
        assertTrue(new Message().wrap(of.memory).header(dictionary));
        assertNotEquals(header, readings.bound(dictionary));
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

    @ParameterizedTest
    @EnumSource(Way.class)
    void bindingAgainOutdatesTheFlyweightsBelow(Way way) {
        Bound of = new Bound(way, 1);
        assertTrue(of.message.header(of.batch));
        long first = of.batch.nodesLength(0);
        of.bind(of.memory);
        assertThrows(IllegalStateException.class, () -> of.batch.nodesLength(0));
        assertTrue(of.message.header(of.batch));
        assertEquals(first, of.batch.nodesLength(0));
    }

    /// A refused message is not bound, and binding a batch through it changes nothing.
    @ParameterizedTest
    @EnumSource(Way.class)
    void aBatchStaysBoundIfAnOutdatedMessageIsRead(Way way) {
        FullWalk readings = FullWalk.bounded();
        for (int form : new int[] {1, 4}) {
            Bound outdated = new Bound(way, form);
            DictionaryBatch dictionary = new DictionaryBatch();
            outdated.message.header(dictionary);
            MemorySegment damaged = MemorySegment.ofArray(new byte[40]);
            assertFalse(outdated.verifier.message(damaged, 0, 40, outdated.message));
            for (Way other : Way.values()) {
                Bound bound = new Bound(other, 0);
                assertTrue(bound.message.header(bound.batch));
                long[] nodes = new long[2];
                bound.batch.copyNodes(nodes, 0);
                long shown = readings.bound(bound.batch);
                assertThrows(
                        IllegalStateException.class,
                        () -> {
                            outdated.message.header(bound.batch);
                            dictionary.data(bound.batch);
                        });
                assertEquals(shown, readings.bound(bound.batch), form + ", " + other);
                assertEquals(nodes[0], bound.batch.nodesLength(0));
                assertTrue(bound.message.header(bound.batch));
                assertEquals(shown, readings.bound(bound.batch));
                assertEquals(nodes[0], bound.batch.nodesLength(0));
            }
        }
    }

    /// A shallow verification does not look at all that a full one does.
    @Test
    void shallowVerificationTeachesNoShape() {
        var form = new BatchMessages.Form(2, 4, -1, -1, 0, 5, false);
        byte[] bytes = BatchMessages.message(form, new Random(10));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Verifier verifier =
                new Verifier(Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withTables(4)));
        for (int i = 0; i < 8; i++) {
            assertTrue(verifier.verifyShallow(Verifier.Root.MESSAGE, memory, 0, bytes.length));
            assertEquals(2, verifier.tablesVisited());
            assertFalse(verifier.verify(Verifier.Root.MESSAGE, memory));
            assertFalse(verifier.message(memory, 0, bytes.length, new Message()));
        }
        Verifier full = new Verifier();
        Message message = new Message();
        for (int i = 0; i < 4; i++) {
            assertTrue(full.message(memory, 0, bytes.length, message));
            assertEquals(7, full.tablesVisited());
            assertTrue(full.verify(Verifier.Root.MESSAGE, memory));
            assertEquals(7, full.tablesVisited());
            assertTrue(full.verifyShallow(Verifier.Root.MESSAGE, memory, 0, bytes.length));
            assertEquals(2, full.tablesVisited());
        }
    }

    /// The same memory, changed between two calls: each bit, and back.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6})
    void aChangedMessageIsVerifiedAgain(int form) {
        Verifier verifier = new Verifier();
        VerifierEngine general = new VerifierEngine(ArrowRules.SET, Checks.ARROW_CPP);
        Message message = new Message();
        byte[] bytes = BatchMessages.message(form, new Random(6));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Map<Way, Integer> ways = new EnumMap<>(Way.class);
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            boolean expected = general.verify(KIND, memory, 0, bytes.length);
            assertEquals(expected, verifier.message(memory, 0, bytes.length, message));
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertTrue(verifier.message(memory, 0, bytes.length, message));
            ways.merge(Way.of(message), 1, Integer::sum);
        }
        int bits = bytes.length * Byte.SIZE;
        assertFalse(ways.containsKey(Way.GENERAL), ways::toString);
        // Changed messages that are valid may have taught their shapes meanwhile.
        assertTrue(ways.get(Way.LAST_SHAPE) > bits * 4 / 5, "form " + form + ": " + ways);
    }

    @Test
    void anEmptyRangeIsNoMessage() {
        MemorySegment memory = MemorySegment.ofArray(BatchMessages.message(1, new Random(1)));
        for (int known = 0; known < 2; known++) {
            Verifier verifier = new Verifier();
            Message message = new Message();
            for (int i = 0; i < 5 * known; i++) {
                assertTrue(verifier.message(memory, 0, memory.byteSize(), message));
            }
            assertFalse(verifier.message(memory, 8, 0, message));
            assertNotNull(verifier.fault());
        }
    }
}
