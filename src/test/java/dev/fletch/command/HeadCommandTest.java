// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;

import dev.fletch.corpus.Corpus;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// `fletch head` of links, endless streams and any damage. What it prints is in
/// `golden/commands/head.txt`; the values themselves are those of `RowValuesAgreeTest`.
class HeadCommandTest {
    private static final Path TRADES = Path.of("src/test/resources/samples/trades.arrow");
    private static final JsonFactory STRICT =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

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

    // ---- damage

    /// All inputs of the corpus. Mutants are inputs of `DamageConsumersTest`.
    @Test
    void noInputIsMoreThanAFault() throws IOException {
        long inputs = 0;
        long marked = 0;
        List<byte[]> corpus = Corpus.inputs().toList();
        for (int i = 0; i < corpus.size(); i += CaseCount.of(5, 1)) {
            marked += isMarked(corpus.get(i)) ? 1 : 0;
            inputs++;
        }
        assertTrue(marked > CaseCount.of(4, 20), "marked: " + marked);
        System.out.printf(
                "Head: %d inputs of the corpus, in %d of them bad values%n", inputs, marked);
    }

    private static boolean isMarked(byte[] input) {
        Cli.Run text = Cli.runWithInput(input, "head", "-");
        Cli.Run json = Cli.runWithInput(input, "head", "--json", "-");
        assertTrue(text.status() <= 1, text.err());
        // A cell of the table is cut earlier.
        assertTrue(text.status() <= json.status(), text.err() + json.err());
        assertFalse(text.err().contains("internal error"), text.err());
        json.lines().forEach(HeadCommandTest::requireObject);
        boolean isMarked = json.out().contains("\"$fault\"");
        assertTrue(!isMarked || json.status() == 1, json.err());
        return isMarked;
    }

    /// Requires that a line is one JSON object, without repeated keys.
    private static void requireObject(String line) {
        try (JsonParser parser = STRICT.createParser(line)) {
            assertEquals(JsonToken.START_OBJECT, parser.nextToken());
            parser.skipChildren();
            assertNull(parser.nextToken());
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
