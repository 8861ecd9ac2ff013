// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Memory that a buffer of known shape is put into, piece by piece: what templates write through. To
/// build a buffer, there is [FlatBufferWriter].
///
/// Places are counted from the first byte of the range that was wrapped. Nothing outside that range
/// is written to.
///
/// **Allocation.** At most when another segment or byte buffer is wrapped than the last time.
///
/// **Threads.** It belongs to one thread at a time.
public final class BufferTarget {
    private final MemoryRange target = new MemoryRange();

    /// Heap bytes to write to, null for any other memory.
    private byte[] array;

    /// The memory for bulk copies, its size, and the buffer that it is of, if it is of one.
    private MemorySegment bulk;

    private long bulkBytes;
    private ByteBuffer bulkOf;

    /// What a position is ahead of an offset in that memory, and of the caller's own count.
    private long bulkBias;

    private long bias;

    /// Position of the range's first byte, and its length.
    private long start;

    private long length;

    /// Creates a target that has no memory yet.
    public BufferTarget() {}

    /// Takes a range of a segment.
    ///
    /// @param memory any kind of memory that can be written to
    /// @param offset first byte of the range
    /// @param bytes how many bytes are to be written, which is the range's length
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws TargetTooSmallException if there are fewer bytes
    /// @throws IllegalArgumentException if `memory` is read-only, or `bytes` negative
    public void wrap(MemorySegment memory, long offset, long bytes) {
        if (bulk != memory || bulkOf != null) {
            attach(memory);
        }
        Objects.checkFromToIndex(offset, bulkBytes, bulkBytes);
        range(offset, bytes, bulkBytes - offset);
    }

    /// Takes a range from a buffer's position on; position and limit stay as they are, and its byte
    /// order plays no part.
    ///
    /// @param buffer any kind of buffer that can be written to
    /// @param bytes how many bytes are to be written, which is the range's length
    /// @throws TargetTooSmallException if there are fewer bytes before the limit
    /// @throws IllegalArgumentException if `buffer` is read-only, or `bytes` negative
    public void wrap(ByteBuffer buffer, long bytes) {
        if (bulkOf != buffer) {
            attach(buffer);
        }
        range(buffer.position(), bytes, buffer.remaining());
    }

    private void attach(MemorySegment memory) {
        checkWritable(memory.isReadOnly());
        target.wrap(memory, 0, 0);
        attach(memory, null);
        bulkBias = bias;
    }

    private void attach(ByteBuffer buffer) {
        checkWritable(buffer.isReadOnly());
        target.wrap(buffer);
        final byte[] bytes = target.array;
        attach(bytes == null ? target.segment() : MemorySegment.ofArray(bytes), buffer);
        bulkBias = 0;
    }

    private void attach(MemorySegment memory, ByteBuffer of) {
        bulk = memory;
        bulkBytes = memory.byteSize();
        bulkOf = of;
        array = target.array;
        bias = target.start - target.offsetOf(target.start);
        length = 0; // until there is a range in it
    }

    private void range(long offset, long bytes, long room) {
        checkRoom(bytes, room);
        start = bias + offset;
        length = bytes;
    }

    private static void checkRoom(long bytes, long room) {
        if (bytes < 0) {
            throw new IllegalArgumentException("negative length: bytes=" + bytes);
        }
        if (bytes > room) {
            throw new TargetTooSmallException(bytes - room, bytes, 0, room);
        }
    }

    private static void checkWritable(boolean readOnly) {
        if (readOnly) {
            throw new IllegalArgumentException("target is read-only");
        }
    }

    /// The position of a place, all of whose bytes are in the range.
    private long position(long at, long bytes) {
        return start + Objects.checkFromIndexSize(at, bytes, length);
    }

    private MemorySegment segment() {
        return array == null ? target.segment() : null;
    }

    /// Puts a 64-bit number.
    ///
    /// @param at the place of its first byte
    /// @param value the number
    /// @throws IndexOutOfBoundsException if it does not lie in the range
    public void putInt64(long at, long value) {
        Wire.setInt64(array, segment(), position(at, Long.BYTES), value);
    }

    /// Puts bytes.
    ///
    /// @param at the place of the first one
    /// @param from holds them
    /// @param index index of the first one
    /// @param bytes how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putBytes(long at, byte[] from, int index, int bytes) {
        final long position = position(at, bytes);
        if (array != null) {
            System.arraycopy(from, index, array, (int) position, bytes);
        } else {
            MemorySegment.copy(
                    from, index, target.segment(), ValueLayout.JAVA_BYTE, position, bytes);
        }
    }

    /// Puts 64-bit numbers, copied in one go.
    ///
    /// @param at the place of the first byte
    /// @param from holds the numbers
    /// @param index index of the first one
    /// @param numbers how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putInt64s(long at, long[] from, int index, int numbers) {
        final long position = position(at, (long) numbers << 3);
        if (array != null && numbers <= Wire.FEW_LONGS) {
            Objects.checkFromIndexSize(index, numbers, from.length); // before any is put
            Wire.setInt64s(array, (int) position, from, index, numbers);
        } else if (array != null) {
            final MemorySegment heap = MemoryRange.heapBytes(bulk);
            MemorySegment.copy(from, index, heap, Wire.LONG, position - bulkBias, numbers);
        } else {
            MemorySegment.copy(from, index, target.segment(), Wire.LONG, position, numbers);
        }
    }

    /// Puts bytes of a segment, which does not overlap the range.
    ///
    /// @param at the place of the first one
    /// @param from holds them
    /// @param offset byte offset of the first one
    /// @param bytes how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putBytes(long at, MemorySegment from, long offset, long bytes) {
        MemorySegment.copy(from, offset, bulk, position(at, bytes) - bulkBias, bytes);
    }
}
