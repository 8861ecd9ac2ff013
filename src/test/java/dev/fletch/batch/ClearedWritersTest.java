// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.batch.ClearedInputsTest.unusedIn;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.BatchWriter;
import dev.fletch.arrow.Forwarder;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowField;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.SegmentBytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Unused bytes are cleared in what is projected, written and forwarded. The source stays as it is.
@Isolated
class ClearedWritersTest {
    private static final int BATCHES = CaseCount.of(1_000, 50_000);
    private static final ReadOptions VALUES = ReadOptions.DEFAULT.withLevel(Level.VALUES);

    /// A body with only its used bits, by the plain reference.
    private static byte[] reference(
            List<ArrowField> fields, BatchLayout layout, Message message, byte[] body) {
        BatchCursor cursor =
                new BatchCursor().bind(layout, message).body(MemorySegment.ofArray(body));
        boolean[] used = ReferenceUse.of(fields, cursor, body, order(layout));
        byte[] cleared = body.clone();
        for (int bit = 0; bit < used.length; bit++) {
            cleared[bit / 8] &= (byte) (used[bit] ? -1 : ~(1 << bit % 8));
        }
        return cleared;
    }

    private static ByteOrder order(BatchLayout layout) {
        return layout.endianness() == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /// Some columns of a batch, in any order.
    private static int[] columns(RandomBatch batch, Random random) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, batch.schema.fields().size()).boxed().toList());
        Collections.shuffle(all, random);
        return all.stream()
                .limit(1 + random.nextInt(all.size()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Test
    void projectedBodiesAreThoseOfTheReference() {
        UnusedBytes unused = new UnusedBytes(1 << 20);
        int changed = 0;
        for (int seed = 0; seed < BATCHES; seed++) {
            Random random = new Random(seed);
            RandomBatch batch = new RandomBatch(random, random.nextInt(5) == 0, false);
            int[] columns = columns(batch, random);
            BatchLayout all = batch.layout();
            int[] chosen = IntStream.of(columns).map(all::columnField).toArray();
            BatchLayout projection = all.choose(chosen);
            List<ArrowField> fields =
                    IntStream.of(columns).mapToObj(batch.schema.fields()::get).toList();
            MemorySegment source = MemorySegment.ofArray(batch.body.clone()).asReadOnly();

            BatchProjector plain = new BatchProjector(projection);
            int length = plain.write(batch.message);
            byte[] body = SegmentBytes.of(plain.body(source, 0, new SegmentList()));
            Message message = new Message().wrap(plain.written(), 0, length);
            byte[] expected = reference(fields, projection.alone(), message, body);

            BatchProjector clearing = new BatchProjector(projection).clearing(unused);
            assertEquals(length, clearing.write(batch.message));
            byte[] found = SegmentBytes.of(clearing.body(source, 0, new SegmentList()));
            assertArrayEquals(expected, found, "seed=" + seed);
            assertEquals(
                    -1,
                    plain.written()
                            .asSlice(0, length)
                            .mismatch(clearing.written().asSlice(0, length)));
            assertEquals(-1, source.mismatch(MemorySegment.ofArray(batch.body)));
            changed += Arrays.equals(body, expected) ? 0 : 1;
        }
        CaseCount.report("%,d projected bodies, %,d with unused bits", BATCHES, changed);
        assertTrue(changed > 0);
    }

    /// Gives all buffers of a batch to a builder.
    private static void give(BatchCursor batch, BatchBuilder to) {
        for (int field = 0; field < batch.layout().fieldCount(); field++) {
            to.length(field, batch.length(field)).nullCount(field, batch.nullCount(field));
            for (int i = 0; i < batch.bufferCount(field); i++) {
                MemorySegment bytes = batch.buffer(field, i, new ByteSlice()).asSlice();
                to.buffer(field, batch.role(field, i), bytes.asReadOnly());
            }
        }
    }

    @Test
    void writtenBatchesAreThoseOfTheReference() throws IOException {
        int written = 0;
        for (int seed = 0; seed < BATCHES; seed++) {
            RandomBatch batch = new RandomBatch(new Random(seed), false, false);
            byte[] source = batch.body.clone();
            BatchCursor cursor = batch.bound(MemorySegment.ofArray(source));
            byte[] plain;
            try {
                plain = written(batch, cursor, 0);
            } catch (IllegalStateException _) {
                continue; // a child that is longer than needed
            }
            byte[] cleared = written(batch, cursor, 1 << 20);
            assertArrayEquals(batch.body, source);
            assertEquals(plain.length, cleared.length);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            MemorySegment before = MemorySegment.ofArray(plain);
            frame.wrap(before, 0, message);
            frame.wrap(before, frame.nextOffset(), message);
            int at = Math.toIntExact(frame.bodyOffset());
            int end = Math.toIntExact(frame.nextOffset());
            byte[] body = Arrays.copyOfRange(plain, at, end);
            byte[] expected = reference(batch.schema.fields(), batch.layout(), message, body);
            System.arraycopy(expected, 0, plain, at, expected.length);
            assertArrayEquals(plain, cleared, "seed=" + seed);
            written++;
        }
        CaseCount.report("%,d written batches", written);
        assertTrue(written > BATCHES / 4);
    }

    /// @param mostBytes 0 to write the buffers as they are
    private static byte[] written(RandomBatch batch, BatchCursor cursor, long mostBytes)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BatchWriter writer = Arrow.writeStream(Channels.newChannel(out), batch.schema)) {
            if (mostBytes > 0) {
                writer.clearingUnused(mostBytes);
            }
            give(cursor, writer.begin(cursor.rowCount()).builder());
            writer.end();
            writer.finish();
        }
        return out.toByteArray();
    }

    private static byte[] forwarded(byte[] stream, ReadOptions options, String... columns)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BatchReader in = Arrow.open(MemorySegment.ofArray(stream).asReadOnly(), options);
                Forwarder forwarder =
                        Arrow.forward(in, Channels.newChannel(out), columns).clearingUnused()) {
            while (in.nextHeader()) {
                forwarder.write();
            }
            forwarder.finish();
        }
        return out.toByteArray();
    }

    /// Also compressed batches, and dictionaries. The oracle is arrow-java.
    @Test
    void forwardedValuesStay() throws IOException {
        int compared = 0;
        int cleared = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] before = each.stream();
            byte[] after = forwarded(before, VALUES);
            assertEquals(List.of(), unusedIn(after), each.name());
            cleared += unusedIn(before).isEmpty() ? 0 : 1;
            if (each.isReadByArrowJava()) {
                assertEquals(
                        ArrowVectorReading.read(before).values(),
                        ArrowVectorReading.read(after).values(),
                        each.name());
                compared++;
            }
        }
        CaseCount.report("%,d streams of arrow-java, %,d with unused bytes", compared, cleared);
        assertTrue(cleared > 0);
    }

    @Test
    void forwardersNeedVerifiedValues() {
        byte[] stream = ArrowVectorFiles.cases().getFirst().stream();
        assertThrows(IllegalStateException.class, () -> forwarded(stream, ReadOptions.DEFAULT));
    }

    @Test
    void projectorsRefuseCompressedBodies() {
        RandomBatch batch = new RandomBatch(new Random(1), false, false);
        RandomBatch.Compressed compressed = batch.compressed();
        BatchProjector projector =
                new BatchProjector(batch.layout()).clearing(new UnusedBytes(1 << 20));
        projector.write(compressed.message());
        assertRule(
                MeaningRule.COMPRESSED_BUFFER,
                () ->
                        projector.body(
                                MemorySegment.ofArray(compressed.body()), 0, new SegmentList()));
    }

    @Test
    void nothingIsAllocated() {
        UnusedBytes unused = new UnusedBytes(1 << 20);
        SegmentList parts = new SegmentList();
        for (int seed = 0; seed < 5; seed++) {
            RandomBatch batch = new RandomBatch(new Random(seed), false, false);
            MemorySegment body = MemorySegment.ofArray(batch.body).asReadOnly();
            BatchProjector projector = new BatchProjector(batch.layout()).clearing(unused);
            Allocations.assertNone(
                    "cleared projection",
                    () -> {
                        projector.write(batch.message);
                        projector.body(body, 0, parts);
                    });
        }
    }
}
