// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.fbs.Flatc;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The board as a process: what it prints for recorded figures, and smoke runs of a row.
class BoardTest {
    private static final Path RECORDED =
            Goldens.repositoryRoot().resolve("src/test/resources/dev/fletch/bench/recorded.json");

    @TempDir Path folder;

    private record Run(int status, String out, String err) {}

    /// @param path where tools are looked for, null for where they are here
    private Run board(String path, String... arguments) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Dbasedir=" + Goldens.repositoryRoot());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Board.class.getName());
        command.addAll(List.of(arguments));
        final Path out = folder.resolve("out");
        final Path err = folder.resolve("err");
        final ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        if (path != null) {
            builder.environment().put("PATH", path);
        }
        final Process process = builder.start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the board hangs");
        return new Run(process.exitValue(), read(out), read(err));
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    // ---- recorded figures

    @Test
    void printsRecordedFiguresForADocument() throws Exception {
        final Run run = board(null, "--from", RECORDED.toString(), "--markdown");
        assertEquals(0, run.status(), run.err());
        assertEquals(read(RECORDED.resolveSibling("recorded.md")), run.out());
    }

    @Test
    void printsRecordedFiguresForAPerson() throws Exception {
        final String text = new BoardReport(BoardRecord.parse(read(RECORDED))).print(false);
        assertFalse(text.contains("|"), text);
        assertTrue(text.contains("**no**: C++"), text);
        assertTrue(text.contains("All goals hold in"), text);
    }

    @Test
    void recordedFiguresPassThroughUnchanged() throws Exception {
        final String json = read(RECORDED);
        assertEquals(json, BoardRecord.parse(json).json());
    }

    // ---- smoke runs

    @Test
    void leavesOutCppWithALineThatSaysSoWhereThereAreNoTools() throws Exception {
        final Path json = folder.resolve("figures.json");
        final Run run =
                board(
                        folder.toString(),
                        "--quick",
                        "--workload",
                        "read-batch/10",
                        "--json",
                        json.toString());
        assertEquals(0, run.status(), run.err());
        assertTrue(run.err().contains("left out C++: no flatc on PATH"), run.err());
        final BoardRow row = row(json, "read-batch/10");
        assertTrue(row.isMeasured());
        assertTrue(row.generated() > 0);
        assertTrue(Double.isNaN(row.cpp()));
        assertFalse(run.out().contains("compiler"), run.out());
    }

    private static BoardRow row(Path json, String id) throws IOException {
        final Figures figures = BoardRecord.parse(read(json)).figures();
        return new BoardRow(Workloads.named(id).getFirst(), figures);
    }

    @Test
    void measuresCppAfterAgreeingWithIt() throws Exception {
        assumeCpp();
        final Path json = folder.resolve("figures.json");
        final Run run =
                board(
                        null,
                        "--quick",
                        "--workload",
                        "write-schema/10",
                        "--workload",
                        "verify-batch/10",
                        "--json",
                        json.toString());
        assertEquals(0, run.status(), run.err());
        assertTrue(row(json, "write-schema/10").cpp() > 0);
        assertTrue(row(json, "verify-batch/10").cpp() > 0);
        assertTrue(run.out().contains("A smoke run"), run.out());
    }

    @Test
    void everyTaskInCppAnswersWhatFletchDoes() throws Exception {
        assumeCpp();
        final Path program = CppProgram.build().orElseThrow();
        int compared = 0;
        for (Workload each : Workloads.ALL) {
            final CppTask task = each.task().cpp();
            if (task == null) {
                continue;
            }
            final Path input = task.input().file(folder, each.size());
            try (CppPeer peer = CppPeer.start(program, task.name(), input)) {
                final long expected = task.checksum().of(each.size());
                assertEquals(expected, peer.ask(1).checksum(), each.id());
                assertEquals(expected, peer.ask(3).checksum(), each.id());
            }
            compared++;
        }
        assertEquals(25, compared);
    }

    @Test
    void cppRefusesWhatDoesNotVerify() throws Exception {
        assumeCpp();
        final Path program = CppProgram.build().orElseThrow();
        final byte[] damaged = BenchInputs.recordBatch(10);
        damaged[0] = (byte) 0xFF;
        damaged[1] = (byte) 0xFF;
        final Path input = Files.write(folder.resolve("damaged"), damaged);
        try (CppPeer peer = CppPeer.start(program, "verify", input)) {
            assertEquals(0, peer.ask(1).checksum());
        }
    }

    private static void assumeCpp() {
        assumeTrue(
                Flatc.find().isPresent() && Flatc.find("g++").isPresent(),
                "no flatc or no g++ on PATH: nothing compared with C++; skipped");
    }

    // ---- usage

    @Test
    void wrongUsageIsToldWithStatusTwo() throws Exception {
        final Run run = board(null, "--workload", "nothing");
        assertEquals(2, run.status());
        assertEquals("", run.out());
        assertTrue(run.err().contains("no such workload: nothing"), run.err());
        assertTrue(run.err().contains("usage: fletch bench"), run.err());
    }

    @Test
    void listsWhatCanBeNamed() throws Exception {
        final Run run = board(null, "--list");
        assertEquals(0, run.status());
        assertEquals(Workloads.ALL.size() + 2, run.out().lines().count());
        assertTrue(run.out().contains("open/100000\ntail\ncold\n"), run.out());
    }
}
