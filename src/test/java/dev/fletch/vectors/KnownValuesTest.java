// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Vectors have the values that were written: in columns, dictionaries, and dictionaries with
/// deltas. arrow-java's own readers are no oracle here: they refuse some of these inputs, and read
/// others wrong.
class KnownValuesTest {
    private static final int RUNS = CaseCount.of(6, 12);
    private static final long MOST_BYTES = 64 << 20;
    private static final int OUTER = 1;
    private static final int INNER = 2;

    private static final ArrowType INT8 = new ArrowType.Int(8, true);
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType INT64 = new ArrowType.Int(64, true);
    private static final ArrowType TEXT = ArrowType.Simple.UTF8;
    private static final ArrowType NULL = ArrowType.Simple.NULL;
    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;
    private static final ArrowType LIST = ArrowType.Simple.LIST;
    private static final ArrowField NUMBER = nullable("number", INT32);
    private static final ArrowField WORD = nullable("word", TEXT);
    private static final ArrowField CODE =
            WORD.withName("code")
                    .withDictionary(DictionaryInfo.of(INNER, new ArrowType.Int(8, true)));

    private static ArrowField nullable(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children).nullable();
    }

    private static ArrowField union(
            boolean isDense, int first, int second, ArrowField... children) {
        return ArrowField.of(
                "union",
                isDense
                        ? ArrowType.Union.dense(first, second)
                        : ArrowType.Union.sparse(first, second),
                children);
    }

    private static ArrowField dense(int first, int second) {
        return union(true, first, second, nullable("a", INT8), nullable("b", INT64));
    }

    private static ArrowField sparse(int first, int second) {
        return union(false, first, second, nullable("a", INT8), nullable("b", INT64));
    }

    private static ArrowField map(ArrowField value) {
        return nullable(
                "map",
                new ArrowType.Map(false),
                ArrowField.of("entries", STRUCT, ArrowField.of("key", TEXT), value));
    }

    private static ArrowField runs(int bits, ArrowField values) {
        ArrowField ends = ArrowField.of("run_ends", new ArrowType.Int(bits, true));
        return ArrowField.of("runs", ArrowType.Simple.RUN_END_ENCODED, ends, values);
    }

    private static ArrowField fixedList(int size, ArrowField item) {
        return nullable("fixed", new ArrowType.FixedSizeList(size), item);
    }

    // ---- types that can be read

    private static List<ArrowField> plainTypes() {
        return List.of(
                nullable("int8", INT8),
                ArrowField.of("int64", INT64),
                nullable("bool", ArrowType.Simple.BOOL),
                nullable("three_bytes", new ArrowType.FixedSizeBinary(3)),
                WORD,
                nullable("large_text", ArrowType.Simple.LARGE_UTF8),
                nullable("view", ArrowType.Simple.UTF8_VIEW),
                nullable("null", NULL));
    }

    private static List<ArrowField> nestedTypes() {
        return List.of(
                nullable("list", LIST, WORD),
                nullable("lists", LIST, nullable("list", LIST, NUMBER)),
                nullable("nulls", LIST, nullable("null", NULL)),
                nullable("large_list", ArrowType.Simple.LARGE_LIST, NUMBER),
                nullable("list_view", ArrowType.Simple.LIST_VIEW, NUMBER),
                nullable("large_list_view", ArrowType.Simple.LARGE_LIST_VIEW, NUMBER),
                fixedList(2, NUMBER),
                fixedList(0, NUMBER),
                fixedList(0, fixedList(1, WORD)),
                fixedList(2, fixedList(0, WORD)),
                fixedList(2, nullable("null", NULL)),
                nullable("struct", STRUCT, NUMBER, WORD),
                ArrowField.of("struct", STRUCT, NUMBER, nullable("inner", STRUCT, WORD)),
                nullable("nothing", STRUCT),
                nullable("struct", STRUCT, nullable("null", NULL)),
                nullable("struct", STRUCT, CODE, NUMBER),
                map(NUMBER),
                runs(32, WORD),
                runs(16, NUMBER),
                runs(64, nullable("null", NULL)),
                nullable("list", LIST, runs(32, WORD)),
                nullable("struct", STRUCT, runs(32, WORD), NUMBER));
    }

    /// Type ids that do not ascend, and have gaps.
    private static List<ArrowField> unions() {
        return Stream.of(false, true)
                .flatMap(
                        isDense -> {
                            ArrowField union = isDense ? dense(97, 7) : sparse(97, 7);
                            return Stream.of(
                                    union,
                                    isDense ? dense(0, 1) : sparse(0, 1),
                                    isDense ? dense(127, 0) : sparse(127, 0),
                                    union(isDense, 1, 0, nullable("null", NULL), WORD),
                                    union(isDense, 9, 4, CODE, NUMBER),
                                    nullable("list", LIST, union),
                                    nullable("struct", STRUCT, union, WORD),
                                    nullable("large", ArrowType.Simple.LARGE_LIST, union),
                                    map(union.withName("value")),
                                    runs(32, union),
                                    union(true, 9, 4, union, NUMBER),
                                    union(
                                            isDense,
                                            9,
                                            4,
                                            nullable("struct", STRUCT, union),
                                            NUMBER));
                        })
                .toList();
    }

    @Test
    void vectorsHaveTheValuesThatWereWritten() throws IOException {
        int values = 0;
        int inputs = 0;
        List<ArrowField> fields = new ArrayList<>(plainTypes());
        fields.addAll(nestedTypes());
        fields.addAll(unions());
        for (ArrowField field : fields) {
            for (int run = 0; run < RUNS; run++) {
                Random random = new Random(run);
                KnownColumn known = new KnownColumn(random, 3, run % 2 == 1);
                int[] counts = {3 + random.nextInt(12), random.nextInt(4), random.nextInt(30)};
                for (ArrowContainer container : ArrowContainer.values()) {
                    values += column(field, known, container, counts);
                    values += dictionary(field, known, container, Arrays.copyOf(counts, 1));
                    values += dictionary(field, known, container, counts);
                    inputs += 3;
                }
            }
        }
        System.out.printf(
                "Known values: %d types, %d inputs, %d values%n", fields.size(), inputs, values);
        assertTrue(values > RUNS * 4_000);
    }

    private static int column(
            ArrowField field, KnownColumn known, ArrowContainer container, int[] counts)
            throws IOException {
        Written out = new Written(ArrowSchema.of(field), container, known);
        List<List<Object>> batches = new ArrayList<>();
        for (int count : counts) {
            batches.add(known.values(field, count));
            out.batch(field, batches.getLast());
        }
        int values = 0;
        try (RootAllocator allocator = new RootAllocator(MOST_BYTES);
                VectorReader vectors = VectorTexts.reader(out.bytes(), allocator)) {
            for (List<Object> batch : batches) {
                assertTrue(vectors.loadNext());
                values += compare(batch, vectors.root().getVector(0), field);
            }
        }
        return values;
    }

    private static int dictionary(
            ArrowField field, KnownColumn known, ArrowContainer container, int[] counts)
            throws IOException {
        ArrowField encoded =
                field.withDictionary(DictionaryInfo.of(OUTER, new ArrowType.Int(16, true)));
        Written out = new Written(ArrowSchema.of(encoded), container, known);
        List<Object> values = new ArrayList<>();
        for (int count : counts) {
            boolean isDelta = !values.isEmpty();
            List<Object> more = known.dictionaryValues(field, count);
            out.dictionary(OUTER, encoded, more, isDelta);
            values.addAll(more);
        }
        List<Object> indices =
                LongStream.range(0, values.size()).mapToObj(i -> (Object) i).toList();
        out.batch(encoded, new ArrayList<>(indices));
        try (RootAllocator allocator = new RootAllocator(MOST_BYTES);
                VectorReader vectors = VectorTexts.reader(out.bytes(), allocator)) {
            assertTrue(vectors.loadNext());
            compare(indices, vectors.root().getVector(0), encoded);
            return compare(values, vectors.lookup(OUTER).getVector(), field);
        }
    }

    private static int compare(List<Object> expected, FieldVector found, ArrowField field) {
        assertEquals(expected.size(), found.getValueCount(), field.toString());
        for (int i = 0; i < expected.size(); i++) {
            int row = i;
            assertEquals(
                    KnownColumn.read(expected.get(i)),
                    KnownColumn.read(found.getObject(i)),
                    () -> field + " row " + row);
        }
        return expected.size();
    }

    // ---- types that arrow-java cannot read

    /// Sparse unions: `getObject` throws, or returns the value of another child.
    @Test
    void unionsThatArrowJavaReadsWrongAreUnsupported() throws IOException {
        List<ArrowField> fields =
                List.of(
                        union(false, 5, 3, NUMBER, NUMBER.withName("second")),
                        union(false, 5, 3, nullable("s", STRUCT, NUMBER), NUMBER),
                        union(false, 5, 3, nullable("l", LIST, NUMBER), NUMBER),
                        union(false, 5, 3, fixedList(2, NUMBER), NUMBER),
                        union(false, 5, 3, map(NUMBER), NUMBER),
                        union(false, 5, 3, dense(4, 3), NUMBER),
                        union(false, 5, 3, runs(32, WORD), NUMBER),
                        union(false, 5, 3, nullable("b", new ArrowType.FixedSizeBinary(3)), NUMBER),
                        nullable("list", LIST, union(false, 5, 3, runs(32, WORD), WORD)),
                        fixedList(2, dense(0, 1)));
        for (ArrowField field : fields) {
            for (boolean isEncoded : new boolean[] {false, true}) {
                ArrowField column =
                        isEncoded
                                ? field.withDictionary(DictionaryInfo.implicit(OUTER, false))
                                : field;
                KnownColumn known = new KnownColumn(new Random(1), 3, false);
                byte[] bytes =
                        new Written(ArrowSchema.of(column), ArrowContainer.STREAM, known).bytes();
                try (RootAllocator allocator = new RootAllocator()) {
                    FletchException e =
                            assertThrows(
                                    FletchException.class,
                                    () -> VectorTexts.reader(bytes, allocator),
                                    column.toString());
                    assertEquals(MeaningRule.VECTOR_UNSUPPORTED, e.rule());
                    assertEquals(0, allocator.getAllocatedMemory());
                }
            }
        }
    }

    // ---- long values without bytes

    /// From one case to the next. No divisor of the number of fields, lengths or encodings.
    private static final int LONG_STEP = CaseCount.of(11, 1);

    @Test
    void lengthsWithoutBytesAllocateLittle() throws IOException {
        ArrowField nothing = nullable("nothing", STRUCT);
        ArrowField none = nullable("none", NULL);
        List<ArrowField> fields =
                List.of(
                        nothing,
                        none,
                        nullable("struct", STRUCT, none),
                        nullable("structs", STRUCT, nothing, nothing.withName("second")),
                        fixedList(0, NUMBER),
                        fixedList(1, none),
                        fixedList(1, fixedList(0, NUMBER)),
                        runs(32, none),
                        nullable("struct", STRUCT, runs(32, none)));
        int cases = 0;
        int refused = 0;
        int read = 0;
        for (ArrowField field : fields) {
            for (long[] lengths :
                    List.of(
                            new long[] {1000},
                            new long[] {100_000_000},
                            new long[] {Integer.MAX_VALUE},
                            new long[] {3, Integer.MAX_VALUE},
                            new long[] {60_000_000, 60_000_000, 60_000_000},
                            LongStream.range(0, CaseCount.of(20, 200))
                                    .map(_ -> 1_000_000)
                                    .toArray())) {
                for (boolean isEncoded : new boolean[] {false, true}) {
                    if (cases++ % LONG_STEP != 0) {
                        continue;
                    }
                    try (RootAllocator allocator = new RootAllocator()) {
                        boolean isRead = readsLong(field, isEncoded, lengths, allocator);
                        read += isRead ? 1 : 0;
                        refused += isRead ? 0 : 1;
                        assertTrue(
                                allocator.getPeakMemoryAllocation() <= MOST_BYTES,
                                field + " " + Arrays.toString(lengths));
                        assertTrue(isRead || lengths[0] > 1000 || lengths.length > 1);
                    }
                }
            }
        }
        System.out.printf("Long values without bytes: %d read, %d refused%n", read, refused);
        assertTrue(read > 40 / LONG_STEP && refused > 20 / LONG_STEP, read + " " + refused);
    }

    private static boolean readsLong(
            ArrowField field, boolean isEncoded, long[] lengths, RootAllocator allocator)
            throws IOException {
        ArrowField column =
                isEncoded ? field.withDictionary(DictionaryInfo.implicit(OUTER, false)) : field;
        Written out =
                new Written(
                        ArrowSchema.of(column),
                        ArrowContainer.STREAM,
                        new KnownColumn(new Random(1), 3, false));
        for (long length : lengths) {
            out.nothing(column, length, isEncoded, length != lengths[0] || out.batches > 0);
        }
        if (isEncoded) {
            out.batch(column, List.of(0L));
        }
        try (VectorReader vectors = VectorTexts.reader(out.bytes(), allocator)) {
            long rows = 0;
            while (vectors.loadNext()) {
                rows += vectors.root().getRowCount();
            }
            long expected = LongStream.of(lengths).sum();
            assertEquals(isEncoded ? 1 : expected, rows);
            if (isEncoded) {
                assertEquals(expected, vectors.lookup(OUTER).getVector().getValueCount());
            }
            return true;
        } catch (FletchException e) {
            assertEquals(MeaningRule.VECTOR_TOO_LARGE, e.rule(), e.getMessage());
            return false;
        }
    }

    // ---- writing

    private static final class Written {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final MessageWriter writer;
        private final BatchLayout layout;
        private final BatchBuilder batch;
        private final KnownColumn known;
        int batches;

        Written(ArrowSchema schema, ArrowContainer container, KnownColumn known)
                throws IOException {
            this.known = known;
            layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
            batch = new BatchBuilder(layout);
            writer = MessageWriter.of(container, out).set(it -> it.missingDictionaries(true));
            writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            if (layout.dictionaryLayout(INNER) != null) {
                dictionary(INNER, CODE, List.of("p", "q", "r"), false);
            }
        }

        void batch(ArrowField field, List<Object> values) throws IOException {
            batch.begin(values.size());
            known.put(batch, layout, 0, field, false, values);
            write();
        }

        void dictionary(long id, ArrowField field, List<Object> values, boolean isDelta)
                throws IOException {
            batch.beginDictionary(id, values.size(), isDelta);
            known.put(batch, layout.dictionaryLayout(id), 0, field, true, values);
            write();
        }

        /// Values without bytes.
        void nothing(ArrowField field, long length, boolean isDictionary, boolean isDelta)
                throws IOException {
            if (isDictionary) {
                batch.beginDictionary(OUTER, length, isDelta);
                put(layout.dictionaryLayout(OUTER), 0, field, length);
            } else {
                batch.begin(length);
                put(layout, 0, field, length);
            }
            write();
        }

        private int put(BatchLayout of, int at, ArrowField field, long length) {
            batch.length(at, length);
            int next = at + 1;
            boolean isRuns = field.type() == ArrowType.Simple.RUN_END_ENCODED;
            for (ArrowField child : field.children()) {
                int size = field.type() instanceof ArrowType.FixedSizeList(int items) ? items : 1;
                if (isRuns && child == field.children().getFirst()) {
                    int[] end = {(int) length};
                    batch.buffer(next, BufferRole.DATA, MemorySegment.ofArray(end));
                }
                next = put(of, next, child, isRuns ? 1 : length * size);
            }
            return next;
        }

        private void write() throws IOException {
            writer.write(batch);
            batches++;
        }

        byte[] bytes() throws IOException {
            writer.finish();
            return out.toByteArray();
        }
    }
}
