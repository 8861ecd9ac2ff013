// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/// What becomes of the file that is written, and of the one that was there before.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "links and permissions are those of POSIX")
class OutputFileTest {
    @TempDir Path folder;

    private static void write(Path path, String text) throws IOException {
        new OutputFile(path, "page")
                .write(
                        true,
                        to -> to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
    }

    private Path old(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "old, and longer than what comes");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
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

    @Test
    void failedWriteKeepsTheOldFile() throws IOException {
        Path page = old("page");
        for (Path each : List.of(page, folder.resolve("new"))) {
            IOException failure =
                    assertThrows(
                            IOException.class,
                            () ->
                                    new OutputFile(each, "page")
                                            .write(
                                                    true,
                                                    to -> {
                                                        to.write(ByteBuffer.allocate(100_000));
                                                        throw new FileSystemException(
                                                                "x", null, "No space left");
                                                    }));
            assertEquals("No space left", failure.getMessage());
        }
        assertEquals("old, and longer than what comes", Files.readString(page));
        assertEquals(List.of("page"), names());
    }

    @Test
    void newFileHasDefaultPermissions() throws IOException {
        Path page = folder.resolve("page");
        write(page, "new");
        Path other = Files.createFile(folder.resolve("other"));
        assertEquals("new", Files.readString(page));
        assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(page));
        assertEquals(List.of("other", "page"), names());
    }

    @Test
    void permissionsStay() throws IOException {
        for (String each : List.of("rw-------", "rw-r-----", "rwxrwxrwx")) {
            Path page = old("page");
            Files.setPosixFilePermissions(page, PosixFilePermissions.fromString(each));
            Object before = inode(page);
            write(page, "new");
            assertEquals("new", Files.readString(page));
            assertNotEquals(before, inode(page), "another file has taken its place");
            assertEquals(
                    each, PosixFilePermissions.toString(Files.getPosixFilePermissions(page)), each);
            Files.delete(page);
        }
    }

    @Test
    void symbolicLinksAreFollowed() throws IOException {
        Path inside = Files.createDirectory(folder.resolve("inside"));
        Path page = Files.writeString(inside.resolve("page"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("inside/page"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), Path.of("link"));
        write(second, "new");
        assertEquals("new", Files.readString(page));
        Path dangling = Files.createSymbolicLink(folder.resolve("d"), Path.of("inside/other"));
        write(dangling, "made");
        assertEquals("made", Files.readString(inside.resolve("other")));
        assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(dangling));
        assertEquals(List.of("d", "inside", "link", "second"), names());
    }

    @Test
    void circleOfSymbolicLinksIsNamed() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("second"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), Path.of("link"));
        Path own = Files.createSymbolicLink(folder.resolve("own"), Path.of("own"));
        for (Path each : List.of(link, second, own)) {
            for (boolean mayReplace : new boolean[] {false, true}) {
                IOException failure =
                        assertThrows(
                                IOException.class,
                                () ->
                                        new OutputFile(each, "page")
                                                .write(
                                                        mayReplace,
                                                        to -> to.write(ByteBuffer.allocate(1))));
                assertEquals(
                        "too many symbolic links, or they form a circle", failure.getMessage());
            }
        }
        assertEquals(List.of("link", "own", "second"), names());
    }

    @Test
    void hardLinksStayLinked() throws IOException {
        Path page = old("page");
        Path other = Files.createLink(folder.resolve("other"), page);
        write(page, "new");
        assertEquals("new", Files.readString(other));
        assertTrue(Files.isSameFile(page, other));
        assertEquals(List.of("other", "page"), names());
    }

    @Test
    void fileInAReadOnlyFolderIsWrittenInPlace() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Path page = Files.writeString(closed.resolve("page"), "old");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assumeTrue(!Files.isWritable(closed), "root may do everything");
            write(page, "new");
            assertEquals("new", Files.readString(page));
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void fileThatMustNotBeWrittenIsNotReplaced() throws IOException {
        Path page = old("page");
        Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("r--r--r--"));
        assumeTrue(!Files.isWritable(page), "root may do everything");
        IOException failure = assertThrows(IOException.class, () -> write(page, "new"));
        assertEquals("permission denied", failure.getMessage());
        assertEquals(List.of("page"), names());
    }

    @Test
    void existingFileIsReplacedOnlyIfAllowed() throws IOException {
        Path page = old("page");
        Path link = Files.createSymbolicLink(folder.resolve("link"), page);
        for (Path each : List.of(page, link)) {
            IOException failure =
                    assertThrows(
                            IOException.class,
                            () ->
                                    new OutputFile(each, "stream")
                                            .write(false, to -> to.write(ByteBuffer.allocate(1))));
            assertEquals("already exists; --force overwrites it", failure.getMessage());
        }
        assertEquals("old, and longer than what comes", Files.readString(page));
        new OutputFile(folder.resolve("new"), "stream")
                .write(false, to -> to.write(ByteBuffer.allocate(1)));
        assertEquals(1, Files.size(folder.resolve("new")));
    }

    @Test
    void pathThatCannotBeWrittenIsNamed() {
        Path missing = folder.resolve("missing").resolve("page");
        assertEquals(
                "no such folder",
                assertThrows(IOException.class, () -> write(missing, "x")).getMessage());
        assertEquals(
                "is a directory",
                assertThrows(IOException.class, () -> write(folder, "x")).getMessage());
        assertEquals(
                "no such file",
                assertThrows(IOException.class, () -> write(Path.of(""), "x")).getMessage());
        assertFalse(Files.exists(missing.getParent()));
    }
}
