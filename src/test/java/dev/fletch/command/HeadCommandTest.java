// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
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
                IntStream.range(0, 100_000)
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

    @Test
    void dictionariesOfAFileWithoutFooterMayBeBehindTheirBatches() throws IOException {
        Path stream = Path.of("src/test/resources/corpus/file/no-end-marker-dictionaries.arrows");
        MemorySegment memory = MemorySegment.ofArray(Files.readAllBytes(stream));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ByteArrayOutputStream dictionaries = new ByteArrayOutputStream();
        file.writeBytes("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (long at = 0; frame.wrap(memory, at, message) == FrameKind.MESSAGE; ) {
            boolean isDictionary = message.headerType() == MessageHeader.DICTIONARY_BATCH;
            long length = frame.nextOffset() - at;
            (isDictionary ? dictionaries : file)
                    .writeBytes(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
            at = frame.nextOffset();
        }
        assertTrue(dictionaries.size() > 0);
        dictionaries.writeTo(file);
        Path behind = Files.write(folder.resolve("behind.arrow"), file.toByteArray());
        String rows = Cli.run("head", "--json", stream.toString()).out();
        assertEquals(rows, Cli.run("head", "--json", behind.toString()).out());
    }
}
