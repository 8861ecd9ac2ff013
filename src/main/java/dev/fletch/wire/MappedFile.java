// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import dev.fletch.events.Events;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Maps files into memory, or reads small ones. All exceptions name the file, unlike some of the
/// JDK's.
public final class MappedFile {
    /// Up to this size, reading a file takes half as long as mapping and unmapping it.
    private static final int SMALL_BYTES = 16 << 10;

    private static final int ALIGNMENT = 64;

    private MappedFile() {}

    /// Reads a small file into native memory, and maps any other; both read-only.
    ///
    /// @throws IOException also if the file system cannot map files, such as that of a zip
    public static MemorySegment readOrMap(Path path, Arena arena) throws IOException {
        return open(path, Set.of(StandardOpenOption.READ), MapMode.READ_ONLY, arena, SMALL_BYTES);
    }

    /// Maps a complete file for the lifetime of an arena.
    ///
    /// @throws IOException also if the file system cannot map files, such as that of a zip
    public static MemorySegment map(
            Path path, Set<? extends OpenOption> how, MapMode mode, Arena arena)
            throws IOException {
        return open(path, how, mode, arena, -1);
    }

    /// @param limit bytes of a file that is read
    private static MemorySegment open(
            Path path, Set<? extends OpenOption> how, MapMode mode, Arena arena, long limit)
            throws IOException {
        Object event = Events.mappingBegins();
        try (FileChannel channel = FileChannel.open(path, how)) {
            long size = channel.size();
            if (size <= limit) {
                return read(channel, size, arena);
            }
            MemorySegment mapped = channel.map(mode, 0, size, arena);
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

    private static MemorySegment read(FileChannel channel, long size, Arena arena)
            throws IOException {
        MemorySegment all = arena.allocate(size, ALIGNMENT);
        ByteBuffer bytes = all.asByteBuffer();
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes);
        }
        return all.asSlice(0, bytes.position()).asReadOnly();
    }

    private static FileSystemException named(Path path, String reason, Exception cause) {
        var named = new FileSystemException(path.toString(), null, reason);
        named.initCause(cause);
        return named;
    }
}
