// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Long outputs of commands, each in a file named after its test. `-Dfletch.golden.write=true`
/// writes the files again, and `-Dfletch.docs.write=true` the pages.
public final class GoldenOutput {
    private static final Path FOLDER =
            Goldens.repositoryRoot().resolve("src/test/resources/golden");

    private GoldenOutput() {}

    /// @param name of the file
    public static void assertIs(String name, String output) {
        Path file = FOLDER.resolve(name);
        try {
            if (Boolean.getBoolean("fletch.golden.write")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, output);
            }
            assertEquals(Files.readString(file), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Requires that a page is what was made.
    public static void assertPage(Path page, String made) throws IOException {
        if (Boolean.getBoolean("fletch.docs.write")) {
            Files.writeString(page, made);
        }
        assertEquals(made, Files.readString(page), "write it: mvn test -Dfletch.docs.write=true");
    }
}
