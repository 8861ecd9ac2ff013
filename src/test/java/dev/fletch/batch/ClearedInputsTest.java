// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Unused bytes are found in inputs, and cleared in what is converted; values stay.
class ClearedInputsTest {
    private static final int BATCHES = CaseCount.of(500, 20_000);
    private static final ReadOptions OPTIONS =
            ReadOptions.VERIFY.withLevel(ReadOptions.Level.VALUES).with(Check.UNUSED_BYTES, true);
    private static final Set<Rule> UNUSED =
            Set.of(ValueRule.UNUSED_VALUES, ValueRule.UNUSED_PADDING);

    private static byte[] stream(RandomBatch of, Message message, byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out);
        writer.write(of.schema.toMessage(EmissionOrder.ARROW_CPP));
        MemorySegment bytes = MemorySegment.ofArray(body);
        MemorySegment metadata = new ByteSlice().wrapBufferOf(message).asSlice();
        writer.write(metadata, new SegmentList().add(bytes, 0, body.length));
        writer.finish();
        return out.toByteArray();
    }

    private static List<Rule> found(byte[] input) {
        List<Rule> found = new ArrayList<>();
        Arrow.verify(MemorySegment.ofArray(input), OPTIONS, fault -> found.add(fault.rule()));
        return found;
    }

    private static byte[] cleared(byte[] input, ConvertOptions options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrow.convert(
                MemorySegment.ofArray(input), Channels.newChannel(out), options.clearingUnused());
        return out.toByteArray();
    }

    private static boolean isEncoded(List<ArrowField> fields) {
        return fields.stream()
                .anyMatch(each -> each.isDictionaryEncoded() || isEncoded(each.children()));
    }

    @Test
    void randomBatchesAreFoundAndCleared() throws IOException {
        int notes = 0;
        for (int seed = 0; seed < BATCHES; seed++) {
            // A value that no row refers to may share bytes with one in use. Then only a part of it
            // is set to 0, which may break a rule of values.
            boolean areShared = seed % 2 == 0;
            RandomBatch batch = new RandomBatch(new Random(seed), false, areShared);
            if (isEncoded(batch.schema.fields())) {
                continue;
            }
            List<Rule> before = found(stream(batch, batch.message, batch.body));
            BatchCursor cursor = batch.bound(MemorySegment.ofArray(batch.body));
            UnusedBytes unused = new UnusedBytes(1 << 20).find(cursor);
            MemorySegment body = MemorySegment.ofArray(batch.body);
            boolean hasUnused = unused.nonzero(0, body, 0, batch.body.length) > 0;
            boolean hasNotes = before.stream().anyMatch(UNUSED::contains);
            assertEquals(hasUnused, hasNotes, "seed=" + seed + ", " + before);
            notes += hasNotes ? 1 : 0;
            byte[] plain = stream(batch, batch.message, batch.body);
            byte[] after = cleared(plain, ConvertOptions.DEFAULT);
            if (!areShared) {
                requireClear(after, seed);
            }
            assertEquals(plain.length, after.length);
            RandomBatch.Compressed compressed = batch.compressed();
            requireClear(
                    cleared(
                            stream(batch, compressed.message(), compressed.body()),
                            ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE)),
                    seed);
        }
        CaseCount.report("%,d batches, %,d with unused bytes that are not 0", BATCHES, notes);
        assertTrue(notes > 0);
    }

    private static void requireClear(byte[] input, int seed) {
        List<Rule> left = found(input);
        left.retainAll(EnumSet.allOf(ValueRule.class));
        left.removeIf(each -> each.severity() == Rule.Severity.DEVIATION);
        assertEquals(List.of(), left, "seed=" + seed);
    }

    /// Also of compressed batches and dictionaries.
    @Test
    void readersRefuseUnusedBytesOnlyIfAsked() throws IOException {
        ReadOptions notes =
                ReadOptions.DEFAULT
                        .withLevel(ReadOptions.Level.VALUES)
                        .with(Check.UNUSED_BYTES, true);
        ReadOptions refusing = notes.with(ValueRule.UNUSED_VALUES, true);
        int refused = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            readAll(stream, notes);
            if (found(stream).contains(ValueRule.UNUSED_VALUES)) {
                FletchException e =
                        assertThrows(
                                FletchException.class,
                                () -> readAll(stream, refusing),
                                each.name());
                assertEquals(ValueRule.UNUSED_VALUES, e.rule());
                refused++;
            } else {
                readAll(stream, refusing);
            }
        }
        assertTrue(refused > 0);
    }

    private static void readAll(byte[] stream, ReadOptions options) throws IOException {
        try (BatchReader reader = Arrow.open(MemorySegment.ofArray(stream), options)) {
            while (reader.next()) {
                reader.cursor();
            }
        }
    }

    /// arrow-java's values stay, also those of compressed batches and of dictionaries.
    @Test
    void valuesStay() throws IOException {
        int compared = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] before = each.stream();
            byte[] after = cleared(before, ConvertOptions.DEFAULT);
            List<Rule> left = found(after);
            left.retainAll(UNUSED);
            assertEquals(List.of(), left, each.name());
            if (!each.name().startsWith("decimals_of_32")) { // arrow-java does not read them
                assertEquals(ArrowVectorReading.read(before), ArrowVectorReading.read(after));
                compared++;
            }
        }
        CaseCount.report("%,d streams of arrow-java", compared);
    }
}
