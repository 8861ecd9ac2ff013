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

/// A file in native memory: mapped, or read if it is small. Exceptions name the file, unlike some
/// of the JDK's.
///
/// @param memory all bytes, read-only
/// @param arena unmaps them; null if the garbage collector frees them
public record MappedFile(MemorySegment memory, Arena arena) implements AutoCloseable {
    /// Up to this size, reading a file takes less than half as long as mapping and unmapping it.
    private static final int SMALL_BYTES = 32 << 10;

    private static final int ALIGNMENT = 64;

    /// Reads a small file, which the garbage collector frees, and maps any other: for any thread.
    ///
    /// @throws IOException also if the file system cannot map files, such as that of a zip
    public static MappedFile open(Path path) throws IOException {
        return readOrMap(path, null);
    }

    /// Reads a small file into native memory, and maps any other.
    ///
    /// @param arena null as in [#open]
    public static MappedFile readOrMap(Path path, Arena arena) throws IOException {
        var how = Set.of(StandardOpenOption.READ);
        return open(path, how, MapMode.READ_ONLY, arena, SMALL_BYTES);
    }

    /// Maps a complete file for the lifetime of an arena.
    ///
    /// @throws IOException also if the file system cannot map files, such as that of a zip
    public static MemorySegment map(
            Path path, Set<? extends OpenOption> how, MapMode mode, Arena arena)
            throws IOException {
        return open(path, how, mode, arena, -1).memory;
    }

    /// @param limit bytes of a file that is read
    private static MappedFile open(
            Path path, Set<? extends OpenOption> how, MapMode mode, Arena given, long limit)
            throws IOException {
        Object event = Events.mappingBegins();
        try (FileChannel channel = FileChannel.open(path, how)) {
            long size = channel.size();
            if (size <= limit) {
                return new MappedFile(read(channel, size, given), given);
            }
            Arena arena = given == null ? Arena.ofShared() : given;
            MemorySegment mapped = channel.map(mode, 0, size, arena);
            if (event != null) {
                Events.fileMapped(event, path.toString(), mapped.byteSize());
            }
            return new MappedFile(mapped, arena);
        } catch (FileSystemException e) {
            throw e;
        } catch (UnsupportedOperationException e) {
            throw named(path, "its file system cannot map files", e);
        } catch (IOException e) {
            throw named(path, Files.isDirectory(path) ? "is a directory" : e.getMessage(), e);
        }
    }

    private static MemorySegment read(FileChannel channel, long size, Arena given)
            throws IOException {
        Arena arena = given == null ? Arena.ofAuto() : given;
        MemorySegment all = arena.allocate(size, ALIGNMENT);
        ByteBuffer bytes = all.asByteBuffer();
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes);
        }
        return all.asSlice(0, bytes.position()).asReadOnly();
    }

    /// Unmaps. Does nothing the second time.
    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }

    private static FileSystemException named(Path path, String reason, Exception cause) {
        var named = new FileSystemException(path.toString(), null, reason);
        named.initCause(cause);
        return named;
    }
}
