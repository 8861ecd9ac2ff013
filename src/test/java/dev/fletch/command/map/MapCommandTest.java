// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.Frames;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What `fletch map` prints of real files, against what the generated classes and arrow-vector say
/// of them.
class MapCommandTest {
    /// From one byte that is asked for to the next.
    private static final int STEP = CaseCount.of(29, 1);

    private static int inputs;
    private static int buffers;
    private static long bytesInAll;

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void mapOfEveryGoldenAgrees(Path golden) {
        compare(golden, Goldens.read(golden));
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void mapOfArrowVectorFilesAgrees(ArrowCase each) throws IOException {
        // Not even its schema can be read by arrow-vector, and it has no batches.
        each.assumeReadByArrowJava();
        byte[] stream = each.stream();
        compare(Files.write(folder.resolve("stream"), stream), stream);
        if (each.hasFile()) {
            byte[] file = each.file();
            compare(Files.write(folder.resolve("file"), file), file);
        }
    }

    /// As a file and through a pipe, and the sum over the classes is each time the input's size.
    private static void compare(Path path, byte[] bytes) {
        Map<String, Object> expected = MapOracle.of(path.toString(), bytes);
        Run run = Cli.run("map", "--json", path.toString());
        assertEquals("", run.err());
        assertEquals(0, run.status());
        Map<String, Object> found = JsonTree.object(run.json().getFirst());
        Map<String, Object> totals = JsonTree.object(found.get("totals"));
        totals.remove("wasteShare"); // transcripts have it
        assertEquals(expected.toString(), found.toString());
        long sum = 0;
        for (BytePurpose each : BytePurpose.values()) {
            sum += (Long) totals.get(each.id());
        }
        assertEquals(bytes.length, sum);
        assertEquals(0L, totals.get("unreferenced"));
        assertEquals(0L, totals.get("other"));

        Run piped = Cli.runWithInput(bytes, "map", "--json", "-");
        assertEquals(0, piped.status(), piped.err());
        assertEquals(run.out().replace(path.toString(), "-"), piped.out());
        inputs++;
        bytesInAll += sum;
        for (Object each : JsonTree.array(found.get("batches"))) {
            buffers += JsonTree.array(JsonTree.object(each).get("buffers")).size();
        }
    }

    // ---- one byte

    /// Threads look for it at once, each in another input.
    @Test
    void byteOfTheFirstOfManyStreamsIsFoundAmongOtherInputs() throws IOException {
        byte[] stream = ArrowVectorFiles.named("dictionary_int8").stream();
        byte[][] streams = Collections.nCopies(300, stream).toArray(byte[][]::new);
        String many = Files.write(folder.resolve("many"), Frames.join(streams)).toString();
        byte[] nothing = Frames.join(Frames.emptySchema(), Frames.END);
        String none = Files.write(folder.resolve("none"), nothing).toString();
        List<String> call =
                new ArrayList<>(List.of("map", "--all-streams", "--at", "" + (stream.length - 9)));
        int inputs = 50;
        for (int i = 0; i < inputs; i++) {
            call.addAll(List.of(many, none));
        }
        Run run = Cli.run(call.toArray(String[]::new));
        assertEquals(inputs, run.lines().stream().filter(e -> e.startsWith("byte ")).count());
        assertEquals(inputs, run.err().lines().filter(e -> e.contains(none)).count());
        assertEquals(inputs, run.err().lines().count(), run.err());
    }

    /// The purposes of all bytes, each asked for alone, are the totals; and a byte of a buffer is
    /// in the buffer that the table lists.
    @Test
    void eachByteHasThePurposeThatTheTotalsCount() throws IOException {
        Path file = folder.resolve("file");
        byte[] bytes = ArrowVectorFiles.named("dictionary_int8").file();
        Files.write(file, bytes);
        Map<String, Object> all = map(file.toString());
        List<Map<String, Object>> buffers = new ArrayList<>();
        for (Map<String, Object> batch : JsonTree.objects(all.get("batches"))) {
            buffers.addAll(JsonTree.objects(batch.get("buffers")));
        }
        Map<Object, Object> users = new HashMap<>();
        Object byDictionary = JsonTree.object(all.get("totals")).get("byDictionary");
        for (Map<String, Object> dictionary : JsonTree.objects(byDictionary)) {
            users.put("dictionary " + dictionary.get("dictionaryId"), dictionary.get("column"));
        }
        assertEquals(1, users.size());
        Map<String, Integer> counts = new HashMap<>();
        int inBuffers = 0;
        for (int at = 0; at < bytes.length; at += STEP) {
            Map<String, Object> found =
                    JsonTree.object(map("--at", "" + at, file.toString()).get("byte"));
            counts.merge((String) found.get("purpose"), 1, Integer::sum);
            for (Map<String, Object> each : buffers) {
                long from = ((Number) each.get("offset")).longValue();
                long length = ((Number) each.get("length")).longValue();
                if (at >= from && at < from + length) {
                    inBuffers++;
                    assertEquals(each.get("path"), found.get("path"));
                    assertEquals(each.get("role"), found.get("role"));
                    assertEquals(each.get("offset"), found.get("from"));
                    assertEquals(each.get("length"), found.get("length"));
                    assertEquals(users.get(found.get("path")), found.get("column"));
                }
            }
        }
        Map<String, Object> totals = JsonTree.object(all.get("totals"));
        for (BytePurpose each : BytePurpose.values()) {
            long expected = ((Number) totals.get(each.id())).longValue();
            long found = counts.getOrDefault(each.id(), 0);
            assertTrue(STEP == 1 ? found == expected : found <= expected, each.id());
        }
        assertTrue(inBuffers > 20 / STEP, inBuffers + " bytes of buffers");
    }

    private static Map<String, Object> map(String... arguments) {
        List<String> all = new ArrayList<>(List.of("map", "--json"));
        all.addAll(List.of(arguments));
        return JsonTree.object(Cli.run(all.toArray(String[]::new)).json().getFirst());
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "map: %d inputs, %d buffers, %d bytes, each in one class%n",
                inputs, buffers, bytesInAll);
    }
}
