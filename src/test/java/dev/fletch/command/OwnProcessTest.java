// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What belongs to a process of its own: signals, the temporary folder, full disks, the terminal.
/// Other things are in `golden/processes`.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals and locales are those of POSIX")
@Timeout(120)
class OwnProcessTest {
    private static final int LONG_BYTES = 3 << 20;
    private static final Pattern COLOR = Pattern.compile("\u001b\\[[0-9;]*m");

    @TempDir Path folder;

    private static ProcessBuilder shell(String script, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    // ---- the copy of a pipe

    /// The pipe is read and has not ended: so the copy is being written.
    @ParameterizedTest
    @ValueSource(strings = {"count", "verify", "annotate", "diff"})
    void signalLeavesNoCopyBehind(String command) throws Exception {
        List<String> call = FletchProcess.command("-Djava.io.tmpdir=" + folder);
        call.addAll(List.of(command, "-"));
        if (command.equals("diff")) {
            call.add(TradesSample.path("trades.arrow").toString());
        }
        Process process = new ProcessBuilder(call).redirectErrorStream(true).start();
        byte[] begun = Frames.join("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII), zeros());
        OutputStream pipe = process.getOutputStream();
        pipe.write(begun);
        pipe.flush();
        assertTrue(process.isAlive());
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(List.of(), left());
    }

    private static byte[] zeros() {
        return new byte[LONG_BYTES];
    }

    @Test
    void temporaryFolderThatIsMissingIsNamed() throws Exception {
        Path missing = folder.resolve("missing");
        List<String> call = FletchProcess.command("-Djava.io.tmpdir=" + missing);
        call.addAll(List.of("annotate", "-"));
        Path input = Files.write(folder.resolve("input"), zeros());
        ProcessBuilder builder = new ProcessBuilder(call);
        Processes.Ended ended = Processes.run(builder.redirectInput(input.toFile()));
        assertEquals(
                "fletch: standard input: cannot write to the temporary folder "
                        + missing
                        + ": no such folder",
                ended.printed().lines().toList().getLast());
        assertEquals(2, ended.status());
    }

    // ---- full disks

    /// What a shell prints; in a script `$@` is the command.
    private String said(String script, String... java) throws Exception {
        ProcessBuilder call = shell(script, FletchProcess.command(java));
        return Processes.run(call.directory(folder.toFile())).printed();
    }

    /// A file system of 100 KiB, with less room than a page needs.
    @ParameterizedTest
    @CsvSource({"annotate,70", "map,90"})
    void fullDiskLeavesTheOldPage(String command, int usedKilobytes) throws Exception {
        String failed = "cannot write t/page: No space left on device\n";
        assertFullDisk(
                failed + "page\nrest\nOLD\n", usedKilobytes, "--force --html t/page", command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotate", "map"})
    void fullTemporaryFolderIsNamed(String command) throws Exception {
        String failed = "cannot write to the temporary folder t: No space left on device\n";
        String java = "-Djava.io.tmpdir=t";
        assertFullDisk(failed + "page\nrest\nOLD\n", 90, "--force --html page", command, java);
    }

    /// @param usedKilobytes of a file system of 100 KiB, the folder t
    private void assertFullDisk(
            String expected, int usedKilobytes, String html, String command, String... java)
            throws Exception {
        String mount = "mkdir t; mount -t tmpfs -o size=100k tmpfs t";
        assumeTrue(
                said("unshare -rm sh -c '" + mount + "' && echo fine").equals("fine\n"),
                "no file system can be mounted here");
        Files.delete(folder.resolve("t"));
        Files.copy(TradesSample.path("trades.arrow"), folder.resolve("trades.arrow"));
        String script =
                "%s; echo OLD >t/page; dd if=/dev/zero of=t/rest bs=1k count=%d 2>/dev/null;"
                        + " \"$@\" %s %s trades.arrow >/dev/null; ls -A t; cat t/page";
        assertEquals(
                "fletch: trades.arrow: " + expected,
                said(
                        "unshare -rm sh -c '%s' sh \"$@\""
                                .formatted(script.formatted(mount, usedKilobytes, command, html)),
                        java));
    }

    // ---- colours

    @ParameterizedTest
    @ValueSource(strings = {"--help", "ls --help", "help count"})
    void noColorTurnsColoursOfHelpOff(String call) throws Exception {
        assertTrue(COLOR.matcher(onTerminal(call, "")).find());
        assertFalse(COLOR.matcher(onTerminal(call, "1")).find());
    }

    private static String onTerminal(String call, String noColor) throws Exception {
        Processes.assumePresent("script");
        String line = FletchProcess.quoted() + " " + call;
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", line, "/dev/null");
        builder.environment().put("TERM", "xterm");
        builder.environment().put("NO_COLOR", noColor);
        String said = Processes.printed(builder);
        assertTrue(said.contains("Usage"), said);
        return said;
    }
}
