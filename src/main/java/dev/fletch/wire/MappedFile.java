// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import dev.fletch.events.Events;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/// Maps files into memory. All exceptions name the file, unlike some of the JDK's.
public final class MappedFile {
    private MappedFile() {}

    /// Maps a complete file for the lifetime of an arena.
    ///
    /// @throws IOException also if the file system cannot map files, such as that of a zip
    public static MemorySegment map(
            Path path, Set<? extends OpenOption> how, MapMode mode, Arena arena)
            throws IOException {
        Object event = Events.mappingBegins();
        try (FileChannel channel = FileChannel.open(path, how)) {
            MemorySegment mapped = channel.map(mode, 0, channel.size(), arena);
            if (event != null) {
                Events.fileMapped(event, path.toString(), mapped.byteSize());
            }
            return mapped;
        } catch (FileSystemException e) {
            throw e;
        } catch (UnsupportedOperationException e) {
            throw named(path, "its file system cannot map files", e);
        } catch (IOException e) {
            throw named(path, Files.isDirectory(path) ? "is a directory" : e.getMessage(), e);
        }
    }

    private static FileSystemException named(Path path, String reason, Exception cause) {
        var named = new FileSystemException(path.toString(), null, reason);
        named.initCause(cause);
        return named;
    }
}
