// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Memory that a buffer of known content is put into, piece by piece: what templates write through.
/// A [FlatBufferWriter] is for building one.
///
/// Places are counted from the first byte of the range that was wrapped. Nothing outside that range is
/// written to.
///
/// **Allocation.** At most where another segment or byte buffer is wrapped than the last time.
///
/// **Threads.** It belongs to one thread at a time.
public final class BufferTarget {
    private final Source target = new Source();

    /// The memory for bulk copies, and what a position is ahead of an offset in it.
    private MemorySegment bulk;

    private long bulkBias;
    private ByteBuffer bulkOf;

    /// Creates a target that has no memory yet.
    public BufferTarget() {}

    /// Takes what is behind an offset of a segment.
    ///
    /// @param memory any kind of memory that can be written to
    /// @param offset first byte of the range, which ends with the segment
    /// @param bytes how many bytes are to be written
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws TargetTooSmallException if there are fewer bytes
    /// @throws IllegalArgumentException if `memory` is read-only
    public void wrap(MemorySegment memory, long offset, int bytes) {
        final long room = memory.byteSize() - offset;
        if (offset < 0 || room < 0) {
            Objects.checkFromToIndex(offset, memory.byteSize(), memory.byteSize());
        }
        checkRoom(bytes, room);
        if (bulk != memory || bulkOf != null) {
            checkWritable(memory.isReadOnly());
        }
        target.wrap(memory, offset, bytes);
        if (bulk != memory) {
            bulk = memory; // compared first: storing a reference costs a barrier
        }
        bulkBias = target.start - offset;
        bulkOf = null;
    }

    /// Takes what is between a buffer's position and its limit; they stay as they are, and its byte
    /// order plays no part.
    ///
    /// @param buffer any kind of buffer that can be written to
    /// @param bytes how many bytes are to be written
    /// @throws TargetTooSmallException if there are fewer bytes
    /// @throws IllegalArgumentException if `buffer` is read-only
    public void wrap(ByteBuffer buffer, int bytes) {
        checkRoom(bytes, buffer.remaining());
        if (bulkOf != buffer) {
            checkWritable(buffer.isReadOnly());
            target.wrap(buffer);
            bulk = target.array == null ? target.segment() : MemorySegment.ofArray(target.array);
            bulkOf = buffer;
            bulkBias = 0;
        } else {
            target.wrap(buffer);
        }
    }

    private static void checkRoom(int bytes, long room) {
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
        final long start = target.start;
        Objects.checkFromIndexSize(at, bytes, target.end - start);
        return start + at;
    }

    private MemorySegment segment() {
        return target.array == null ? target.segment() : null;
    }

    /// Puts a 64-bit number.
    ///
    /// @param at the place of its first byte
    /// @param value the number
    /// @throws IndexOutOfBoundsException if it does not lie in the range
    public void putInt64(int at, long value) {
        Wire.setInt64(target.array, segment(), position(at, Long.BYTES), value);
    }

    /// Puts bytes.
    ///
    /// @param at the place of the first one
    /// @param from holds them
    /// @param index index of the first one
    /// @param bytes how many
    /// @throws IndexOutOfBoundsException if they do not lie in the range, or not inside `from`
    public void putBytes(int at, byte[] from, int index, int bytes) {
        final long position = position(at, bytes);
        final byte[] array = target.array;
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
    public void putInt64s(int at, long[] from, int index, int numbers) {
        final long position = position(at, (long) numbers << 3);
        final byte[] array = target.array;
        if (array != null) {
            MemorySegment.copy(from, index, bulk, Wire.LONG, position - bulkBias, numbers);
        } else {
            MemorySegment.copy(from, index, target.segment(), Wire.LONG, position, numbers);
        }
    }
}
