// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/// Gives the corpus to other readers, and writes what they do into the index. The profile
/// `corpus-peers` of `pom.xml` runs it; it needs Linux on x86-64 and Node.
///
/// A worker process of a reader reads one input after another, each after its sound twin. A reader
/// that cannot read the twin, such as one that does not know the type, has no outcome.
///
/// An outcome shall not depend on earlier inputs. A worker ends with an input that crashes, hangs
/// or needs too much memory, and this input is tried again alone in a new process: only that
/// outcome counts. Arrow C++ may write or read out of bounds without a crash, so its worker also
/// ends with each input that it does not refuse.
///
/// A run that is interrupted continues with the inputs that have no outcome yet.
final class CorpusPeers {
    static final String REFUSED = "refused";
    static final String READ = "read";
    static final String WRONG_VALUES = "wrong values";
    static final String CRASH = "crash";
    static final String HANG = "hang";
    static final String TOO_MUCH_MEMORY = "too much memory";
    static final List<String> OUTCOMES =
            List.of(REFUSED, READ, WRONG_VALUES, CRASH, HANG, TOO_MUCH_MEMORY);

    private static final Path TARGET = Path.of("target/corpus-peers");
    private static final Path MODULES = TARGET.resolve("node_modules");
    private static final String CPP_LIBRARY = "arrow_dataset_jni/x86_64/libarrow_dataset_jni.so";
    private static final Path DONE = TARGET.resolve("done.txt");
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
    private static final String SOUND = "sound";
    private static final String TWIN_CRASHED = UNSUPPORTED + "\t" + CRASH;

    private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final Pattern OUT_OF_MEMORY =
            Pattern.compile("heap out of memory|memory allocation of|OutOfMemoryError|bad_alloc");

    private CorpusPeers() {}

    /// A program that reads inputs.
    ///
    /// @param command starts a worker
    /// @param isNative whether a worker cannot be trusted after an input that it did not refuse
    private record Program(List<String> command, boolean isNative) {}

    /// Another reader.
    ///
    /// @param name with its version, as in the index
    /// @param containers that it reads
    /// @param id by which the program knows the reader
    private record Peer(String name, Set<String> containers, Program program, String id) {}

    /// An input that waits for a reader.
    private record Task(Peer peer, Map<String, Object> row, CompletableFuture<String> outcome) {
        String key() {
            return row.get("file") + "\t" + peer.name;
        }
    }

    public static void main(String[] arguments) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>(Corpus.index().values());
        Map<Map<String, Object>, Map<Peer, CompletableFuture<String>>> all = new LinkedHashMap<>();
        Map<Program, Queue<Task>> queues = new LinkedHashMap<>();
        Map<String, String> done = done();
        for (Peer peer : peers()) {
            Queue<Task> queue =
                    queues.computeIfAbsent(peer.program, _ -> new ConcurrentLinkedQueue<>());
            for (Map<String, Object> row : rows) {
                Map<Peer, CompletableFuture<String>> outcomes =
                        all.computeIfAbsent(row, _ -> new LinkedHashMap<>());
                if (peer.containers.contains(row.get("container"))) {
                    Task task = new Task(peer, row, new CompletableFuture<>());
                    outcomes.put(peer, task.outcome);
                    if (done.containsKey(task.key())) {
                        task.outcome.complete(done.get(task.key()));
                    } else {
                        queue.add(task);
                    }
                }
            }
        }
        Map<String, String> log = new TreeMap<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(PROCESSES)) {
            List<Future<?>> running = new ArrayList<>();
            for (Map.Entry<Program, Queue<Task>> each : queues.entrySet()) {
                for (int i = 0; i < PROCESSES; i++) {
                    running.add(pool.submit(() -> run(each.getKey(), each.getValue())));
                }
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        for (Map<String, Object> row : rows) {
            row.put(Corpus.PEERS, outcomes(row, all.get(row), log));
        }
        Files.write(
                LOG, log.entrySet().stream().map(e -> e.getKey() + "\t" + e.getValue()).toList());
        String date = LocalDate.now(ZoneOffset.UTC).toString();
        Files.writeString(Corpus.INDEX, Corpus.text(date, rows));
        Files.deleteIfExists(DONE);
        System.out.println(rows.size() + " inputs, details in " + LOG);
    }

    /// The outcomes of an interrupted run by file and reader; none if the index has changed since.
    private static Map<String, String> done() throws IOException {
        Map<String, String> done = new HashMap<>();
        if (Files.exists(DONE)) {
            if (Files.getLastModifiedTime(DONE).compareTo(Files.getLastModifiedTime(Corpus.INDEX))
                    < 0) {
                Files.delete(DONE);
                return done;
            }
            for (String line : Files.readAllLines(DONE)) {
                String[] parts = line.split("\t", 3);
                done.put(parts[0] + "\t" + parts[1], parts[2]);
            }
        }
        return done;
    }

    private static Map<String, Object> outcomes(
            Map<String, Object> row,
            Map<Peer, CompletableFuture<String>> outcomes,
            Map<String, String> log)
            throws InterruptedException, ExecutionException {
        Map<String, Object> found = new LinkedHashMap<>();
        for (Map.Entry<Peer, CompletableFuture<String>> each : outcomes.entrySet()) {
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
        Program ofJava = new Program(java(), false);
        Program ofNode = new Program(limited(node()), false);
        Program ofWasm = new Program(node(), false);
        return List.of(
                new Peer(java, both, ofJava, PeerReader.READ),
                new Peer(java + " validateFull", both, ofJava, PeerReader.VALIDATE),
                new Peer(cpp, Set.of("file"), new Program(cpp(), true), "arrow-cpp"),
                new Peer("arrow-rs " + rust(lance), Set.of("file"), ofNode, "arrow-rs-file"),
                new Peer("arrow-rs " + rust(wasm), Set.of("stream"), ofWasm, "arrow-rs-stream"),
                new Peer(js, both, ofNode, "arrow-js"));
    }

    private static List<String> java() {
        return javaWith(System.getProperty("java.class.path"), PeerReader.class.getName());
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

    /// Compiles the program that calls Arrow C++, and takes the library out of its archive, so that
    /// the processes start quickly.
    private static List<String> cpp() throws IOException {
        Path classes = Files.createDirectories(TARGET.resolve("classes"));
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of("target/arrow-cpp"))) {
            jars = files.sorted().toList();
        }
        String classPath = System.getProperty("java.class.path");
        for (Path each : jars) {
            classPath = each + ":" + classPath;
            try (JarFile jar = new JarFile(each.toFile())) {
                JarEntry library = jar.getJarEntry(CPP_LIBRARY);
                if (library != null) {
                    Path file = classes.resolve(CPP_LIBRARY);
                    Files.createDirectories(file.getParent());
                    Files.copy(
                            jar.getInputStream(library), file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        String source = "src/test/arrow-cpp/ArrowCppPeer.java";
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", classPath, "-d", "" + classes, source);
        if (status != 0) {
            throw new IOException("cannot compile " + source);
        }
        return limited(javaWith(classes + ":" + classPath, "ArrowCppPeer"));
    }

    private static List<String> node() {
        return List.of("node", "--max-old-space-size=256", "src/test/peers/read.js");
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

    // ---- workers

    /// Gives the inputs of a queue to a worker, until there are no more.
    private static void run(Program program, Queue<Task> queue) {
        Worker worker = null;
        try {
            for (Task each = queue.poll(); each != null; each = queue.poll()) {
                boolean isNew = worker == null;
                if (isNew) {
                    worker = new Worker(program);
                }
                String outcome = worker.outcome(each);
                boolean isBad = isBad(outcome);
                if (isBad || program.isNative && !outcome.startsWith(REFUSED)) {
                    worker.close();
                    worker = null;
                }
                // Now and then, Arrow C++ crashes at any file: an input must do it twice.
                if (isBad && (!isNew || outcome.contains(CRASH))) {
                    try (Worker another = new Worker(program)) {
                        outcome = another.outcome(each);
                    }
                }
                each.outcome.complete(outcome);
                String line = each.key() + "\t" + outcome + "\n";
                Files.writeString(DONE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            if (worker != null) {
                worker.close();
            }
        }
    }

    /// Whether a worker cannot be trusted after this outcome.
    private static boolean isBad(String outcome) {
        boolean isOfTwin = outcome.startsWith(UNSUPPORTED + "\t");
        String word = outcome.split("\t", -1)[isOfTwin ? 1 : 0];
        return OUTCOMES.indexOf(word) > OUTCOMES.indexOf(WRONG_VALUES);
    }

    /// A process that reads one input after another.
    private static final class Worker implements AutoCloseable {
        private final Path errors = Files.createTempFile(TARGET, "errors", ".txt");
        private final Process process;

        Worker(Program program) throws IOException {
            ProcessBuilder builder =
                    new ProcessBuilder(program.command).redirectError(errors.toFile());
            builder.environment().put("NODE_PATH", MODULES.toString());
            process = builder.start();
        }

        /// Lets the reader read an input and its twin.
        ///
        /// @return the outcome, maybe with a tab and details
        String outcome(Task task) throws IOException, InterruptedException {
            Duration before = work();
            Path sound = Corpus.FOLDER.resolve((String) task.row.get("base"));
            Path broken = Corpus.FOLDER.resolve((String) task.row.get("file"));
            try {
                process.outputWriter()
                        .append(String.join("\t", task.peer.id, "" + sound, "" + broken))
                        .append('\n')
                        .flush();
            } catch (IOException e) {
                return end(TWIN_CRASHED); // of an earlier input
            }
            long start = System.nanoTime();
            String line = line(before, start);
            if (line == null) {
                return end(TWIN_CRASHED);
            }
            if (!line.equals(SOUND)) {
                return line.startsWith(UNSUPPORTED) ? line : UNSUPPORTED + "\t" + line;
            }
            line = line(before, start);
            return line == null ? end(CRASH) : line;
        }

        /// The next line of the reader, or the outcome if it needs too much; null if it has ended.
        private String line(Duration before, long start) throws IOException, InterruptedException {
            BufferedReader lines = process.inputReader();
            while (process.isAlive() && !lines.ready()) {
                if (work().minus(before).compareTo(MOST_WORK) > 0
                        || System.nanoTime() - start > MOST_TIME.toNanos()) {
                    return HANG;
                }
                if (residentKib() > MOST_RESIDENT_KIB) {
                    return TOO_MUCH_MEMORY;
                }
                Thread.sleep(POLL_MILLIS);
            }
            String line = lines.readLine();
            return residentKib() > MOST_RESIDENT_KIB ? TOO_MUCH_MEMORY : line;
        }

        /// The outcome of a process that has ended.
        private String end(String outcome) throws IOException, InterruptedException {
            int status = process.waitFor();
            String said = Files.readString(errors, StandardCharsets.ISO_8859_1);
            boolean isMemory = outcome.equals(CRASH) && OUT_OF_MEMORY.matcher(said).find();
            String details = "\tstatus " + status + " " + said.replaceAll("\\s+", " ");
            return (isMemory ? TOO_MUCH_MEMORY : outcome) + details;
        }

        private Duration work() {
            return process.info().totalCpuDuration().orElse(Duration.ZERO);
        }

        /// The most memory that the process had so far; 0 if it has ended.
        private long residentKib() {
            try {
                String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
                Matcher resident = RESIDENT.matcher(status);
                return resident.find() ? Long.parseLong(resident.group(1)) : 0;
            } catch (IOException e) {
                return 0;
            }
        }

        @Override
        public void close() {
            try {
                process.destroyForcibly().waitFor();
                Files.delete(errors);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
