// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Damaged headers of batches: an error, or exactly the nodes and bytes that a cursor shows for the
/// chosen fields in the damaged batch, none of which share bytes.
class ProjectionMutantsTest {
    private static final int MUTANTS = CaseCount.of(15_000, 500_000);

    private final Random random = new Random(11);
    private final Message message = new Message();
    private final Message projected = new Message();
    private final Verifier verifier = new Verifier();
    private final MemorySegment target = MemorySegment.ofArray(new byte[1 << 16]);
    private int refused;
    private int written;

    /// A batch of a stream: the bytes of message and body, and some columns to forward.
    private record Batch(byte[] metadata, byte[] body, List<Choice> choices) {}

    /// A choice of columns, and the layout that a receiver compiles from the schema it gets.
    private record Choice(BatchProjector projector, BatchLayout sent, BatchLayout received) {}

    private static Choice choice(Schema schema, int version, BatchLayout layout, Random random) {
        int[] columns = random.ints(3, 0, layout.columnCount()).distinct().toArray();
        BatchProjector projection =
                new BatchProjector(
                        layout.choose(Arrays.stream(columns).map(layout::columnField).toArray()));
        FlatBufferWriter buffer = EmissionOrder.ARROW_JAVA.newWriter();
        new MetadataWriter(EmissionOrder.ARROW_JAVA, buffer)
                .schemaMessage(schema, version, projection.edit());
        Schema received = new Schema();
        new Message().wrap(buffer.segment()).header(received);
        return new Choice(
                new BatchProjector(projection.layout()),
                projection.layout(),
                BatchLayout.compile(received, version));
    }

    private static List<Batch> batches() {
        List<Batch> found = new ArrayList<>();
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            OracleFile listing = OracleListing.list(stream);
            Message message = message(listing.messages().getFirst());
            Schema schema = new Schema();
            assertTrue(message.header(schema));
            BatchLayout layout = BatchLayout.compile(schema, message.version());
            Random random = new Random(3);
            List<Choice> choices = new ArrayList<>();
            for (int i = 0; i < 5 && layout.columnCount() > 0; i++) {
                choices.add(choice(schema, message.version(), layout, random));
            }
            for (OracleMessage batch : listing.messages()) {
                if (batch.batch() != null && batch.metadataLength() < 4_000 && !choices.isEmpty()) {
                    byte[] body = bodyOf(batch, stream);
                    found.add(new Batch(batch.metadataBytes(), body, choices));
                }
            }
        }
        return found;
    }

    private static Message message(OracleMessage from) {
        return new Message().wrap(MemorySegment.ofArray(from.metadataBytes()));
    }

    private static byte[] bodyOf(OracleMessage batch, byte[] stream) {
        return batch.bodyIn(MemorySegment.ofArray(stream)).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void damagedHeadersAreRefusedOrForwardedAsTheyAre() {
        List<Batch> all = batches();
        for (int i = 0; i < MUTANTS; i++) {
            Batch batch = all.get(i % all.size());
            byte[] mutant = batch.metadata.clone();
            int changes = random.nextInt(4);
            for (int c = 0; c < changes; c++) {
                mutate(mutant);
            }
            check(batch, mutant, i);
        }
        System.out.printf(
                "Projections: %d mutants of %d batches, %d refused, %d written%n",
                MUTANTS, all.size(), refused, written);
        assertTrue(refused > MUTANTS / 10 && written > MUTANTS / 10);
    }

    @Test
    void cutHeadersAreRefused() {
        int cuts = 0;
        for (Batch batch : batches()) {
            for (int length = 1; length < batch.metadata.length; length++) {
                byte[] cut = Arrays.copyOf(batch.metadata, length);
                boolean isPadding = batch.metadata.length - length < 8;
                int before = written;
                check(batch, cut, length);
                assertTrue(isPadding || written == before, "length=" + length);
                cuts++;
            }
        }
        System.out.printf("Projections: %d cut headers%n", cuts);
    }

    private void mutate(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(3)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            default -> {
                int word = at & -8;
                if (word + 8 <= bytes.length) {
                    long[] values = {0, -1, 8, 64, Long.MAX_VALUE, Long.MIN_VALUE, bytes.length};
                    MemorySegment.ofArray(bytes)
                            .set(
                                    ValueLayout.JAVA_LONG_UNALIGNED,
                                    word,
                                    values[random.nextInt(values.length)]);
                }
            }
        }
    }

    private void check(Batch batch, byte[] metadata, int seed) {
        if (!verifier.message(MemorySegment.ofArray(metadata), 0, metadata.length, message)) {
            refused++;
            return;
        }
        Choice choice = batch.choices.get(seed % batch.choices.size());
        BatchProjector projector = choice.projector;
        int length;
        try {
            length = projector.write(message, target, 0);
        } catch (FletchException e) {
            assertFalse(e.getMessage().isBlank());
            refused++;
            return;
        }
        if (length == 0) {
            refused++;
            return;
        }
        compare(batch, choice, length);
        written++;
    }

    private void compare(Batch batch, Choice choice, int length) {
        // The declared body may be longer than the real one.
        long size = Math.max(message.bodyLength(), 0);
        BatchProjector projector = choice.projector;
        assertTrue(verifier.message(target, 0, length, projected));
        assertEquals(message.version(), projected.version());
        assertEquals(message.headerType(), projected.headerType());
        BatchLayout from = choice.sent;
        BatchLayout to = choice.received;
        DictionaryBatch dictionary = new DictionaryBatch();
        if (message.header(dictionary)) {
            from = from.dictionaryLayout(dictionary.id());
            to = to.dictionaryLayout(dictionary.id());
        }
        BatchCursor source = new BatchCursor();
        try {
            source.bind(from, message);
        } catch (FletchException e) { // unknown codecs are forwarded, and have no values
            BatchLayout of = to;
            assertThrows(FletchException.class, () -> new BatchCursor().bind(of, projected));
            return;
        }
        BatchCursor result = new BatchCursor().bind(to, projected);
        assertEquals(source.rowCount(), result.rowCount());
        long[] sent = new long[2];
        for (int field = 0; field < to.fieldCount(); field++) {
            assertEquals(source.length(field), result.length(field));
            assertEquals(source.nullCount(field), result.nullCount(field));
            assertEquals(source.bufferCount(field), result.bufferCount(field));
            for (int i = 0; i < source.bufferCount(field); i++) {
                long bytes = source.bufferLength(field, i);
                assertEquals(bytes, result.bufferLength(field, i));
                assertEquals(0, result.bufferOffset(field, i) % 8);
                assertTrue(BufferRange.isInside(source.bufferOffset(field, i), bytes, size));
                assertTrue(
                        BufferRange.isInside(
                                result.bufferOffset(field, i), bytes, projected.bodyLength()));
                sent[0] += bytes;
            }
        }
        for (int range = 0; range < projector.rangeCount(); range++) {
            sent[1] += projector.rangeLength(range);
        }
        assertEquals(sent[0], sent[1]);
        if (size <= batch.body.length) {
            compareBytes(batch, projector, source, result, to.fieldCount());
        }
    }

    private static void compareBytes(
            Batch batch,
            BatchProjector projector,
            BatchCursor source,
            BatchCursor result,
            int fields) {
        byte[] body = new byte[(int) projector.bodyLength()];
        int at = 0;
        for (int range = 0; range < projector.rangeCount(); range++) {
            System.arraycopy(
                    batch.body,
                    (int) projector.rangeOffset(range),
                    body,
                    at,
                    (int) projector.rangeLength(range));
            at += (int) projector.rangeLength(range) + projector.rangePadding(range);
        }
        assertEquals(body.length, at);
        source.body(MemorySegment.ofArray(batch.body));
        result.body(MemorySegment.ofArray(body));
        ByteSlice one = new ByteSlice();
        ByteSlice other = new ByteSlice();
        for (int field = 0; field < fields; field++) {
            for (int i = 0; i < source.bufferCount(field); i++) {
                assertArrayEquals(
                        source.buffer(field, i, one).toByteArray(),
                        result.buffer(field, i, other).toByteArray());
            }
        }
    }
}
