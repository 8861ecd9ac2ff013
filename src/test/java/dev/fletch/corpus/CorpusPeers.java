// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/// Gives the corpus to other readers, and writes what they do into the index. The profile
/// `corpus-peers` of `pom.xml` runs it; it needs Linux on x86-64 and Node.
///
/// Each input has a process of its own, which reads its sound twin first. A reader that cannot read
/// the twin, such as one that does not know the type, has no outcome.
final class CorpusPeers {
    static final String READ = "read";
    static final String WRONG_VALUES = "wrong values";
    static final List<String> OUTCOMES =
            List.of("refused", READ, WRONG_VALUES, "crash", "hang", "too much memory");

    private static final Path TARGET = Path.of("target/corpus-peers");
    private static final Path MODULES = TARGET.resolve("node_modules");
    private static final Path LOG = TARGET.resolve("outcomes.txt");

    // Processor time, so that a busy machine makes no difference; and for a reader that sleeps.
    private static final Duration MOST_WORK = Duration.ofSeconds(20);
    private static final Duration MOST_TIME = Duration.ofMinutes(3);
    private static final long MOST_RESIDENT_KIB = 1 << 20;
    // Makes malloc fail for what a file claims, whatever the machine's policy is. A JVM and Node
    // reserve about 5 GiB; WebAssembly needs more, and has a limit of its own.
    private static final long MOST_ADDRESSES_KIB = 12L << 20;
    private static final long POLL_MILLIS = 20;
    private static final int PROCESSES = 2;

    private static final String UNSUPPORTED = "unsupported";
    private static final String TWIN_CRASHED = UNSUPPORTED + "\tcrash";

    private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final Pattern OUT_OF_MEMORY =
            Pattern.compile("heap out of memory|memory allocation of|OutOfMemoryError|bad_alloc");

    private CorpusPeers() {}

    /// Another reader.
    ///
    /// @param name with its version, as in the index
    /// @param containers that it reads
    /// @param command to which the paths of the two inputs are added
    private record Peer(String name, Set<String> containers, List<String> command) {}

    public static void main(String[] arguments) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>(Corpus.index().values());
        List<Peer> peers = peers();
        Map<String, String> log = new TreeMap<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(PROCESSES)) {
            Map<Map<String, Object>, Map<Peer, Future<String>>> all = new LinkedHashMap<>();
            for (Map<String, Object> row : rows) {
                Map<Peer, Future<String>> outcomes = new LinkedHashMap<>();
                for (Peer peer : peers) {
                    if (peer.containers.contains(row.get("container"))) {
                        outcomes.put(peer, pool.submit(() -> outcome(peer, row)));
                    }
                }
                all.put(row, outcomes);
            }
            for (Map.Entry<Map<String, Object>, Map<Peer, Future<String>>> each : all.entrySet()) {
                each.getKey().put(Corpus.PEERS, outcomes(each.getKey(), each.getValue(), log));
            }
        }
        Files.write(
                LOG, log.entrySet().stream().map(e -> e.getKey() + "\t" + e.getValue()).toList());
        String date = LocalDate.now(ZoneOffset.UTC).toString();
        Files.writeString(Corpus.INDEX, Corpus.text(date, rows));
        System.out.println(rows.size() + " inputs, details in " + LOG);
    }

    private static Map<String, Object> outcomes(
            Map<String, Object> row, Map<Peer, Future<String>> outcomes, Map<String, String> log)
            throws InterruptedException, ExecutionException {
        Map<String, Object> found = new LinkedHashMap<>();
        for (Map.Entry<Peer, Future<String>> each : outcomes.entrySet()) {
            String[] outcome = each.getValue().get().split("\t", 2);
            String name = each.getKey().name();
            log.put(row.get("file") + "\t" + name, String.join("\t", outcome));
            if (!outcome[0].equals(UNSUPPORTED)) {
                found.put(name, outcome[0]);
            }
        }
        // Where the fault is in a value itself, each reader that accepts it shows another value.
        if (row.get("reader").equals("may-read") && !found.containsValue(READ)) {
            found.replaceAll((_, outcome) -> outcome.equals(WRONG_VALUES) ? READ : outcome);
        }
        return found;
    }

    // ---- the readers

    private static List<Peer> peers() throws IOException, InterruptedException {
        Set<String> both = Set.of("file", "stream");
        String java = "arrow-java " + System.getProperty("arrow.version");
        String cpp =
                "Arrow C++ 21.0 in arrow-dataset " + System.getProperty("arrow-dataset.version");
        String js = "arrow-js " + version("apache-arrow");
        Path lance = MODULES.resolve("@lancedb/lancedb-linux-x64-gnu");
        Path wasm = MODULES.resolve("parquet-wasm/node");
        return List.of(
                new Peer(java, both, java(PeerReader.class.getName(), "read")),
                new Peer(
                        java + " validateFull", both, java(PeerReader.class.getName(), "validate")),
                new Peer(cpp, Set.of("file"), cpp()),
                new Peer("arrow-rs " + rust(lance), Set.of("file"), limited(node("arrow-rs-file"))),
                new Peer("arrow-rs " + rust(wasm), Set.of("stream"), node("arrow-rs-stream")),
                new Peer(js, both, limited(node("arrow-js"))));
    }

    private static List<String> java(String... arguments) {
        return javaWith(System.getProperty("java.class.path"), arguments);
    }

    private static List<String> javaWith(String classPath, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:ErrorFile=/dev/null"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Compiles the program that calls Arrow C++, so that its processes start quickly.
    private static List<String> cpp() throws IOException {
        String classPath = System.getProperty("java.class.path");
        try (Stream<Path> jars = Files.list(Path.of("target/arrow-cpp"))) {
            classPath =
                    String.join(":", jars.map(Path::toString).sorted().toList()) + ":" + classPath;
        }
        Path classes = Files.createDirectories(TARGET.resolve("classes"));
        String source = "src/test/arrow-cpp/ArrowCppPeer.java";
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", classPath, "-d", "" + classes, source);
        if (status != 0) {
            throw new IOException("cannot compile " + source);
        }
        return limited(javaWith(classes + ":" + classPath, "ArrowCppPeer"));
    }

    private static List<String> node(String reader) {
        return List.of("node", "--max-old-space-size=256", "src/test/peers/read.js", reader);
    }

    /// A command with a limit of its addresses. The shell becomes the command.
    private static List<String> limited(List<String> command) {
        String script = "ulimit -c 0; ulimit -v " + MOST_ADDRESSES_KIB + "; exec \"$@\"";
        List<String> limited = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        limited.addAll(command);
        return limited;
    }

    private static String version(String module) throws IOException {
        String json = Files.readString(MODULES.resolve(module).resolve("package.json"));
        return first("\"version\": *\"([^\"]+)\"", json);
    }

    /// The version of arrow-rs in a binary, from the paths in its messages.
    private static String rust(Path folder) throws IOException, InterruptedException {
        Process grep =
                new ProcessBuilder(
                                "grep",
                                "-raohE",
                                "-m1",
                                "arrow-ipc-[0-9]+[.][0-9]+[.][0-9]+",
                                "" + folder)
                        .start();
        String found = new String(grep.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        grep.waitFor();
        return first("arrow-ipc-(\\S+)", found);
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("not found: " + pattern);
        }
        return found.group(1);
    }

    // ---- a process

    /// Lets a reader read an input and its twin.
    ///
    /// @return the outcome, maybe with a tab and details
    private static String outcome(Peer peer, Map<String, Object> row) {
        try {
            List<String> command = new ArrayList<>(peer.command);
            command.add("" + Corpus.FOLDER.resolve((String) row.get("base")));
            command.add("" + Corpus.FOLDER.resolve((String) row.get("file")));
            Path out = Files.createTempFile(TARGET, "out", ".txt");
            Path errors = Files.createTempFile(TARGET, "errors", ".txt");
            try {
                String outcome = outcome(command, out, errors);
                // Now and then, Arrow C++ crashes at any file: an input must do it twice.
                boolean crashed = outcome.startsWith("crash") || outcome.startsWith(TWIN_CRASHED);
                return crashed ? outcome(command, out, errors) : outcome;
            } finally {
                Files.delete(out);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String outcome(List<String> command, Path out, Path errors)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(Redirect.to(out.toFile()))
                        .redirectError(Redirect.to(errors.toFile()));
        builder.environment().put("NODE_PATH", MODULES.toString());
        Process process = builder.start();
        String killed = await(process);
        int status = process.waitFor();
        List<String> lines = Files.readAllLines(out, StandardCharsets.ISO_8859_1);
        String said = Files.readString(errors, StandardCharsets.ISO_8859_1);
        if (lines.isEmpty()) {
            return TWIN_CRASHED + " status " + status + " " + said.replaceAll("\\s+", " ");
        }
        boolean isRead = lines.getFirst().equals("sound");
        if (!isRead || lines.size() > 1) {
            return lines.getLast();
        }
        if (killed != null) {
            return killed;
        }
        String outcome = OUT_OF_MEMORY.matcher(said).find() ? "too much memory" : "crash";
        return outcome + "\tstatus " + status + " " + said.replaceAll("\\s+", " ");
    }

    /// Waits for the end of a process, and ends one that needs too much.
    ///
    /// @return the outcome of one that was ended; else null
    private static String await(Process process) throws InterruptedException {
        long start = System.nanoTime();
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            String outcome = null;
            if (residentKib(process) > MOST_RESIDENT_KIB) {
                outcome = "too much memory";
            } else if (work(process).compareTo(MOST_WORK) > 0
                    || System.nanoTime() - start > MOST_TIME.toNanos()) {
                outcome = "hang";
            }
            if (outcome != null) {
                process.destroyForcibly();
                return outcome;
            }
        }
        return null;
    }

    private static Duration work(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The most memory that a process had so far; 0 if it has ended.
    private static long residentKib(Process process) {
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
            Matcher resident = RESIDENT.matcher(status);
            return resident.find() ? Long.parseLong(resident.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
