// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/// The bytes of something that was named on the command line: a file, mapped, or what gives its
/// bytes only once, such as a pipe.
///
/// @param memory all of a file; null for a pipe
/// @param owner what unmaps it; null for a pipe
/// @param pipe null for a file
record InputBytes(MemorySegment memory, Arena owner, InputStream pipe) implements AutoCloseable {
    /// The name that stands for standard input.
    static final String STANDARD_INPUT = "-";

    private static final int PIECE_BYTES = 64 << 10;

    static InputBytes open(String name) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return new InputBytes(null, null, System.in);
        }
        Path path = Path.of(name);
        if (Files.isRegularFile(path)) {
            return map(path);
        }
        if (Files.isDirectory(path)) {
            throw new FileNotFoundException("is a directory");
        }
        if (!Files.exists(path)) {
            throw new NoSuchFileException(name);
        }
        // A named pipe or a device: neither has a size.
        return new InputBytes(null, null, Files.newInputStream(path));
    }

    static InputBytes map(Path path) throws IOException {
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(path)) {
            return new InputBytes(
                    channel.map(MapMode.READ_ONLY, 0, channel.size(), arena), arena, null);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /// What to call an input by this name.
    static String title(String name) {
        return name.equals(STANDARD_INPUT) ? "standard input" : name;
    }

    /// As [MemorySegment#mismatch], for bytes that may be mapped: copies are compared, piece by piece.
    /// The JVM's own comparison crashes where a file has lost its end since it was mapped; a copy
    /// ends in an [InternalError].
    static long mismatch(MemorySegment a, MemorySegment b) {
        long size = Math.min(a.byteSize(), b.byteSize());
        for (long at = 0; at < size; at += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, size - at);
            int found = Arrays.mismatch(piece(a, at, length), piece(b, at, length));
            if (found >= 0) {
                return at + found;
            }
        }
        return a.byteSize() == b.byteSize() ? -1 : size;
    }

    private static byte[] piece(MemorySegment from, long at, long length) {
        return from.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    boolean isPipe() {
        return pipe != null;
    }

    @Override
    public void close() throws IOException {
        if (owner != null) {
            owner.close();
        } else if (pipe != System.in) {
            pipe.close(); // standard input belongs to the process
        }
    }
}
