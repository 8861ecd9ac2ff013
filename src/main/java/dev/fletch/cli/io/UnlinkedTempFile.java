// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file in the temporary folder that no name leads to: nothing of it is left, however the process
/// ends.
public final class UnlinkedTempFile {
    private static final String FOLDER_PROPERTY = "java.io.tmpdir";

    private UnlinkedTempFile() {}

    /// Creates an empty file, which is gone when the channel is closed.
    ///
    /// Where a file can lose its name while it is open, it does so here; elsewhere the system deletes
    /// it with the process' last handle.
    ///
    /// @return a channel to write to and to read from
    /// @throws IOException if there can be none, and why
    static FileChannel create() throws IOException {
        try {
            Path path = Files.createTempFile("fletch", null);
            return FileChannel.open(
                    path,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Says that it is the temporary folder that makes trouble, and which one that is.
    static IOException failed(IOException cause) {
        return new IOException(
                "cannot write to the temporary folder "
                        + System.getProperty(FOLDER_PROPERTY)
                        + ": "
                        + OutputFile.reason(cause),
                cause);
    }
}
