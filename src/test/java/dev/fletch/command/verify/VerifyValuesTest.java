// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static dev.fletch.semantics.Meant.encoded;
import static dev.fletch.semantics.Meant.field;
import static dev.fletch.semantics.Meant.integer;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.check.CheckOptions;
import dev.fletch.check.CheckReport;
import dev.fletch.check.ContainerVerifier;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.convert.ConversionException;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.Converter;
import dev.fletch.format.BufferRole;
import dev.fletch.format.CompressionType;
import dev.fletch.format.Endianness;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Type;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.layout.BatchBuilder;
import dev.fletch.layout.BatchLayout;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.TradesSample;

import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `fletch verify --values`, and [CheckOptions#withValues].
class VerifyValuesTest {
    // Offsets in the sample, as `fletch map` shows them.
    private static final int DICTIONARY_TEXT = 1096;
    private static final int SYMBOLS = 3776;
    private static final int CODES = 11_232;

    private static final ArrowSchema ENCODED =
            ArrowSchema.of(
                    ArrowField.of("n", new ArrowType.Int(8, true))
                            .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true))));

    private static final String COUNTS = "messages=5, dictionaryBatches=1, recordBatches=3";

    @TempDir Path folder;

    /// A dictionary value and a text that are not UTF-8, and an index outside the dictionary.
    private static byte[] damaged() {
        byte[] file = TradesSample.file();
        file[DICTIONARY_TEXT + 1] = (byte) 0xFF;
        file[SYMBOLS] = 77;
        file[CODES + 3] = (byte) 0x80;
        return file;
    }

    private static final String FAULTS =
            """
            message 1: values: value-not-utf8: offset=1097, path=data: text is not UTF-8: row=0, \
            value=255, column=symbol
            message 2: values: value-dictionary-index: offset=3776, path=data: index is outside its \
            dictionary: row=0, value=77, limit=4, column=symbol
            message 2: values: value-not-utf8: offset=11235, path=data: text is not UTF-8: row=1, \
            value=128, column=venue.code
            """;

    private static String lines(String title, String lines) {
        return lines.lines().map(line -> title + ": " + line + "\n").reduce("", String::concat);
    }

    @Test
    void faultsOfValuesArePrintedWithColumnRowAndOffset() throws IOException {
        String path = Files.write(folder.resolve("damaged"), damaged()).toString();
        assertEquals(new Run(1, lines(path, FAULTS), ""), Cli.run("verify", "--values", path));
        assertEquals(
                new Run(0, path + ": ok: file, " + COUNTS + "\n", ""), Cli.run("verify", path));
    }

    @Test
    void onlyChosenColumnsAreVerified() throws IOException {
        String path = Files.write(folder.resolve("damaged"), damaged()).toString();
        String ok = path + ": ok: file, " + COUNTS + "\n";
        assertEquals(new Run(0, ok, ""), Cli.run("verify", "--column", "price", path));
        String last = FAULTS.lines().toList().getLast();
        assertEquals(
                new Run(1, lines(path, last), ""),
                Cli.run("verify", "--column", "venue.code", "--column", "price", path));
    }

    @Test
    void unknownColumnIsAWrongUse() throws IOException {
        String known = Files.write(folder.resolve("known"), TradesSample.file()).toString();
        byte[] empty = ArrowVectorFiles.named("dictionary_no_batches").file();
        String none = Files.write(folder.resolve("none"), empty).toString();
        for (String name : List.of("nope", "venue.nope", "tags.item.nope", "symbol.nope")) {
            for (String json : List.of("--column=price", "--json")) {
                Run run = Cli.run("verify", "--column", name, json, known);
                assertEquals(2, run.status());
                String text = ": --column: no such column: name=" + name + ", columns=7\n";
                assertEquals("fletch: " + known + text, run.err());
            }
        }
        Run two = Cli.run("verify", "--column", "price", none, known);
        assertEquals(2, two.status());
        assertEquals(known + ": ok: file, " + COUNTS + "\n", two.out());
        assertTrue(two.err().startsWith("fletch: " + none + ": --column: "), two.err());
    }

    @Test
    void pipesAreVerifiedAsFiles() {
        Run file = Verified.run(damaged(), "--values");
        assertEquals(new Run(1, lines("standard input", FAULTS), ""), file);
        assertEquals(
                new Run(0, "standard input: ok: stream, " + COUNTS + "\n", ""),
                Verified.run(TradesSample.stream(), "--values"));
    }

    @Test
    void whatCouldNotBeCheckedIsANoteAndInTheLastLine() throws IOException {
        byte[] big = ForeignBodies.of(TradesSample.file(), Endianness.BIG);
        Run run = Verified.run(big, "--values");
        assertEquals(0, run.status());
        assertEquals(2, run.lines().size(), run.out());
        String note =
                "values were not checked: reason=big-endian, fields=31, columns=symbol, time,"
                        + " price, size, side, venue, venue.code, venue.lit, tags, tags.item";
        assertTrue(run.lines().getFirst().endsWith(note), run.out());
        String start = "standard input: note: message 1: values: values-unchecked: offset=";
        assertTrue(run.lines().getFirst().startsWith(start), run.out());
        String last = "standard input: ok, but not checked: values of 31 fields: file, ";
        assertTrue(run.lines().getLast().startsWith(last), run.out());
        assertTrue(run.out().endsWith(", endianness=Big, uncheckedFields=31, notes=1\n"));
        assertEquals(1, Verified.run(big, "--values", "--fail-on", "note").status());
        Run allowed =
                Verified.run(big, "--values", "--fail-on", "note", "--allow", "values-unchecked");
        assertEquals(0, allowed.status(), allowed.err());
        Run json = Verified.run(big, "--values", "--json");
        assertTrue(json.out().contains("\"ok\":true"), json.out());
        assertTrue(json.out().contains("\"code\":\"values-unchecked\""), json.out());
        Run few = Verified.run(big, "--column", "venue.lit");
        assertTrue(few.out().contains("fields=6, columns=venue, venue.lit\n"), few.out());
        assertEquals(1, Verified.run(big).lines().size());
    }

    @Test
    void schemaWithoutFieldsHasNoValues() throws IOException {
        MemorySegment stream =
                stream(
                        ArrowSchema.of(),
                        out -> out.write(builder(ArrowSchema.of(), MetadataVersion.V5).begin(2)));
        Run run = Verified.run(stream.toArray(ValueLayout.JAVA_BYTE), "--values");
        String counts = "stream, messages=2, dictionaryBatches=0, recordBatches=1";
        assertEquals(new Run(0, "standard input: ok: " + counts + "\n", ""), run);
    }

    @Test
    void nullsNeedNoDictionary() {
        FbsValue.Table column = encoded(field("d", Type.UTF8, table("Utf8")), 3);
        for (int nulls = 0; nulls < 3; nulls++) {
            byte[] validity = nulls == 0 ? new byte[0] : new byte[] {(byte) (2 - nulls)};
            byte[] file =
                    new HandmadeInput(schema(column))
                            .batch(new HandmadeInput.Batch(2).node(2, nulls, validity, new byte[2]))
                            .file();
            Run run = Verified.run(file, "--values");
            boolean isNeeded = nulls < 2;
            assertEquals(isNeeded, run.out().contains(": dictionary-undefined: "), run.out());
            assertEquals(isNeeded, run.out().contains("reason=dictionary is not defined"));
        }
    }

    @Test
    void columnsOfAnUnknownTypeAreNamedWithAllOthers() {
        byte[] stream =
                new HandmadeInput(schema(integer("a", 8), field("b", 77, null), integer("c", 8)))
                                .batch(new HandmadeInput.Batch(0).node(0, 0).node(0, 0).node(0, 0))
                                .stream();
        Run run = Verified.run(stream, "--values");
        assertEquals(1, run.status());
        assertTrue(run.out().contains(": unknown-type: "), run.out());
        assertTrue(
                run.out().contains("reason=type is unknown, fields=3, columns=a, b, c\n"),
                run.out());
    }

    @Test
    void compressedValuesAreChecked() throws IOException {
        Goldens.assumePresent();
        for (String name : List.of("pl-categorical-lz4.arrow", "pl-sink-newest-zstd.arrow")) {
            byte[] sound = Files.readAllBytes(Producers.folder().resolve(name));
            Run run = Verified.run(sound, "--values", "--json");
            assertTrue(run.out().contains("\"uncheckedFields\":0,"), run.out());
        }
    }

    /// What is wrong with these files is not in their values.
    @Test
    void valuesOfReportedFilesAreSound() throws IOException {
        Goldens.assumePresent();
        int count = 0;
        try (Stream<Path> files = Files.list(Reports.folder())) {
            for (Path file : files.toList()) {
                Run run = Verified.run(Files.readAllBytes(file), "--values");
                assertFalse(run.out().contains(": values: "), run.out());
                assertEquals("", run.err());
                count++;
            }
        }
        assertTrue(count > 10);
    }

    @Test
    void valuesThatNothingDecompressesAreCountedWithOneNote() throws IOException {
        Goldens.assumePresent();
        Path compressed = Producers.folder().resolve("pl-categorical-lz4.arrow");
        List<String> lines = new ArrayList<>();
        CheckReport report =
                new ContainerVerifier(CheckOptions.DEFAULT.withValues())
                        .verify(compressed, each -> lines.add(each.line()));
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.getFirst().contains(": values-unchecked: "), lines::toString);
        String reason = "reason=no decompressor, codec=LZ4_FRAME, fields=4, columns=";
        assertTrue(lines.getFirst().contains(reason), lines::toString);
        assertEquals(4, report.uncheckedFields());
    }

    /// Writes the batches of a stream.
    private interface Batches {
        void writeTo(MessageWriter out) throws IOException;
    }

    private static MemorySegment stream(ArrowSchema schema, Batches batches) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, stream)) {
            out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            batches.writeTo(out);
            out.finish();
        }
        return MemorySegment.ofArray(stream.toByteArray());
    }

    private static BatchBuilder builder(ArrowSchema schema, int version) {
        return new BatchBuilder(BatchLayout.compile(schema.toTable(), version));
    }

    private static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    /// A buffer that says that it has three bytes when decompressed.
    private static MemorySegment compressed() {
        return bytes(3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3);
    }

    /// No error, but two fields that were not checked.
    private static void assertTwoUnchecked(MemorySegment stream, CheckOptions options) {
        List<String> lines = new ArrayList<>();
        CheckReport report =
                new ContainerVerifier(options).verify(stream, each -> lines.add(each.line()));
        assertTrue(report.isOk(), lines::toString);
        assertEquals(2, report.uncheckedFields(), lines::toString);
    }

    private static ConversionReport converted(MemorySegment stream, ConvertOptions options)
            throws IOException {
        return new Converter(options)
                .convert(stream, Channels.newChannel(new ByteArrayOutputStream()));
    }

    /// The layout of a union depends on the version, and that of the first batch is used.
    @Test
    void valuesOfABatchOfAnotherVersionAreNotChecked() throws IOException {
        ArrowType union = ArrowType.Union.of(ArrowType.UnionLayout.SPARSE, 0);
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("u", union, ArrowField.of("a", new ArrowType.Int(8, true))));
        MemorySegment stream =
                stream(
                        schema,
                        out -> {
                            for (int version : new int[] {MetadataVersion.V5, MetadataVersion.V4}) {
                                BatchBuilder batch = builder(schema, version).begin(1);
                                batch.buffer(0, BufferRole.TYPE_IDS, bytes(0));
                                out.write(batch.buffer(1, BufferRole.DATA, bytes(0)));
                            }
                        });
        assertTwoUnchecked(stream, CheckOptions.DEFAULT.withValues());
        ConversionReport written = converted(stream, ConvertOptions.DEFAULT.withValues(null, 0));
        assertEquals(2, written.batches(), written::toString);
    }

    @Test
    void dictionaryThatNeedsTooMuchMemoryIsNotChecked() throws IOException {
        MemorySegment stream =
                stream(
                        ENCODED,
                        out -> {
                            BatchBuilder batch = builder(ENCODED, MetadataVersion.V5);
                            batch.compression(CompressionType.ZSTD).beginDictionary(1, 3, false);
                            out.write(batch.buffer(0, BufferRole.DATA, compressed()));
                            batch.compression(BatchBuilder.NOT_COMPRESSED).begin(1);
                            out.write(batch.buffer(0, BufferRole.DATA, bytes(2)));
                        });
        LibraryDecompressor library = new LibraryDecompressor();
        assertTwoUnchecked(stream, CheckOptions.DEFAULT.withValues().withDecompressor(library, 2));
        ConversionReport written = converted(stream, ConvertOptions.DEFAULT.withValues(library, 2));
        assertEquals(1, written.batches(), written::toString);
        String memory = "decompressed buffers need too much memory, fields=1, columns=n";
        String undefined = "dictionary is not defined, fields=1, columns=n";
        assertEquals(
                List.of(
                        "values were not checked: reason=" + memory,
                        "values were not checked: reason=" + undefined),
                written.notes());
    }

    @Test
    void bytesBehindAnLz4FrameAreAnError() throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        buffer.writeBytes(new byte[] {3, 0, 0, 0, 0, 0, 0, 0});
        try (var frame = new FramedLZ4CompressorOutputStream(buffer)) {
            frame.write(new byte[] {1, 2, 0});
        }
        LibraryDecompressor library = new LibraryDecompressor();
        CheckOptions check = CheckOptions.DEFAULT.withValues().withDecompressor(library, 1 << 20);
        ConvertOptions convert = ConvertOptions.DEFAULT.withValues(library, 1 << 20);
        for (int more = 0; more < 3; more++) {
            MemorySegment bytes = MemorySegment.ofArray(buffer.toByteArray());
            MemorySegment stream =
                    stream(
                            ENCODED,
                            out -> {
                                BatchBuilder batch = builder(ENCODED, MetadataVersion.V5);
                                batch.compression(CompressionType.LZ4_FRAME);
                                batch.beginDictionary(1, 3, false);
                                out.write(batch.buffer(0, BufferRole.DATA, bytes));
                                batch.compression(BatchBuilder.NOT_COMPRESSED).begin(1);
                                out.write(batch.buffer(0, BufferRole.DATA, bytes(2)));
                                batch.compression(CompressionType.LZ4_FRAME).begin(3);
                                out.write(batch.buffer(0, BufferRole.DATA, bytes));
                            });
            List<String> lines = new ArrayList<>();
            new ContainerVerifier(check).verify(stream, each -> lines.add(each.line()));
            if (more == 0) {
                assertEquals(List.of(), lines);
            } else {
                lines.removeIf(each -> each.startsWith("note: "));
                assertEquals(2, lines.size(), lines::toString);
                assertTrue(lines.getFirst().contains("behind the LZ4 frame"), lines::toString);
                assertTrue(lines.getLast().contains("behind the LZ4 frame"), lines::toString);
                var e = assertThrows(ConversionException.class, () -> converted(stream, convert));
                assertTrue(e.getMessage().contains("behind the LZ4 frame"), e.getMessage());
            }
            buffer.write(0);
        }
    }

    /// Otherwise indices would be compared with the values before.
    @Test
    void dictionaryWhoseReplacementCannotBeReadIsNotDefined() throws IOException {
        MemorySegment stream =
                stream(
                        ENCODED,
                        out -> {
                            BatchBuilder plain = builder(ENCODED, MetadataVersion.V5);
                            plain.beginDictionary(1, 1, false);
                            out.write(plain.buffer(0, BufferRole.DATA, bytes(1)));
                            BatchBuilder packed = builder(ENCODED, MetadataVersion.V5);
                            packed.compression(CompressionType.ZSTD).beginDictionary(1, 3, false);
                            out.write(packed.buffer(0, BufferRole.DATA, compressed()));
                            out.write(plain.begin(1).buffer(0, BufferRole.DATA, bytes(2)));
                        });
        assertTwoUnchecked(stream, CheckOptions.DEFAULT.withValues());
        ConversionReport written =
                converted(stream, ConvertOptions.DEFAULT.salvaging().withValues(null, 0));
        assertEquals(1, written.batches(), written::toString);
    }

    @Test
    void fieldsThatNeedTooMuchMemoryAreNotChecked() throws IOException {
        Goldens.assumePresent();
        CheckOptions small =
                CheckOptions.DEFAULT
                        .withValues()
                        .withDecompressor(new LibraryDecompressor(), Long.BYTES);
        List<String> lines = new ArrayList<>();
        CheckReport report =
                new ContainerVerifier(small)
                        .verify(
                                Producers.folder().resolve("pl-strings-zstd.arrow"),
                                each -> lines.add(each.line()));
        assertTrue(report.isOk());
        assertEquals(report.notes(), lines.size());
        assertTrue(lines.getFirst().contains("reason=decompressed buffers need too much memory"));
        assertTrue(report.uncheckedFields() > 0);
    }

    @Test
    void libraryFindsTheSameInFilesMemoryAndStreams() throws IOException {
        ContainerVerifier verifier = new ContainerVerifier(CheckOptions.DEFAULT.withValues());
        Path path = Files.write(folder.resolve("damaged"), damaged());
        List<String> inFile = new ArrayList<>();
        verifier.verify(path, fault -> inFile.add(fault.line()));
        List<String> inMemory = new ArrayList<>();
        verifier.verify(MemorySegment.ofArray(damaged()), fault -> inMemory.add(fault.line()));
        List<String> inStream = new ArrayList<>();
        verifier.verify(new ByteArrayInputStream(damaged()), fault -> inStream.add(fault.line()));
        assertEquals(FAULTS.lines().toList(), inFile);
        assertEquals(inFile, inMemory);
        assertEquals(inFile, inStream);
    }

    /// Many faults of one column are one line; JSON has each.
    @Test
    void faultsOfOneColumnAreSummedUpInText() {
        byte[] file = TradesSample.file();
        Arrays.fill(file, 3776, 3776 + 250, (byte) 77); // the indices of the first batch
        Run text = Verified.run(file, "--values");
        assertEquals(
                List.of(
                        "standard input: message 2: values: value-dictionary-index: offset=3776,"
                                + " path=data: index is outside its dictionary: row=0, value=77,"
                                + " limit=4, column=symbol; faults=250, rows=0-249"),
                text.lines());
        Map<?, ?> json = (Map<?, ?>) Verified.run(file, "--values", "--json").json().getFirst();
        assertEquals(250, JsonTree.array(json.get("faults")).size());
    }
}
