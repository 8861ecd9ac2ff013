// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.check.CheckOptions;
import dev.fletch.check.CheckReport;
import dev.fletch.check.ContainerVerifier;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.Converter;
import dev.fletch.format.BufferRole;
import dev.fletch.format.CompressionType;
import dev.fletch.format.Endianness;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.layout.BatchBuilder;
import dev.fletch.layout.BatchLayout;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        Run none = Cli.run("verify", "--column", "nope", path);
        assertEquals(1, none.status());
        assertTrue(none.out().contains("no-column: "), none.out());
        assertTrue(none.out().contains("name=nope, columns=7"), none.out());
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
    void whatCouldNotBeCheckedIsCounted() throws IOException {
        byte[] big = ForeignBodies.of(TradesSample.file(), Endianness.BIG);
        Run run = Verified.run(big, "--values");
        assertTrue(run.out().contains(", endianness=Big, uncheckedFields=31\n"), run.out());
        byte[] other = TradesSample.stream();
        String text = new String(other, StandardCharsets.ISO_8859_1);
        other[text.indexOf("venue\0")] = (byte) 0xFF; // not UTF-8: no schema to check by
        Run unnamed = Verified.run(other, "--values");
        assertTrue(unnamed.out().contains(", uncheckedFields=31, deviations=1\n"), unnamed.out());
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
        assertTrue(lines.getFirst().contains(": value-not-decompressed: "), lines::toString);
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

    /// No fault, but two fields that were not checked.
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
        assertEquals(List.of("values were not checked: fields=2"), written.notes());
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
        assertEquals(List.of(), lines);
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
}
