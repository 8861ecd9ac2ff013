// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import static dev.fletch.FileRule.FILE_UNREADABLE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Thrown if a mapped file cannot be read: usually because another process truncated the file,
/// otherwise because its disk or server failed. Values read before are correct. Open the file
/// again.
///
/// [#offset()] is the offset of the message or footer that was being read. The message names the
/// file, the offset, the file's size when it was mapped and its size now, as far as each is known.
///
/// The JVM does not always detect truncation: bytes between the file's new end and the end of that
/// memory page read as 0. `docs/concepts/memory.md` in the sources describes the guarantees.
public final class UnreadableFileException extends FletchException {
    private static final long serialVersionUID = 1L;

    private UnreadableFileException(String file, long offset, String message, Throwable cause) {
        super(FILE_UNREADABLE, file, offset, message, cause);
    }

    /// Creates the exception for a mapped file.
    ///
    /// @param path of the file; null if unknown
    /// @param offset of the message or footer that was being read
    /// @param mapped size of the file in bytes when it was mapped
    /// @param cause the error from the JVM
    public static UnreadableFileException of(
            Path path, long offset, long mapped, InternalError cause) {
        String text = FILE_UNREADABLE.description() + ": offset=" + offset + ", mapped=" + mapped;
        return path == null
                ? new UnreadableFileException(null, offset, text, cause)
                : new UnreadableFileException(
                        path.toString(), offset, text + ", size=" + size(path), cause);
    }

    /// Creates the exception for mapped memory whose file is unknown: it has no file and no offset.
    ///
    /// @param cause the error from the JVM
    public static UnreadableFileException of(InternalError cause) {
        return new UnreadableFileException(null, NO_OFFSET, FILE_UNREADABLE.description(), cause);
    }

    private static String size(Path path) {
        try {
            return Long.toString(Files.size(path));
        } catch (IOException | SecurityException _) {
            return "unknown";
        }
    }
}
