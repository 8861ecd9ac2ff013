// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fletch.command.text.Terminal;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Work that takes long is told of on a terminal, and nowhere else. The terminal is that of
/// `script`; the work is an input that is written only after the line was seen.
@Timeout(120)
@Order(1) // takes long
class ProgressTest {
    private static final String ERASE = "\r\u001b[K";

    @TempDir Path folder;
    private Path pipe;

    @BeforeEach
    void makePipe() throws IOException, InterruptedException {
        Processes.assumePresent("script");
        pipe = Processes.pipe(folder.resolve("pipe"));
    }

    /// Runs `fletch` with a terminal for what is not redirected.
    private static Process onTerminal(String call) throws IOException {
        String line = FletchProcess.quoted() + " " + call;
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", line, "/dev/null");
        builder.environment().put("TERM", "xterm");
        return Processes.start(builder.redirectErrorStream(true));
    }

    private void feed() throws IOException {
        Files.write(pipe, Frames.join(Frames.emptySchema(), Frames.recordBatch(7, 0)));
    }

    /// Reads until something was written.
    private static String until(String wanted, InputStream output) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(wanted) < 0) {
            int next = output.read();
            assertTrue(next >= 0, () -> "not written: " + wanted + ", but " + seen);
            seen.append((char) next);
        }
        return seen.toString();
    }

    @Test
    void progressLineIsShownAndErased() throws Exception {
        Process process = onTerminal("count '%s' '%1$s'".formatted(pipe));
        String seen =
                until("input 1 of 2, " + pipe.toString().substring(0, 5), process.getInputStream());
        assertTrue(seen.startsWith(ERASE + "fletch: "), seen);
        feed();
        until("input 2 of 2, ", process.getInputStream());
        feed();
        String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        String table = rest.substring(rest.lastIndexOf(ERASE) + ERASE.length());
        assertTrue(table.strip().startsWith("rows"), rest);
        assertTrue(table.contains("14        2  total"), table);
    }

    /// A terminal would act on the bytes; a pipe gets them. The input is not read before.
    @Test
    void binaryDataIsNotWrittenToATerminal() throws Exception {
        Path sample = TradesSample.path("trades.arrow");
        List<String> calls =
                List.of("convert '%s' -", "convert --to=file '%s' -", "json --to-arrow '%s' -");
        for (String call : calls.subList(0, CaseCount.of(1, calls.size()))) {
            Process process = onTerminal(call.formatted(sample));
            String all =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(2, process.waitFor(), all);
            assertTrue(
                    all.startsWith(
                            "fletch: standard output is a terminal, and OUT is binary: name a file,"
                                    + " or use a pipe"),
                    all);
        }
        Process piped = onTerminal("convert '%s' - | wc -c".formatted(sample));
        String size = new String(piped.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(size.contains("" + Files.size(TradesSample.path("trades.stream"))), size);
    }

    /// What a pipe has brought, in bytes, as nobody knows how many will come.
    @Test
    void bytesOfAPipeAreCounted() throws Exception {
        Process process = onTerminal("count '%s'".formatted(pipe));
        try (OutputStream fed = Files.newOutputStream(pipe)) {
            fed.write(Frames.emptySchema());
            fed.write(Frames.recordBatch(7, 3_000_000));
            fed.write(new byte[3_000_000]);
            fed.write(Frames.recordBatch(7, 0));
            fed.flush();
            until(" s, 3 MB: ", process.getInputStream());
            process.destroy();
        }
    }

    @Test
    void progressIsShownAsPercentageOrBytes() {
        assertEquals("", Progress.share(0, 0));
        assertEquals("", Progress.share(999_999, 0));
        assertEquals(", 1,234 MB", Progress.share(1_234_567_890, 0));
        assertEquals(", 0%", Progress.share(0, 3));
        assertEquals(", 66%", Progress.share(2, 3));
        assertEquals(", 99%", Progress.share(Long.MAX_VALUE - (1L << 56), Long.MAX_VALUE));
        assertEquals(", 100%", Progress.share(8, 3));
    }

    /// What a process ignores, those that it starts ignore as well: below `nohup`, or in the
    /// background.
    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        String ignored =
                Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findAny()
                        .orElse("0");
        return (Long.parseUnsignedLong(ignored, 16) >>> (signal - 1) & 1) != 0;
    }

    /// A prompt stands behind nothing that is left over.
    @ParameterizedTest
    @CsvSource({"HUP, 1", "INT, 2", "TERM, 15"})
    void progressLineIsErasedOnASignal(String signal, int number) throws Exception {
        if (!signal.equals("INT")) {
            CaseCount.assumeFull();
        }
        assumeFalse(isIgnored(number), signal + " is ignored here, and so by the command");
        Process process = onTerminal("count '%s'; echo status $?".formatted(pipe));
        until("fletch: ", process.getInputStream());
        String count =
                process.descendants()
                        .filter(each -> each.info().command().orElse("").endsWith("/java"))
                        .map(each -> Long.toString(each.pid()))
                        .findAny()
                        .orElseThrow();
        assertEquals(0, new ProcessBuilder("kill", "-" + signal, count).start().waitFor());
        String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String last = rest.substring(rest.lastIndexOf(ERASE) + ERASE.length());
        assertTrue(last.strip().startsWith("status 1"), rest);
    }

    /// Each character of these names takes two columns.
    @Test
    void longNamesAreCutByColumns() {
        assertEquals("fletch", Terminal.cut("fletch", 6));
        assertEquals("fletc", Terminal.cut("fletch", 5));
        assertEquals("a\u6f22", Terminal.cut("a\u6f22\u5b57", 4));
        assertEquals("a\u6f22\u5b57", Terminal.cut("a\u6f22\u5b57", 5));
        assertEquals("", Terminal.cut("\ud83d\ude00", 1));
        assertEquals("\ud83d\ude00", Terminal.cut("\ud83d\ude00x", 2));
    }

    /// With JSON as without, and wherever that goes: the line is none of the output.
    @Test
    void redirectedOutputHasNoProgressLine() throws Exception {
        Path out = folder.resolve("out");
        Process process = onTerminal("count --json '%s' > '%s'".formatted(pipe, out));
        until("fletch: ", process.getInputStream());
        feed();
        process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor());
        assertTrue(Files.readString(out).startsWith("{\"file\":"), Files.readString(out));
    }

    /// The same work with standard error in a file: by when the terminal shows the line of another
    /// process that was started later, this one would have had to write its own.
    @Test
    void redirectedErrorsHaveNoProgressLine() throws Exception {
        Path other = Processes.pipe(folder.resolve("other"));
        Path err = folder.resolve("err");
        Process silent = onTerminal("count '%s' 2> '%s'".formatted(other, err));
        Process told = onTerminal("count '%s'".formatted(pipe));
        until("fletch: 2 s", told.getInputStream());
        feed();
        told.getInputStream().readAllBytes();
        Files.write(other, Frames.join(Frames.emptySchema(), Frames.recordBatch(7, 0)));
        String table = new String(silent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, silent.waitFor());
        assertEquals("", Files.readString(err));
        assertTrue(table.startsWith("           rows"), table);
    }
}
