// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.input.InputBytes;
import dev.fletch.input.MessageSearch;
import dev.fletch.input.RecordedPipe;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Sequential access to bytes in memory or from a pipe. The rest of a pipe can be stored, and is then in memory.
final class ForwardBytes {
    private static final int FIRST_BYTES = 64 << 10;

    // Both null if all bytes from the current message on are in memory.
    private final InputBytes source;
    private RecordedPipe pipe;
    // The complete memory, or the bytes taken last from the pipe.
    private MemorySegment memory;
    private long end;
    private long offset;
    private long position;
    // Offset of the current message.
    private long start;

    // For a pipe: the bytes of the current message taken before, the bytes taken last and their
    // number, and room for skipped bytes.
    private final List<byte[]> passed = new ArrayList<>();
    private byte[] buffer;
    private int taken;
    private final byte[] scratch;

    private ForwardBytes(InputBytes source, MemorySegment memory, long start, long end) {
        this.source = source;
        this.pipe = source == null ? null : new RecordedPipe(source.pipe());
        this.memory = memory;
        this.offset = start;
        this.end = end;
        this.scratch = pipe == null ? null : new byte[FIRST_BYTES];
    }

    /// @param end end of the bytes in the memory
    static ForwardBytes of(MemorySegment memory, long start, long end) {
        return new ForwardBytes(null, memory, start, end);
    }

    /// @param source a pipe
    static ForwardBytes of(InputBytes source) {
        ForwardBytes bytes = new ForwardBytes(source, null, 0, 0);
        bytes.room(FIRST_BYTES);
        return bytes;
    }

    /// Begins a message, whose prefix and metadata can be read again by [#stored].
    void begin() {
        start = offset;
        taken = 0;
        passed.clear();
    }

    /// The memory of all bytes from the current message on. Stores the rest of a pipe.
    ///
    /// @return as large as the input; bytes before the message may be zeros
    MemorySegment stored() throws IOException {
        if (pipe != null) {
            passed.add(Arrays.copyOf(buffer, taken));
            passed.addAll(pipe.recorded());
            memory = source.keepRest(start, passed);
            end = memory.byteSize();
            pipe = null;
        }
        return memory;
    }

    /// Whether the bytes come from a pipe that is not stored.
    boolean isPipe() {
        return pipe != null;
    }

    /// Reads a pipe behind an end-of-stream marker.
    ///
    /// @return whether only zeros follow; else the pipe must be stored
    boolean takesOnlyZeros() throws IOException {
        pipe.record(true);
        boolean isZero = pipe.readZeros(MessageSearch.MOST_BEHIND_END);
        offset += isZero ? pipe.recordedBytes() : 0;
        return isZero;
    }

    /// Continues at another offset. Only after [#stored].
    void seek(long to) {
        offset = to;
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
        if (taken > 0 && pipe != null) {
            passed.add(Arrays.copyOf(buffer, taken));
        }
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
