// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.FileRule;
import dev.fletch.format.Message;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.JavaProcess;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// A file that somebody shortens while it is read: an exception, in interpreted and in compiled
/// code, and never a crash of the JVM.
@Order(1) // takes long
class ShortenedFileTest {
    static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");
    private static final String TRUNCATED = "mapped file cannot be read, probably truncated";

    /// Ways to read an Arrow file.
    private static final List<String> OF_FILES =
            Stream.of(MappedReader.SHORTENED, MappedReader.EMPTIED).flatMap(List::stream).toList();

    /// Ways to read a schema message, some of which are also in each usual run.
    private static final List<String> OF_MESSAGES =
            List.of(
                    "walk",
                    "model",
                    "layout",
                    "rewrite",
                    "names",
                    "numbers",
                    "find",
                    "column",
                    "verify",
                    "faults",
                    "meaning",
                    "known",
                    "differences",
                    "bits",
                    "constant bits",
                    "counted bits",
                    "limited numbers",
                    "limited bytes",
                    "rising numbers",
                    "text",
                    "elements",
                    "floats");

    /// Methods that read much. What is not among them, only flyweights and slices read.
    private static final Set<String> OF_METHODS =
            Set.of(
                    "bind",
                    "wrap",
                    "rewritten footer",
                    "model",
                    "layout",
                    "rewrite",
                    "column",
                    "verify",
                    "faults",
                    "meaning");

    @TempDir Path folder;

    private Path copy() throws IOException {
        return Files.copy(SAMPLE, folder.resolve("shortened.arrow"));
    }

    /// Windows does not let a mapped file be shortened.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void whatIsInterpretedIsAnExceptionAndNoCrash() throws Exception {
        List<String> ways = new ArrayList<>(OF_FILES);
        ways.addAll(OF_MESSAGES);
        assertNoCrash(1, ways);
    }

    /// 3,000 times are enough for C1, those of the long run for C2.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void whatIsCompiledIsAnExceptionAndNoCrash() throws Exception {
        assertNoCrash(CaseCount.of(3_000, 15_000), OF_FILES);
    }

    /// Compiled by C2, a load and what is done with the number can be one instruction, some of
    /// which the JVM cannot step over: it crashed in eleven of these.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void whatIsHotIsAnExceptionAndNoCrash() throws Exception {
        // What is hot is compiled, however busy the machine is.
        assertNoCrash(400, OF_MESSAGES.subList(0, CaseCount.of(6, OF_MESSAGES.size())), "-Xbatch");
    }

    private void assertNoCrash(int times, List<String> ways, String... options) throws Exception {
        List<String> expected = new ArrayList<>();
        for (String way : ways) {
            expected.add(way + ": " + outcome(way));
        }
        expected.add("alive " + ways.size());
        List<String> jvm =
                new ArrayList<>(
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:-CreateCoredumpOnCrash",
                                "-XX:+ErrorFileToStdout"));
        jvm.addAll(List.of(options));
        List<String> arguments = new ArrayList<>(List.of(folder.toString(), "" + times));
        arguments.addAll(ways);
        String printed = JavaProcess.run(jvm, MappedReader.class, arguments);
        assertEquals(expected, printed.lines().toList());
    }

    /// What opens a file names it; methods that read much throw an exception of Fletch; what
    /// flyweights read is an error of the JVM.
    private String outcome(String way) throws IOException {
        if (!MappedReader.SHORTENED.contains(way)) {
            return OF_METHODS.contains(way)
                    ? "UnreadableFileException " + TRUNCATED
                    : "InternalError";
        }
        long size = Files.size(SAMPLE);
        long footer = size - 10 - 984; // as README shows it
        return "UnreadableFileException %s: %s: offset=%d, mapped=%d, size=100"
                .formatted(folder.resolve(way), TRUNCATED, footer, size);
    }

    /// Shortened within its last page, the file loses nothing that the JVM could notice: the page
    /// stays, and holds zeros. What is opened then is found to be wrong, since it is verified.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void zerosOfTheLastPageAreFoundByTheChecks() throws Exception {
        Path path = copy();
        Path grown = folder.resolve("grown.arrow");
        Files.copy(path, grown);
        try (ArrowFile file = ArrowFile.open(grown)) {
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            file.recordBatch(0, frame, message);
            try (FileChannel channel = FileChannel.open(grown, StandardOpenOption.WRITE)) {
                channel.truncate(file.footerOffset());
            }
            assertRule(FileRule.BLOCK_OUT_OF_FILE, () -> file.recordBatch(0, frame, message));
        }
    }
}
