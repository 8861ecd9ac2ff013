// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.remote.HttpOptions;

import java.io.IOException;
import java.nio.file.Path;

/// One of the inputs of a command.
///
/// @param name the argument, or the path of a file found in a folder
/// @param path path of a file found in a folder, whose name may have bytes that `name` cannot
///     represent; null for an argument
/// @param failure why a folder cannot be read; null otherwise
public record InputFile(String name, Path path, IOException failure) {
    /// Opens the input: see [InputBytes#open].
    ///
    /// @throws java.io.FileNotFoundException if it is a folder
    public InputBytes open(Need need, HttpOptions http, Runnable beforePipe) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (path != null) {
            FileName.requireDecoded(path);
        }
        return path == null
                ? InputBytes.open(name, need, http, beforePipe)
                : InputBytes.open(path, beforePipe);
    }
}
