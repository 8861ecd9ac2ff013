// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

/// What belongs to a process of its own: signals, the temporary folder, the locale, the terminal.
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

    // ---- standard output

    @Test
    void convertToStandardOutputSaysOnStandardErrorWhatItWrote() throws Exception {
        String file = TradesSample.path("trades.arrow").toString();
        String stream = TradesSample.path("trades.stream").toString();
        assertConverts("stream", TradesSample.stream(), "convert", file, "-");
        assertConverts("stream", TradesSample.stream(), "convert", stream, "-");
        assertConverts("file", TradesSample.file(), "convert", "--to=file", stream, "-");
    }

    private void assertConverts(String form, byte[] expected, String... arguments)
            throws Exception {
        List<String> call = FletchProcess.command();
        call.addAll(List.of(arguments));
        Path err = folder.resolve("err");
        Process process = Processes.start(new ProcessBuilder(call).redirectError(err.toFile()));
        assertArrayEquals(expected, process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor());
        assertEquals(
                "fletch: standard output: " + form + " written: batches=3, rows=800\n",
                Files.readString(err));
    }

    // ---- names

    /// Bytes of UTF-8 where characters are those of ASCII.
    @Test
    void nameThatIsNotAsciiIsNamedInAnAsciiLocale() throws Exception {
        String name = "export LC_ALL=C; name=$(printf 'u\\303\\274.arrow'); ";
        for (String rest : List.of("\"$@\" count \"$name\"", "\"$@\" map --html \"$name\" x")) {
            ProcessBuilder call = shell(name + rest, FletchProcess.command());
            Processes.Ended ended = Processes.run(call.directory(folder.toFile()));
            String said = ended.printed();
            assumeTrue(!said.contains("no such file"), "the JVM takes names as UTF-8 here anyway");
            assertTrue(said.contains("not characters in this locale ("), said);
            assertTrue(said.contains("set LC_ALL to a UTF-8 locale"), said);
            assertFalse(said.contains("java.nio"), said);
            assertEquals(2, ended.status());
        }
    }

    @Test
    void nameThatIsNotUtf8IsAnError() throws Exception {
        String asked = Processes.run(shell("LC_ALL=C.UTF-8 locale charmap", List.of())).printed();
        assumeTrue(asked.strip().equals("UTF-8"), "there is no C.UTF-8 here");
        String script = "export LC_ALL=C.UTF-8; exec \"$@\" count \"$(printf 'b\\377d.arrow')\"";
        Processes.Ended ended = Processes.run(shell(script, FletchProcess.command()));
        String said = ended.printed();
        assertTrue(said.contains("name has bytes that are not characters in this locale (UTF-8)"));
        assertTrue(said.contains("give it as standard input"), said);
        assertEquals(2, ended.status());
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
