// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
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

    /// Size of the segment that was wrapped last.
    private long size;

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
        if (!target.isOf(memory)) {
            checkWritable(memory.isReadOnly());
            size = memory.byteSize();
            target.wrap(memory, 0, 0);
        }
        Objects.checkFromToIndex(offset, size, size);
        checkRoom(bytes, size - offset);
        target.moveTo(offset, bytes);
    }

    /// Takes a range from a buffer's position on; position and limit stay as they are, and its byte
    /// order plays no part.
    ///
    /// @param buffer any kind of buffer that can be written to
    /// @param bytes how many bytes are to be written, which is the range's length
    /// @throws TargetTooSmallException if there are fewer bytes before the limit
    /// @throws IllegalArgumentException if `buffer` is read-only, or `bytes` negative
    public void wrap(ByteBuffer buffer, long bytes) {
        if (!target.isOf(buffer)) {
            checkWritable(buffer.isReadOnly());
            target.wrap(buffer);
            target.moveTo(buffer.position(), 0); // until there is room for more
        }
        checkRoom(bytes, buffer.remaining());
        target.moveTo(buffer.position(), bytes);
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
        return target.start + Objects.checkFromIndexSize(at, bytes, target.end - target.start);
    }

    /// Puts a 64-bit number.
    ///
    /// @param at the place of its first byte
    /// @param value the number
    /// @throws IndexOutOfBoundsException if it does not lie in the range
    public void putInt64(long at, long value) {
        final byte[] array = target.array;
        final MemorySegment segment = array == null ? target.segment() : null;
        Wire.setInt64(array, segment, position(at, Long.BYTES), value);
    }

    /// Puts bytes.
    ///
    /// @param at the place of the first one
    /// @param from holds them
    /// @param index index of the first one
    /// @param bytes how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putBytes(long at, byte[] from, int index, int bytes) {
        target.put(position(at, bytes), from, index, bytes);
    }

    /// Puts 64-bit numbers, copied in one go.
    ///
    /// @param at the place of the first byte
    /// @param from holds the numbers
    /// @param index index of the first one
    /// @param numbers how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putInt64s(long at, long[] from, int index, int numbers) {
        target.put(position(at, (long) numbers << 3), from, index, numbers);
    }

    /// Puts bytes of a segment, which does not overlap the range.
    ///
    /// @param at the place of the first one
    /// @param from holds them
    /// @param offset byte offset of the first one
    /// @param bytes how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putBytes(long at, MemorySegment from, long offset, long bytes) {
        target.put(position(at, bytes), from, offset, bytes);
    }
}
