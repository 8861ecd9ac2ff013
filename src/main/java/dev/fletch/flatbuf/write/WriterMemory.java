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
/// Positions in the buffer are distances from its end, which stay valid when larger memory replaces
/// the target. Bytes of the room may be overwritten at any time.
final class WriterMemory {
    /// The official verifiers reject larger buffers.
    private static final long MAX_BYTES = Integer.MAX_VALUE - 1;

    private static final long SMALLEST_GROWTH = 1024;

    private static final SegmentAllocator HEAP =
            (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

    private final MemoryRange target = new MemoryRange();

    /// Heap bytes to write to; null for any other memory.
    byte[] array;

    long start;
    long end;
    long at;
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

    private void clear() {
        array = target.array;
        end = target.end;
        start = Math.max(target.start, end - MAX_BYTES);
        at = end;
    }

    void growWith(SegmentAllocator allocator) {
        growth = allocator;
    }

    // ---- result

    /// Returns the start of the written bytes in the caller's segment or buffer.
    long offset() {
        return target.offsetOf(at);
    }

    MemorySegment written() {
        return target.slice(at, size());
    }

    MemorySegment whole() {
        return target.whole();
    }

    int size() {
        return (int) (end - at);
    }

    // ---- room

    boolean hasRoom(long bytes) {
        return bytes <= at - start;
    }

    /// Makes room for a number of bytes.
    void require(long bytes) {
        if (!hasRoom(bytes)) {
            grow(bytes);
        }
    }

    private void grow(long bytes) {
        long written = end - at;
        if (bytes > MAX_BYTES - written) {
            String sizes = "written=" + written + ", more=" + bytes + ", limit=" + MAX_BYTES;
            throw new IllegalStateException("buffer too large: " + sizes);
        }
        if (growth == null) {
            throw new TargetTooSmallException(bytes, written, end - start);
        }
        long doubled = Math.max(SMALLEST_GROWTH, 2 * (end - start));
        long needed = Math.max(written + bytes, Math.min(doubled, MAX_BYTES));
        MemorySegment larger = growth.allocate(needed, Long.BYTES);
        long allocated = larger.byteSize();
        if (allocated < needed) {
            throw new IllegalStateException(
                    "allocated memory too small: needed=" + needed + ", allocated=" + allocated);
        }
        MemoryRange.requireWritable(larger.isReadOnly());
        MemorySegment.copy(written(), 0, larger, allocated - written, written);
        target.wrap(larger, 0, allocated);
        clear();
        at = end - written;
    }

    // ---- bytes

    /// Writes zeros. The caller has made room.
    void pad(int bytes) {
        long to = at - bytes;
        if (bytes <= Long.BYTES && at - start >= Long.BYTES) {
            if (bytes != 0) { // more than needed goes to the room
                Wire.setInt64(array, segment(), at - Long.BYTES, 0);
            }
        } else {
            for (long p = to; p < at; p++) {
                Wire.setInt8(array, segment(), p, (byte) 0);
            }
        }
        at = to;
    }

    MemorySegment segment() {
        return array == null ? target.segment() : null;
    }

    /// Writes a number, as do the other widths. The caller has made room.
    void put8(int value) {
        at -= Byte.BYTES;
        Wire.setInt8(array, segment(), at, (byte) value);
    }

    void put16(int value) {
        at -= Short.BYTES;
        Wire.setInt16(array, segment(), at, (short) value);
    }

    void put32(int value) {
        at -= Integer.BYTES;
        Wire.setInt32(array, segment(), at, value);
    }

    /// Writes a number into the room, `before` bytes before the written bytes.
    void set64(int before, long value) {
        Wire.setInt64(array, segment(), at - before, value);
    }

    /// Adds bytes of the room to the written bytes.
    void skip(int bytes) {
        at -= bytes;
    }

    void put64(long value) {
        at -= Long.BYTES;
        Wire.setInt64(array, segment(), at, value);
    }

    /// Overwrites a number at a distance from the end.
    void set32(int distance, int value) {
        Wire.setInt32(array, segment(), end - distance, value);
    }

    /// Copies numbers with one copy. The caller has made room.
    void putAll(long[] numbers, int from, int count) {
        at -= (long) count << 3;
        target.put(at, numbers, from, count);
    }

    void putAll(int[] numbers, int from, int count) {
        at -= (long) count << 2;
        target.put(at, numbers, from, count);
    }

    void putAll(byte[] bytes, int from, int count) {
        at -= count;
        target.put(at, bytes, from, count);
    }

    void putAll(Utf8Slice from) {
        int bytes = from.length();
        if (array != null) {
            from.copyTo(array, (int) at - bytes);
        } else {
            from.copyTo(target.segment(), at - bytes);
        }
        at -= bytes;
    }

    /// Encodes a text before the written bytes. Adds nothing if it throws.
    void putText(CharSequence text, int bytes) {
        Utf8.encode(text, array, segment(), at - bytes, bytes);
        at -= bytes;
    }
}
