// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The memory that a [FlatBufferWriter] writes to: a range that fills from its end to its start.
///
/// ```text
///   start                  at                          end
///     │   room              │   written: size() bytes   │
/// ```
///
/// All bytes are stored in an array: in the target's own, if it has one, or in a window, a reused
/// array with the newest bytes, which is copied to the target when it is full and when the buffer
/// is finished. So code that writes is the same for all memory, and a number costs one check. The
/// last bytes before the start of a heap target go through the window, too: below the room it has
/// [#SCRATCH] more bytes.
///
/// Positions in the buffer are distances from its end, which stay valid when the window moves and
/// when larger memory replaces the target. Bytes of the room may be overwritten at any time.
final class WriterMemory {
    /// Bytes that can be stored before any object. A table without structs needs at most 147 with
    /// its vtable, and a store of 8 bytes may begin up to 7 bytes earlier.
    static final int SCRATCH = 160;

    /// The official verifiers reject larger buffers.
    private static final long MAX_BYTES = Integer.MAX_VALUE - 1;

    private static final long SMALLEST_GROWTH = 1024;
    private static final int WINDOW_BYTES = 4096;

    /// Fewer bytes go through the window.
    private static final int LARGE_BYTES = Long.BYTES * Wire.FEW_LONGS;

    private static final SegmentAllocator HEAP =
            (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

    private final MemoryRange target = new MemoryRange();

    /// The bytes to write to: the target's or the window.
    byte[] array;

    /// Index of the first written byte.
    int at;

    /// Index of the end; beyond the window's, and possibly negative, if bytes have left it.
    int end;

    /// Index of the room's start.
    private int low;

    private byte[] window = {};

    /// Written bytes that have left the window.
    private int copied;

    private SegmentAllocator growth;

    /// Creates an empty range of heap memory, which grows.
    WriterMemory() {
        wrap(MemorySegment.ofArray(new byte[0]), 0, 0);
        growth = HEAP;
    }

    // ---- target

    void wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        MemoryRange.requireWritable(memory.isReadOnly());
        target.wrap(memory, offset, length);
        begin();
    }

    void wrap(ByteBuffer buffer) {
        MemoryRange.requireWritable(buffer.isReadOnly());
        target.wrap(buffer);
        begin();
    }

    /// Sets a target of the caller, which grows only by an allocator of the caller.
    private void begin() {
        if (growth == HEAP) {
            growth = null;
        }
        clear();
    }

    /// Drops all written bytes.
    void clear() {
        copied = 0;
        if (target.array != null) {
            writeTo(target.array, (int) target.end, 0);
        } else {
            writeTo(window, window.length, 0);
        }
    }

    /// Writes to an array from now on.
    ///
    /// @param position where the written bytes begin, or would
    private void writeTo(byte[] bytes, int position, int written) {
        array = bytes;
        at = position;
        end = position + written;
        low = (int) Math.max(bytes == window ? SCRATCH : target.start, position - room());
    }

    void growWith(SegmentAllocator allocator) {
        growth = allocator;
    }

    // ---- result

    /// Copies the bytes of the window to the target.
    void flush() {
        if (array == window) {
            int size = size();
            target.put(target.end - size, window, at, size - copied);
            copied = size;
        }
    }

    /// Returns the start of the written bytes in the caller's segment or buffer.
    long offset() {
        return target.offsetOf(target.end - size());
    }

    MemorySegment written() {
        return target.slice(target.end - size(), size());
    }

    MemorySegment whole() {
        return target.whole();
    }

    int size() {
        return end - at;
    }

    // ---- room

    private long capacity() {
        return Math.min(target.end - target.start, MAX_BYTES);
    }

    private long room() {
        return capacity() - size();
    }

    /// Returns whether there is room for a number of bytes, and [#SCRATCH] before them.
    boolean hasRoom(long bytes) {
        return bytes <= at - low - SCRATCH;
    }

    /// Returns whether the room was not exceeded by an object that needed no room of its own.
    boolean isInside() {
        return at >= low;
    }

    /// Makes room for a number of bytes.
    void require(long bytes) {
        if (!hasRoom(bytes)) {
            makeRoom(bytes);
        }
    }

    private void makeRoom(long bytes) {
        if (bytes > room()) {
            grow(bytes, size());
        }
        flush();
        moveTo(size(), bytes);
    }

    /// Writes on to the target's array, or to the window.
    ///
    /// @param size of the buffer, which the target has
    /// @param bytes for which there is room in the target
    private void moveTo(int size, long bytes) {
        if (target.array != null && capacity() - size - bytes >= SCRATCH) {
            writeTo(target.array, (int) target.end - size, size);
            return;
        }
        long length = bytes + 2 * SCRATCH;
        if (length > window.length) {
            if (length > Wire.LONGEST_ARRAY) {
                throw tooLarge(bytes, size, Wire.LONGEST_ARRAY);
            }
            window = new byte[(int) Math.max(length, WINDOW_BYTES)];
        }
        copied = size;
        writeTo(window, window.length, size);
    }

    /// Makes the target larger for an object that is already in the window.
    ///
    /// @param size of the buffer before it
    void complete(int size) {
        grow(size() - size, size);
        writeTo(window, at, size());
    }

    /// @param written of them, those in the window are not copied
    private void grow(long bytes, int written) {
        if (bytes > MAX_BYTES - written) {
            throw tooLarge(bytes, written, MAX_BYTES);
        }
        long capacity = target.end - target.start;
        if (growth == null) {
            throw new TargetTooSmallException(bytes, written, capacity);
        }
        long doubled = Math.max(SMALLEST_GROWTH, 2 * capacity);
        long needed = Math.max(written + bytes, Math.min(doubled, MAX_BYTES));
        MemorySegment larger = growth.allocate(needed, Long.BYTES);
        long allocated = larger.byteSize();
        if (allocated < needed) {
            throw new IllegalStateException(
                    "allocated memory too small: needed=" + needed + ", allocated=" + allocated);
        }
        MemoryRange.requireWritable(larger.isReadOnly());
        long old = array == window ? copied : written;
        MemorySegment.copy(target.slice(target.end - old, old), 0, larger, allocated - old, old);
        target.wrap(larger, 0, allocated);
    }

    private static IllegalStateException tooLarge(long bytes, long written, long limit) {
        String sizes = "written=" + written + ", more=" + bytes + ", limit=" + limit;
        return new IllegalStateException("buffer too large: " + sizes);
    }

    // ---- bytes

    /// Writes zeros. The caller has made room.
    void pad(int bytes) {
        int to = at - bytes;
        for (int p = at; p > to; p -= Long.BYTES) { // more than needed goes to the room
            Wire.setInt64(array, null, p - Long.BYTES, 0);
        }
        at = to;
    }

    /// Writes a number of 1, 2, 4 or 8 bytes, and zeros before it, which the next bytes overwrite.
    /// The caller has made room.
    void put(int bytes, long value) {
        at -= bytes;
        set(size(), bytes, value);
    }

    /// [#put] at a distance from the end.
    void set(int distance, int bytes, long value) {
        int position = end - distance + bytes - Long.BYTES;
        Wire.setInt64(array, null, position, value << -bytes * Byte.SIZE); // counts are modulo 64
    }

    /// Overwrites a 32-bit number at a distance from the end.
    void set32(int distance, int value) {
        Wire.setInt32(array, null, end - distance, value);
    }

    /// Adds bytes of the room to the written bytes.
    void skip(int bytes) {
        at -= bytes;
    }

    /// Returns whether so many bytes are copied to the target at once, by [#putLarge].
    boolean isLarge(long bytes) {
        return bytes > LARGE_BYTES && array == window;
    }

    /// Makes room for a vector of numbers, and writes them after some zeros.
    void putLarge(int padding, long[] numbers, int from, int count) {
        long bytes = (long) count << 3;
        long all = padding + bytes + Wire.OFFSET_BYTES;
        if (all > room()) {
            grow(all, size());
        }
        require(padding);
        pad(padding);
        flush();
        int size = size() + (int) bytes;
        target.put(target.end - size, numbers, from, count);
        moveTo(size, Wire.OFFSET_BYTES);
    }

    /// Copies numbers. The caller has made room.
    void putAll(long[] numbers, int from, int count) {
        at -= count << 3;
        if (array == window) {
            Wire.setInt64s(window, at, numbers, from, count);
        } else {
            target.put(at, numbers, from, count);
        }
    }

    void putAll(byte[] bytes, int from, int count) {
        at -= count;
        System.arraycopy(bytes, from, array, at, count);
    }

    void putAll(Utf8Slice from) {
        at -= from.length();
        from.copyTo(array, at);
    }

    /// Encodes a text before the written bytes. Adds nothing if it throws.
    void putText(CharSequence text, int bytes) {
        Utf8.encode(text, array, null, at - bytes, bytes);
        at -= bytes;
    }
}
