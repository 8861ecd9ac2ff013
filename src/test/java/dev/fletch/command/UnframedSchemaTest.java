// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.command.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.RangeServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Files whose schema message has no prefix, so that nothing says where it ends: all commands
/// divide them in the same way.
class UnframedSchemaTest {
    private static final String BATCHES =
            " | batch 2 [2] [- i32(0 1 3) \"abc\"] | batch 2 [2] [- i32(0 1 3) \"def\"]";
    private static final String PLAIN = "file unframed <utf8:Utf8>" + BATCHES;
    // The first message behind the schema message.
    private static final int FIRST = 128;
    // The same behind a schema with 400 bytes of metadata, and where a copy is in that metadata.
    private static final int BEHIND_LONG_SCHEMA = 576;
    private static final int COPY = 168;
    private static final int BATCH_BYTES = 184;

    @TempDir Path folder;

    private static byte[] withoutFooter(byte[] file) {
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 10);
        return Arrays.copyOf(file, file.length - 10 - length);
    }

    private static byte[] changed(byte[] file, int at, byte... bytes) {
        byte[] changed = file.clone();
        System.arraycopy(bytes, 0, changed, at, bytes.length);
        return changed;
    }

    /// The messages that `ls` shows; `verify`, `count` and `convert --salvage` find the same
    /// batches, in files and links.
    private List<String> messages(byte[] input) throws IOException {
        Path file = Files.write(folder.resolve("of.arrow"), input);
        List<String> listed = listed("" + file);
        long batches = listed.stream().filter(each -> each.startsWith("RecordBatch")).count();
        assertEquals(batches, number("verify", "recordBatches", file), "verify");
        assertEquals(batches, number("count", "batches", file), "count");
        Path saved = folder.resolve("saved.arrow");
        Run run = Cli.runAlone("convert", "--salvage", "" + file, "" + saved);
        boolean hasSchema = !run.err().contains("no schema found");
        assertEquals(hasSchema ? batches : 0, hasSchema ? listed("" + saved).size() - 1 : 0);
        Files.deleteIfExists(saved);
        try (RangeServer server = new RangeServer(folder)) {
            assertEquals(listed, listed(server.link("of.arrow")));
        }
        return listed;
    }

    private static List<String> listed(String input) {
        Object list = JsonTree.object(Cli.runAlone("ls", "--json", input).json().getFirst());
        return JsonTree.array(JsonTree.object(list).get("messages")).stream()
                .map(JsonTree::object)
                .map(each -> each.get("kind") + " " + each.get("offset"))
                .toList();
    }

    private static long number(String command, String key, Path file) {
        Run run = Cli.runAlone(command, "--json", "" + file);
        Map<String, Object> found = JsonTree.object(run.json().getFirst());
        return (long) found.get(key);
    }

    /// Its end was the next continuation word, so that it hid the message behind it.
    @Test
    void damageBehindItIsDamage() throws IOException {
        byte[] file = changed(CaseFile.input(PLAIN), FIRST, (byte) 1, (byte) 2, (byte) 3, (byte) 4);
        assertEquals(List.of("RecordBatch 312"), messages(file));
        byte[] cut = withoutFooter(file);
        assertEquals(List.of("Schema 8", "RecordBatch 312"), messages(cut));
        Run run = Cli.runAlone("count", "" + Files.write(folder.resolve("cut.arrow"), cut));
        assertTrue(run.err().contains("message 1: offset 128: metadata does not"), run.err());
    }

    /// The commands but `verify` read no message of such a file.
    @Test
    void messagesBehindAnInvalidOneAreRead() throws IOException {
        byte[] file = CaseFile.input(PLAIN);
        int version = 30;
        assertEquals(4, file[version]);
        byte[] cut = withoutFooter(changed(file, version, (byte) 2));
        assertEquals(List.of("RecordBatch 128", "RecordBatch 312"), messages(cut));
    }

    /// With a footer, `convert` took the schema message's version.
    @Test
    void anInvalidOneIsNotConverted() throws IOException {
        byte[] file = changed(CaseFile.input(PLAIN), 30, (byte) 2);
        Path of = Files.write(folder.resolve("of.arrow"), file);
        Run run = Cli.runAlone("convert", "--to", "stream", "" + of, "" + folder.resolve("to"));
        assertEquals(0, run.status(), run.err());
        Run verified = Cli.runAlone("verify", "" + folder.resolve("to"));
        assertEquals(0, verified.status(), verified.out());
    }

    /// A file that has a copy of its first batch in the schema's metadata.
    ///
    /// @param leads whether the block of the first batch leads to the copy
    private static byte[] withBatchInSchema(boolean leads) {
        String schema =
                "<utf8:Utf8>{custom_metadata=[KeyValue(key=\"k\" value=repeat(400 \"x\"))]}";
        byte[] file = CaseFile.input("file unframed " + schema + BATCHES);
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int block = file.length - Long.BYTES;
        while (bytes.getLong(block) != BEHIND_LONG_SCHEMA) {
            block--;
        }
        bytes.put(COPY, file, BEHIND_LONG_SCHEMA, BATCH_BYTES);
        return leads ? bytes.putLong(block, COPY).array() : file;
    }

    /// Salvage did not save the batch.
    @Test
    void aBlockThatLeadsToAMessageInsideSaysThatItIsNone() throws IOException {
        Path file = Files.write(folder.resolve("of.arrow"), withBatchInSchema(true));
        assertEquals(List.of("RecordBatch " + COPY, "RecordBatch 760"), listed("" + file));
        Path saved = folder.resolve("saved.arrow");
        Run run = Cli.runAlone("convert", "--salvage", "" + file, "" + saved);
        assertEquals(4, listed("" + saved).size(), run.err());
    }

    /// `convert` said that it has no block, but not `verify`.
    @Test
    void aMessageInsideIsNoMessage() throws IOException {
        byte[] input = withBatchInSchema(false);
        assertEquals(List.of("RecordBatch 576", "RecordBatch 760"), messages(input));
        Path file = Files.write(folder.resolve("of.arrow"), input);
        Run run = Cli.runAlone("convert", "--to", "stream", "" + file, "" + folder.resolve("to"));
        assertTrue(!run.err().contains("no block"), run.err());
    }

    /// Its end was found by marking the bytes of each object each time it was reached.
    @Test
    @Timeout(60)
    void sharedObjectsAreCountedInTime() throws IOException {
        List<FbsValue.Table> pairs =
                Collections.nCopies(
                        CaseCount.of(200_000, 1_000_000),
                        table("KeyValue", "key", "k", "value", "v".repeat(8 << 20)));
        FbsValue.Table schema = table("Schema", "fields", List.of(), "custom_metadata", pairs);
        byte[] message =
                SchemaTables.bytes(
                        table("Message", "version", 4, "header_type", 1, "header", schema));
        byte[] file = new byte[8 + message.length];
        System.arraycopy("ARROW1".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 6);
        System.arraycopy(message, 0, file, 8, message.length);
        for (List<String> command : List.of(List.of("ls"), List.of("verify", "--strict"))) {
            Run run =
                    Cli.runWithInput(
                            file,
                            Stream.concat(command.stream(), Stream.of("-")).toArray(String[]::new));
            assertEquals(1, run.status(), run.err());
        }
    }

    /// A table that claims more bytes than there are is sound for the official verifier.
    @Test
    void theSizeOfATableIsNotItsEnd() throws IOException {
        int tableSize = 16;
        byte[] file = CaseFile.input(PLAIN);
        assertEquals(16, file[tableSize]);
        byte[] cut = withoutFooter(changed(file, tableSize, (byte) 16, (byte) 16));
        List<String> all = List.of("Schema 8", "RecordBatch 128", "RecordBatch 312");
        assertEquals(all, messages(cut));
    }

    @Test
    void zerosBehindItArePadding() throws IOException {
        String first = "Schema 8";
        for (int zeros : new int[] {0, 8, 56, 64}) {
            String gap = " gap zeros(" + zeros + ")";
            byte[] cut = withoutFooter(CaseFile.input(PLAIN.replace("unframed", "unframed" + gap)));
            String second = "RecordBatch " + (FIRST + zeros);
            assertEquals(
                    List.of(first, second, "RecordBatch " + (312 + zeros)), messages(cut), gap);
        }
    }

    /// Longer than what is requested at once.
    @Test
    void aLinkIsReadUpToItsEnd() throws IOException {
        String schema =
                "<utf8:Utf8>{custom_metadata=[KeyValue(key=\"k\" value=repeat(3000000 \"x\"))]}";
        byte[] cut = withoutFooter(CaseFile.input("file unframed " + schema + BATCHES));
        Files.write(folder.resolve("of.arrow"), cut);
        try (RangeServer server = new RangeServer(folder)) {
            Run ofFile = Cli.runAlone("schema", "" + folder.resolve("of.arrow"));
            Run ofLink = Cli.runAlone("schema", server.link("of.arrow"));
            assertEquals(ofFile.out(), ofLink.out());
        }
    }
}
