// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.wire.Wire;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Sequential access to bytes in memory or from a pipe.
final class ForwardBytes {
    private static final int FIRST_BYTES = 64 << 10;

    // Null if all bytes are in memory.
    private final InputStream pipe;
    // The complete memory, or the bytes taken last from the pipe.
    private MemorySegment memory;
    private final long end;
    private long offset;
    private long position;

    // For a pipe: the taken bytes, their number, and room for skipped bytes.
    private byte[] buffer;
    private int taken;
    private final byte[] scratch;

    private ForwardBytes(InputStream pipe, MemorySegment memory, long start, long end) {
        this.pipe = pipe;
        this.memory = memory;
        this.offset = start;
        this.end = end;
        this.scratch = pipe == null ? null : new byte[FIRST_BYTES];
    }

    /// @param end end of the bytes in the memory
    static ForwardBytes of(MemorySegment memory, long start, long end) {
        return new ForwardBytes(null, memory, start, end);
    }

    static ForwardBytes of(InputStream pipe) {
        ForwardBytes bytes = new ForwardBytes(pipe, null, 0, 0);
        bytes.room(FIRST_BYTES);
        return bytes;
    }

    /// Offset of the next byte in the input.
    long offset() {
        return offset;
    }

    /// Offset of the end in the input; 0 if unknown.
    long end() {
        return end;
    }

    /// Takes the next bytes; they are then in [#memory] at [#position].
    ///
    /// @return number of bytes taken: less than `count` only at the end
    int take(int count) throws IOException {
        position = pipe == null ? offset : 0;
        taken = 0;
        return takeMore(count);
    }

    /// Takes more bytes and appends them to the bytes taken last.
    ///
    /// @return number of bytes taken: less than `count` only at the end; 0 if all together do not fit into
    ///     an array
    int takeMore(int count) throws IOException {
        if (pipe == null) {
            return (int) skip(count);
        }
        int before = taken;
        if (count > Integer.MAX_VALUE - before) {
            return 0;
        }
        int wanted = before + count;
        int read = 1;
        // The buffer grows with the bytes that arrive, not with the requested count.
        while (taken < wanted && read > 0) {
            if (taken == buffer.length) {
                room((int) Math.min(wanted, 2L * taken));
            }
            read = pipe.readNBytes(buffer, taken, Math.min(wanted, buffer.length) - taken);
            taken += read;
            offset += read;
        }
        return taken - before;
    }

    private void room(int bytes) {
        buffer = buffer == null ? new byte[bytes] : Arrays.copyOf(buffer, bytes);
        memory = MemorySegment.ofArray(buffer);
    }

    /// The memory of the bytes taken last.
    MemorySegment memory() {
        return memory;
    }

    /// Position in [#memory] of the bytes taken last.
    long position() {
        return position;
    }

    /// The first four of the bytes taken last, as a little-endian integer.
    int word() {
        return Wire.int32(memory, position);
    }

    /// Skips bytes.
    ///
    /// @return number of bytes skipped: less than `count` only at the end
    long skip(long count) throws IOException {
        long from = offset;
        if (pipe == null) {
            offset += Math.min(count, end - offset);
        } else {
            int read = 1;
            while (offset - from < count && read > 0) {
                long left = count - (offset - from);
                read = pipe.readNBytes(scratch, 0, (int) Math.min(left, scratch.length));
                offset += read;
            }
        }
        return offset - from;
    }
}
