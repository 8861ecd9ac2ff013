// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.ipc.ArrowContainer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;

/// The bytes of something that was named on the command line: a file, mapped, or what gives its
/// bytes only once, such as a pipe. That can be kept, and is like a file from then on.
public final class InputBytes implements AutoCloseable {
    /// The name that stands for standard input.
    public static final String STANDARD_INPUT = "-";

    private static final int PIECE_BYTES = 64 << 10;
    // What is kept in memory; more goes to a temporary file.
    private static final int KEPT_BYTES = 1 << 20;

    // All of a file; null for a pipe.
    private MemorySegment memory;
    // What unmaps the memory; null where nothing is mapped.
    private Arena owner;
    // Null for a file.
    private final InputStream pipe;
    // Null unless more of a pipe was kept than memory should hold.
    private FileChannel kept;

    private InputBytes(MemorySegment memory, Arena owner, InputStream pipe) {
        this.memory = memory;
        this.owner = owner;
        this.pipe = pipe;
    }

    public static InputBytes open(String name) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return of(System.in);
        }
        if (name.isEmpty()) {
            throw new NoSuchFileException(name); // to Java it is the working folder
        }
        Path path = Path.of(name);
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        if (found.isRegularFile()) {
            return found.size() == 0 ? sizeless(path) : map(path);
        }
        if (found.isDirectory()) {
            throw new FileNotFoundException("is a directory");
        }
        // A named pipe or a device: neither has a size.
        return of(Files.newInputStream(path));
    }

    /// What lies in memory already.
    public static InputBytes of(MemorySegment memory) {
        return new InputBytes(memory, null, null);
    }

    /// What comes only once.
    public static InputBytes of(InputStream pipe) {
        return new InputBytes(null, null, pipe);
    }

    private static InputBytes map(Path path) throws IOException {
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(path)) {
            return new InputBytes(
                    channel.map(MapMode.READ_ONLY, 0, channel.size(), arena), arena, null);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /// An empty file, or one whose size nobody knows before it is read, as those of `/proc`.
    private static InputBytes sizeless(Path path) throws IOException {
        PushbackInputStream pipe = new PushbackInputStream(Files.newInputStream(path));
        try {
            int first = pipe.read();
            if (first >= 0) {
                pipe.unread(first);
                return of(pipe);
            }
        } catch (Throwable e) {
            pipe.close();
            throw e;
        }
        pipe.close();
        return of(MemorySegment.ofArray(new byte[0]));
    }

    /// What to call an input by this name.
    public static String title(String name) {
        return switch (name) {
            case STANDARD_INPUT -> "standard input";
            case "" -> "''";
            default -> name;
        };
    }

    /// As [MemorySegment#mismatch], for bytes that may be mapped: copies are compared, piece by piece.
    /// The JVM's own comparison crashes where a file has lost its end since it was mapped; a copy
    /// ends in an [InternalError].
    public static long mismatch(MemorySegment a, MemorySegment b) {
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

    /// Whether the bytes come only once. Not so once they are kept.
    public boolean isPipe() {
        return memory == null;
    }

    /// Null for a file.
    public InputStream pipe() {
        return pipe;
    }

    /// Reads what tells of a pipe what it is.
    public byte[] leading() throws IOException {
        byte[] leading = new byte[ArrowContainer.LEADING_BYTES];
        return Arrays.copyOf(leading, pipe.readNBytes(leading, 0, leading.length));
    }

    /// All bytes; null for a pipe that is not kept.
    public MemorySegment memory() {
        return memory;
    }

    /// Reads a pipe to its end, and has it in [#memory] from then on; nothing to do for a file. More
    /// than memory should hold is in a temporary file.
    ///
    /// @param leading what was read of the pipe before
    /// @throws IOException if the pipe fails or there is no room for it
    public void keep(byte[] leading) throws IOException {
        if (!isPipe()) {
            return;
        }
        byte[] first = Arrays.copyOf(leading, KEPT_BYTES);
        int rest = KEPT_BYTES - leading.length;
        int length = leading.length + pipe.readNBytes(first, leading.length, rest);
        if (length < KEPT_BYTES) {
            memory = MemorySegment.ofArray(Arrays.copyOf(first, length));
            return;
        }
        kept = UnlinkedTempFile.create();
        for (int read = length; read >= 0; read = pipe.read(first)) {
            append(ByteBuffer.wrap(first, 0, read));
            Progress.reached(kept.size(), 0);
        }
        owner = Arena.ofConfined();
        memory = kept.map(MapMode.READ_ONLY, 0, kept.size(), owner);
    }

    private void append(ByteBuffer piece) throws IOException {
        try {
            while (piece.hasRemaining()) {
                kept.write(piece);
            }
        } catch (IOException e) {
            throw UnlinkedTempFile.failed(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (owner != null) {
            owner.close(); // first: what is mapped cannot be deleted everywhere
        }
        if (kept != null) {
            kept.close();
        }
        if (pipe != null && pipe != System.in) {
            pipe.close(); // standard input belongs to the process
        }
    }
}
