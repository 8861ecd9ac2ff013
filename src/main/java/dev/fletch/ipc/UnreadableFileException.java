// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Thrown where a mapped file's bytes cannot be had: as a rule because somebody has shortened it
/// since, else because its disk or its server has failed. What was read until then is right; the
/// file has to be opened anew.
///
/// [#offset()] is where the message or footer begins that was to be opened.
///
/// It is not the bytes that are wrong here, so this is no [ArrowFormatException]. The message is one
/// line: file, offset, its size when it was mapped, and its size now where that is known.
///
/// The JVM does not always notice: bytes between a file's new end and the end of that memory page
/// are read as 0. `docs/sharing.md` in the sources tells what a reader can rely on.
public final class UnreadableFileException extends FletchException {
    private static final long serialVersionUID = 1L;

    private UnreadableFileException(String file, long offset, String message, Throwable cause) {
        super(IpcRules.FILE_UNREADABLE, file, offset, message, cause);
    }

    /// @param path of the file, null if it is not known
    /// @param mapped its size in bytes when it was mapped
    static UnreadableFileException of(Path path, long offset, long mapped, InternalError cause) {
        final StringBuilder text = new StringBuilder(IpcRules.FILE_UNREADABLE.description());
        text.append(": offset=").append(offset).append(", mapped=").append(mapped);
        if (path != null) {
            appendSize(path, text);
        }
        final String file = path == null ? null : path.toString();
        return new UnreadableFileException(file, offset, text.toString(), cause);
    }

    private static void appendSize(Path path, StringBuilder text) {
        try {
            text.append(", size=").append(Files.size(path));
        } catch (IOException | SecurityException _) {
            text.append(", and it is gone");
        }
    }
}
