// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.scan.FileScan;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Names whose bytes are not characters of the locale never lead to another file: Java replaces
/// such bytes by U+FFFD, and a file may have that name. The command line of this process does not
/// have such names; those of others are in `golden/processes/names.txt`.
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
}
