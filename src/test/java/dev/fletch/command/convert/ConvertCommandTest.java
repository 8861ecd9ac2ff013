// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/// What `fletch convert` writes, read by arrow-java and listed with the generated classes.
class ConvertCommandTest {

    @TempDir Path folder;

    // ---- what is converted

    @Test
    void sampleFileAndStreamBecomeEachOtherByteForByte() throws IOException {
        assertArrayEquals(TradesSample.stream(), command(TradesSample.file(), "stream"));
        assertArrayEquals(TradesSample.file(), command(TradesSample.stream(), "file"));
    }

    @Test
    void arrowJavaReadsTheSameInWhatItsOwnFilesBecome() throws IOException {
        int converted = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            assertSame(stream, inMemory(stream, ArrowContainer.STREAM, false));
            if (each.hasFile()) { // no dictionary is replaced
                byte[] file = inMemory(stream, ArrowContainer.FILE, false);
                assertSame(stream, file);
                assertSame(stream, inMemory(file, ArrowContainer.STREAM, false));
                assertSame(each.file(), inMemory(each.file(), ArrowContainer.STREAM, false));
                assertSame(each.file(), inMemory(each.file(), ArrowContainer.FILE, false));
            }
            converted++;
        }
        System.out.printf("convert: %d cases of arrow-vector, to files and streams%n", converted);
    }

    @Test
    void messagesOfGoldensAndProducersAreCopiedByteForByte() throws IOException {
        List<Path> inputs = new ArrayList<>(Goldens.all());
        try (Stream<Path> files = Files.list(Producers.folder())) {
            files.filter(each -> each.toString().contains(".arrow")).sorted().forEach(inputs::add);
        }
        int messages = 0;
        for (Path each : inputs) {
            byte[] bytes = Files.readAllBytes(each);
            for (ArrowContainer to : ArrowContainer.values()) {
                byte[] converted = inMemory(bytes, to, false);
                List<String> batches = Converted.contents(converted);
                assertEquals(listed(each), batches, each.toString());
                messages += batches.size();
            }
        }
        System.out.printf("convert: %d inputs, %d messages compared%n", inputs.size(), messages);
    }

    /// Metadata and bodies of the batches, by the places that `ls` lists; dictionaries come first.
    private static List<String> listed(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Object listing = Cli.run("ls", "--json", file.toString()).json().getFirst();
        List<String> dictionaries = new ArrayList<>();
        List<String> batches = new ArrayList<>();
        for (Object each : JsonTree.array(JsonTree.object(listing).get("messages"))) {
            var message = JsonTree.object(each);
            long at = (long) message.get("offset") + (long) message.get("prefixLength");
            long length = (long) message.get("metadataLength");
            String text = Converted.content(bytes, at, length, (long) message.get("bodyLength"));
            if (message.get("kind").equals("DictionaryBatch")) {
                dictionaries.add(text);
            } else if (message.get("kind").equals("RecordBatch")) {
                batches.add(text);
            }
        }
        boolean isFile = JsonTree.object(listing).get("container").equals("file");
        if (!isFile) { // which keeps its order
            return Converted.contents(bytes);
        }
        dictionaries.addAll(batches);
        return dictionaries;
    }

    private static void assertSame(byte[] expected, byte[] converted) {
        ArrowVectorReading before;
        try {
            before = ArrowVectorReading.read(expected);
        } catch (IllegalArgumentException e) { // a type that arrow-vector writes and cannot read
            assertEquals(Converted.contents(expected), Converted.contents(converted));
            return;
        }
        ArrowVectorReading after = ArrowVectorReading.read(converted);
        assertEquals(before.schema(), after.schema());
        assertEquals(before.values(), after.values());
        OracleFile listing = OracleListing.list(converted);
        for (OracleMessage each : listing.messages()) {
            assertEquals(8, each.prefixLength());
            assertEquals(0, each.bodyOffset() % 8);
        }
    }

    @Test
    void footerWithItsCustomMetadataIsKeptInAFileAndMovedInAStream() throws IOException {
        byte[] file =
                ArrowVectorFiles.cases().stream()
                        .filter(ArrowCase::hasFile)
                        .map(ArrowCase::file)
                        .filter(
                                each ->
                                        OracleListing.list(each)
                                                        .footer()
                                                        .footer()
                                                        .customMetadataLength()
                                                > 0)
                        .findFirst()
                        .orElseThrow();
        assertArrayEquals(file, inMemory(file, ArrowContainer.FILE, false));
        Path in = Files.write(folder.resolve("in"), file);
        Run run = Cli.run("convert", in.toString(), folder.resolve("out.arrows").toString());
        assertEquals(0, run.status());
        assertTrue(
                run.err().contains("different custom metadata; that of the footer is used"),
                run.err());
    }

    @Test
    void dictionariesAfterTheirBatchesAreWrittenFirst() throws IOException {
        byte[] file = TradesSample.file();
        OracleFile listing = OracleListing.list(file);
        OracleMessage dictionary = listing.dictionaryBatches().getFirst();
        // The same messages with the dictionary behind the batches, and no footer.
        byte[] moved =
                Frames.join(
                        Arrays.copyOf(file, (int) dictionary.offset()),
                        Arrays.copyOfRange(
                                file, (int) dictionary.endOffset(), (int) listing.endOffset()),
                        Arrays.copyOfRange(
                                file, (int) dictionary.offset(), (int) dictionary.endOffset()),
                        Frames.END);
        for (ArrowContainer to : ArrowContainer.values()) {
            byte[] converted = inMemory(moved, to, false);
            assertSame(file, converted);
            assertTrue(OracleListing.list(converted).messages().get(1).isDictionaryBatch());
        }
    }

    @Test
    void fileWithoutSchemaMessageGetsOne() throws IOException {
        byte[] file = TradesSample.file();
        OracleMessage schema = OracleListing.list(file).messages().getFirst();
        byte[] without = file.clone();
        Arrays.fill(without, (int) schema.offset(), (int) schema.endOffset(), (byte) 0);
        assertSame(file, inMemory(without, ArrowContainer.FILE, false));
        assertSame(file, inMemory(without, ArrowContainer.STREAM, false));
    }

    @Test
    void fileWithoutOrWithADamagedFooterIsRepaired() throws IOException {
        byte[] file = TradesSample.file();
        int end = (int) OracleListing.list(file).endOffset();
        byte[] damaged = file.clone();
        Arrays.fill(damaged, end + 8, damaged.length, (byte) 0x55);
        for (byte[] each :
                List.of(Arrays.copyOf(file, end + 8), Arrays.copyOf(file, end), damaged)) {
            Path in = Files.write(folder.resolve("in.arrow"), each);
            Path out = folder.resolve("out.arrow");
            Run run = Cli.run("convert", "--force", in.toString(), out.toString());
            assertEquals(0, run.status(), run.err());
            assertTrue(run.err().contains("does not end with ARROW1"), run.err());
            assertTrue(run.err().contains("file written: batches=3, rows=800"), run.err());
            assertArrayEquals(file, Files.readAllBytes(out));
        }
    }

    /// Bytes of the sample from its first dictionary to its last batch.
    private static byte[] batchesOf(byte[] file) {
        OracleFile listing = OracleListing.list(file);
        long from = listing.dictionaryBatches().getFirst().offset();
        return Arrays.copyOfRange(file, (int) from, (int) listing.endOffset());
    }

    /// As arrow-js writes it, and truncated by a few bytes.
    @Test
    void withoutSchemaMessageTheFooterOfADamagedEndHasTheSchema() throws IOException {
        byte[] file = TradesSample.file();
        int footer = (int) OracleListing.list(file).footer().offset();
        byte[] cut =
                Frames.join(
                        Arrays.copyOf(file, 8),
                        batchesOf(file),
                        Frames.END,
                        Arrays.copyOfRange(file, footer, file.length - 3));
        for (ArrowContainer to : ArrowContainer.values()) {
            assertSame(file, inMemory(cut, to, false));
        }
        assertRefused(Arrays.copyOf(cut, cut.length - 500), true); // no schema anywhere
    }

    /// As polars' streaming sink writes it, and without a footer.
    @Test
    void schemaMessageWithoutAPrefixIsFound() throws IOException {
        byte[] file = TradesSample.file();
        OracleMessage schema = OracleListing.list(file).messages().getFirst();
        int at = (int) schema.metadataOffset();
        byte[] bare =
                Frames.join(
                        Arrays.copyOf(file, 8),
                        Arrays.copyOfRange(file, at, at + schema.metadataLength()),
                        batchesOf(file),
                        Frames.END);
        assertSame(file, inMemory(bare, ArrowContainer.FILE, false));
        assertSame(file, inMemory(bare, ArrowContainer.STREAM, true));
    }

    @Test
    void footerDecidesIfTheSchemaMessageIsDamaged() throws IOException {
        byte[] file = TradesSample.file();
        byte[] damaged = file.clone();
        String text = new String(file, StandardCharsets.ISO_8859_1);
        damaged[text.indexOf("venue")] = 'V';
        for (boolean salvages : new boolean[] {false, true}) {
            assertSame(file, inMemory(damaged, ArrowContainer.STREAM, salvages));
        }
    }

    @Test
    void base64OfASchemaIsConverted() throws IOException {
        byte[] schema = Frames.emptySchema();
        byte[] text = Base64.getEncoder().encode(schema);
        byte[] file = inMemory(text, ArrowContainer.FILE, false);
        assertEquals(List.of(), ArrowVectorReading.read(file).batchRows());
    }

    @Test
    void bodyOfAnyLengthIsPadded() throws IOException {
        byte[] stream =
                Frames.join(
                        Frames.emptySchema(), Frames.recordBatch(3, 5), new byte[] {1, 2, 3, 4, 5});
        byte[] file = inMemory(stream, ArrowContainer.FILE, false);
        OracleMessage batch = OracleListing.list(file).recordBatches().getFirst();
        assertEquals(8, batch.bodyLength());
        int at = (int) batch.bodyOffset();
        assertArrayEquals(
                new byte[] {1, 2, 3, 4, 5, 0, 0, 0}, Arrays.copyOfRange(file, at, at + 8));
    }

    // ---- what is refused

    @Test
    void inputIsNeverOverwrittenAndAnExistingFileOnlyByForce() throws IOException {
        Path in = Files.write(folder.resolve("in.arrow"), TradesSample.file());
        Path link = Files.createSymbolicLink(folder.resolve("link"), in);
        for (Path each : List.of(in, link)) {
            Run run = Cli.run("convert", "--force", in.toString(), each.toString());
            assertEquals(2, run.status());
            assertTrue(run.err().contains("would overwrite the input"), run.err());
        }
        assertArrayEquals(TradesSample.file(), Files.readAllBytes(in));
        Path other = Files.writeString(folder.resolve("other"), "kept");
        Run run = Cli.run("convert", in.toString(), other.toString());
        assertEquals(2, run.status());
        assertTrue(run.err().contains("already exists; --force overwrites it"), run.err());
        assertEquals("kept", Files.readString(other));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    // ---- truncated and damaged inputs

    @Test
    void cutAtEveryByteSavesEveryCompleteBatch() throws IOException {
        int cuts = 0;
        for (byte[] whole : List.of(TradesSample.file(), TradesSample.stream())) {
            OracleFile listing = OracleListing.list(whole);
            long schemaEnd = listing.messages().getFirst().endOffset();
            int step = CaseCount.of(29, 5);
            for (int length = 0; length < whole.length; length += step) {
                byte[] cut = Arrays.copyOf(whole, length);
                if (length < schemaEnd) {
                    assertRefused(cut, true);
                    continue;
                }
                long end = length;
                List<String> complete =
                        listing.messages().stream()
                                .filter(each -> !each.isSchema() && each.endOffset() <= end)
                                .map(each -> Converted.content(whole, each))
                                .toList();
                byte[] saved = inMemory(cut, ArrowContainer.FILE, true);
                assertEquals(complete, Converted.contents(saved), "length=" + length);
                boolean isAll =
                        listing.messages().stream()
                                .noneMatch(each -> each.offset() < end && each.endOffset() > end);
                if (!isAll) {
                    assertRefused(cut, false);
                }
                cuts++;
            }
        }
        System.out.printf("convert: %d cuts, every complete batch saved%n", cuts);
    }

    private static void assertRefused(byte[] bytes, boolean salvages) throws IOException {
        try {
            inMemory(bytes, ArrowContainer.STREAM, salvages);
        } catch (FletchException _) {
            return;
        }
        throw new AssertionError("converted: bytes=" + bytes.length);
    }

    @Test
    void damagedBlocksAreLeftOutOrFoundByTheirMessages() throws IOException {
        byte[] file = TradesSample.file();
        OracleFile listing = OracleListing.list(file);
        OracleMessage second = listing.recordBatches().get(1);
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = (int) listing.footer().offset(); at < file.length - 8; at += 4) {
            if (bytes.getLong(at) == second.offset()) {
                bytes.putLong(at, listing.recordBatches().getFirst().offset()); // twice the same
            }
        }
        assertRefused(file, false);
        assertEquals(
                Converted.contents(TradesSample.file()),
                Converted.contents(inMemory(file, ArrowContainer.STREAM, true)));
    }

    // ---- runs

    /// Converts in memory, as the command does.
    private static byte[] inMemory(byte[] bytes, ArrowContainer to, boolean salvages) {
        return Converted.of(bytes, to, salvages).bytes();
    }

    private byte[] command(byte[] bytes, String to) throws IOException {
        Path out = folder.resolve("out");
        Run run = Cli.runWithInput(bytes, "convert", "--force", "--to", to, "-", out.toString());
        String written = "fletch: %s: %s written: batches=3, rows=800%n".formatted(out, to);
        assertEquals(new Run(0, "", written), run);
        return Files.readAllBytes(out);
    }
}
