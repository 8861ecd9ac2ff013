// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
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

    private static List<Rule> found(byte[] input) {
        return ArrowBytes.rules(input, OPTIONS);
    }

    static List<Rule> unusedIn(byte[] input) {
        List<Rule> found = found(input);
        found.retainAll(UNUSED);
        return found;
    }

    private static byte[] cleared(byte[] input, ConvertOptions options) throws IOException {
        return ArrowBytes.converted(input, options.clearingUnused());
    }

    private static boolean isEncoded(List<ArrowField> fields) {
        return fields.stream()
                .anyMatch(each -> each.isDictionaryEncoded() || isEncoded(each.children()));
    }

    @Test
    void randomBatchesAreFoundAndCleared() throws IOException {
        int notes = 0;
        int shared = 0;
        int compared = 0;
        for (int seed = 0; seed < BATCHES; seed++) {
            boolean areShared = seed % 2 == 0;
            RandomBatch batch = new RandomBatch(new Random(seed), false, areShared);
            if (isEncoded(batch.schema.fields())) {
                continue;
            }
            List<Rule> before = found(batch.stream());
            BatchCursor cursor = batch.bound(MemorySegment.ofArray(batch.body));
            UnusedBytes unused = new UnusedBytes(1 << 20).find(cursor);
            MemorySegment body = MemorySegment.ofArray(batch.body);
            boolean hasUnused = unused.nonzero(0, body, 0, batch.body.length) > 0;
            boolean hasNotes = before.stream().anyMatch(UNUSED::contains);
            assertEquals(hasUnused, hasNotes, "seed=" + seed + ", " + before);
            notes += hasNotes ? 1 : 0;
            byte[] plain = batch.stream();
            byte[] after = cleared(plain, ConvertOptions.DEFAULT);
            boolean isShared = unused.sharedCount() > 0;
            shared += isShared ? 1 : 0;
            assertEquals(isShared, before.contains(ValueRule.VALUES_UNCHECKED), "seed=" + seed);
            requireClear(after, seed, isShared);
            assertEquals(plain.length, after.length);
            // arrow-java cannot tell apart their children of one type.
            boolean isSparse = batch.schema.toString().contains("union(sparse");
            compared += !isSparse && isReadTheSame(plain, after, seed) ? 1 : 0;
            RandomBatch.Compressed compressed = batch.compressed();
            requireClear(
                    cleared(
                            batch.stream(compressed),
                            ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE)),
                    seed,
                    false);
        }
        CaseCount.report(
                "%,d batches, %,d with unused bytes that are not 0, %,d with shared buffers,"
                        + " %,d compared by arrow-java",
                BATCHES, notes, shared, compared);
        assertTrue(notes > 0 && shared > 0 && compared > BATCHES / 2);
    }

    /// Whether arrow-java reads a batch; then, it finds the same values in the other one.
    private static boolean isReadTheSame(byte[] before, byte[] after, int seed) {
        List<String> values;
        try {
            values = ArrowVectorReading.read(before).values();
        } catch (RuntimeException _) {
            return false; // of a type that it does not support
        }
        assertEquals(values, ArrowVectorReading.read(after).values(), "seed=" + seed);
        return true;
    }

    private static void requireClear(byte[] input, int seed, boolean isShared) {
        List<Rule> left = found(input);
        left.retainAll(EnumSet.allOf(ValueRule.class));
        left.removeIf(each -> each.severity() == Rule.Severity.DEVIATION);
        assertEquals(
                isShared ? List.of(ValueRule.VALUES_UNCHECKED) : List.of(), left, "seed=" + seed);
    }

    /// The shape of a tensor below a null struct is cleared, the offsets of its elements are not.
    @Test
    void tensorsBelowNullsStaySound() throws IOException {
        ArrowField int32 = ArrowField.of("item", new ArrowType.Int(32, true));
        ArrowField data = ArrowField.of("data", ArrowType.Simple.LIST, int32);
        ArrowField shape = ArrowField.of("shape", new ArrowType.FixedSizeList(2), int32);
        ArrowField tensor =
                ArrowField.of("tensor", ArrowType.Simple.STRUCT, data, shape)
                        .withMetadata(
                                Metadata.of(
                                        "ARROW:extension:name",
                                        "arrow.variable_shape_tensor",
                                        "ARROW:extension:metadata",
                                        "{\"uniform_shape\":[null,3]}"));
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("c", ArrowType.Simple.STRUCT, tensor).nullable());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var writer = Arrow.writeStream(Channels.newChannel(out), schema)) {
            int field = writer.field("c.tensor.data");
            writer.begin(2).builder().nullCount(0, 1).length(field + 1, 9);
            writer.buffer(0, BufferRole.VALIDITY, MemorySegment.ofArray(new byte[] {2}));
            writer.buffer(field, BufferRole.OFFSETS, MemorySegment.ofArray(new int[] {0, 3, 9}));
            int[] elements = {1, 2, 3, 4, 5, 6, 7, 8, 9};
            writer.buffer(field + 1, BufferRole.DATA, MemorySegment.ofArray(elements));
            int[] sizes = {1, 3, 2, 3};
            writer.buffer(field + 3, BufferRole.DATA, MemorySegment.ofArray(sizes)).end();
            writer.finish();
        }
        byte[] before = out.toByteArray();
        assertEquals(List.of(ValueRule.UNUSED_VALUES, ValueRule.UNUSED_VALUES), found(before));
        assertEquals(List.of(), found(cleared(before, ConvertOptions.DEFAULT)));
    }

    /// All batches together have more bytes than may be decompressed.
    @Test
    void compressedBatchesAreClearedOneByOneAndStayCompressed() throws IOException {
        String batch = " | batch lz4 4096 [4096] [- zeros(4096)]";
        byte[] before = CaseFile.input("stream <n:Int(bitWidth=8)>" + batch.repeat(10));
        ReadOptions limited = OPTIONS.withDecompressedBytes(10_000);
        assertEquals(List.of(), ArrowBytes.faults(before, limited));
        byte[] after = cleared(before, ConvertOptions.DEFAULT.withReading(limited));
        assertTrue(after.length < 10 * 1_000, "bytes: " + after.length);
    }

    /// A batch without columns may have a body.
    @Test
    void bodiesWithoutColumnsAreUnused() throws IOException {
        byte[] body = new byte[16];
        body[9] = 7;
        Message message = RandomBatch.message(new BodyLayout().endAt(16), 3, 16, false);
        byte[] before = RandomBatch.stream(ArrowSchema.of(), message, body);
        List<Fault> faults = ArrowBytes.faults(before, OPTIONS);
        assertEquals(1, faults.size());
        assertEquals(ValueRule.UNUSED_PADDING, faults.getFirst().rule());
        assertEquals(before.length - 16 + 9 - 8, faults.getFirst().position());
        assertEquals(List.of(), found(cleared(before, ConvertOptions.DEFAULT)));
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
            assertEquals(List.of(), unusedIn(after), each.name());
            if (each.isReadByArrowJava()) {
                assertEquals(ArrowVectorReading.read(before), ArrowVectorReading.read(after));
                compared++;
            }
        }
        CaseCount.report("%,d streams of arrow-java", compared);
    }

    /// Also compressed ones, whose buffers are parts of the source's body.
    @Test
    void valuesOfChosenColumnsStay() throws IOException {
        int compared = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            List<String> columns;
            try (BatchReader in = Arrow.open(MemorySegment.ofArray(each.stream()), OPTIONS)) {
                columns = in.schema().fields().stream().map(ArrowField::name).toList();
            }
            boolean isNamed = columns.stream().distinct().count() == columns.size();
            if (columns.size() < 2 || !isNamed || !each.isReadByArrowJava()) {
                continue;
            }
            ConvertOptions some =
                    ConvertOptions.DEFAULT.withColumns(columns.getLast(), columns.getFirst());
            byte[] plain = ArrowBytes.converted(each.stream(), some);
            byte[] after = cleared(each.stream(), some);
            assertEquals(List.of(), unusedIn(after), each.name());
            assertEquals(ArrowVectorReading.read(plain), ArrowVectorReading.read(after));
            compared++;
        }
        CaseCount.report("%,d streams with two of their columns", compared);
        assertTrue(compared > 10);
    }
}
