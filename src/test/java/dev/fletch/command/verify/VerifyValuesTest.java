// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static dev.fletch.verify.messages.Meant.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Decompressor;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `fletch verify --values`, and [dev.fletch.ipc.ReadOptions.Level#VALUES].
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

    /// What is wrong with these files is not in their values.
    @Test
    void valuesOfReportedFilesAreSound() throws IOException {
        Goldens.assumePresent();
        int count = 0;
        try (Stream<Path> files = Files.list(Reports.folder())) {
            for (Path file : files.toList()) {
                Run run = Verified.run(Files.readAllBytes(file), "--values");
                List<String> found =
                        run.lines().stream()
                                .filter(each -> each.contains(": values: "))
                                .filter(each -> !each.contains("reason=message has errors"))
                                .toList();
                assertEquals(List.of(), found);
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
                Arrow.verify(
                        compressed,
                        ReadOptions.VERIFY
                                .withLevel(Level.VALUES)
                                .withDecompressor(Decompressor.NONE),
                        each -> lines.add(each.line()));
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
    private static void assertTwoUnchecked(MemorySegment stream, ReadOptions options) {
        List<String> lines = new ArrayList<>();
        CheckReport report = Arrow.verify(stream, options, each -> lines.add(each.line()));
        assertTrue(report.isOk(), lines::toString);
        assertEquals(2, report.uncheckedFields(), lines::toString);
    }

    private static ConversionReport converted(MemorySegment stream, ConvertOptions options)
            throws IOException {
        return Arrow.convert(stream, Channels.newChannel(new ByteArrayOutputStream()), options);
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
        assertTwoUnchecked(
                stream,
                ReadOptions.VERIFY
                        .withLevel(Level.VALUES)
                        .withDecompressor(library)
                        .withDecompressedBytes(2));
        ConversionReport written =
                converted(
                        stream,
                        ConvertOptions.DEFAULT.withReading(
                                ReadOptions.DEFAULT
                                        .withLevel(Level.VALUES)
                                        .withDecompressor(library)
                                        .withDecompressedBytes(2)));
        assertEquals(1, written.batches(), written::toString);
        String memory = "decompressed buffers need too much memory, fields=1, columns=n";
        String undefined = "dictionary is not defined, fields=1, columns=n";
        assertEquals(
                List.of(
                        "values were not checked: reason=" + memory,
                        "values were not checked: reason=" + undefined),
                written.notes());
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
        ReadOptions options =
                ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressor(Decompressor.NONE);
        assertTwoUnchecked(stream, options);
        ConversionReport written =
                converted(stream, ConvertOptions.DEFAULT.salvaging().withReading(options));
        assertEquals(1, written.batches(), written::toString);
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
