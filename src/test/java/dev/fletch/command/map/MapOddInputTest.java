// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static dev.fletch.command.map.MapFrames.batch;
import static dev.fletch.command.map.MapFrames.dictionary;
import static dev.fletch.command.map.MapFrames.file;
import static dev.fletch.command.map.MapFrames.int32;
import static dev.fletch.command.map.MapFrames.schema;
import static dev.fletch.command.map.MapFrames.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.SchemaTables;
import dev.fletch.command.verify.Verified;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.Frames;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TradesSample;
import dev.fletch.wire.Escaper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// What `fletch map` makes of inputs that no real writer writes.
@Timeout(120)
class MapOddInputTest {
    private static final String COMPLETE = "(; \\d+ record batch(es)? complete, \\d+ rows)?";

    @TempDir Path folder;

    /// The totals of an input in memory, whose classes must add up to its size.
    private Map<String, Object> totals(byte[] bytes) throws IOException {
        return totals(bytes, "");
    }

    /// @param note on standard error; empty for none
    private Map<String, Object> totals(byte[] bytes, String note) throws IOException {
        Path path = Files.write(folder.resolve("input"), bytes);
        Run run = Cli.run("map", "--json", path.toString());
        assertEquals(note.isEmpty() ? "" : "fletch: " + path + ": " + note + "\n", run.err());
        assertEquals(0, run.status());
        Map<String, Object> object = JsonTree.object(MapCommandTest.parsed(run).getFirst());
        Map<String, Object> totals = JsonTree.object(object.get("totals"));
        long sum = 0;
        for (BytePurpose each : BytePurpose.values()) {
            sum += (Long) totals.get(each.id());
        }
        assertEquals(bytes.length, sum);
        assertEquals(sum, totals.get("size"));
        return totals;
    }

    private static void assertTotals(Map<String, Object> totals, Object... namesAndNumbers) {
        for (int i = 0; i < namesAndNumbers.length; i += 2) {
            Number expected = (Number) namesAndNumbers[i + 1];
            String name = (String) namesAndNumbers[i];
            assertEquals(expected.longValue(), totals.get(name), name);
        }
    }

    private static List<Object> columnBytes(Map<String, Object> totals) {
        return JsonTree.array(totals.get("byColumn")).stream()
                .map(each -> JsonTree.object(each).get("bytes"))
                .toList();
    }

    private static void assertRefused(byte[] stream, String reason) {
        for (String option : List.of("--json", "--totals")) {
            Run run = Cli.runWithInput(stream, "map", option, "-");
            assertEquals(1, run.status());
            assertTrue(
                    run.err()
                            .matches(
                                    "fletch: standard input: (message \\d+: )?offset \\d+: "
                                            + reason
                                            + COMPLETE
                                            + "\n"),
                    run.err());
            if (option.equals("--json")) {
                Map<String, Object> object = JsonTree.object(run.json().getFirst());
                String text = (String) JsonTree.object(object.get("fault")).get("text");
                assertTrue(text.matches(reason + COMPLETE), text);
            }
        }
    }

    // ---- buffers

    /// Padding goes to the next multiple of 64, and what is behind is referenced by nothing.
    @Test
    void gapsInABodyArePaddingOrUnreferenced() throws IOException {
        Map<String, Object> totals = totals(stream(512, 16, 8, 128, 64, 256, 65, 384, 100));
        assertTotals(totals, "columns", 8 + 64 + 65 + 100, "overlapping", 0);
        assertTotals(totals, "padding", 40 + 0 + 63 + 28, "unreferenced", 16 + 64 + 64);
        assertTotals(totals, "waste", 131 + 144);
        assertEquals(List.of(72L, 165L), columnBytes(totals));
    }

    @Test
    void overlappingBuffersAreCountedOnceAndReported() throws IOException {
        // The second lies in the first, the third begins in it, the fourth is the third again.
        byte[] stream = stream(128, 0, 64, 8, 16, 48, 32, 48, 32);
        Map<String, Object> totals = totals(stream);
        assertTotals(totals, "columns", 80, "overlapping", 16 + 16 + 32, "padding", 48);
        assertEquals(List.of(64L, 16L), columnBytes(totals));
        assertTrue(
                Cli.runWithInput(stream, "map", "--totals", "-")
                        .out()
                        .contains("overlapping: bytes claimed more than once (counted once): 64"));
    }

    @Test
    void buffersMayBeInAnyOrder() throws IOException {
        Map<String, Object> totals = totals(stream(256, 192, 10, 128, 20, 64, 30, 0, 40));
        assertTotals(totals, "columns", 100, "padding", 156, "unreferenced", 0);
        assertTotals(totals, "overlapping", 0);
        assertEquals(List.of(30L, 70L), columnBytes(totals));
    }

    @Test
    void emptyBuffersMayBeAnywhere() throws IOException {
        byte[] stream = stream(64, 8, 0, 0, 64, 9_999, 0, -5, 0);
        assertTotals(totals(stream), "columns", 64, "overlapping", 0, "padding", 0);
        assertRefused(stream(64, 0, 64, Long.MAX_VALUE, 0, 0, 0, 0, 0), "buffer out of body: .*");
    }

    @Test
    void bufferOutsideTheBodyIsAFault() {
        String first = ".*: column=a, buffer=1, offset=%d, length=%d, body=64";
        long[][] wrong = {{-8, 8}, {0, -1}, {0, 65}, {64, 1}, {Long.MAX_VALUE, Long.MAX_VALUE}};
        for (long[] each : wrong) {
            byte[] stream = stream(64, 0, 0, each[0], each[1], 0, 0, 0, 0);
            assertRefused(stream, first.formatted(each[0], each[1]));
        }
    }

    /// Buffers that no column owns are neither refused nor taken for waste.
    @Test
    void surplusBuffersAreShownWithoutAColumn() throws IOException {
        byte[] stream = stream(64, 0, 0, 0, 8, 0, 0, 8, 8, 16, 32);
        assertTotals(totals(stream), "columns", 16, "other", 32, "padding", 16);
        List<String> lines = Cli.runWithInput(stream, "map", "-").lines();
        assertTrue(lines.get(5).matches("\\(no column\\) +1 +\\d+ +32 +16"), lines.get(5));
        assertRefused(stream(64, 0, 0), "batch does not have the layout's buffers: .*");
    }

    @Test
    void fieldsBehindAnUnknownTypeCannotBePlaced() throws IOException {
        FbsValue.Table unknown = SchemaTables.field("new", 77, SchemaTables.table("Null"));
        byte[] stream =
                Frames.join(
                        schema(int32("a"), unknown, int32("b")),
                        batch(3, 64, 0, 0, 0, 8, 8, 8, 16, 8),
                        new byte[64]);
        Map<String, Object> totals = totals(stream);
        assertTotals(totals, "columns", 8, "other", 16, "padding", 40);
        assertEquals(List.of(8L, 0L, 0L), columnBytes(totals));
    }

    // ---- messages

    @Test
    void batchThatDoesNotFitTheSchemaIsAFault() {
        byte[] schema = schema(int32("a"));
        byte[] batch = batch(1, 0, 0, 0, 0, 0);
        assertRefused(batch, "first message is not a schema: kind=RecordBatch");
        assertRefused(
                Frames.join(schema, dictionary(7, 1, 0, 0, 0, 0, 0)),
                "no field is encoded by the dictionary: dictionary=7");
        assertRefused(
                Frames.join(schema, batch(2, 0, 0, 0), new byte[0]), "batch does not have .*");
        assertRefused(Frames.END, "there is no message");
        assertRefused(Frames.join(schema, new byte[] {1, 2}), "input ends inside .*");
    }

    /// Each message's own version tells whether its unions have a validity buffer, whatever that of
    /// the schema is; `verify` and `map` go by the same.
    @Test
    void versionOfEachBatchDeterminesItsBuffers() throws IOException {
        FbsValue.Table union =
                SchemaTables.table(
                        "Field",
                        "name",
                        "u",
                        "type_type",
                        Type.UNION,
                        "type",
                        SchemaTables.table("Union"),
                        "children",
                        List.of(int32("x")));
        byte[] schema = schema(union);
        byte[] old = MapFrames.batchOfVersion(MetadataVersion.V4, 2, 24, 0, 0, 0, 1, 8, 0, 16, 4);
        byte[] now = batch(2, 16, 0, 1, 8, 0, 8, 4);
        byte[] stream = Frames.join(schema, now, new byte[16], old, new byte[24], Frames.END);
        assertEquals(List.of(), Verified.of(stream).brief());
        assertTotals(totals(stream), "columns", 10, "padding", 30, "other", 0);
        String roles = "typeIds.*validity.*data.*validity.*typeIds.*validity.*data";
        String text = Cli.runWithInput(stream, "map", "-").out().replace('\n', ' ');
        assertTrue(text.matches(".*" + roles + ".*"), text);
        byte[] short4 = MapFrames.batchOfVersion(MetadataVersion.V4, 2, 16, 0, 1, 8, 0, 8, 4);
        byte[] wrong = Frames.join(schema, short4, new byte[16], Frames.END);
        assertEquals(
                List.of("meaning buffer-count 1 header.recordBatch.buffers"),
                Verified.of(wrong).brief());
        assertRefused(wrong, "batch does not have the layout's buffers: .*");
    }

    @Test
    void bytesAfterTheEndMarkerAreUnreferenced() throws IOException {
        byte[] stream = Frames.join(stream(64, 0, 0, 0, 64, 0, 0, 0, 0), new byte[13]);
        String note = "bytes follow the end-of-stream marker: offset=456, bytes=13";
        assertTotals(totals(stream, note), "unreferenced", 13, "padding", 0);
        assertTrue(
                Cli.runWithInput(stream, "map", "--json", "-")
                        .out()
                        .contains("\"unreferenced\":13,"));
    }

    /// Blocks may leave bytes out, come in any order, and lead into each other's bodies.
    @Test
    void gapsAndOverlapsOfAFileAreCounted() throws IOException {
        byte[] schema = schema(int32("a"));
        byte[] batch = batch(1, 64, 0, 0, 0, 64);
        byte[] messages =
                Frames.join(
                        schema, new byte[24], batch, new byte[64], batch, new byte[64], Frames.END);
        long first = 8 + schema.length + 24;
        long size = batch.length + 64;
        Map<String, Object> totals =
                totals(
                        file(
                                messages,
                                new long[] {first + size, batch.length, 64},
                                new long[] {first, batch.length, 64}));
        long metadata = schema.length + 2 * batch.length + 8;
        assertTotals(totals, "magic", 12, "padding", 2, "unreferenced", 24, "columns", 128);
        assertTotals(totals, "metadata", metadata, "overlapping", 0);

        // Nothing leads to the second batch and the mark behind it.
        totals = totals(file(messages, new long[] {first, batch.length, 64}));
        assertTotals(totals, "unreferenced", 24 + size + 8, "columns", 64);

        // A batch inside the body of another.
        byte[] outer = batch(1, size, 0, 0, 0, size);
        messages = Frames.join(schema, outer, batch, new byte[64]);
        first = 8 + schema.length;
        totals =
                totals(
                        file(
                                messages,
                                new long[] {first, outer.length, size},
                                new long[] {first + outer.length, batch.length, 64}));
        assertTotals(totals, "columns", size, "overlapping", size, "unreferenced", 0);
    }

    /// Each block takes 24 bytes, and would read the same large message again.
    @Test
    void blocksOfTheSameMessageAreLimited() throws IOException {
        byte[] schema = schema(int32("a"));
        long[] buffers = new long[1_000]; // no column owns most of them
        buffers[3] = 64;
        byte[] batch = batch(1, 64, buffers);
        long[] block = {8 + schema.length, batch.length, 64};
        byte[] messages = Frames.join(schema, batch, new byte[64]);
        assertTotals(totals(file(messages, block, block)), "columns", 64);
        long[][] some = Collections.nCopies(1_000, block).toArray(long[][]::new);
        Path repeated = Files.write(folder.resolve("repeated"), file(messages, some));
        assertTrue(Cli.run("columns", repeated.toString()).out().contains("1000 rows"));
        long[][] many = Collections.nCopies(10_000, block).toArray(long[][]::new);
        Path path = Files.write(folder.resolve("often"), file(messages, many));
        Run run = Cli.run("map", "--totals", path.toString());
        assertEquals(1, run.status());
        long limit = 16 * Files.size(path) + (64 << 20);
        long message = block[1] + block[2];
        long again = (limit / message + 1) * message;
        String text = "blocks refer to the same message too often: bytes=%d, limit=%d;";
        assertTrue(run.err().contains(text.formatted(again, limit)), run.err());
    }

    @Test
    void tensorBodiesAreNotWaste() throws IOException {
        Path tensor = TradesSample.path("../arrow-cpp/tensor_cube.stream").normalize();
        Map<String, Object> totals = totals(Files.readAllBytes(tensor));
        assertTrue((Long) totals.get("other") > 0);
        assertTotals(totals, "unreferenced", 0);
        assertEquals(0, Cli.run("map", tensor.toString()).status());
    }

    // ---- names

    /// Spaces alone would be invisible, on a terminal and on a page.
    @Test
    void namesOfOnlySpacesAreInQuotes() throws IOException {
        for (String name : List.of(" ", "   ", "\u00a0", "\u3000\u2003", "")) {
            String shown = Escaper.name(name);
            assertTrue(shown.startsWith("\"") && shown.endsWith("\""), shown);
            byte[] stream = Frames.join(schema(int32(name)), batch(1, 8, 0, 0, 0, 4), new byte[8]);
            for (String command : List.of("map", "columns", "schema")) {
                Run run = Cli.runWithInput(stream, command, "-");
                assertEquals(0, run.status(), run.err());
                assertTrue(run.out().contains(shown), command + ": " + run.out());
            }
            String page = Cli.runWithInput(stream, "map", "--html", "-", "-").out();
            String inJson = "\"" + shown.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            assertTrue(page.contains("\"paths\":[" + inJson), inJson);
            assertTrue(page.contains("\"path\":" + inJson), inJson);
        }
    }

    @Test
    void sharedTextsAreLimited() {
        FbsValue.Table[] fields = new FbsValue.Table[20_000];
        Arrays.fill(fields, SchemaTables.utf8("x".repeat(100_000)));
        assertRefused(
                SchemaTables.stream(SchemaTables.schema(fields)),
                "schema is too large for its bytes.*");
        // Each path repeats those above it.
        FbsValue.Table nested = SchemaTables.utf8("y".repeat(10_000));
        for (int i = 0; i < 100; i++) {
            nested = SchemaTables.struct("x".repeat(10_000), nested);
        }
        FbsValue.Table one = nested;
        assertRefused(
                SchemaTables.stream(SchemaTables.schema(one)),
                "schema is too large for its bytes.*");
    }
}
