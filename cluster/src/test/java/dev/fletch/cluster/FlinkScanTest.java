// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The job in a local cluster of two task managers, compared with the command on the same files.
@Timeout(120)
@SuppressWarnings("try") // closing a cluster may be interrupted
class FlinkScanTest {
    private static final int SLOTS_EACH = 2;

    /// As docs/how-to/cluster.md says: 40 MB for each slot.
    private static final MemorySize NETWORK_MEMORY = MemorySize.ofMebiBytes(SLOTS_EACH * 40L);

    private static final int LINKS = 300;

    /// The list also has two links and three names that are no files.
    private static final int FAULTS = ScanInputs.DAMAGED + 5;

    private static final int FILES = ScanInputs.SOUND + LINKS + FAULTS;
    private static final int PARALLELISM = 2 * SLOTS_EACH;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir static Path folder;

    private static HoldingServer server;
    private static Path data;
    private static Path list;
    private static List<String> links;
    private static Map<String, String> expected;

    @BeforeAll
    static void write() throws Exception {
        ScanInputs inputs = new ScanInputs();
        data = folder.resolve("data");
        inputs.write(data);
        server = new HoldingServer(inputs, LINKS);
        links =
                new ArrayList<>(
                        IntStream.range(0, LINKS)
                                .mapToObj(i -> server.link(i + ".arrow?signature=secret" + i))
                                .toList());
        links.add(server.link("none.arrow?signature=secret"));
        list = folder.resolve("names.txt");
        List<String> names = new ArrayList<>(links);
        names.addAll(List.of("", "missing.arrow", "data/damaged", "a\0b", links.getFirst()));
        names.addAll(List.of("./data/damaged", "data/sound/../damaged/damaged 0.arrow"));
        names.add("\"" + links.getFirst() + "\"");
        Files.write(list, names);
        expected = run(PARALLELISM, folder.resolve("first"));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    // ---- runs

    private static MiniCluster cluster() throws Exception {
        Configuration memory = new Configuration();
        memory.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK_MEMORY);
        memory.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK_MEMORY);
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setNumTaskManagers(2)
                                .setNumSlotsPerTaskManager(SLOTS_EACH)
                                .setConfiguration(memory)
                                .build());
        cluster.start();
        return cluster;
    }

    private static List<String> all(Path output) {
        return List.of(data.toString(), "--list", list.toString(), "--output", output.toString());
    }

    private static StreamGraph job(int parallelism, List<String> arguments) {
        StreamExecutionEnvironment flink = new StreamExecutionEnvironment(new Configuration());
        flink.setParallelism(parallelism);
        FlinkScan.build(flink, Arguments.parse(arguments.toArray(String[]::new)));
        StreamGraph job = flink.getStreamGraph();
        job.setJobId(new JobID());
        return job;
    }

    private static Map<String, String> run(int parallelism, Path output) throws Exception {
        run(job(parallelism, all(output)));
        return texts(output);
    }

    private static void run(StreamGraph job) throws Exception {
        try (MiniCluster cluster = cluster()) {
            long start = System.nanoTime();
            cluster.submitJob(job).get();
            await(cluster, job);
            System.out.printf("job: %d ms%n", millis(start));
            assertEquals(0, restarted(cluster, job));
        }
    }

    private static void await(MiniCluster cluster, StreamGraph job) throws Exception {
        var loader = FlinkScanTest.class.getClassLoader();
        cluster.requestJobResult(job.getJobID()).get().toJobExecutionResult(loader);
    }

    /// Number of tasks that ran more than once.
    private static int restarted(MiniCluster cluster, StreamGraph job) throws Exception {
        int restarted = 0;
        var graph = cluster.getExecutionGraph(job.getJobID()).get();
        for (AccessExecutionVertex each : graph.getAllExecutionVertices()) {
            restarted += each.getCurrentExecutionAttempt().getAttemptNumber() > 0 ? 1 : 0;
        }
        return restarted;
    }

    private static long millis(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /// The parts of a result; there is nothing else in its folder.
    private static Map<String, String> texts(Path output) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> all = Files.list(output)) {
            for (Path each : all.toList()) {
                texts.put(each.getFileName().toString(), Files.readString(each));
            }
        }
        return texts;
    }

    private static List<JsonNode> lines(String text) {
        return text.lines().map(FlinkScanTest::parsed).toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the command prints, in a process of its own.
    private record Command(List<String> out, TreeSet<String> err) {
        static Command of(List<String> arguments) throws Exception {
            List<String> call = new ArrayList<>();
            call.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            call.addAll(List.of("-cp", System.getProperty("java.class.path")));
            call.add("dev.fletch.command.Main");
            call.addAll(arguments);
            Path out = folder.resolve("out");
            Path err = folder.resolve("err");
            Process process =
                    new ProcessBuilder(call)
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            process.waitFor();
            return new Command(Files.readAllLines(out), new TreeSet<>(Files.readAllLines(err)));
        }

        List<JsonNode> json() {
            return out.stream().map(FlinkScanTest::parsed).toList();
        }
    }

    private static List<String> on(Path in, String... command) {
        List<String> call = new ArrayList<>(List.of(command));
        call.add("-r");
        call.add(in.toString());
        call.addAll(links);
        return call;
    }

    // ---- comparisons

    @Test
    void filesAndFaultsAreThoseOfTheCommand() throws Exception {
        long start = System.nanoTime();
        Command command = Command.of(on(data, "columns", "--json"));
        System.out.printf("fletch columns: %d ms%n", millis(start));
        Map<String, JsonNode> found = new LinkedHashMap<>();
        lines(expected.get(Result.FILES)).forEach(each -> found.put(text(each, "file"), each));
        assertEquals(FILES, found.size());
        assertEquals(new TreeSet<>(found.keySet()).stream().toList(), List.copyOf(found.keySet()));
        int faults = 0;
        for (JsonNode each : command.json()) {
            JsonNode line = found.get(text(each, "file"));
            if (each.has("container")) {
                List<String> same = List.of("container", "rows", "batches", "dictionaryBatches");
                same.forEach(key -> assertEquals(each.get(key), line.get(key), line.toString()));
                if (!each.has("fault")) {
                    assertEquals(each.get("size"), line.get("size"));
                }
            }
            boolean isFaulty = each.has("fault") || each.has("error"); // damaged, or unreadable
            assertEquals(isFaulty, line.has("fault"), line.toString());
            faults += each.has("fault") ? 1 : 0;
        }
        assertEquals(ScanInputs.DAMAGED, faults);
        TreeSet<String> errors = new TreeSet<>();
        for (JsonNode each : lines(expected.get(Result.FAULTS))) {
            JsonNode fault = each.get("fault");
            String message = fault.has("message") ? "message " + text(fault, "message") + ": " : "";
            String place = fault.has("offset") ? "offset " + text(fault, "offset") + ": " : "";
            errors.add(
                    "fletch: " + text(each, "file") + ": " + message + place + text(fault, "text"));
        }
        assertTrue(errors.removeIf(each -> each.endsWith("missing.arrow: no such file")));
        assertTrue(errors.removeIf(each -> each.contains("data/damaged: ")), errors::toString);
        assertTrue(errors.removeIf(each -> each.contains("a\0b")));
        assertTrue(errors.removeIf(each -> each.contains("/0.arrow: not a link")));
        assertEquals(command.err, errors);
        System.out.printf("compared: %d files, %d faults%n", found.size(), errors.size());
    }

    private static String text(JsonNode object, String key) {
        return object.get(key).asText();
    }

    @Test
    void faultsAreLinesOfTheFiles() {
        List<String> faulty =
                expected.get(Result.FILES)
                        .lines()
                        .filter(each -> each.contains("\"fault\":"))
                        .toList();
        assertEquals(faulty, expected.get(Result.FAULTS).lines().toList());
    }

    /// Of damaged files, `fletch schema` reads the schema alone, and does not see every fault.
    @Test
    void groupsAndDifferencesAreThoseOfTheCommand() throws Exception {
        List<JsonNode> groups = new ArrayList<>(lines(expected.get(Result.GROUPS)));
        JsonNode rest = groups.removeLast();
        assertTrue(rest.get("group").isNull());
        assertEquals(FAULTS, rest.get("count").asInt());
        List<JsonNode> command =
                new ArrayList<>(
                        Command.of(on(data.resolve("sound"), "schema", "--group", "--json"))
                                .json());
        command.removeIf(each -> !each.has("group"));
        assertEquals(5, command.size());
        assertEquals(command.size(), groups.size());
        Map<String, Map<String, Long>> bytes = columnBytes();
        for (int i = 0; i < groups.size(); i++) {
            JsonNode group = groups.get(i);
            assertEquals(command.get(i).get("group"), group.get("group"));
            assertEquals(command.get(i).get("count"), group.get("count"));
            assertEquals(command.get(i).get("changes"), group.get("changes"));
            assertEquals(command.get(i).get("columns").asInt(), group.get("columns").size());
            assertEquals(command.get(i).get("files").get(0), group.get("firstFile"));
            Map<String, Long> columns = new LinkedHashMap<>();
            group.get("columns")
                    .forEach(
                            each ->
                                    columns.put(
                                            text(each, "name") + " " + text(each, "type"),
                                            each.get("bytes").asLong()));
            assertEquals(bytes.get(text(group, "schemaDigest")), columns);
        }
        List<JsonNode> counts = Command.of(on(data, "columns", "--json")).json();
        JsonNode total = parsed(expected.get(Result.TOTAL));
        for (String key : List.of("rows", "batches")) {
            long sum = counts.stream().mapToLong(each -> each.path(key).asLong()).sum();
            assertEquals(sum, total.get(key).asLong(), key);
        }
        assertEquals(FILES, total.get("count").asInt());
        assertEquals(FAULTS, total.get("faulty").asInt());
        System.out.printf("groups: %d, total: %s%n", groups.size(), total);
    }

    /// The sums of `fletch columns` by the digests of the schemas.
    private static Map<String, Map<String, Long>> columnBytes() throws Exception {
        Map<String, String> digests = new HashMap<>();
        lines(expected.get(Result.FILES))
                .forEach(
                        each -> {
                            if (!each.has("fault")) {
                                digests.put(text(each, "file"), text(each, "schemaDigest"));
                            }
                        });
        Map<String, Map<String, Long>> sums = new HashMap<>();
        for (JsonNode each : Command.of(on(data, "columns", "--json")).json()) {
            String digest = digests.get(text(each, "file"));
            if (digest != null) {
                Map<String, Long> columns =
                        sums.computeIfAbsent(digest, _ -> new LinkedHashMap<>());
                each.get("columns")
                        .forEach(
                                column ->
                                        columns.merge(
                                                text(column, "name") + " " + text(column, "type"),
                                                column.get("bytes").asLong(),
                                                Long::sum));
            }
        }
        return sums;
    }

    @Test
    void secretsOfLinksAreNotInTheResult() {
        assertTrue(expected.get(Result.FILES).contains(server.link("7.arrow\"")));
        expected.values().forEach(each -> assertFalse(each.contains("secret")));
    }

    @Test
    void listWithoutNamesGivesEmptyFilesAndZeros() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.txt"), "\n \n");
        Path output = folder.resolve("no names");
        run(job(2, List.of("--list", empty.toString(), "--output", output.toString())));
        assertEquals(
                Map.of(
                        Result.FILES,
                        "",
                        Result.FAULTS,
                        "",
                        Result.GROUPS,
                        "",
                        Result.TOTAL,
                        "{\"count\":0,\"faulty\":0,\"rows\":0,\"batches\":0,\"size\":0}\n"),
                texts(output));
    }

    /// As of the command, but for the files with a fault.
    @Test
    void metadataSplitsNoGroupIfIgnored() throws Exception {
        String sound = data.resolve("sound").toString();
        Path output = folder.resolve("fields");
        run(job(2, List.of(sound, "--ignore-metadata", "--output", output.toString())));
        List<JsonNode> groups = lines(texts(output).get(Result.GROUPS));
        Command command =
                Command.of(
                        List.of("schema", "--group", "--ignore-metadata", "--json", "-r", sound));
        assertEquals(4, groups.size());
        for (int i = 0; i < groups.size(); i++) {
            assertEquals(command.json().get(i).get("count"), groups.get(i).get("count"));
            assertEquals(command.json().get(i).get("changes"), groups.get(i).get("changes"));
        }
        List<String> digests =
                lines(texts(output).get(Result.FILES)).stream()
                        .map(each -> text(each, "schemaDigest"))
                        .distinct()
                        .toList();
        assertEquals(groups.size(), digests.size());
    }

    @Test
    void resultDoesNotDependOnTheParallelism() throws Exception {
        assertEquals(expected, run(1, folder.resolve("alone")));
    }

    @Test
    void resultIsTheSameAfterATaskManagerWasKilled() throws Exception {
        Path output = folder.resolve("killed");
        try (MiniCluster cluster = cluster()) {
            server.hold(LINKS / 3, PARALLELISM);
            StreamGraph job = job(PARALLELISM, all(output));
            cluster.submitJob(job).get();
            server.awaitHeld(); // all tasks have scanned some files, and wait in the middle
            cluster.terminateTaskManager(0).get();
            server.release();
            await(cluster, job);
            int restarted = restarted(cluster, job);
            System.out.printf(
                    "killed: %d tasks ran again, %d links were read again%n",
                    restarted, server.repeated());
            assertTrue(restarted > 0);
            assertTrue(server.repeated() > 0);
        }
        assertEquals(expected, texts(output));
    }

    @Test
    void wrongArgumentsAreExplained() throws IOException {
        Path none = folder.resolve("none");
        String output = folder.resolve("out of wrong ones").toString();
        wrong("Missing required option: '--output=FOLDER'", data.toString());
        wrong("no folder and no list of names", "--output", output);
        wrong("no such folder", none.toString(), "--output", output);
        wrong("no such list", "--list", none.toString(), "--output", output);
        wrong("output is no folder", data.toString(), "--output", list.toString());
        wrong("Unknown option: '--outptu'", "--output", output, "--outptu", output);
        String first = folder.resolve("first").toString();
        wrong("output has a result already", data.toString(), "--output", first);
        String secret = "https://user:secret@example.org/x?sig=secret";
        wrong("no such folder", secret, "--output", output);
        wrong("no such list", "--list", secret, "--output", output);
        wrong("Unknown option", "--lst=" + secret, "--output", output);
        assertFalse(Files.exists(Path.of(output)));
    }

    private static void wrong(String text, String... arguments) {
        var failure = assertThrows(IllegalArgumentException.class, () -> FlinkScan.main(arguments));
        assertTrue(failure.getMessage().startsWith(text), failure.getMessage());
        assertTrue(failure.getMessage().endsWith(Arguments.USAGE));
        assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
    }
}
