// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.UnreadableFileException;
import dev.fletch.remote.errors.RangeException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;

/// Error texts for inputs that cannot be read.
public final class ReadFailure {
    private static final String SHORTENED =
            "could not be read to its end; it may have changed while it was read";

    private ReadFailure() {}

    /// Returns the text for a failure; null if it has another cause.
    public static String text(Throwable failure) {
        return switch (failure) {
            // A mapped file that was truncated after it was opened.
            case UnreadableFileException _ -> SHORTENED;
            case InternalError _ -> SHORTENED;
            case UncheckedIOException e -> text(e.getCause());
            case RangeException e when e.getMessage().startsWith(e.source() + ": ") ->
                    e.getMessage().substring(e.source().length() + 2);
            case InvalidPathException e -> FileName.text(e);
            case IOException e -> reason(e, "no such file");
            default -> null;
        };
    }

    /// Returns the text for a failure to read or write a file, without its path.
    ///
    /// @param missing the text if the file, or the folder of a file to write, does not exist
    public static String reason(IOException failure, String missing) {
        return switch (failure) {
            case NoSuchFileException _ -> missing;
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            case IOException e when e.getMessage() != null -> e.getMessage();
            default -> failure.getClass().getSimpleName();
        };
    }
}
