// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.format.Block;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.JavaProcess;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A file that somebody shortens, or a mapping that somebody frees, while it is read: an exception,
/// in interpreted and in compiled code, and never a crash of the JVM.
@Order(1) // takes long
class ShortenedFileTest {
    private static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");
    private static final int COMPILED = 15_000;

    /// Enough for C1; in the long run for C2.
    private static final int MOST_BEFORE = CaseCount.of(3_000, COMPILED);

    @TempDir Path folder;

    private Path copy() throws IOException {
        return Files.copy(SAMPLE, folder.resolve("shortened.arrow"));
    }

    /// Windows does not let a mapped file be shortened.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @ParameterizedTest
    @CsvSource({
        "open, 1",
        "open, " + COMPILED,
        "messages, " + COMPILED,
        "unreadable, 1",
        "unreadable, " + COMPILED
    })
    void openingIsAnExceptionThatNamesTheFile(String way, int before) throws Exception {
        Path file = copy();
        long size = Files.size(file);
        long footer = size - 10 - 984; // as README shows it
        assertEquals(
                List.of(
                        ("UnreadableFileException %s: mapped file cannot be read, probably"
                                        + " truncated: offset=%d, mapped=%d, size=100")
                                .formatted(file, footer, size),
                        "alive true"),
                shortened(way, file, 100, before));
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @ParameterizedTest
    @CsvSource({"walk, 1", "walk, " + COMPILED, "copy, " + COMPILED, "footer, " + COMPILED})
    void whatFlyweightsReadIsAnErrorOfTheJvmAndNoCrash(String way, int before) throws Exception {
        List<String> printed = shortened(way, copy(), 0, before);
        assertTrue(printed.getFirst().startsWith("InternalError "), printed.toString());
        assertTrue(printed.getLast().startsWith("alive "), printed.toString());
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @ParameterizedTest
    @CsvSource({
        "model, 1",
        "model, " + COMPILED,
        "layout, " + COMPILED,
        "rewrite, 1",
        "rewrite, " + COMPILED,
        "bind, 1",
        "bind, " + COMPILED,
        "wrap, 1",
        "wrap, " + COMPILED
    })
    void methodsThatReadMuchThrowAnExceptionOfFletch(String way, int before) throws Exception {
        assertEquals(
                List.of(
                        "UnreadableFileException mapped file cannot be read, probably"
                                + " truncated",
                        "alive true"),
                shortened(way, copy(), 0, before));
    }

    /// Compiled by C2, a load and what is done with the number can be one instruction, some of
    /// which the JVM cannot step over: it crashed in eleven of these.
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void whatIsHotIsAnErrorOfTheJvmAndNoCrash() throws Exception {
        List<String> all =
                List.of(
                        "names",
                        "numbers",
                        "walk",
                        "find",
                        "column",
                        "layout",
                        "model",
                        "rewrite",
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
        int step = CaseCount.of(11, 1);
        List<String> ways = all.stream().filter(each -> all.indexOf(each) % step == 0).toList();
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(ways);
        List<String> expected = new ArrayList<>();
        for (String way : ways) {
            boolean isFlyweights =
                    all.indexOf(way) >= all.indexOf("differences")
                            || List.of("names", "numbers", "walk", "find", "known").contains(way);
            expected.add(way + (isFlyweights ? " InternalError" : " UnreadableFileException"));
        }
        expected.add("alive " + ways.size());
        // What is hot is compiled, however busy the machine is.
        List<String> options = List.of("-Xbatch");
        assertEquals(expected, printed(options, HotMappedReader.class, arguments));
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
            FletchException wrong =
                    assertThrows(FletchException.class, () -> file.recordBatch(0, frame, message));
            assertEquals(FileRule.BLOCK_OUT_OF_FILE, wrong.rule());
        }
    }

    /// What is read through a channel is simply at its end.
    @Test
    void channelEndsWithinAMessage() throws IOException {
        Path path = copy();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.position(FileHead.USUAL_BYTES);
            MessageReader reader = MessageReader.of(channel, ReadOptions.DEFAULT);
            Message message = new Message();
            assertEquals(FrameKind.MESSAGE, reader.next(message));
            other.truncate(1000);
            FletchException wrong = assertThrows(FletchException.class, () -> reader.next(message));
            assertEquals(FrameRule.METADATA_OUT_OF_INPUT, wrong.rule());
        }
    }

    @Test
    void freedMemoryIsAnIllegalState() throws IOException {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        ArrowFile closed = ArrowFile.open(copy());
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.recordBatch(0, frame, message));
        assertThrows(
                IllegalStateException.class, () -> closed.footer().recordBatches(0, new Block()));
        ArrowFile unmapped;
        try (Arena arena = Arena.ofShared()) {
            unmapped = ArrowFile.map(SAMPLE, arena, ReadOptions.DEFAULT);
            unmapped.message(1, frame, message);
        }
        assertThrows(IllegalStateException.class, () -> unmapped.message(1, frame, message));
        assertThrows(IllegalStateException.class, () -> unmapped.message(0, frame, message));
    }

    private static List<String> shortened(String way, Path file, long newSize, int before)
            throws IOException, InterruptedException {
        String times = Integer.toString(Math.min(before, MOST_BEFORE));
        return printed(
                List.of(),
                MappedReader.class,
                List.of(way, file.toString(), Long.toString(newSize), times));
    }

    private static List<String> printed(List<String> more, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:-CreateCoredumpOnCrash",
                                "-XX:+ErrorFileToStdout"));
        options.addAll(more);
        return JavaProcess.run(options, main, arguments).lines().toList();
    }
}
