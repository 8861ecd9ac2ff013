// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.fbs.Flatc;
import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The board as a process: what it prints for recorded figures, and smoke runs of a row.
@Order(1) // takes long
class BoardTest {
    private static final Path RECORDED =
            Goldens.repositoryRoot().resolve("src/test/resources/dev/fletch/bench/recorded.json");

    @TempDir Path folder;

    private record Run(int status, String out, String err) {}

    /// @param path where tools are looked for, null for where they are here
    private Run board(String path, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Dbasedir=" + Goldens.repositoryRoot());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Board.class.getName());
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        if (path != null) {
            builder.environment().put("PATH", path);
        }
        Process process = builder.start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the board hangs");
        return new Run(process.exitValue(), read(out), read(err));
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    // ---- recorded figures

    @Test
    void printsRecordedFiguresForADocument() throws Exception {
        Run run = board(null, "--from", RECORDED.toString(), "--markdown");
        assertEquals(0, run.status(), run.err());
        Path expected = RECORDED.resolveSibling("recorded.md");
        if (Boolean.getBoolean("fletch.golden.write")) {
            Files.writeString(expected, run.out());
        }
        assertEquals(read(expected), run.out());
    }

    @Test
    void printsRecordedFiguresForAPerson() throws Exception {
        String text = new BoardReport(BoardRecord.parse(read(RECORDED))).print(false);
        assertFalse(text.contains("|"), text);
        assertTrue(text.contains("2.87"), text);
    }

    // ---- smoke runs

    @Test
    void leavesOutCppAndSaysSoWhereThereAreNoTools() throws Exception {
        Path json = folder.resolve("figures.json");
        Run run = board(folder.toString(), quick("next-head/10", json));
        assertEquals(0, run.status(), run.err());
        assertTrue(run.err().contains("C++ is not measured: no flatc on PATH"), run.err());
        Row row = Rows.named("next-head/10").getFirst();
        Figures figures = BoardRecord.parse(read(json)).figures();
        for (Setting each : row.settings()) {
            assertTrue(figures.jvm(row, row.fletch(), each).nanoseconds() > 0, each.name());
            assertTrue(figures.jvm(row, row.generated(), each).nanoseconds() > 0, each.name());
        }
        assertTrue(figures.arrow(row).nanoseconds() > 0);
        assertTrue(figures.arrow(row).bytes() > 0, "arrow-java makes objects");
        assertFalse(read(json).contains(System.getProperty("java.home")), "paths of this machine");
        assertNull(figures.cpp(row));
        assertFalse(run.out().contains("compiler"), run.out());
    }

    private static String[] quick(String row, Path json) {
        return new String[] {"--quick", "--workload", row, "--json", json.toString()};
    }

    @Test
    void measuresCppAfterAgreeingWithIt() throws Exception {
        assumeCpp();
        Path json = folder.resolve("figures.json");
        Run run = board(null, quick("write-schema/10", json));
        assertEquals(0, run.status(), run.err());
        Figures figures = BoardRecord.parse(read(json)).figures();
        assertTrue(figures.cpp(Rows.named("write-schema/10").getFirst()).nanoseconds() > 0);
        assertTrue(run.out().contains("A smoke run"), run.out());
    }

    @Test
    void everyTaskInCppHasTheAnswerOfFletch() throws Exception {
        assumeCpp();
        Path program = CppProgram.build().orElseThrow();
        int compared = 0;
        for (Row each : Rows.ALL) {
            if (each.hasCpp()) {
                CppTask task = CppTask.of(small(each));
                assertFalse(task.measure(program, BoardOptions.Effort.QUICK).isEmpty());
                compared++;
            }
        }
        assertEquals(Rows.ALL.size() - 38, compared);
    }

    /// The same task, at most so large that its inputs are there at once.
    private static Row small(Row row) {
        return new Row(
                row.task(),
                row.title(),
                row.benchmark(),
                row.settings(),
                Math.min(row.size(), 1000),
                row.way(),
                row.hasCpp(),
                row.warmupFactor(),
                row.threads(),
                row.others());
    }

    @Test
    void differentAnswerOfAPeerIsAnError() throws Exception {
        assumeCpp();
        Path program = CppProgram.build().orElseThrow();
        CppTask right = CppTask.of(Rows.named("next-head/10").getFirst());
        CppTask wrong =
                new CppTask(right.row(), right.benchmark(), right.rounds(), right.answer() + 1, 1);
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> wrong.measure(program, BoardOptions.Effort.QUICK));
        assertTrue(error.getMessage().contains("next-head/10"), error.getMessage());
    }

    /// The peer ends when the input is damaged, so that no time is taken of that.
    @ParameterizedTest
    @CsvSource({
        "next-head/10, second",
        "next-numbers/10, second",
        "next-columns/10, second",
        "next-three/1000, second",
        "first-batch/10, first",
        "changing-shapes/1024, second",
        "step/100000, second",
        "first-schema/10, first",
        "verify-schema/1000, first",
        "same-schema/10, first"
    })
    void cppVerifiesEachMessage(String row, String message) throws Exception {
        assumeCpp();
        CppTask task = CppTask.of(small(Rows.named(row).getFirst()));
        byte[] bytes = Files.readAllBytes(task.benchmark().input(folder));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        frame.wrap(MemorySegment.ofArray(bytes), 0, new Message());
        if (message.equals("second")) {
            frame.wrap(MemorySegment.ofArray(bytes), frame.nextOffset(), new Message());
        }
        assertGivesUp(task, damaged(bytes, Math.toIntExact(frame.metadataOffset())));
    }

    @Test
    void cppVerifiesTheBatchOfAColumn() throws Exception {
        assumeCpp();
        CppTask task = CppTask.of(small(Rows.named("find-column").getFirst()));
        Path file = task.benchmark().input(folder);
        try (ArrowFile opened = ArrowFile.open(file)) {
            EncapsulatedMessage frame = new EncapsulatedMessage();
            opened.recordBatch(1, frame, new Message());
            int at = Math.toIntExact(frame.metadataOffset());
            assertGivesUp(task, damaged(Files.readAllBytes(file), at));
        }
    }

    @Test
    void cppVerifiesTheFooterOfAFile() throws Exception {
        assumeCpp();
        CppTask task = CppTask.of(Rows.named("open/1000").getFirst());
        Path file = task.benchmark().input(folder);
        try (ArrowFile opened = ArrowFile.open(file)) {
            // A word in the middle of the footer, where columns and their vtables are.
            int at = Math.toIntExact(opened.footerOffset() + opened.footerLength() / 2 & -4);
            assertGivesUp(task, damaged(Files.readAllBytes(file), at));
        }
    }

    private static byte[] damaged(byte[] bytes, int at) {
        Arrays.fill(bytes, at, at + 64, (byte) 0xFF);
        return bytes;
    }

    private void assertGivesUp(CppTask task, byte[] bytes) throws Exception {
        Path program = CppProgram.build().orElseThrow();
        Path input = Files.write(folder.resolve("damaged"), bytes);
        try (CppPeer peer = CppPeer.start(program, task.row().task(), input)) {
            IOException end = assertThrows(IOException.class, () -> peer.ask(task.rounds()));
            assertTrue(end.getMessage().contains("C++ peer failed"), end.getMessage());
        }
    }

    // ---- single messages

    @Test
    void allSidesReadTheSameMessages() throws Exception {
        CaseCount.assumeFull();
        List<Map<String, Object>> sides = Tail.measure(BoardOptions.Effort.QUICK);
        assertEquals(3, sides.size());
        for (Map<String, Object> side : sides) {
            assertEquals(20_000L, side.get("messages"), side.toString());
            assertTrue((Long) side.get("p50") <= (Long) side.get("p99.99"), side.toString());
            Tail.FIRST.forEach(range -> assertTrue((Long) side.get(range) > 0, side.toString()));
        }
    }

    private static void assumeCpp() {
        CaseCount.assumeFull();
        assumeTrue(
                Flatc.find().isPresent() && Flatc.find("g++").isPresent(),
                "no flatc or no g++ on PATH: nothing compared with C++; skipped");
    }

    // ---- usage

    @Test
    void wrongUsageEndsWithStatusTwo() throws Exception {
        Run run = board(null, "--workload", "nothing");
        assertEquals(2, run.status());
        assertEquals("", run.out());
        assertTrue(run.err().contains("no such row: nothing"), run.err());
        assertTrue(run.err().contains("; see ./fletch bench --help"), run.err());
    }

    @Test
    void listsTasksAndRows() throws Exception {
        Run run = board(null, "--list");
        assertEquals(0, run.status());
        assertEquals(Rows.ALL.size() + 3, run.out().lines().count());
        assertTrue(run.out().contains("write-schema/1000\ntail\ncold\ncommands\n"), run.out());
    }
}
