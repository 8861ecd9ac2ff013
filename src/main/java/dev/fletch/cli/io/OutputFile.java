// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.SecureRandom;

/// A file that gets all of something or nothing.
///
/// It is written beside its place, in a draft, which takes the place when it is complete: a failure,
/// such as a full disk, leaves what was there before as it was. Symbolic links are followed, and
/// permissions stay.
///
/// Where a draft would be another file than the one that was meant, that is written in its place, and
/// a failure may leave half: a pipe, a device, a descriptor (`/dev/stdout`), a file that has several
/// names or another's owner or group, one that is mounted by itself, and one in a folder where no
/// file can be made.
///
/// @param path as it was given
/// @param content what is written, for messages
public record OutputFile(Path path, String content) {
    private static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    private static final Path DESCRIPTORS = Path.of("/dev/fd");
    private static final Path PROCESSES = Path.of("/proc");
    private static final int MOST_LINKS = 40;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// What writes.
    public interface Content {
        void write(OutputStream to) throws IOException;
    }

    /// Whether standard output is meant, which is no matter of this class.
    public boolean isOutput() {
        return path.toString().equals(InputBytes.STANDARD_INPUT);
    }

    /// Fails if it is the input that would be overwritten. Of standard input that can be told where
    /// the system has `/dev/stdin`, and nowhere else.
    public void refuseInput(String input) throws IOException {
        boolean isNamed = !input.equals(InputBytes.STANDARD_INPUT);
        Path from = isNamed ? Path.of(input) : STANDARD_INPUT;
        boolean isInput =
                (isNamed ? Files.exists(path) : Files.isRegularFile(path))
                        && Files.exists(from)
                        && Files.isSameFile(path, from);
        if (isInput) {
            throw new IOException(content + " would overwrite the input");
        }
    }

    /// Writes the file.
    ///
    /// @param mayReplace whether there may be one already
    /// @throws IOException whose message is the reason alone
    public void write(boolean mayReplace, Content writer) throws IOException {
        try {
            if (path.toString().isEmpty()) { // to Java it is the working folder
                throw new FileSystemException("", null, "no such file");
            }
            Path file = followed(path);
            if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "is a directory");
            }
            if (!mayReplace && Files.exists(file)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            Path draft = draft(file);
            if (draft == null) {
                write(file, writer);
            } else {
                write(draft, file, mayReplace, writer);
            }
        } catch (IOException e) {
            throw new IOException(reason(e), e);
        }
    }

    /// Why a file could not be written, as a person is told.
    static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "exists already; --force overwrites it";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }

    private static void write(Path file, Content writer) throws IOException {
        try (OutputStream to = Files.newOutputStream(file)) {
            writer.write(to);
        }
    }

    private static void write(Path draft, Path file, boolean mayReplace, Content writer)
            throws IOException {
        File left = draft.toFile();
        left.deleteOnExit(); // also if a signal ends the process
        try {
            write(draft, writer);
            if (mayReplace) {
                replace(file, draft);
            } else {
                Files.move(draft, file);
            }
        } finally {
            left.delete();
        }
    }

    private static void replace(Path file, Path draft) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException _) { // such as a file that something is mounted on
            write(file, to -> Files.copy(draft, to));
        }
    }

    // ---- whether there can be a draft

    /// Creates an empty file that can take another's place.
    ///
    /// @return null if the other has to be written in its place
    private static Path draft(Path file) throws IOException {
        boolean isThere = Files.exists(file);
        if (isThere && !isReplaceable(file)) {
            return null;
        }
        Path draft = file.resolveSibling(".fletch-" + Long.toHexString(RANDOM.nextLong()) + ".tmp");
        try {
            Files.createFile(draft);
        } catch (AccessDeniedException e) {
            if (isThere) {
                return null;
            }
            throw e;
        }
        if (isThere && !isLike(file, draft)) {
            Files.delete(draft);
            return null;
        }
        return draft;
    }

    private static boolean isReplaceable(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && !isDescriptor(file)
                && Files.isWritable(file)
                && names(file) == 1;
    }

    private static int names(Path file) throws IOException {
        try {
            return (Integer) Files.getAttribute(file, "unix:nlink");
        } catch (UnsupportedOperationException _) {
            return 1; // where nobody counts them
        }
    }

    /// Gives a draft the permissions of the file whose place it is to take.
    ///
    /// @return false if they cannot be the same to everybody
    private static boolean isLike(Path file, Path draft) {
        PosixFileAttributeView view =
                Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (view == null) {
            return true; // a folder's files have its permissions
        }
        try {
            PosixFileAttributes old = Files.readAttributes(file, PosixFileAttributes.class);
            PosixFileAttributes own = view.readAttributes();
            if (!own.permissions().equals(old.permissions())) {
                view.setPermissions(old.permissions());
            }
            return own.owner().equals(old.owner()) && own.group().equals(old.group());
        } catch (IOException _) {
            return false;
        }
    }

    /// The file that a name leads to, whether or not it is there.
    private static Path followed(Path path) throws IOException {
        Path file = path.toAbsolutePath();
        for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(file) && !isDescriptor(file); i++) {
            file = file.resolveSibling(Files.readSymbolicLink(file));
        }
        return file;
    }

    /// Whether a name stands for what a process has open: whoever has it open waits for what is
    /// written to that.
    private static boolean isDescriptor(Path file) throws IOException {
        Path folder = file.getParent().toRealPath();
        return folder.startsWith(PROCESSES) || folder.startsWith(DESCRIPTORS);
    }
}
