// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.wire.Growth;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Sequential access to the bytes of an input, in memory or from a pipe. The rest of a pipe can be
/// stored, and is then in memory.
public final class MessageBytes {
    private static final int FIRST_BYTES = 64 << 10;

    /// Stores the rest of a pipe.
    @FunctionalInterface
    public interface Store {
        /// Stores the rest at its offsets in the input. The bytes before may be zeros.
        ///
        /// @param offset of the rest
        /// @param first the first bytes of the rest, which were read before, in pieces
        /// @return memory as large as the input
        MemorySegment keepRest(long offset, List<byte[]> first) throws IOException;
    }

    // Both null if the bytes are in memory.
    private RecordedPipe pipe;
    private final Store store;
    // The complete memory, or the bytes taken last from the pipe.
    private MemorySegment memory;
    private long end;
    private long offset;
    private long position;
    // Offset of the current message.
    private long start;
    // For a pipe: the bytes taken last and their number, and room for skipped bytes.
    private byte[] buffer;
    private int taken;
    private byte[] scratch;

    private MessageBytes(
            MemorySegment memory, long start, long end, RecordedPipe pipe, Store store) {
        this.memory = memory;
        this.offset = start;
        this.end = end;
        this.pipe = pipe;
        this.store = store;
    }

    /// @param end end of the bytes in the memory
    public static MessageBytes of(MemorySegment memory, long start, long end) {
        return new MessageBytes(memory, start, end, null, null);
    }

    /// @param store called at most once
    public static MessageBytes of(InputStream pipe, Store store) {
        return new MessageBytes(null, 0, 0, new RecordedPipe(pipe), store);
    }

    /// Begins a message, which can be read again after [#stored].
    void begin() {
        start = offset;
        taken = 0;
        if (pipe != null) {
            pipe.record(true);
        }
    }

    /// The memory of all bytes from the current message on. Stores the rest of a pipe.
    ///
    /// @return as large as the input; bytes before the message may be zeros
    public MemorySegment stored() throws IOException {
        if (pipe != null) {
            memory = store.keepRest(start, pipe.recorded);
            end = memory.byteSize();
            pipe = null;
        }
        return memory;
    }

    /// Whether the bytes come from a pipe that is not stored.
    public boolean isPipe() {
        return pipe != null;
    }

    /// The pipe; null if the bytes are in memory. After reading from it, call [#seek].
    public RecordedPipe pipe() {
        return pipe;
    }

    /// Reads a pipe behind an end-of-stream marker.
    ///
    /// @return whether only zeros follow; else the pipe must be stored
    boolean takesOnlyZeros() throws IOException {
        byte[] piece = new byte[FIRST_BYTES];
        byte[] zeros = new byte[FIRST_BYTES];
        long found = 0;
        int read = 0;
        for (; read >= 0 && found < MessageFinder.MAX_ZEROS; found += Math.max(read, 0)) {
            read = pipe.read(piece, 0, FIRST_BYTES);
            if (read > 0 && !Arrays.equals(piece, 0, read, zeros, 0, read)) {
                return false;
            }
        }
        offset += found;
        return true;
    }

    /// Continues at another offset. Of a pipe, the bytes up to there have been read.
    public void seek(long to) {
        offset = to;
    }

    /// Offset of the next byte in the input.
    public long offset() {
        return offset;
    }

    /// Offset of the end in the input; 0 if unknown.
    public long end() {
        return end;
    }

    /// Takes the next bytes; they are then in [#memory] at [#position].
    ///
    /// @return number of bytes taken: less than `count` only at the end
    public int take(int count) throws IOException {
        position = pipe == null ? offset : 0;
        taken = 0;
        return takeMore(count);
    }

    /// Takes more bytes and appends them to the bytes taken last.
    ///
    /// @return number of bytes taken: less than `count` only at the end; 0 if all together do not
    ///     fit into an array
    public int takeMore(int count) throws IOException {
        if (pipe == null) {
            return (int) skip(count);
        }
        int before = taken;
        if (count > Integer.MAX_VALUE - before) {
            return 0;
        }
        if (buffer == null) {
            room(FIRST_BYTES);
        }
        int wanted = before + count;
        int read = 1;
        while (taken < wanted && read > 0) {
            if (taken == buffer.length) {
                room((int) Growth.size(taken, wanted, FIRST_BYTES));
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
    public MemorySegment memory() {
        return memory;
    }

    /// Position in [#memory] of the bytes taken last.
    public long position() {
        return position;
    }

    /// Takes the prefix of a message: see [MessagePrefix#read].
    public long takePrefix() throws IOException {
        int there = take(MessagePrefix.LEGACY_BYTES);
        long prefix = MessagePrefix.read(memory, position, there);
        boolean isMore = there == MessagePrefix.LEGACY_BYTES && prefix == MessagePrefix.CUT_OFF;
        there += isMore ? takeMore(MessagePrefix.BYTES - there) : 0;
        return isMore ? MessagePrefix.read(memory, position, there) : prefix;
    }

    /// Skips bytes, such as those of a body. Of a pipe, the current message cannot be read again
    /// then.
    ///
    /// @return number of bytes skipped: less than `count` only at the end
    public long skip(long count) throws IOException {
        long from = offset;
        if (pipe == null) {
            offset += Math.min(count, end - offset);
            return offset - from;
        }
        pipe.record(false);
        if (scratch == null) {
            scratch = new byte[FIRST_BYTES];
        }
        int read = 1;
        while (offset - from < count && read > 0) {
            long left = count - (offset - from);
            read = pipe.readNBytes(scratch, 0, (int) Math.min(left, scratch.length));
            offset += read;
        }
        return offset - from;
    }
}
