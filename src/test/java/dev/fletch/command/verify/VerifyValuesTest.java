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
import dev.fletch.command.Cli.Run;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
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

    private static final ArrowSchema ENCODED =
            ArrowSchema.of(
                    ArrowField.of("n", new ArrowType.Int(8, true))
                            .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true))));

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
        String memory =
                "decompressed buffers or dictionaries need too much memory, fields=2, columns=n";
        assertEquals(List.of("values were not checked: reason=" + memory), written.notes());
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
}
