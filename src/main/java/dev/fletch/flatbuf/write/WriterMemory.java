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
/// Places in the buffer are told by their distance from its end, so they stay what they are when the
/// memory is replaced by larger memory. Bytes in the room may be written before they count.
final class WriterMemory {
    /// The official verifiers refuse larger ones.
    private static final long MAX_BYTES = Integer.MAX_VALUE - 1;

    private static final long SMALLEST_GROWTH = 1024;

    private final MemoryRange target = new MemoryRange();

    /// Heap bytes to write to, null for any other memory.
    byte[] array;

    long start;
    long end;
    long at;
    private SegmentAllocator growth;

    /// Without memory there is no room.
    WriterMemory() {
        wrap(MemorySegment.ofArray(new byte[0]), 0, 0);
    }

    // ---- target

    void wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        checkWritable(memory.isReadOnly());
        target.wrap(memory, offset, length);
        begin();
    }

    void wrap(ByteBuffer buffer) {
        checkWritable(buffer.isReadOnly());
        target.wrap(buffer);
        begin();
    }

    private static void checkWritable(boolean readOnly) {
        if (readOnly) {
            throw new IllegalArgumentException("target is read-only");
        }
    }

    private void begin() {
        array = target.array;
        end = target.end;
        start = Math.max(target.start, end - MAX_BYTES);
        at = end;
    }

    void growWith(SegmentAllocator allocator) {
        growth = allocator;
    }

    // ---- result

    /// What was written, by the caller's own count.
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

    /// Makes sure that there is room for that many bytes.
    void require(long bytes) {
        if (!hasRoom(bytes)) {
            grow(bytes);
        }
    }

    private void grow(long bytes) {
        final long written = end - at;
        final long room = at - start;
        if (bytes > MAX_BYTES - written) {
            final String sizes = "written=" + written + ", more=" + bytes + ", limit=" + MAX_BYTES;
            throw new IllegalStateException("buffer would be too large: " + sizes);
        }
        if (growth == null) {
            throw new TargetTooSmallException(bytes - room, bytes, written, end - start);
        }
        final long doubled = Math.max(SMALLEST_GROWTH, 2 * (end - start));
        replaceTarget(Math.max(written + bytes, Math.min(doubled, MAX_BYTES)), written);
    }

    private void replaceTarget(long bytes, long written) {
        final MemorySegment larger = growth.allocate(bytes, Long.BYTES);
        if (larger.byteSize() < bytes) {
            throw new IllegalStateException(
                    "allocated too little: asked=" + bytes + ", got=" + larger.byteSize());
        }
        checkWritable(larger.isReadOnly());
        MemorySegment.copy(written(), 0, larger, larger.byteSize() - written, written);
        target.wrap(larger, 0, larger.byteSize());
        begin();
        at = end - written;
    }

    // ---- bytes

    /// Writes zeros; there is room for them.
    void pad(int bytes) {
        final long to = at - bytes;
        if (bytes <= Long.BYTES && at - start >= Long.BYTES) {
            if (bytes != 0) {
                Wire.setInt64(array, segment(), at - Long.BYTES, 0); // what is too many is room
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

    /// Writes a number; there is room for it. The other widths alike.
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

    /// Writes a number `before` bytes before what was written; it does not count. There is room for it.
    void set64(int before, long value) {
        Wire.setInt64(array, segment(), at - before, value);
    }

    /// Counts the bytes before what was written as written.
    void skip(int bytes) {
        at -= bytes;
    }

    void put64(long value) {
        at -= Long.BYTES;
        Wire.setInt64(array, segment(), at, value);
    }

    /// Overwrites a number, told by its distance from the end.
    void set32(int distance, int value) {
        Wire.setInt32(array, segment(), end - distance, value);
    }

    /// Reads a number, told by the distance of its first byte from the end.
    int get16(int distance) {
        return Wire.int16(array, segment(), end - distance);
    }

    /// Copies numbers in one go; there is room for them. None are copied to memory that may be none.
    void putAll(long[] numbers, int from, int count) {
        if (count != 0) {
            at -= (long) count << 3;
            target.put(at, numbers, from, count);
        }
    }

    void putAll(int[] numbers, int from, int count) {
        if (count != 0) {
            at -= (long) count << 2;
            target.put(at, numbers, from, count);
        }
    }

    void putAll(byte[] from, int offset, int bytes) {
        if (bytes != 0) {
            at -= bytes;
            target.put(at, from, offset, bytes);
        }
    }

    void putAll(Utf8Slice from) {
        final int bytes = from.length();
        if (array != null) {
            from.copyTo(array, (int) at - bytes);
        } else {
            from.copyTo(target.segment(), at - bytes);
        }
        at -= bytes;
    }

    /// Encodes a text in the bytes before the last one written if each of its characters takes one
    /// byte; they count only if this is so. Most texts are, and need be read only once.
    boolean putAscii(CharSequence text, int chars) {
        if (!Utf8.encodeAscii(text, array, segment(), at - chars, chars)) {
            return false;
        }
        at -= chars;
        return true;
    }

    /// Gives back the bytes that were written last.
    void backTo(int size) {
        at = end - size;
    }

    /// Encodes a text in the bytes before the last one written, which count only if it succeeds.
    void putText(CharSequence text, int bytes) {
        Utf8.encode(text, array, segment(), at - bytes, bytes);
        at -= bytes;
    }
}
