// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/// Failures of a write that no shell brings about. What becomes of files is in
/// `golden/processes/files.txt`.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "permissions are those of POSIX")
class OutputFileTest {
    @TempDir Path folder;

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void endOfTheInputIsNoFaultOfStandardOutput() {
        OutputFile file = new OutputFile(Path.of("-"), "page");
        Executable write =
                () ->
                        file.write(
                                true,
                                _ -> {
                                    throw new EOFException();
                                });
        assertThrows(EOFException.class, write);
    }

    /// Another process deletes what is left when it ends.
    @Test
    void failedWriteLeavesNothingElse() throws IOException {
        Path page = Files.writeString(folder.resolve("page"), "old");
        for (Path each : List.of(page, folder.resolve("new"))) {
            OutputFile file = new OutputFile(each, "page");
            Executable write =
                    () ->
                            file.write(
                                    true,
                                    to -> {
                                        to.write(ByteBuffer.allocate(100_000));
                                        throw new FileSystemException("x", null, "No space left");
                                    });
            assertEquals("No space left", assertThrows(IOException.class, write).getMessage());
        }
        assertEquals("old", Files.readString(page));
        assertEquals(List.of(page), files());
    }

    @Test
    void fileThatMustNotBeWrittenIsNotReplaced() throws IOException {
        Path page = Files.createFile(folder.resolve("page"));
        Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("r--r--r--"));
        assumeTrue(!Files.isWritable(page), "root may do everything");
        OutputFile file = new OutputFile(page, "page");
        IOException failure =
                assertThrows(
                        IOException.class,
                        () -> file.write(true, to -> to.write(ByteBuffer.allocate(1))));
        assertEquals("permission denied", failure.getMessage());
        assertEquals(List.of(page), files());
    }
}
