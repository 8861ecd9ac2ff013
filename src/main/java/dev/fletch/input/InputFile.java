// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.input.InputBytes.Watcher;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// One of the inputs of a command.
///
/// @param name as it was given, or the path below a folder that was given
/// @param path of a file that was found in a folder, whose name may have bytes that no text has; null if
///     the name was given
/// @param failure why a folder cannot be read; null for an input that can be opened
public record InputFile(String name, Path path, IOException failure) {
    /// Opens the input.
    ///
    /// @param need what is read of a link's object
    public InputBytes open(Need need, Watcher watcher) throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            boolean isPath =
                    !name.isEmpty()
                            && !name.equals(InputBytes.STANDARD_INPUT)
                            && !Links.isLink(name);
            return path == null && !isPath
                    ? InputBytes.open(name, need, watcher)
                    : InputBytes.open(path == null ? Path.of(name) : path, watcher);
        } catch (FileNotFoundException e) {
            throw Files.isDirectory(Path.of(name))
                    ? new FileNotFoundException("is a directory; -r shows the files in it")
                    : e;
        }
    }
}
