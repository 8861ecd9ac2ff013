// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.scan.FileScan;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Names whose bytes are not characters of the locale never lead to another file: Java replaces
/// such bytes by U+FFFD, and a file may have that name.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "names are those of POSIX")
@Timeout(300)
class UndecodableNamesTest {
    private static final String REFUSED = "name has bytes that are not characters in this locale";
    private static final byte[] OTHER = "another file".getBytes(StandardCharsets.US_ASCII);

    @TempDir Path folder;
    private Path other;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.write(folder.resolve("t.arrow"), TradesSample.file());
        try {
            other = Files.write(folder.resolve("\uFFFD.arrow"), OTHER);
        } catch (InvalidPathException e) {
            assumeTrue(false, "file names are ASCII in this process: " + e.getMessage());
        }
    }

    private Path at(String name) {
        return folder.resolve(name);
    }

    // ---- in this process, whose command line does not have such names

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls @",
                "schema @",
                "count @",
                "count t.arrow @",
                "columns @",
                "verify @",
                "map @",
                "annotate @",
                "ext @",
                "json @",
                "count -r @",
                "diff t.arrow @",
                "diff @ t.arrow",
                "convert @ new.arrow",
                "convert --force t.arrow @",
                "convert --schema @ t.arrow new.arrow",
                "map --html @ t.arrow",
                "annotate --html @ t.arrow",
                "json --to-arrow @ new.arrow",
                "json --to-arrow --force schema.json @",
                "count -r --suffix .\uFFFD .",
                "count https://localhost:1/\uFFFD.arrow"
            })
    void everyNameIsRefused(String call) throws IOException {
        Files.writeString(at("schema.json"), Cli.run("json", at("t.arrow").toString()).out());
        List<String> arguments = new ArrayList<>();
        for (String each : call.split(" ")) {
            boolean isFile = each.equals("@") || each.matches("[a-z]+\\.(arrow|json)|\\.");
            arguments.add(isFile ? at(each.replace("@", "\uFFFD.arrow")).toString() : each);
        }
        Run run = Cli.run(arguments.toArray(String[]::new));
        assertEquals(2, run.status(), run.err());
        assertTrue(run.err().contains(REFUSED), run.err());
        assertArrayEquals(OTHER, Files.readAllBytes(other));
        assertTrue(Files.notExists(at("new.arrow")));
    }

    @Test
    void namesOfAScanAreRefused() {
        var fault = new FileScan().of(other.toString()).fault();
        assertTrue(fault.toString().contains(REFUSED), fault::toString);
    }

    // ---- in processes of their own

    /// What a script prints, on both outputs, and `status=` its status. `$f` is the command.
    private String script(String locale, String text) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                "-c",
                                "bad=$(printf '\\376.arrow'); true=$(printf"
                                        + " '\\357\\277\\275.arrow'); f() { "
                                        + FletchProcess.quoted()
                                        + " \"$@\"; }; "
                                        + text
                                        + "; echo status=$?"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("LC_ALL", locale);
        return Processes.run(builder).printed();
    }

    @ParameterizedTest
    @CsvSource({"C.UTF-8", "C", "POSIX"})
    void bytesThatAreNotCharactersAreRefused(String locale) throws Exception {
        String before = "cp t.arrow \"$bad\"; ";
        for (String call : List.of("verify \"$bad\"", "convert --force t.arrow \"$bad\"")) {
            String said = script(locale, before + "f " + call);
            assertTrue(said.contains(REFUSED), said);
            assertTrue(said.endsWith("status=2\n"), said);
        }
        assertArrayEquals(OTHER, Files.readAllBytes(other));
    }

    @Test
    void aNameThatReallyHasTheReplacementIsAccepted() throws Exception {
        String said = script("C.UTF-8", "f convert --force t.arrow \"$true\" && f count \"$true\"");
        assertTrue(said.contains("800") && said.endsWith("status=0\n"), said);
        String both = script("C.UTF-8", "f count \"$true\" \"$bad\"");
        assertTrue(both.contains(REFUSED) && both.endsWith("status=2\n"), both);
    }

    @ParameterizedTest
    @CsvSource({"C.UTF-8", "C"})
    void suchFilesInFoldersAreRefused(String locale) throws Exception {
        String copies = "mkdir in \"in/$bad.d\"; cp t.arrow in; cp t.arrow in/\"$bad\"; ";
        String deep = "cp t.arrow \"in/$bad.d\"; ";
        for (String call : List.of("count -r in", "verify -r in", "schema -r --group in")) {
            String said =
                    script(locale, (call.startsWith("count") ? copies + deep : "") + "f " + call);
            assertEquals(2, said.split(REFUSED, -1).length - 1, said);
            assertTrue(said.contains("in/t.arrow"), said);
            assertTrue(said.endsWith("status=2\n"), said);
        }
    }

    @Test
    void aFileOfAFolderThatReallyHasTheReplacementIsRead() throws Exception {
        String said = script("C.UTF-8", "mkdir in; cp t.arrow in/\"$true\"; f count -r in");
        assertTrue(said.contains("800"), said);
        assertTrue(said.endsWith("status=0\n"), said);
    }

    @ParameterizedTest
    @CsvSource({"C.UTF-8", "C"})
    void relativeNamesInAFolderOfSuchANameAreRefused(String locale) throws Exception {
        String folders =
                "mkdir \"$bad.d\" \"$true.d\"; cp t.arrow \"$true.d/t.arrow\"; here=$PWD;"
                        + " cp t.arrow \"$bad.d/x.arrow\"; cd \"$bad.d\"; ";
        String said = script(locale, folders + "f count t.arrow");
        assertTrue(said.contains("t.arrow: not a file name: its folder's " + REFUSED), said);
        assertTrue(said.endsWith("status=2\n"), said);
        String from = "here=$PWD; cd \"$bad.d\"; ";
        String written = script(locale, from + "f convert --force x.arrow t.arrow");
        assertTrue(written.endsWith("status=2\n"), written);
        String complete = script(locale, from + "f count \"$here/t.arrow\" && f count - <x.arrow");
        assertTrue(complete.endsWith("status=0\n"), complete);
    }

    @Test
    void relativeNamesInAFolderThatReallyHasTheReplacementAreAccepted() throws Exception {
        String folders = "mkdir \"$true.d\"; cp t.arrow \"$true.d/t.arrow\"; cd \"$true.d\"; ";
        String said = script("C.UTF-8", folders + "f count t.arrow");
        assertTrue(said.contains("800") && said.endsWith("status=0\n"), said);
    }
}
