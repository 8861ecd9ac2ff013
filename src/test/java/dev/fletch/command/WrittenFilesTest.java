// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the command writes to files and to standard output, in a process of its own: full disks,
/// descriptors, and the file behind standard input.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
@Timeout(120)
@Order(1) // takes long
class WrittenFilesTest {
    private static final String PAGE = "fletch: standard input: page would overwrite the input\n";

    @TempDir Path folder;

    /// What a shell prints; in a script `$@` is the command.
    private String said(String script) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(FletchProcess.command());
        return Processes.run(new ProcessBuilder(command).directory(folder.toFile())).printed();
    }

    private Path copy(String sample) throws IOException {
        return Files.copy(TradesSample.path(sample), folder.resolve(sample));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    // ---- full disks

    /// A file system of 100 KiB, with less room than a page needs.
    @ParameterizedTest
    @CsvSource({"annotate,70", "map,90"})
    void fullDiskLeavesTheOldPage(String command, int usedKilobytes) throws Exception {
        String mount = "mkdir t; mount -t tmpfs -o size=100k tmpfs t";
        assumeTrue(
                said("unshare -rm sh -c '" + mount + "' && echo fine").equals("fine\n"),
                "no file system can be mounted here");
        Files.delete(folder.resolve("t"));
        copy("trades.arrow");
        String script =
                "%s; echo OLD >t/page; dd if=/dev/zero of=t/rest bs=1k count=%d 2>/dev/null;"
                        + " \"$@\" %s --html t/page trades.arrow >/dev/null; ls -A t; cat t/page";
        assertEquals(
                "fletch: trades.arrow: cannot write t/page: No space left on device\n"
                        + "page\nrest\nOLD\n",
                said(
                        "unshare -rm sh -c '%s' sh \"$@\""
                                .formatted(script.formatted(mount, usedKilobytes, command))));
    }

    /// Where no byte can be written, no file is left that the next try would have to overwrite.
    @Test
    void fullDiskLeavesNoStream() throws Exception {
        copy("extensions.json");
        String said = said("ulimit -f 0; \"$@\" json --to-arrow extensions.json out; echo $?");
        assertEquals("fletch: out: File too large\n2\n", said);
        assertEquals(List.of("extensions.json"), names());
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full")
    void fullStandardOutputIsAnError() throws Exception {
        copy("extensions.json");
        assertEquals(
                "fletch: standard output: No space left on device\n2\n",
                said("\"$@\" json --to-arrow extensions.json - >/dev/full; echo $?"));
    }

    // ---- standard input and output

    @Test
    void jsonIsConvertedThroughPipes() throws Exception {
        Path json = copy("extensions.json");
        assertEquals("", said("\"$@\" json --to-arrow - - <extensions.json | cat >out"));
        byte[] stream = Files.readAllBytes(folder.resolve("out"));
        assertEquals(1, OracleListing.list(stream).messages().size());
        assertArrayEquals(Files.readAllBytes(TradesSample.path("extensions.arrows")), stream);
        assertTrue(Files.exists(json));
    }

    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "needs /dev/stdin")
    void fileBehindStandardInputIsNotOverwritten() throws Exception {
        Path input = copy("trades.arrow");
        Files.createSymbolicLink(folder.resolve("link"), input);
        for (String each : List.of("annotate", "map")) {
            for (String page : List.of("trades.arrow", "link")) {
                assertEquals(
                        PAGE + "2\n",
                        said("\"$@\" %s --html %s - <trades.arrow; echo $?".formatted(each, page)));
            }
        }
        assertEquals(-1, Files.mismatch(TradesSample.path("trades.arrow"), input));
        Path json = copy("extensions.json");
        assertEquals(
                "fletch: extensions.json: stream would overwrite the input\n2\n",
                said("\"$@\" json --to-arrow --force - extensions.json <extensions.json; echo $?"));
        assertEquals(-1, Files.mismatch(TradesSample.path("extensions.json"), json));
    }

    /// Ends with status 2, one line, and the file as it was.
    private void assertKept(Path input, String script) throws Exception {
        byte[] before = Files.readAllBytes(input);
        String said = said("{ " + script + "; } 2>said; echo $? >>said; cat said");
        assertTrue(said.endsWith(" would overwrite the input\n2\n"), script + ": " + said);
        assertEquals(2, said.lines().count(), script + ": " + said);
        assertArrayEquals(before, Files.readAllBytes(input), script);
    }

    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "needs /dev/stdin and /dev/stdout")
    void inputIsNotOverwrittenThroughStandardOutput() throws Exception {
        Path input = copy("trades.arrow");
        copy("trades.stream");
        Path json = copy("extensions.json");
        Files.createLink(folder.resolve("hard"), input);
        Files.createSymbolicLink(folder.resolve("link"), input);
        int cases = 0;
        List<String> to = List.of(">>trades.arrow", "1<>trades.arrow", "1<>hard", ">>link");
        for (String command :
                List.of(
                        "convert trades.arrow -",
                        "convert trades.arrow -",
                        "convert --to=file hard -",
                        "convert link /dev/stdout",
                        "convert trades.arrow /dev/fd/1",
                        "convert - - <trades.arrow",
                        "convert --json trades.arrow other",
                        "ls --json trades.stream trades.arrow",
                        "map --html - trades.arrow",
                        "annotate - <trades.arrow",
                        "diff --json trades.stream hard")) {
            if (cases % CaseCount.of(3, 1) == 0) {
                assertKept(input, "\"$@\" " + command + " " + to.get(cases % to.size()));
            }
            cases++;
        }
        for (String script :
                List.of(
                        "\"$@\" json --to-arrow extensions.json - >>extensions.json",
                        "\"$@\" json --to-arrow - - <extensions.json 1<>extensions.json",
                        "\"$@\" convert --force --schema extensions.json trades.stream"
                                + " --to=file extensions.json",
                        "\"$@\" convert --json --schema extensions.json trades.stream x"
                                + " >>extensions.json")) {
            if (cases % CaseCount.of(3, 1) == 0) {
                assertKept(json, script);
            }
            cases++;
        }
    }

    /// Below a folder, too: nothing is written of the file itself.
    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "needs /dev/stdout")
    void inputInAFolderIsNotOverwrittenThroughStandardOutput() throws Exception {
        Path input = copy("trades.arrow");
        assertKept(input, "\"$@\" ls --json -r . >>trades.arrow");
        assertEquals("0\n", said("\"$@\" ls -r . >>out; echo $?"));
        assertEquals("0\n", said("\"$@\" ls trades.arrow >>out; echo $?"));
    }

    @Test
    void pageBesideTheFileOfStandardInputIsWritten() throws Exception {
        copy("trades.arrow");
        assertEquals("0\n", said("\"$@\" annotate --html page - <trades.arrow; echo $?"));
        assertTrue(Files.readString(folder.resolve("page")).endsWith("</html>\n"));
    }

    /// A file is replaced, as by its own name; a pipe is written to.
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors lead to files in /proc")
    void filesAndPipesOfDescriptorsAreWritten() throws Exception {
        copy("trades.arrow");
        for (String name : List.of("/dev/fd/3", "/proc/self/fd/3")) {
            Path page = Files.writeString(folder.resolve("page"), "old");
            said("\"$@\" annotate --html %s trades.arrow 3>>page".formatted(name));
            String written = Files.readString(page);
            assertTrue(written.startsWith("<!") && written.endsWith("</html>\n"), written);
        }
        String piped = said("\"$@\" annotate --html /dev/stdout trades.arrow | tail -n 1");
        assertEquals("</html>\n", piped);
        assertEquals(
                "</html>\n",
                said("mkfifo p; \"$@\" annotate --html p trades.arrow & tail -n 1 p; wait"));
        assertEquals(List.of("p", "page", "trades.arrow"), names());
    }
}
