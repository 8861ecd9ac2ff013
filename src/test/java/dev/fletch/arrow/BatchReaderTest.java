// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.internal.RangedSource;
import dev.fletch.batch.ValueType;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.Corpus;
import dev.fletch.corpus.CorpusCase;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.remote.CountingSource;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.SmallRanges;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.Sources;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One program reads files, streams, memory and ranges, plain and compressed, at all levels.
class BatchReaderTest {
    private static final int MUTANTS = CaseCount.of(1_500, 60_000);

    @TempDir private Path folder;

    /// Opens an input.
    private interface Opening {
        BatchReader open(ReadOptions options) throws IOException;
    }

    private static InputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static MemorySegment memory(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    /// Opens a file or stream from all sources.
    private List<Opening> openings(byte[] bytes) throws IOException {
        Path path = Files.write(folder.resolve("input"), bytes);
        List<Opening> openings = new ArrayList<>();
        openings.add(options -> Arrow.open(path, options));
        openings.add(options -> Arrow.open(memory(bytes), options));
        if (ArrowContainer.detect(memory(bytes)) == ArrowContainer.FILE) {
            openings.add(options -> Arrow.open(RangeSource.open(path), options));
        } else {
            openings.add(options -> Arrow.open(in(bytes), options));
            openings.add(options -> Arrow.open(FileChannel.open(path), options));
            openings.add(options -> Arrow.open(Channels.newChannel(in(bytes)), options));
        }
        return openings;
    }

    /// The values of all columns that have bytes, a line for each batch and column.
    private static List<String> values(BatchReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        try (reader) {
            List<Column> columns =
                    reader.schema().fields().stream()
                            .map(ArrowField::name)
                            .distinct()
                            .map(reader::column)
                            .toList();
            while (reader.next()) {
                lines.add(reader.rowCount() + " rows");
                for (Column each : columns) {
                    lines.add(each.path() + ": " + values(each));
                }
            }
            columns.forEach(each -> assertEquals(0, each.length()));
        }
        return lines;
    }

    private static String values(Column column) {
        StringBuilder line = new StringBuilder();
        ByteSlice bytes = new ByteSlice();
        for (long row = 0; row < column.length(); row++) {
            if (column.isNull(row)) {
                line.append("null ");
            } else if (column.valueType() == ValueType.BOOL) {
                line.append(column.bool(row)).append(' ');
            } else {
                line.append(bytes(column, row, bytes)).append(' ');
            }
        }
        return line.toString();
    }

    private static String bytes(Column column, long row, ByteSlice into) {
        try {
            assertTrue(column.bytes(row, into));
            return "" + Arrays.hashCode(into.toByteArray());
        } catch (IllegalStateException e) {
            assertTrue(e.getMessage().startsWith("values have no bytes"), e::toString);
            return "nested";
        }
    }

    // ---- all inputs

    /// Of V4, a union has validity; the null of the second batch is one only there.
    @Test
    void batchesOfBothVersionsAreReadByTheirLayouts() throws IOException {
        byte[] stream =
                CaseFile.input(
                        "stream <u:Union(mode=0)<a:Int(bitWidth=8 is_signed=1)>>"
                                + " | batch 1 [1 1] [i8(0) - i8(3)] | batch 1 [1 1] [i8(0) - i8(3)]"
                                + " => 2.header.nodes = [(1 1) (1 0)]; 2.version = 3;"
                                + " 2.header.buffers = [(0 1) (0 1) (8 0) (8 1)]");
        ReadOptions all = ReadOptions.VERIFY.withLevel(Level.VALUES);
        for (Opening each : openings(stream)) {
            try (BatchReader reader = each.open(all)) {
                Column union = reader.column("u");
                assertTrue(reader.next() && !union.isNull(0) && !union.hasNulls());
                assertTrue(reader.next() && union.isNull(0) && union.hasNulls());
                assertFalse(reader.next());
            }
        }
    }

    @Test
    void allSourcesAndLevelsGiveTheSameValues() throws IOException {
        int compared = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            List<byte[]> inputs = new ArrayList<>(List.of(each.stream()));
            if (!each.writing().replacing()) { // as only a stream may
                inputs.add(each.file());
            }
            for (byte[] bytes : inputs) {
                List<String> expected = null;
                for (Opening opening : openings(bytes)) {
                    for (Level level : Level.values()) {
                        List<String> found =
                                values(opening.open(ReadOptions.UNTRUSTED.withLevel(level)));
                        expected = expected == null ? found : expected;
                        assertEquals(expected, found, each.name() + " " + level);
                        compared++;
                    }
                }
            }
        }
        CaseCount.report("Readers of all inputs: %d readings are equal", compared);
        assertTrue(compared > 1_000);
    }

    @Test
    void fieldsBelowColumnsAreRequestedByPath() throws IOException {
        for (Opening opening : openings(TradesSample.file())) {
            try (BatchReader reader = opening.open(ReadOptions.UNTRUSTED)) {
                Column code = reader.column("venue.code");
                Column size = reader.column("size");
                assertTrue(reader.next());
                assertEquals(250, code.length());
                assertTrue(List.of("AMS", "PAR", "ZRH").contains(code.text(0)));
                // Only what is requested is laid out: the struct, its child, and the other column.
                assertEquals(3, reader.cursor().layout().fieldCount());
                assertEquals(size.int64(7), size.values(ValueType.INT64).int64At(7));
                assertEquals(size.int64(7), size.integer(7));
            }
        }
    }

    @Test
    void columnsHaveNullsAndValuesOfTheirTypes() throws IOException {
        byte[] stream =
                CaseFile.input(
                        """
                        let i32 = Int(bitWidth=32 is_signed=1)
                        let encoded = DictionaryEncoding(id=1 indexType=Int(bitWidth=8 is_signed=1))
                        stream <n:i32 u:Int(bitWidth=16) b:Bool f:FloatingPoint(precision=0)
                         d:i32{dictionary=encoded}> | dictionary 1 2 [2] [- i32(70 -80)]
                         | batch 3 [3/1 3*4] [i8(5) i32(7 8 9) - i16(-1 2 3) - i8(5)
                          - i16(15360 0 0) - i8(1 0 1)]
                        """);
        try (BatchReader reader = Arrow.open(memory(stream), ReadOptions.DEFAULT)) {
            List<Column> columns = Stream.of("n", "u", "b", "f", "d").map(reader::column).toList();
            Column numbers = columns.get(0);
            Column booleans = columns.get(2);
            assertTrue(reader.next());
            assertEquals(5, numbers.validity().int8(0));
            assertTrue(!numbers.isNull(0) && numbers.isNull(1) && !booleans.isNull(1));
            ByteSlice bytes = new ByteSlice();
            assertFalse(numbers.bytes(1, bytes));
            assertTrue(numbers.bytes(2, bytes));
            assertArrayEquals(new byte[] {9, 0, 0, 0}, bytes.toByteArray());
            assertTrue(booleans.bool(0) && !booleans.bool(1));
            assertThrows(IllegalStateException.class, () -> booleans.bytes(0, bytes));
            assertEquals(1, columns.get(3).floating(0));
            assertThrows(IllegalStateException.class, () -> columns.get(3).integer(0));
            List<Integer> firsts = new ArrayList<>();
            for (Column each : columns) {
                firsts.add(each.field());
                firsts.add(each == columns.get(3) ? -1 : (int) each.integer(0));
            }
            assertEquals(List.of(0, 7, 1, 65_535, 2, 1, 3, -1, 4, -80), firsts);
        }
    }

    // ---- batches

    @Test
    void batchesOfAFileAreLoadedByNumber() throws IOException {
        for (Opening opening : openings(TradesSample.file())) {
            try (BatchReader reader = opening.open(ReadOptions.UNTRUSTED)) {
                Column symbol = reader.column("symbol");
                assertEquals(3, reader.batchCount());
                reader.load(2);
                assertEquals(TradesSample.BATCH_ROWS.get(2), (int) symbol.length());
                String last = symbol.text(1);
                assertFalse(reader.next());
                reader.load(0);
                assertEquals(TradesSample.BATCH_ROWS.get(0), (int) reader.rowCount());
                assertTrue(reader.next());
                assertEquals(TradesSample.BATCH_ROWS.get(1), (int) reader.rowCount());
                assertThrows(IndexOutOfBoundsException.class, () -> reader.load(3));
                reader.load(2);
                assertEquals(last, symbol.text(1));
            }
        }
        try (BatchReader reader = Arrow.open(in(TradesSample.stream()), ReadOptions.DEFAULT)) {
            assertEquals(-1, reader.batchCount());
            assertThrows(IndexOutOfBoundsException.class, () -> reader.load(0));
        }
    }

    @Test
    void closingAReaderUnmapsItsFile() throws IOException {
        Path path = Files.write(folder.resolve("input"), TradesSample.file());
        ByteSlice values;
        try (BatchReader reader = Arrow.open(path, ReadOptions.DEFAULT)) {
            Column size = reader.column("size");
            assertTrue(reader.next());
            values = size.values(size.valueType());
            values.int8At(0);
        }
        assertThrows(IllegalStateException.class, () -> values.int8At(0));
    }

    @Test
    void headersAreReadWithoutBodies() throws IOException {
        byte[] stream = TradesSample.stream();
        for (Opening opening : openings(stream)) {
            try (BatchReader reader = opening.open(ReadOptions.DEFAULT)) {
                Column size = reader.column("size");
                List<Integer> rows = new ArrayList<>();
                while (reader.nextHeader()) {
                    rows.add((int) reader.rowCount());
                    assertEquals(0, size.length());
                    if (rows.size() == 2) {
                        reader.load();
                        assertEquals(400, size.length());
                    }
                }
                assertEquals(TradesSample.BATCH_ROWS, rows);
                assertEquals(0, reader.rowCount());
            }
        }
    }

    /// The memory of a stream's bodies grows as they are read.
    @Test
    void bodiesOfAllLengthsAreReadWhole() throws IOException {
        List<String> expected = new ArrayList<>();
        var out = new ByteArrayOutputStream();
        ArrowField field = ArrowField.of("t", ArrowType.Simple.UTF8);
        try (var to = Arrow.writeStream(Channels.newChannel(out), ArrowSchema.of(field))) {
            for (int chars : new int[] {10, 70_000, 200_000, 70_000, 1_000_000}) {
                String text = IntStream.range(0, chars).mapToObj(i -> i + " ").collect(joining());
                to.begin(1).texts(0, text).end();
                expected.add("1 rows");
                expected.add("t: " + Arrays.hashCode(text.getBytes(UTF_8)) + " ");
            }
            to.finish();
        }
        for (Opening opening : openings(out.toByteArray())) {
            assertEquals(expected, values(opening.open(ReadOptions.DEFAULT)));
        }
    }

    @Test
    void metadataWithoutKeyIsNotFound() throws IOException {
        byte[] stream =
                CaseFile.input(
                        "stream <> | batch 3 [] []"
                                + " => 1.custom_metadata = [KeyValue(value=\"value\")]");
        try (var reader = Arrow.open(memory(stream), ReadOptions.DEFAULT)) {
            assertTrue(reader.next());
            assertNull(reader.metadata("key"));
        }
    }

    /// Its id may be damaged: then values would be those of the dictionary that it replaces.
    @ParameterizedTest
    @EnumSource
    void dictionaryOfNoFieldIsRefused(ReadOptions.Level level) throws IOException {
        String fields =
                """
                let d3 = DictionaryEncoding(id=3 indexType=Int(bitWidth=8 is_signed=1))
                let d5 = DictionaryEncoding(id=5 indexType=Int(bitWidth=8 is_signed=1))
                %s <t:Utf8{dictionary=d3} other:Utf8{dictionary=d5}>
                 | dictionary 3 1 [1] [- i32(0 1) "a"] | dictionary 5 1 [1] [- i32(0 1) "o"]\
                """;
        String batch = " | batch 1 [1 1] [- i8(0) - i8(0)]";
        String more = " 3 1 [1] [- i32(0 1) \"b\"]";
        ReadOptions options = ReadOptions.DEFAULT.withLevel(level);
        for (String container : new String[] {"stream", "file"}) {
            boolean isFile = container.equals("file");
            String rest =
                    isFile ? " | delta" + more + batch : batch + " | dictionary" + more + batch;
            String sound = fields.formatted(container) + rest;
            String damaged = sound + " => " + (isFile ? 3 : 4) + ".header.id = 4";
            boolean isRefused = !isFile || level != ReadOptions.Level.TOUCHED;
            for (String column : new String[] {"t", "other", ""}) {
                for (Opening opening : openings(CaseFile.input(sound))) {
                    assertEquals(null, refusal(opening.open(options), column));
                }
                for (Opening opening : openings(CaseFile.input(damaged))) {
                    FletchException e = refusal(opening.open(options), column);
                    assertEquals(isRefused ? MeaningRule.UNUSED_DICTIONARY : null, rule(e));
                    assertTrue(e == null || e.isInInput() && e.fault().value() == 4);
                }
            }
        }
    }

    private static Rule rule(FletchException e) {
        return e == null ? null : e.rule();
    }

    /// Why a column cannot be read; null if it can be.
    ///
    /// @param column empty for none
    private static FletchException refusal(BatchReader reader, String column) throws IOException {
        try (reader) {
            if (!column.isEmpty()) {
                reader.column(column);
            }
            while (reader.next()) {}
            return null;
        } catch (FletchException e) {
            return e;
        }
    }

    @Test
    void misuseIsRefused() throws IOException {
        try (BatchReader reader = Arrow.open(memory(TradesSample.file()), ReadOptions.DEFAULT)) {
            assertThrows(IllegalStateException.class, reader::cursor);
            assertThrows(IllegalStateException.class, reader::load);
            assertRule(MeaningRule.NO_COLUMN, () -> reader.column("none"));
            Column size = reader.column("size");
            assertTrue(reader.next());
            assertThrows(IllegalStateException.class, () -> reader.column("price"));
            assertTrue(size.length() > 0);
        }
        BatchReader closed = Arrow.open(TradesSample.path("trades.arrow"), ReadOptions.DEFAULT);
        closed.close();
        closed.close();
    }

    /// Also not of a batch before, whose memory is used again.
    @Test
    void afterAFailureNothingIsRead() throws IOException {
        byte[] stream = TradesSample.stream().clone();
        wrongIndex(stream);
        for (Opening opening : openings(stream)) {
            try (BatchReader reader = opening.open(ReadOptions.UNTRUSTED)) {
                Column size = reader.column("size");
                Column symbol = reader.column("symbol");
                assertTrue(reader.next());
                assertThrows(FletchException.class, reader::next);
                assertEquals(0, size.length());
                assertThrows(IndexOutOfBoundsException.class, () -> size.int64(0));
                assertThrows(IndexOutOfBoundsException.class, () -> size.integer(0));
                assertThrows(IndexOutOfBoundsException.class, () -> symbol.text(0));
                assertThrows(IllegalStateException.class, size::validity);
                assertThrows(IllegalStateException.class, reader::cursor);
                assertThrows(IllegalStateException.class, reader::next);
                assertThrows(IllegalStateException.class, reader::nextHeader);
                assertThrows(IllegalStateException.class, reader::load);
            }
        }
    }

    @Test
    void afterAFailedLoadNothingIsRead() throws IOException {
        byte[] stream = TradesSample.stream().clone();
        wrongIndex(stream);
        for (Opening opening : openings(stream)) {
            try (BatchReader reader = opening.open(ReadOptions.UNTRUSTED)) {
                Column symbol = reader.column("symbol");
                assertTrue(reader.next());
                assertTrue(reader.nextHeader());
                assertThrows(FletchException.class, reader::load);
                assertEquals(0, symbol.length());
                assertHasFailed(reader);
            }
        }
        byte[] file = TradesSample.file().clone();
        wrongIndex(file);
        for (Opening opening : openings(file)) {
            try (BatchReader reader = opening.open(ReadOptions.UNTRUSTED)) {
                Column symbol = reader.column("symbol");
                reader.load(0);
                assertThrows(FletchException.class, () -> reader.load(1));
                assertEquals(0, symbol.length());
                assertThrows(IllegalStateException.class, () -> reader.load(0));
                assertHasFailed(reader);
            }
        }
        byte[] cut = Arrays.copyOf(stream, stream.length - 100);
        try (BatchReader reader = Arrow.open(in(cut), ReadOptions.DEFAULT)) {
            for (int i = 0; i < TradesSample.BATCH_ROWS.size(); i++) {
                assertTrue(reader.nextHeader());
            }
            assertRule(FrameRule.BODY_OUT_OF_INPUT, reader::loadedBytes);
            assertHasFailed(reader);
        }
    }

    private static void assertHasFailed(BatchReader reader) {
        assertEquals(0, reader.rowCount());
        assertThrows(IllegalStateException.class, reader::cursor);
        for (Executable later : List.<Executable>of(reader::next, reader::nextHeader)) {
            String text = assertThrows(IllegalStateException.class, later).getMessage();
            assertTrue(text.startsWith("reader has failed before: message="), text);
        }
    }

    /// Up to the 64th, one that is not there is refused at once.
    @Test
    void columnsAreLookedUpAtOnceOrWithTheFirstBatch() throws IOException {
        var out = new ByteArrayOutputStream();
        ArrowField[] fields =
                IntStream.range(0, 64)
                        .mapToObj(i -> ArrowField.of("c" + i, ArrowType.Simple.NULL))
                        .toArray(ArrowField[]::new);
        try (var to = Arrow.writeStream(Channels.newChannel(out), ArrowSchema.of(fields))) {
            to.begin(0).end();
            to.finish();
        }
        try (BatchReader reader = Arrow.open(memory(out.toByteArray()), ReadOptions.DEFAULT)) {
            for (int i = 0; i < 63; i++) {
                reader.column("c" + i);
            }
            assertRule(MeaningRule.NO_COLUMN, () -> reader.column("none"));
            reader.column("c63");
            reader.column("none");
            assertRule(MeaningRule.NO_COLUMN, reader::next);
        }
    }

    @Test
    void valuesEndWithTheirBatch() throws IOException {
        try (BatchReader reader = Arrow.open(memory(TradesSample.file()), ReadOptions.DEFAULT)) {
            Column size = reader.column("size");
            Column tags = reader.column("tags.item");
            assertThrows(IndexOutOfBoundsException.class, () -> size.integer(0));
            assertThrows(IllegalStateException.class, () -> size.int64(0));
            while (reader.next()) {
                size.int64(0);
            }
            assertThrows(IndexOutOfBoundsException.class, () -> size.int64(0));
            assertThrows(IndexOutOfBoundsException.class, () -> tags.text(0));
            reader.load(1);
            size.int64(0);
            reader.load(2);
            assertFalse(reader.nextHeader());
            assertThrows(IndexOutOfBoundsException.class, () -> size.isNull(0));
        }
    }

    @Test
    void allColumnsOfALinkAreLaidOutWhenTheyAreNeeded() throws IOException {
        Path path = Files.write(folder.resolve("link"), TradesSample.file());
        try (BatchReader reader = Arrow.open(RangeSource.open(path), ReadOptions.DEFAULT)) {
            assertTrue(reader.nextHeader());
            reader.load();
            assertEquals(7, reader.cursor().layout().columnCount());
            int size = reader.cursor().layout().field("size");
            ByteSlice values = new ByteSlice();
            reader.cursor().values(size, ValueType.INT64, values);
            reader.load(2);
            reader.cursor().values(size, ValueType.INT64, values);
            assertEquals(150 * Long.BYTES, values.length());
        }
    }

    /// Of 100 headers, the options keep fewer than half.
    @Test
    void headersOfALinkAreRequestedTogetherAlsoAfterAStepBack() throws IOException {
        var source =
                new CountingSource(
                        CaseFile.input(
                                "file <n:Int(bitWidth=8 is_signed=1)>"
                                        + " | batch 1 [1] [- i8(1)]".repeat(100)));
        RangeOptions few = SmallRanges.OF.endBytes(64).maxHeaderBytes(8_000).options();
        var file = RangedFile.open(source, ReadOptions.DEFAULT, few);
        try (var reader =
                new BatchReader(new RangedSource(file, Limits.DEFAULT), ReadOptions.DEFAULT)) {
            reader.load(80);
            reader.load(0);
            int before = source.reads.size();
            for (int i = 1; i < 100; i++) {
                assertTrue(reader.nextHeader());
            }
            int requests = source.reads.size() - before;
            assertTrue(requests > 0 && requests < 9, () -> "requests: " + requests);
        }
    }

    /// The messages of a link are written anew with the requested columns, but errors are those of
    /// the input.
    @ParameterizedTest
    @CsvSource({
        "data-size-behind-empty-list",
        "data-size-compressed-lz4",
        "uncompressed-length-above-limit-of-lz4",
        "dictionary-block-repeated",
        "offsets-size-large_utf8",
        "views-size-utf8_view",
        "validity-size-dictionary",
        "node-of-dictionary-missing",
        "length-negative",
        "length-negative-of-dictionary",
        "buffer-ends-behind-body-dictionary"
    })
    void errorsOfALinkHaveThePlaceOfTheFile(String name) throws IOException {
        byte[] file = Files.readAllBytes(Corpus.FOLDER.resolve("meaning/" + name + ".arrow"));
        FletchException local = error(Arrow.open(memory(file), ReadOptions.DEFAULT));
        FletchException remote = error(Arrow.open(new CountingSource(file), ReadOptions.DEFAULT));
        assertEquals(local.fault().toJson(), remote.fault().toJson());
        assertTrue(remote.isInInput());
    }

    /// Also if bytes before it are left out.
    @Test
    void wrongValuesOfALinkHaveThePlaceOfTheFile() throws IOException {
        byte[] file = TradesSample.file().clone();
        long damaged;
        try (BatchReader reader = Arrow.open(memory(file), ReadOptions.DEFAULT)) {
            Column code = reader.column("venue.code");
            assertTrue(reader.next() && reader.next());
            ByteSlice bytes = new ByteSlice();
            assertTrue(code.bytes(399, bytes) && bytes.length() > 1);
            damaged = bytes.offset() + 1;
        }
        file[(int) damaged] = (byte) 0xFF;
        for (String other : List.of("time", "price", "size", "tags")) {
            var source = new CountingSource(file);
            try (BatchReader reader = Arrow.open(source, ReadOptions.UNTRUSTED)) {
                reader.column(other);
                reader.column("venue.code");
                assertTrue(reader.next());
                assertEquals(damaged, assertRule(ValueRule.VALUE_NOT_UTF8, reader::next).offset());
            }
            assertTrue(source.isClosed());
        }
    }

    @Test
    void blocksThatOverlapAreRefusedOnRequest() throws IOException {
        byte[] file =
                CaseFile.input(
                        "file blocks 1 1 <n:Int(bitWidth=8 is_signed=1)> | batch 1 [1] [- i8(1)]");
        for (Opening opening : openings(file)) {
            assertEquals(4, values(opening.open(ReadOptions.DEFAULT)).size());
            ReadOptions options = ReadOptions.DEFAULT.with(FileRule.BLOCK_OVERLAP, true);
            assertRule(FileRule.BLOCK_OVERLAP, () -> opening.open(options).close());
        }
    }

    /// The error of reading all columns.
    private static FletchException error(BatchReader reader) throws IOException {
        try (reader) {
            reader.schema().fields().forEach(each -> reader.column(each.name()));
            return assertThrows(
                    FletchException.class,
                    () -> {
                        while (reader.next()) {}
                    });
        }
    }

    @Test
    void columnsToVerifyMayBeNamedTwiceAndInsideOfOthers() {
        MemorySegment file = memory(TradesSample.file());
        String[] columns = {"venue.code", "venue", "venue.code", "size"};
        assertTrue(Arrow.verify(file, ReadOptions.UNTRUSTED, _ -> {}, columns).isOk());
    }

    @Test
    void aReaderHasOneForwarder() throws IOException {
        var target = Channels.newChannel(new ByteArrayOutputStream());
        try (BatchReader in = Arrow.open(memory(TradesSample.file()), ReadOptions.DEFAULT)) {
            try (Forwarder out = Arrow.forward(in, target)) {
                var other = Channels.newChannel(new ByteArrayOutputStream());
                assertThrows(IllegalStateException.class, () -> Arrow.forward(in, other, "size"));
                out.finish();
            }
        }
    }

    @Test
    void errorsNameTheFile() throws IOException {
        byte[] all = Files.readAllBytes(TradesSample.path("trades.arrow"));
        Path cut = Files.write(folder.resolve("cut.arrow"), Arrays.copyOf(all, 40_000));
        var failure = assertThrows(FletchException.class, () -> Arrow.open(cut));
        String expected = cut + ": offset 39994: file does not end with ARROW1: size=40000";
        assertEquals(expected, failure.getMessage());

        Path text = Files.writeString(folder.resolve("text.arrow"), "text");
        var other = assertThrows(FletchException.class, () -> Arrow.open(text));
        assertTrue(other.getMessage().startsWith(text + ": offset 0: "), other.getMessage());

        var unread = assertThrows(FileSystemException.class, () -> Arrow.open(folder));
        assertEquals(folder + ": is a directory", unread.getMessage());

        Path stream =
                Files.write(folder.resolve("s"), Arrays.copyOf(TradesSample.stream(), 20_000));
        try (var reader = Arrow.open(stream)) {
            assertNamed(stream, () -> reader.column("none"));
            assertTrue(reader.nextHeader());
            assertNamed(stream, reader::nextHeader);
        }
        Path values = Corpus.FOLDER.resolve("values/offsets-descend-binary-lz4.arrow");
        try (var reader = Arrow.open(values, ReadOptions.UNTRUSTED)) {
            assertNamed(values, reader::next);
        }
        try (var reader = Arrow.open(values, ReadOptions.UNTRUSTED)) {
            assertTrue(reader.nextHeader());
            assertNamed(values, reader::load);
        }
        try (var reader = Arrow.open(values, ReadOptions.UNTRUSTED)) {
            assertNamed(values, () -> reader.load(0));
        }
    }

    private static void assertNamed(Path file, Executable read) {
        String text = assertThrows(FletchException.class, read).getMessage();
        assertTrue(text.startsWith(file + ": "), text);
    }

    @Test
    void inputIsClosedIfOpeningFails() throws IOException {
        byte[] damaged = TradesSample.stream().clone();
        damaged[20] ^= 0x55;
        Sources.Closing closing = new Sources.Closing(damaged);
        assertThrows(FletchException.class, () -> Arrow.open(closing, ReadOptions.DEFAULT));
        assertTrue(closing.isClosed);
    }

    // ---- untrusted input

    /// What is handed on has no error, and what has none is handed on: as `verify` says.
    @Test
    void whatVerifyRefusesIsRefused() throws IOException {
        Random random = new Random(7);
        ReadOptions options = ReadOptions.UNTRUSTED.withLimits(Limits.DEFAULT);
        List<byte[]> bases =
                List.of(
                        TradesSample.stream(),
                        ArrowVectorFiles.named("dictionaries").stream(),
                        ArrowVectorFiles.named("dictionaries").file());
        int refused = 0;
        int unchecked = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] bytes = bases.get(i % bases.size()).clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            List<Fault> faults = ArrowBytes.faults(bytes, options);
            String found = outcome(bytes, options);
            boolean isRefused = !found.isEmpty();
            List<String> errors =
                    faults.stream()
                            .filter(each -> options.refuses(each.rule()))
                            .filter(each -> each.rule() != ValueRule.VALUES_UNCHECKED)
                            .map(each -> each.rule().id())
                            .toList();
            boolean isUnchecked =
                    faults.stream().anyMatch(each -> each.rule() == ValueRule.VALUES_UNCHECKED);
            if (isUnchecked && errors.isEmpty()) {
                assertTrue(isRefused, i + " " + faults);
                unchecked++;
            } else if (!isLater(errors, found) && !hasLostSchemaMessage(faults)) {
                assertEquals(!errors.isEmpty(), isRefused, i + " " + found + " " + faults);
            }
            refused += isRefused ? 1 : 0;
        }
        CaseCount.report(
                "Readers of all inputs: %d mutants, %d refused, %d not checked",
                MUTANTS, refused, unchecked);
        assertTrue(refused > MUTANTS / 5);
    }

    /// Whether a file's schema message became another one, whose values `verify` looks at; readers
    /// of files use the footer's schema.
    private static boolean hasLostSchemaMessage(List<Fault> faults) {
        return faults.stream().anyMatch(each -> each.rule() == FileRule.NO_SCHEMA_MESSAGE);
    }

    /// Whether the error is beside what a reader reads: between or behind messages of a file, in
    /// its schema message, or behind an end marker. Of a message that overlaps the next, the end
    /// may look like a marker.
    private static boolean isLater(List<String> errors, String found) {
        return found.isEmpty()
                && errors.stream()
                        .allMatch(
                                each ->
                                        each.equals(FrameRule.END_BETWEEN_MESSAGES.id())
                                                || each.equals(FrameRule.MESSAGE_OVERLAP.id())
                                                || Stream.of(FileRule.values())
                                                        .anyMatch(rule -> rule.id().equals(each)));
    }

    private static String outcome(byte[] bytes, ReadOptions options) throws IOException {
        try (BatchReader reader = Arrow.open(memory(bytes), options)) {
            while (reader.next()) {
                reader.cursor();
            }
            return "";
        } catch (FletchException e) {
            return e.rule().id();
        }
    }

    @Test
    void decompressedBuffersHaveALimit() throws IOException {
        ArrowCase compressed =
                ArrowVectorFiles.cases().stream()
                        .filter(each -> each.name().contains("zstd"))
                        .findFirst()
                        .orElseThrow();
        for (Level level : List.of(Level.STRUCTURE, Level.VALUES)) {
            ReadOptions options = ReadOptions.UNTRUSTED.withLevel(level).withDecompressedBytes(10);
            Rule rule =
                    level == Level.VALUES
                            ? ValueRule.VALUES_UNCHECKED // as they are not decompressed
                            : MeaningRule.TOO_MUCH_MEMORY;
            BatchReader reader = Arrow.open(memory(compressed.stream()), options);
            assertTrue(assertRule(rule, () -> values(reader)).isInInput());
        }
    }

    @Test
    void decompressedBuffersAreFreedWithTheirBatch() throws IOException {
        String batch = " | batch lz4 1 [1] [- i32(0 800) \"" + "x".repeat(800) + "\"]";
        byte[] stream = CaseFile.input("stream <t:Utf8>" + batch.repeat(3));
        ReadOptions options = ReadOptions.DEFAULT.withDecompressedBytes(1_000);
        for (Opening opening : openings(stream)) {
            assertEquals(6, values(opening.open(options)).size());
        }
    }

    // ---- receiving

    private static List<MemorySegment[]> messages(byte[] stream) {
        MemorySegment memory = memory(stream);
        return OracleListing.list(stream).messages().stream()
                .map(each -> new MemorySegment[] {each.metadataIn(memory), each.bodyIn(memory)})
                .toList();
    }

    @Test
    void receivedMessagesHaveTheSameValues() throws IOException {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            List<String> expected = new ArrayList<>();
            List<String> found = new ArrayList<>();
            List<String> foundLater = new ArrayList<>();
            BatchReceiver receiver = Arrow.receive(ReadOptions.UNTRUSTED);
            BatchReceiver ofHeaders = Arrow.receive(ReadOptions.UNTRUSTED);
            List<Column> columns = new ArrayList<>();
            List<Column> later = new ArrayList<>();
            try (BatchReader reader = Arrow.open(in(each.stream()), ReadOptions.UNTRUSTED)) {
                List<Column> ofReader = new ArrayList<>();
                for (ArrowField field : reader.schema().fields()) {
                    columns.add(receiver.column(field.name())); // before there is a schema
                    later.add(ofHeaders.column(field.name()));
                    ofReader.add(reader.column(field.name()));
                }
                while (reader.next()) {
                    ofReader.forEach(column -> expected.add(values(column)));
                }
            }
            for (MemorySegment[] message : messages(each.stream())) {
                if (receiver.receive(message[0], message[1])) {
                    columns.forEach(column -> found.add(values(column)));
                }
                ByteBuffer header = message[0].asByteBuffer();
                if (ofHeaders.receiveHeader(header, message[1].asByteBuffer())) {
                    later.forEach(column -> assertEquals(0, column.length()));
                    ofHeaders.load();
                    later.forEach(column -> foundLater.add(values(column)));
                }
            }
            assertEquals(expected, found, each.name());
            assertEquals(expected, foundLater, each.name());
        }
    }

    @Test
    void receiverEndsAtTheFirstFault() {
        List<MemorySegment[]> messages = messages(TradesSample.stream());
        BatchReceiver receiver = Arrow.receive(ReadOptions.UNTRUSTED);
        receiver.column("size");
        MemorySegment[] batch = messages.getLast();
        MemorySegment empty = memory(new byte[0]);
        assertRule(MeaningRule.HEADER_KIND, () -> receiver.receive(batch[0], batch[1]));
        MemorySegment[] schema = messages.getFirst();
        assertThrows(IllegalStateException.class, () -> receiver.receive(schema[0], schema[1]));

        BatchReceiver unknown = Arrow.receive(ReadOptions.UNTRUSTED);
        unknown.column("none");
        assertRule(MeaningRule.NO_COLUMN, () -> unknown.receive(schema[0], empty));

        BatchReceiver incomplete = Arrow.receive(ReadOptions.UNTRUSTED);
        Column size = incomplete.column("size");
        messages.forEach(each -> incomplete.receive(each[0], each[1]));
        assertNotEquals(0, size.length());
        assertRule(FrameRule.BODY_OUT_OF_INPUT, () -> incomplete.receive(batch[0], empty));
        assertEquals(0, size.length());
        assertEquals(0, incomplete.rowCount());
    }

    // ---- writing and forwarding

    @Test
    void writtenBatchesAreReadBack() throws IOException {
        var id = ArrowField.of("id", new ArrowType.Int(64, true));
        var name = ArrowField.of("name", ArrowType.Simple.UTF8).nullable();
        Path path = folder.resolve("written.arrow");
        try (var out = Arrow.writeFile(path, ArrowSchema.of(id, name))) {
            for (int i = 0; i < 3; i++) {
                out.begin(3).metadata("sequence", "" + i).metadata("by", "test");
                out.values(out.field("id"), 7, 8, i).texts(1, "one", null, "three").end();
            }
            out.finish();
        }
        try (BatchReader reader = Arrow.open(path, ReadOptions.UNTRUSTED)) {
            Column ids = reader.column("id");
            Column names = reader.column("name");
            for (int i = 0; reader.next(); i++) {
                assertEquals("" + i, reader.metadata("sequence"));
                assertEquals("test", reader.metadata("by"));
                assertEquals(i, ids.int64(2));
                assertNull(names.text(1));
                assertEquals("three", names.text(2));
            }
            assertEquals(3, reader.batchCount());
        }
        BatchWriter unfinished = Arrow.writeFile(path, ArrowSchema.of(id)).begin(1);
        assertThrows(IllegalArgumentException.class, () -> unfinished.values(0, 1.5f));
        assertThrows(IllegalArgumentException.class, () -> unfinished.values(0, 7, 8));
        assertThrows(IllegalStateException.class, unfinished::close);
    }

    /// The columns before have other units, precisions and types.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a:Time(bitWidth=32) x:Time(unit=0 bitWidth=32), i32(86399), i32(86400)",
                "a:Time(unit=0 bitWidth=32) x:Time(bitWidth=32), i32(86400), i32(86400000)",
                "a:Date(unit=0) x:Decimal(precision=2 bitWidth=32), i32(99), i32(100)",
                "a:Utf8 x:Int(bitWidth=32), i32(-1), ",
                "a:Utf8 s:Struct_<b:Int(bitWidth=32) x:Time(unit=0 bitWidth=32)>, i32(86399),"
                        + " i32(86400)",
            })
    void chosenColumnsAreVerifiedByTheirOwnTypes(String fields, String sound, String wrong)
            throws IOException {
        for (String container : List.of("file", "stream")) {
            assertEquals(1, chosen(container, fields, sound));
            assertTrue(wrong == null || chosen(container, fields, wrong) == 0);
        }
    }

    /// The batches that each source reads before the first fault.
    private int chosen(String container, String fields, String value) throws IOException {
        boolean isNested = fields.contains("Struct");
        String first = fields.contains("Utf8") ? "- i32(0 1) \"a\"" : "- i32(0)";
        String nested = isNested ? " - - i32(0)" : "";
        String nodes = isNested ? "1*4" : "1 1";
        byte[] input =
                CaseFile.input(
                        "%s <%s> | batch 1 [%s] [%s%s - %s]"
                                .formatted(container, fields, nodes, first, nested, value));
        ReadOptions options =
                ReadOptions.UNTRUSTED
                        .with(ValueRule.VALUE_TIME_RANGE, true)
                        .with(ValueRule.VALUE_DECIMAL_PRECISION, true);
        Set<Integer> counts = new HashSet<>();
        for (Opening opening : openings(input)) {
            try (BatchReader in = opening.open(options)) {
                in.column(isNested ? "s.x" : "x");
                counts.add(in.next() ? 1 : 0);
            } catch (FletchException e) {
                assertTrue(e.rule().id().startsWith("value-"), e.getMessage());
                counts.add(0);
            }
        }
        assertEquals(1, counts.size());
        return counts.iterator().next();
    }

    @Test
    void chosenColumnsAreForwardedFromAllSources() throws IOException {
        for (byte[] bytes : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            byte[] expected = null;
            for (Opening opening : openings(bytes)) {
                var target = new ByteArrayOutputStream();
                try (BatchReader in = opening.open(ReadOptions.UNTRUSTED)) {
                    Column size = in.column("size"); // read, and not forwarded
                    try (Forwarder out =
                            Arrow.forward(in, Channels.newChannel(target), "symbol", "price")) {
                        while (in.next()) {
                            assertTrue(size.length() > 0);
                            out.write();
                        }
                        out.finish();
                    }
                }
                byte[] found = target.toByteArray();
                expected = expected == null ? found : expected;
                assertArrayEquals(expected, found);
                assertTrue(Arrow.verify(memory(found), ReadOptions.UNTRUSTED, _ -> {}).isOk());
                try (BatchReader back = Arrow.open(memory(found), ReadOptions.UNTRUSTED)) {
                    assertEquals(
                            List.of("symbol", "price"),
                            back.schema().fields().stream().map(ArrowField::name).toList());
                    assertEquals(
                            6,
                            values(back).stream().filter(each -> !each.contains("rows")).count());
                }
            }
        }
    }

    @Test
    void allColumnsAreForwardedThoughOneIsRead() throws IOException {
        byte[] bytes = TradesSample.file();
        List<String> expected = values(Arrow.open(in(TradesSample.stream()), ReadOptions.DEFAULT));
        for (Opening opening : openings(bytes)) {
            var target = new ByteArrayOutputStream();
            BatchReader reader = opening.open(ReadOptions.DEFAULT);
            reader.column("size");
            forward(reader, target);
            byte[] found = target.toByteArray();
            assertEquals(expected, values(Arrow.open(in(found), ReadOptions.DEFAULT)));
        }
    }

    @Test
    void wrongValuesAreNotForwarded() throws IOException {
        byte[] stream = TradesSample.stream().clone();
        int damaged = wrongIndex(stream);
        var target = new ByteArrayOutputStream();
        try (BatchReader in = Arrow.open(in(stream), ReadOptions.UNTRUSTED);
                Forwarder out = Arrow.forward(in, Channels.newChannel(target), "symbol")) {
            assertTrue(in.nextHeader());
            out.write();
            int sound = target.size();
            assertTrue(in.nextHeader());
            FletchException e = assertRule(ValueRule.VALUE_DICTIONARY_INDEX, out::write);
            assertEquals(damaged, e.offset());
            assertEquals(sound, target.size());
            out.finish();
        }
    }

    /// Damages an index of the second batch; returns its offset.
    private static int wrongIndex(byte[] stream) throws IOException {
        try (BatchReader reader = Arrow.open(memory(stream), ReadOptions.DEFAULT)) {
            Column symbol = reader.column("symbol");
            assertTrue(reader.next() && reader.next());
            long row = 0;
            while (symbol.isNull(row)) {
                row++;
            }
            ByteSlice indices =
                    reader.cursor().buffer(symbol.field(), BufferRole.DATA, new ByteSlice());
            int at = (int) (indices.offset() + row);
            stream[at] = 77;
            return at;
        }
    }

    /// What the writer would refuse as misuse is an error of the input: at all levels that of
    /// verifying, in a stream with its message and offset.
    @Test
    void inputsWithWrongDictionariesAreNotForwarded() throws IOException {
        int refused = 0;
        for (CorpusCase each : Corpus.cases()) {
            Rule rule = each.rule();
            boolean isOfOrder =
                    DictionaryOrder.isOfOrder(rule) && rule.severity() == Rule.Severity.ERROR;
            for (Level level : Level.values()) {
                ReadOptions options = ReadOptions.VERIFY.withLevel(level);
                try {
                    forward(Arrow.open(memory(each.broken()), options));
                } catch (FletchException e) {
                    refused++;
                    if (isOfOrder) {
                        assertEquals(rule, e.rule(), each + " " + level);
                        boolean isFile = each.container() == CorpusCase.Container.FILE;
                        assertTrue(
                                isFile || placesOf(each).contains(place(e.fault())),
                                each + " " + level);
                    }
                    continue;
                }
                assertFalse(isOfOrder, each + " " + level);
            }
        }
        assertTrue(refused > Corpus.cases().size());
    }

    /// Below the level of meaning, where only the layout of the columns refuses them.
    @Test
    void schemasThatCannotBeForwardedHaveAPlace() throws IOException {
        Set<Rule> rules =
                Set.of(MeaningRule.NO_TYPE, MeaningRule.UNKNOWN_TYPE, MeaningRule.SCHEMA_TOO_LARGE);
        int refused = 0;
        for (CorpusCase each : Corpus.cases()) {
            for (Level level : List.of(Level.TOUCHED, Level.STRUCTURE)) {
                if (rules.contains(each.rule()) && !each.toString().contains("tensor")) {
                    ReadOptions options = ReadOptions.DEFAULT.withLevel(level);
                    BatchReader reader = Arrow.open(memory(each.broken()), options);
                    FletchException e = assertRule(each.rule(), () -> forward(reader));
                    assertTrue(e.isInInput(), each + ": " + e);
                    assertTrue(placesOf(each).contains(place(e.fault())), each + ": " + e);
                    refused++;
                }
            }
        }
        assertTrue(refused > 4);
        String fields = "x:Int(bitWidth=8 is_signed=1) y:Int(bitWidth=8 is_signed=1)";
        String batch = " | batch 1 [1*3] [- - i8(0) - i8(0)]";
        String unknown = " => schema.fields[0].children[0].type_type = 27";
        List<MemorySegment[]> messages =
                messages(CaseFile.input("stream <s:Struct_<" + fields + ">>" + batch + unknown));
        BatchReceiver receiver = Arrow.receive(ReadOptions.DEFAULT);
        receiver.column("s.y");
        MemorySegment[] schema = messages.getFirst();
        assertFalse(receiver.receive(schema[0], schema[1]));
        MemorySegment[] first = messages.get(1);
        FletchException e =
                assertRule(MeaningRule.UNKNOWN_TYPE, () -> receiver.receive(first[0], first[1]));
        assertEquals(0, e.fault().message());
        assertTrue(e.offset() > 0);
    }

    /// Below the level of meaning, where only reading it as values refuses it.
    @Test
    void invalidSchemasAreRefusedAtTheirPlaceInTheInput() throws IOException {
        int refused = 0;
        ReadOptions options = ReadOptions.DEFAULT.withLevel(Level.TOUCHED);
        for (CorpusCase each : Corpus.cases()) {
            try (BatchReader reader = Arrow.open(memory(each.broken()), options)) {
                try {
                    reader.schema();
                } catch (FletchException e) {
                    assertTrue(e.isInInput(), each + ": " + e);
                    if (e.rule() instanceof MeaningRule && e.rule() != MeaningRule.INVALID_SCHEMA) {
                        assertTrue(placesOf(each).contains(place(e.fault())), each + ": " + e);
                        refused++;
                    }
                }
            } catch (FletchException _) {
                // refused when it is opened
            }
        }
        assertTrue(refused > 40, "refused=" + refused);
    }

    /// The layout is made when a batch is read.
    @Test
    void schemasWithTooManyFieldsAreRefusedAtTheirMessage() throws IOException {
        var out = new ByteArrayOutputStream();
        ArrowField child = ArrowField.of("c", ArrowType.Simple.NULL);
        ArrowField column = ArrowField.of("s", ArrowType.Simple.STRUCT, child);
        try (var to = Arrow.writeStream(Channels.newChannel(out), ArrowSchema.of(column))) {
            to.begin(0).end();
            to.finish();
        }
        byte[] stream = out.toByteArray();
        ReadOptions options =
                ReadOptions.VERIFY
                        .withLevel(Level.TOUCHED)
                        .withLimits(Limits.DEFAULT.withFields(1));
        List<String> places = new ArrayList<>();
        Arrow.verify(memory(stream), options, each -> places.add(place(each)));
        try (var reader = Arrow.open(memory(stream), options)) {
            assertTrue(reader.next());
            for (Executable each : List.<Executable>of(reader::cursor, reader::schema)) {
                FletchException e = assertRule(MeaningRule.TOO_MANY_FIELDS, each);
                assertTrue(places.contains(place(e.fault())), e + ": " + places);
            }
        }
    }

    private static void forward(BatchReader reader) throws IOException {
        forward(reader, new ByteArrayOutputStream());
    }

    private static void forward(BatchReader reader, OutputStream target) throws IOException {
        try (BatchReader in = reader;
                Forwarder out = Arrow.forward(in, Channels.newChannel(target))) {
            try {
                while (in.next()) {
                    out.write();
                }
            } finally {
                out.finish();
            }
        }
    }

    private static List<String> placesOf(CorpusCase of) {
        List<String> places = new ArrayList<>();
        Arrow.verify(memory(of.broken()), ReadOptions.VERIFY, each -> places.add(place(each)));
        return places;
    }

    private static String place(Fault fault) {
        return fault.rule() + " " + fault.message() + " " + fault.position();
    }

    // ---- allocation

    /// In the second row, whose bytes make a negative number of each signed type.
    @Test
    void accessorsReadNumbersOfTheirType() throws IOException {
        byte[] two = new byte[16];
        StringBuilder fields = new StringBuilder();
        StringBuilder buffers = new StringBuilder();
        for (int i = 0; i < 11; i++) {
            String type =
                    i < 8
                            ? "Int(bitWidth=%d is_signed=%d)".formatted(8 << i / 2, 1 - i % 2)
                            : "FloatingPoint(precision=%d)".formatted(i - 8);
            fields.append("c%d!:new %s ".formatted(i, type));
            buffers.append(" - hex(909192939495969798999a9b9c9d9e9f)");
        }
        for (int i = 0; i < two.length; i++) {
            two[i] = (byte) (0x90 + i);
        }
        ByteBuffer bytes = ByteBuffer.wrap(two).order(ByteOrder.LITTLE_ENDIAN);
        byte[] stream =
                CaseFile.input("stream <%s> | batch 2 [2*11] [%s]".formatted(fields, buffers));
        try (var reader = Arrow.open(memory(stream), ReadOptions.DEFAULT)) {
            List<Column> c = IntStream.range(0, 11).mapToObj(i -> reader.column("c" + i)).toList();
            assertTrue(reader.next());
            assertEquals(bytes.get(1), c.get(0).int8(1));
            assertEquals(bytes.get(1) & 0xFF, c.get(1).uint8(1));
            assertEquals(bytes.getShort(2), c.get(2).int16(1));
            assertEquals(bytes.getShort(2) & 0xFFFF, c.get(3).uint16(1));
            assertEquals(bytes.getInt(4), c.get(4).int32(1));
            assertEquals(bytes.getInt(4) & 0xFFFF_FFFFL, c.get(5).uint32(1));
            assertEquals(bytes.getLong(8), c.get(6).int64(1));
            assertEquals(bytes.getLong(8), c.get(7).uint64(1));
            assertEquals(Float.float16ToFloat(bytes.getShort(2)), c.get(8).float16(1));
            assertEquals(bytes.getFloat(4), c.get(9).float32(1));
            assertEquals(bytes.getDouble(8), c.get(10).float64(1));
            long[] exact = {
                -111,
                145,
                c.get(2).int16(1),
                37778,
                c.get(4).int32(1),
                c.get(5).uint32(1),
                c.get(6).int64(1),
                c.get(7).uint64(1)
            };
            for (int i = 0; i < exact.length; i++) {
                assertEquals(exact[i], c.get(i).integer(1));
            }
            assertEquals(c.get(8).float16(1), c.get(8).floating(1));
            assertEquals(c.get(9).float32(1), c.get(9).floating(1));
            assertEquals(c.get(10).float64(1), c.get(10).floating(1));
            assertRule(MeaningRule.OTHER_TYPE, () -> c.get(7).int64(0));
            assertThrows(IllegalStateException.class, () -> c.get(10).integer(0));
            assertThrows(IllegalStateException.class, () -> c.get(6).floating(0));
            assertThrows(IndexOutOfBoundsException.class, () -> c.get(6).int64(2));
            assertThrows(IndexOutOfBoundsException.class, () -> c.get(6).isNull(2));
            assertFalse(c.get(6).hasNulls());
        }
    }

    @Test
    void batchesAllocateNothing() throws IOException {
        List<ReadOptions> all = new ArrayList<>(List.of(ReadOptions.UNTRUSTED));
        for (Level level : Level.values()) {
            all.add(ReadOptions.DEFAULT.withLevel(level));
        }
        for (ReadOptions options : all) {
            try (BatchReader reader = Arrow.open(memory(TradesSample.file()), options)) {
                Column size = reader.column("size");
                Column symbol = reader.column("symbol");
                ByteSlice text = new ByteSlice();
                Allocations.assertNone(
                        "batches of a file: " + options,
                        () -> {
                            for (int i = 0; i < reader.batchCount(); i++) {
                                load(reader, i);
                                for (long row = 0; row < size.length(); row++) {
                                    size.int64(row);
                                    symbol.bytes(row, text);
                                }
                            }
                        });
            }
        }
    }

    private static void load(BatchReader reader, int batch) {
        try {
            reader.load(batch);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
