// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// `fletch head` of endless streams and many columns. What it prints is in
/// `golden/commands/head.txt`, the values themselves are those of `RowValuesAgreeTest`, and damaged
/// inputs are those of `DamageConsumersTest`.
class HeadCommandTest {
    private static final Path TRADES = Path.of("src/test/resources/samples/trades.arrow");

    @TempDir Path folder;

    @Test
    void aStreamWithoutEndIsReadNoFurtherThanNeeded() throws IOException {
        byte[] stream = Files.readAllBytes(TRADES.resolveSibling("trades.stream"));
        InputStream endless =
                new InputStream() {
                    private final InputStream first = new ByteArrayInputStream(stream);
                    private int read;

                    @Override
                    public int read() throws IOException {
                        if (++read > stream.length - 8) {
                            throw new AssertionError("read to the end");
                        }
                        return first.read();
                    }
                };
        Cli.Run run = Cli.runWithInput(endless, "head", "--rows", "3", "--json", "-");
        assertEquals(0, run.status(), run.err());
        assertEquals(3, run.json().size());
    }

    @Test
    void columnsOfManyAreChosenInTime() throws IOException {
        FbsValue.Table[] fields =
                IntStream.range(0, 30_000)
                        .mapToObj(i -> Meant.utf8("c" + i))
                        .toArray(FbsValue.Table[]::new);
        byte[] stream = Frames.schemaStream(Meant.schema(fields));
        String file = Files.write(folder.resolve("many"), stream).toString();
        for (String columns : List.of("*,c*", "!c1*")) {
            Cli.Run run =
                    assertTimeoutPreemptively(
                            Duration.ofSeconds(10),
                            () -> Cli.run("head", "--json", "--columns", columns, file));
            assertEquals(new Cli.Run(0, "", ""), run);
        }
    }

    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    private Path withoutFooter(byte[]... messages) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII));
        for (byte[] each : messages) {
            file.writeBytes(each);
        }
        return Files.write(folder.resolve("without-footer.arrow"), file.toByteArray());
    }

    /// The messages of a stream.
    private static List<byte[]> messages(Path stream) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(Files.readAllBytes(stream));
        List<byte[]> messages = new ArrayList<>();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (long at = 0; frame.wrap(memory, at, message) == FrameKind.MESSAGE; ) {
            messages.add(
                    memory.asSlice(at, frame.nextOffset() - at).toArray(ValueLayout.JAVA_BYTE));
            at = frame.nextOffset();
        }
        return messages;
    }

    private static String rows(Path input) {
        return Cli.run("head", "--json", "" + input).out();
    }

    @Test
    void dictionariesOfAFileWithoutFooterMayBeBehindTheirBatches() throws IOException {
        Path stream = CORPUS.resolve("file/no-end-marker-dictionaries.arrows");
        List<byte[]> all = messages(stream); // schema, dictionary, delta, 2 batches
        assertEquals(5, all.size());
        Path behind = withoutFooter(all.get(0), all.get(3), all.get(4), all.get(1), all.get(2));
        assertEquals(rows(stream), rows(behind));
    }

    @Test
    void deltasOfAFileWithoutFooterMayBeBehindTheirBatches() throws IOException {
        Path stream = CORPUS.resolve("values/index-before-delta.sound.arrows");
        List<byte[]> all = messages(stream); // schema, dictionary, batch, delta, batch
        assertEquals(5, all.size());
        Path behind = withoutFooter(all.get(0), all.get(1), all.get(2), all.get(4), all.get(3));
        assertEquals(rows(stream), rows(behind));
    }

    @Test
    void dictionariesBehindAWrongOneOfAFileWithoutFooterAreFound() throws IOException {
        Path stream = CORPUS.resolve("meaning/dictionaries-undefined.sound.arrows");
        List<byte[]> all = messages(stream); // schema, 2 dictionaries, batch
        assertEquals(4, all.size());
        Path behind = withoutFooter(all.get(0), all.get(1), all.get(3), all.get(1), all.get(2));
        Cli.Run run = Cli.run("head", "--json", "" + behind);
        assertEquals(rows(stream), run.out());
        String twice = "message 3: offset 912: dictionary is defined twice in a file: dictionary=1";
        assertTrue(run.err().contains(twice), run.err());
    }

    @Test
    void aDictionaryOfNoColumnIsAFaultAsForOtherCommands() {
        Cli.Run run = Cli.run("head", "" + CORPUS.resolve("meaning/delta-unused.arrow"));
        assertEquals(1, run.status());
        String unused = "offset 456: no field is encoded by the dictionary: dictionary=4";
        assertTrue(run.err().contains(unused), run.err());
    }

    @Test
    void aBufferThatCannotBeDecompressedIsWhereVerifyFindsIt() throws IOException {
        Path input = CORPUS.resolve("meaning/lz4-length-differs.arrows");
        String place = "message 1: offset 248: buffer cannot be decompressed";
        String verified = "message 1: meaning: decompression: offset=248: ";
        assertTrue(Cli.run("verify", "--values", "" + input).out().contains(verified));
        assertTrue(Cli.run("head", "" + input).err().contains(place));
        byte[] bytes = Files.readAllBytes(input);
        assertTrue(Cli.runWithInput(bytes, "head", "-").err().contains(place));
    }
}
