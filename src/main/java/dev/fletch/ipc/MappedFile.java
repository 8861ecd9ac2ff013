// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Maps files, and names them where that fails: some of what the JDK throws does not.
final class MappedFile {
    private MappedFile() {}

    /// Maps all of a file, to be read, for as long as an arena lives.
    static MemorySegment map(Path path, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            final String reason = Files.isDirectory(path) ? "is a directory" : e.getMessage();
            final var named = new FileSystemException(path.toString(), null, reason);
            named.initCause(e);
            throw named;
        }
    }
}
