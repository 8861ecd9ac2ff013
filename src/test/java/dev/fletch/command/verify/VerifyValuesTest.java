// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.batch.Decompressor;
import dev.fletch.command.Cli.Run;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// `fletch verify --values`, and [dev.fletch.ipc.ReadOptions.Level#VALUES].
class VerifyValuesTest {

    /// A dictionary of three numbers whose bytes are not ZSTD.
    private static final String PACKED =
            " | dictionary 1 3 [3] [- i64(3)+hex(010203)]"
                    + " {compression=BodyCompression(codec=1)}";

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

    /// A stream of dictionaries and a batch with the index 2.
    private static MemorySegment stream(String dictionaries) {
        return MemorySegment.ofArray(
                CaseFile.input(
                        "let i8 = Int(bitWidth=8 is_signed=1)\n"
                                + "stream <n:i8{dictionary=DictionaryEncoding(id=1 indexType=i8)}>"
                                + dictionaries
                                + " | batch 1 [1] [- i8(2)]"));
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
        MemorySegment stream = stream(PACKED);
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
        String memory =
                "decompressed buffers or dictionaries need too much memory, fields=2, columns=n";
        assertEquals(List.of("values were not checked: reason=" + memory), written.notes());
    }

    /// Otherwise indices would be compared with the values before.
    @Test
    void dictionaryWhoseReplacementCannotBeReadIsNotDefined() throws IOException {
        MemorySegment stream = stream(" | dictionary 1 1 [1] [- i8(1)]" + PACKED);
        ReadOptions options =
                ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressor(Decompressor.NONE);
        assertTwoUnchecked(stream, options);
        ConversionReport written =
                converted(stream, ConvertOptions.DEFAULT.salvaging().withReading(options));
        assertEquals(1, written.batches(), written::toString);
    }
}
