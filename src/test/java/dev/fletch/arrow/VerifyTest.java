// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.command.Cli;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.Corpus;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.testdata.CountedWork;
import dev.fletch.testdata.Sources;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/// Programs get from [Arrow#verify] what the command prints.
class VerifyTest {
    @TempDir Path folder;

    private static byte[] sample(String name) throws IOException {
        return Files.readAllBytes(TradesSample.path(name));
    }

    /// The same from all sources, of whole and truncated inputs. The faults are those of
    /// `CorpusVerdictsTest` and `CorpusConsumersTest`.
    @ParameterizedTest
    @ValueSource(strings = {"trades.arrow", "trades.stream"})
    void reportsWhatTheCommandCounts(String name) throws IOException {
        byte[] whole = sample(name);
        Path file = folder.resolve("input");
        for (int part = 1; part <= 8; part++) {
            byte[] bytes = Arrays.copyOf(whole, whole.length * part / 8);
            Files.write(file, bytes);
            List<Fault> found = new ArrayList<>();
            ReadOptions options = ReadOptions.VERIFY.withChecks(Checks.USUAL.enabled());
            CheckReport report = Arrow.verify(file, options, found::add);
            assertEquals(report, Arrow.verify(memory(bytes), options, _ -> {}));
            assertEquals(report, Arrow.verify(stream(bytes), options, _ -> {}));
            assertEquals(report, Arrow.verify(RangeSource.open(file), options, _ -> {}));
            assertEqualsCommand(report, file);
            assertEquals(found.size(), report.errors() + report.deviations() + report.notes());
        }
    }

    @Test
    void missingSinkIsRefusedEvenIfThereAreNoFaults() throws IOException {
        byte[] sound = sample("trades.arrow");
        assertThrows(
                NullPointerException.class,
                () -> Arrow.verify(memory(sound), ReadOptions.VERIFY, null));
    }

    /// Checks catch the same exceptions of readers that they use.
    @Test
    void whatTheSinkThrowsIsThrownAtTheFirstError() throws IOException {
        Path wrong = Corpus.FOLDER.resolve("values/offsets-descend-utf8.arrow");
        ReadOptions options = ReadOptions.VERIFY.withLevel(ReadOptions.Level.VALUES);
        List<Fault> faults = new ArrayList<>();
        Arrow.verify(wrong, options, faults::add);
        Fault first = faults.getFirst();
        assertEquals(ValueRule.VALUE_OFFSET_ORDER, first.rule());
        FletchException thrown =
                assertThrows(
                        FletchException.class,
                        () -> Arrow.verify(wrong, options, FletchException::raise));
        assertEquals(first, thrown.fault());
    }

    private static MemorySegment memory(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static void assertEqualsCommand(CheckReport report, Path file) {
        Map<?, ?> printed = (Map<?, ?>) Cli.run("verify", "--json", "" + file).json().getFirst();
        assertEquals(printed.get("ok"), report.isOk());
        assertEquals(printed.get("container"), report.container());
        assertEquals(printed.get("messages").toString(), "" + report.messages());
        assertEquals(printed.get("recordBatches").toString(), "" + report.recordBatches());
        if (printed.containsKey("completeBatches")) {
            assertEquals(printed.get("completeBatches"), report.completeBatches());
            assertEquals(printed.get("completeRows"), report.completeRows());
        } else if (report.isOk()) {
            assertEquals(report.recordBatches(), report.completeBatches());
        }
    }

    /// Bytes behind the marker are a deviation, which is no reason to accept it.
    @Test
    void aMarkerAloneIsNoInputAlsoInFrontOfOtherBytes() {
        byte[] marker = {-1, -1, -1, -1, 0, 0, 0, 0, 'x'};
        List<Rule> found = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(marker),
                ReadOptions.DEFAULT,
                fault -> found.add(fault.rule()));
        assertEquals(Set.of(FileRule.NO_MESSAGE, FileRule.BYTES_BEHIND_END), Set.copyOf(found));
    }

    @Test
    void sinkThatThrowsEndsTheVerification() throws IOException {
        byte[] half = Arrays.copyOf(sample("trades.arrow"), 20_000);
        Sources.Closing stream = new Sources.Closing(half);
        IllegalStateException thrown = new IllegalStateException();
        assertEquals(
                thrown,
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Arrow.verify(
                                        stream,
                                        ReadOptions.VERIFY,
                                        _ -> {
                                            throw thrown;
                                        })));
        assertTrue(stream.isClosed);
    }

    @Test
    void monitorSeesTheWorkAndCanStopIt() throws IOException {
        byte[] bytes = sample("trades.arrow");
        AtomicLong worked = new AtomicLong();
        AtomicLong reached = new AtomicLong();
        WorkMonitor counting =
                new WorkMonitor() {
                    @Override
                    public void reached(long done, long total) {
                        reached.incrementAndGet();
                    }

                    @Override
                    public void worked(long more) {
                        worked.addAndGet(more);
                    }
                };
        verify(bytes, counting);
        assertTrue(reached.get() > 0);
        assertTrue(worked.get() > 1_000 && worked.get() < bytes.length, worked.toString());
        verify(bytes, WorkMonitor.limitedTo(worked.get()));
        assertTrue(
                assertThrows(
                                CancellationException.class,
                                () -> verify(bytes, WorkMonitor.limitedTo(worked.get() - 1)))
                        .getMessage()
                        .startsWith("work is over the limit: bytes=" + worked.get()));
        CancellationException cancelled = new CancellationException();
        WorkMonitor stopping =
                (_, _) -> {
                    throw cancelled;
                };
        assertEquals(
                cancelled,
                assertThrows(CancellationException.class, () -> verify(bytes, stopping)));
    }

    private static void verify(byte[] bytes, WorkMonitor monitor) {
        Arrow.verify(memory(bytes), ReadOptions.VERIFY.withMonitor(monitor), _ -> {});
    }

    /// Hostile input makes a verifier search for messages again and again, but not without bound.
    @Test
    void workOnDamagedInputIsProportionalToItsSize() {
        byte[] continuations = new byte[1 << 20];
        Arrays.fill(continuations, (byte) -1);
        CountedWork worked = new CountedWork();
        verify(continuations, worked);
        assertTrue(worked.bytes() <= 8L * continuations.length, () -> worked.bytes() + " bytes");
    }

    /// A wrong length leads into a message, which is not damaged. What is left of the footer is no
    /// message, with and without continuation words and an end-of-stream marker. Without both, its
    /// first words alone may be those of a message.
    @ParameterizedTest
    @ValueSource(strings = {"", "marker - ", "v4 legacy ", "v4 legacy marker - "})
    void messagesOfAFileEndWhereTheyEndAndNotAtADamagedFooter(String framing) {
        String messages = "<u:Utf8>" + " | batch 2 [2] [- i32(0 1 3) \"abc\"]".repeat(2);
        byte[] file = CaseFile.input("file " + framing + messages);
        byte[] sound = file.clone();
        ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int lengthAt = file.length - 10;
        int length = words.getInt(lengthAt);
        for (int wrong = 1; wrong < file.length; wrong++) {
            if (wrong != length) {
                words.putInt(lengthAt, wrong);
                hasAllBatches(file, "length " + wrong);
            }
        }
        for (int at = lengthAt - length; at < lengthAt; at++) {
            byte before = file[at];
            for (int mask : new int[] {0xFF, 0x80, 0x10, 0x04, before}) {
                file[at] = (byte) (before ^ mask);
                hasAllBatches(file, at + " ^ " + mask);
            }
            file[at] = before;
            int end = Math.max(at, lengthAt - length + (framing.startsWith("v4 legacy m") ? 8 : 0));
            hasAllBatches(Arrays.copyOf(file, end), "cut off at " + end);
            Arrays.fill(file, lengthAt - length, at, (byte) 0);
            hasAllBatches(file, "zeros up to " + at);
            System.arraycopy(sound, 0, file, 0, at);
        }
    }

    private static void hasAllBatches(byte[] file, String damage) {
        List<Fault> faults = new ArrayList<>();
        CheckReport report = Arrow.verify(memory(file), ReadOptions.VERIFY, faults::add);
        if (report.expectedBatches() >= 0) {
            return; // the footer is still sound
        }
        assertTrue(report.errors() > 0);
        assertEquals(2, report.completeBatches(), () -> damage + faults);
        assertEquals(4, report.completeRows());
        assertTrue(faults.stream().allMatch(each -> each.message() < 3), () -> damage + faults);
    }
}
