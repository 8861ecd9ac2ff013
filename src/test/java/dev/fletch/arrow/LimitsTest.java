// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.CorpusReaders;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.SmallRanges;
import dev.fletch.scan.FileFault;
import dev.fletch.scan.FileScan;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Each limit of [Limits] holds in everything that reads, checks or converts: what equals the limit
/// passes, and one less is refused with the limit's rule.
class LimitsTest {
    @TempDir Path folder;

    private static final Path FILE = TradesSample.path("trades.arrow");
    private static final Path STREAM_PATH = TradesSample.path("trades.stream");
    private static final byte[] FILE_BYTES = TradesSample.file();
    private static final byte[] STREAM = TradesSample.stream();

    /// Reads one of the samples to its end.
    private interface Reading {
        void within(Limits limits) throws Exception;
    }

    private enum Reader {
        ENCAPSULATED_MESSAGE(STREAM, limits -> walk(new EncapsulatedMessage(options(limits)))),
        MESSAGE_READER(STREAM, limits -> CorpusReaders.messages(STREAM_PATH, options(limits))),
        MESSAGE_DECODER(STREAM, limits -> CorpusReaders.pushed(STREAM_PATH, options(limits))),
        ARROW_FILE(FILE_BYTES, limits -> CorpusReaders.file(FILE, options(limits))),
        RANGED_FILE(
                FILE_BYTES,
                limits ->
                        CorpusReaders.ranges(
                                FILE, options(limits), SmallRanges.OF.endBytes(64).options())),
        FILE_VECTORS(FILE_BYTES, limits -> CorpusReaders.fileVectors(FILE, options(limits))),
        STREAM_VECTORS(STREAM, limits -> CorpusReaders.streamVectors(STREAM_PATH, options(limits))),
        FILE_SCAN(FILE_BYTES, LimitsTest::scan),
        FILE_VERIFIER(FILE_BYTES, limits -> verify(FILE_BYTES, limits)),
        STREAM_VERIFIER(STREAM, limits -> verify(STREAM, limits)),
        FILE_CONVERTER(FILE_BYTES, limits -> convert(FILE_BYTES, limits)),
        STREAM_CONVERTER(STREAM, limits -> convert(STREAM, limits));

        final byte[] input;
        final Reading reading;

        Reader(byte[] input, Reading reading) {
            this.input = input;
            this.reading = reading;
        }

        boolean isFile() {
            return input == FILE_BYTES;
        }
    }

    private static MemorySegment segment(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static ReadOptions options(Limits limits) {
        return ReadOptions.DEFAULT.withLimits(limits);
    }

    private static void walk(EncapsulatedMessage frame) {
        Message message = new Message();
        long at = 0;
        while (frame.wrap(segment(STREAM), at, message) == FrameKind.MESSAGE) {
            at = frame.nextOffset();
        }
    }

    private static void scan(Limits limits) {
        FileFault fault = new FileScan(limits).of(FILE.toString()).fault();
        if (fault != null) {
            throw new IllegalStateException(fault.text());
        }
    }

    private static void verify(byte[] input, Limits limits) {
        List<Fault> found = ArrowBytes.faults(input, ReadOptions.VERIFY.withLimits(limits));
        found.removeIf(each -> each.rule().severity() == Rule.Severity.NOTE);
        if (!found.isEmpty()) {
            throw new IllegalStateException(found.getFirst().line());
        }
    }

    private static void convert(byte[] input, Limits limits) throws Exception {
        ArrowBytes.converted(
                input, ConvertOptions.DEFAULT.withReading(ReadOptions.DEFAULT.withLimits(limits)));
    }

    // ---- what the samples have

    /// Returns the largest length of the messages: of their metadata, or of their bodies.
    private static long largest(boolean isBody) {
        return OracleListing.list(STREAM).messages().stream()
                .mapToLong(each -> isBody ? each.bodyLength() : each.metadataLength())
                .max()
                .orElseThrow();
    }

    private static Schema schema() {
        Schema schema = new Schema();
        ArrowFile.of(segment(FILE_BYTES)).footer().schema(schema);
        return schema;
    }

    private static int fields() {
        FieldWalk walk = new FieldWalk().wrap(schema());
        int fields = 0;
        while (walk.next()) {
            fields++;
        }
        return fields;
    }

    private static void assertLimit(String text, Reader reader, Limits exact, Limits less) {
        assertDoesNotThrow(() -> reader.reading.within(exact), reader.name());
        Exception e =
                assertThrows(Exception.class, () -> reader.reading.within(less), reader.name());
        String message = e.getMessage() + e.getCause();
        assertTrue(message.contains(text), reader + ": " + message);
    }

    @ParameterizedTest
    @EnumSource
    void longBodiesAreRefused(Reader reader) {
        long bytes = largest(true);
        assertLimit(
                "body length is above the reader's limit",
                reader,
                Limits.DEFAULT.withBodyBytes(bytes),
                Limits.DEFAULT.withBodyBytes(bytes - 1));
    }

    @ParameterizedTest
    @EnumSource
    void longMetadataIsRefused(Reader reader) {
        int footer = ArrowFile.of(segment(FILE_BYTES)).footerLength();
        // The converter does not need the footer: it takes a file with a large one as one without.
        boolean readsFooter = reader.isFile() && reader != Reader.FILE_CONVERTER;
        long bytes = readsFooter ? Math.max(footer, largest(false)) : largest(false);
        assertLimit(
                "limit",
                reader,
                Limits.DEFAULT.withMetadataBytes(bytes),
                Limits.DEFAULT.withMetadataBytes(bytes - 1));
    }

    @ParameterizedTest
    @EnumSource
    void deepTablesAreRefused(Reader reader) {
        // Message, Schema, Field, child Field and its type: 5. A footer has one level less.
        int depth = 5;
        assertDoesNotThrow(() -> reader.reading.within(Limits.DEFAULT.withDepth(depth)));
        assertThrows(
                Exception.class, () -> reader.reading.within(Limits.DEFAULT.withDepth(depth - 2)));
    }

    @ParameterizedTest
    @EnumSource
    void manyTablesAreRefused(Reader reader) {
        assertDoesNotThrow(() -> reader.reading.within(Limits.DEFAULT.withTables(200)));
        assertThrows(Exception.class, () -> reader.reading.within(Limits.DEFAULT.withTables(2)));
    }

    /// The limit of a recognized message's body is that of any other.
    @Test
    void longBodyOfARecognizedMessageIsRefused() {
        EncapsulatedMessage frame =
                new EncapsulatedMessage(options(Limits.DEFAULT.withBodyBytes(largest(true) - 1)));
        for (int i = 0; i < 20; i++) {
            assertThrows(FletchException.class, () -> walk(frame));
        }
    }

    @Test
    void manyFieldsAreRefused() {
        int fields = fields();
        Limits exact = Limits.DEFAULT.withFields(fields);
        Limits less = Limits.DEFAULT.withFields(fields - 1);
        Schema schema = schema();
        ArrowSchema.of(schema, exact);
        assertThrows(RuntimeException.class, () -> ArrowSchema.of(schema, less));
        Columns column = Columns.at(0);
        BatchLayout.compile(schema, MetadataVersion.V5, exact, column);
        assertThrows(
                FletchException.class,
                () -> BatchLayout.compile(schema, MetadataVersion.V5, less, column));
        FirstFault first = new FirstFault();
        SemanticVerifier verifier = new SemanticVerifier(Checks.DEFAULT.withLimits(less), first);
        assertFalse(verifier.footer(ArrowFile.of(segment(FILE_BYTES)).footer()));
        assertEquals("too-many-fields", first.fault().rule().id());
        assertDoesNotThrow(() -> verify(FILE_BYTES, exact));
        assertThrows(IllegalStateException.class, () -> verify(FILE_BYTES, less));
        assertThrows(IllegalStateException.class, () -> verify(STREAM, less));
        assertThrows(
                RuntimeException.class,
                () -> {
                    BatchReader reader = Arrow.open(segment(FILE_BYTES), options(less));
                    reader.next();
                    reader.cursor();
                });
    }

    @Test
    void schemasThatUnfoldTooFarAreRefused() {
        Limits small = Limits.DEFAULT.withUnfoldedBytes(1_000);
        assertThrows(RuntimeException.class, () -> ArrowSchema.of(schema(), small));
        assertThrows(
                RuntimeException.class,
                () -> BatchLayout.compile(schema(), MetadataVersion.V5, small, Columns.all()));
        assertThrows(IllegalStateException.class, () -> verify(FILE_BYTES, small));
        assertThrows(Exception.class, () -> convert(STREAM, small));
        assertThrows(Exception.class, () -> scan(small));
    }

    // ---- the record

    @Test
    void impossibleLimitsAreRefused() {
        Limits from = Limits.DEFAULT;
        for (Reading each :
                List.<Reading>of(
                        limits -> limits.withDepth(0),
                        limits -> limits.withTables(-1),
                        limits -> limits.withTablesPerByte(0),
                        limits -> limits.withMetadataBytes(-1),
                        limits -> limits.withBodyBytes(-1),
                        limits -> limits.withFields(0),
                        limits -> limits.withUnfoldedBytes(-1))) {
            assertThrows(IllegalArgumentException.class, () -> each.within(from));
        }
        assertEquals(
                "limit is too small: depth=-12, minimum=1",
                assertThrows(IllegalArgumentException.class, () -> from.withDepth(-12))
                        .getMessage());
    }

    @Test
    void limitsPerByteDoNotOverflow() {
        Limits limits = Limits.DEFAULT;
        assertEquals(96, limits.tables(12));
        assertEquals(7, limits.withTables(7).tables(12));
        assertEquals(Long.MAX_VALUE, limits.tables(Long.MAX_VALUE / 2));
        assertEquals((16 << 20) + 64 * 100, limits.unfoldedBytes(100));
        assertEquals(limits.unfoldedBytes(), limits.unfoldedBytes(Long.MAX_VALUE));
        assertTrue(limits.withUnfoldedBytes(Long.MAX_VALUE).unfoldedBytes(Long.MAX_VALUE) > 0);
    }

    // ---- above the default limits

    /// A file and a stream of one batch, whose only column has more levels than the default.
    private static List<byte[]> deepInputs(int levels) {
        String column = "s:Struct_<".repeat(levels - 1) + "s:Struct_" + ">".repeat(levels - 1);
        String batch = " | batch 1 [1*%d] [%s]".formatted(levels, "- ".repeat(levels).strip());
        return List.of(
                CaseFile.input("file <" + column + ">" + batch),
                CaseFile.input("stream <" + column + ">" + batch));
    }

    /// Only the first 1,000 damaged parts are kept.
    @Test
    void aDeltaBehindVeryManyDamagedPartsIsLeftOut() throws Exception {
        String dictionary = " | dictionary 0 1 [1] [- i8(65)]";
        String messages =
                dictionary.repeat(2_003)
                        + " | delta 0 1 [1] [- i8(66)] | delta 0 1 [1] [- i8(67)]"
                        + " | batch 2 [2] [- i8(0 1)]";
        int message = 176;
        String damage =
                IntStream.rangeClosed(1, 1_002)
                        .mapToObj(i -> "@" + 2 * i * message + " i32(-1)")
                        .collect(Collectors.joining("; "));
        byte[] input =
                CaseFile.input(
                        "let i8 = Int(bitWidth=8 is_signed=1)\n"
                                + "stream <s:i8{dictionary=DictionaryEncoding(id=0 indexType=i8)}>"
                                + messages
                                + " => "
                                + damage);
        var out = Channels.newChannel(new ByteArrayOutputStream());
        var report = Arrow.convert(segment(input), out, ConvertOptions.DEFAULT.salvaging());
        assertEquals(0, report.batches());
        assertEquals(1_004, report.leftOutCount(), report::toString);
    }

    @Test
    void replacedDictionariesFreeTheMemoryOfTheirDeltas() throws Exception {
        String values = " 0 1024 [1024] [- zeros(1024)]";
        String cycle = " | dictionary" + values + (" | delta" + values).repeat(3);
        byte[] input =
                CaseFile.input(
                        "let i8 = Int(bitWidth=8 is_signed=1)\n"
                                + "stream <s:i8{dictionary=DictionaryEncoding(id=0 indexType=i8)}>"
                                + cycle.repeat(20)
                                + " | batch 1 [1] [- i8(7)]");
        ReadOptions options = ReadOptions.DEFAULT.withDecompressedBytes(16 << 10);
        try (BatchReader reader = Arrow.open(new ByteArrayInputStream(input), options)) {
            reader.column("s");
            assertTrue(reader.next());
        }
    }

    @Test
    void inputsAboveTheDefaultLimitsAreReadAndConvertedByThoseWhoRaiseThem() throws Exception {
        Limits raised = Limits.DEFAULT.withDepth(400);
        ReadOptions reading = ReadOptions.DEFAULT.withLimits(raised);
        List<byte[]> inputs = deepInputs(200);
        // Without the prefix of its schema message, and without its footer.
        byte[] file = inputs.getFirst();
        int end = (int) ArrowFile.of(segment(file), reading).footerOffset();
        byte[] unframed = Arrays.copyOf(file, end);
        Arrays.fill(unframed, FileHead.USUAL_BYTES, 2 * FileHead.USUAL_BYTES, (byte) 0);
        // A schema message alone is recognized, too.
        verify(OracleListing.list(inputs.getLast()).messages().getFirst().metadataBytes(), raised);
        for (byte[] input : inputs) {
            assertThrows(FletchException.class, () -> convert(input, Limits.DEFAULT));
            verify(input, raised);
            for (ArrowContainer target : ArrowContainer.values()) {
                ConvertOptions options = ConvertOptions.DEFAULT.withReading(reading);
                byte[] written = ArrowBytes.converted(input, options.withTarget(target));
                byte[] salvaged = ArrowBytes.converted(written, options.salvaging());
                assertArrayEquals(written, salvaged);
                byte[] bare =
                        ArrowBytes.converted(unframed, options.withTarget(target).salvaging());
                assertArrayEquals(written, bare);
                try (var reader = Arrow.open(segment(written), reading)) {
                    assertTrue(reader.next());
                    assertEquals(1, reader.rowCount());
                }
            }
            Path path = Files.write(folder.resolve("deep"), input);
            assertNull(new FileScan(raised).of(path.toString()).fault());
            try (var source = RangeSource.open(path)) {
                assertNull(new FileScan(raised).of(source).fault());
            }
        }
        Path path = Files.write(folder.resolve("deep"), file);
        ReadOptions values = reading.withLevel(ReadOptions.Level.VALUES);
        var out = Channels.newChannel(new ByteArrayOutputStream());
        try (BatchReader reader = Arrow.open(RangeSource.open(path), values);
                Forwarder forwarder = Arrow.forward(reader, out)) {
            assertTrue(reader.next());
            forwarder.write();
            forwarder.finish();
        }
    }
}
