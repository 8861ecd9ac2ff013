// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import static dev.fletch.FletchException.NO_OFFSET;

import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Thrown if a mapped file cannot be read: usually because another process truncated the file,
/// otherwise because its disk or server failed. Values read before are correct. Open the file
/// again.
///
/// Not a [FletchException]: the bytes may be valid. The message names the
/// file, the offset, the file's size when it was mapped and its size now, as far as each is known.
///
/// The JVM does not always detect truncation: bytes between the file's new end and the end of that
/// memory page read as 0. `docs/concepts/memory.md` in the sources describes the guarantees.
public final class UnreadableFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String TEXT = "mapped file cannot be read, probably truncated";

    private final String file;
    private final long offset;

    private UnreadableFileException(String file, long offset, String message, Throwable cause) {
        super(file == null ? message : Escaper.text(file) + ": " + message, cause);
        this.file = file;
        this.offset = offset;
    }

    /// Creates the exception for a mapped file.
    ///
    /// @param path of the file; null if unknown
    /// @param offset of the message or footer that was being read
    /// @param mapped size of the file in bytes when it was mapped
    /// @param cause the error from the JVM
    public static UnreadableFileException of(
            Path path, long offset, long mapped, InternalError cause) {
        String text = TEXT + ": offset=" + offset + ", mapped=" + mapped;
        return path == null
                ? new UnreadableFileException(null, offset, text, cause)
                : new UnreadableFileException(
                        path.toString(), offset, text + ", size=" + size(path), cause);
    }

    /// Creates the exception for mapped memory whose file is unknown: it has no file and no offset.
    ///
    /// @param cause the error from the JVM
    public static UnreadableFileException of(InternalError cause) {
        return new UnreadableFileException(null, NO_OFFSET, TEXT, cause);
    }

    /// {@return the file's path as the caller passed it; null if unknown}
    public String file() {
        return file;
    }

    /// {@return offset of the message or footer that was being read;
    /// [FletchException#NO_OFFSET] if unknown}
    public long offset() {
        return offset;
    }

    private static String size(Path path) {
        try {
            return Long.toString(Files.size(path));
        } catch (IOException | SecurityException _) {
            return "unknown";
        }
    }
}
