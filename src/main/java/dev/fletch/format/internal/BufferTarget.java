// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// A target for buffers of known layout, which templates write piece by piece. To build a buffer,
/// use [FlatBufferWriter].
///
/// Positions count from the first byte of the wrapped range. Nothing outside that range is written:
/// a piece that is not inside it, or not inside its source, throws an [IndexOutOfBoundsException].
///
/// **Allocation.** At most when the segment or byte buffer differs from the previous one.
///
/// **Threads.** A target belongs to one thread at a time.
public final class BufferTarget {
    private final MemoryRange target = new MemoryRange();

    /// Size of the segment that was wrapped last.
    private long size;

    /// Creates a target without memory.
    public BufferTarget() {}

    /// Takes a range of a segment, of as many bytes as will be written.
    ///
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws TargetTooSmallException if there are fewer bytes
    /// @throws IllegalArgumentException if `memory` is read-only, or `bytes` negative
    public void wrap(MemorySegment memory, long offset, long bytes) {
        if (!target.isOf(memory)) {
            MemoryRange.requireWritable(memory.isReadOnly());
            size = memory.byteSize();
            target.wrap(memory, 0, 0);
        }
        Objects.checkFromToIndex(offset, size, size);
        checkRoom(bytes, size - offset);
        target.moveTo(offset, bytes);
    }

    /// [#wrap] for a buffer, from its position on. Position and limit stay; byte order is ignored.
    ///
    /// @throws TargetTooSmallException if there are fewer bytes before the limit
    /// @throws IllegalArgumentException if `buffer` is read-only, or `bytes` negative
    public void wrap(ByteBuffer buffer, long bytes) {
        if (!target.isOf(buffer)) {
            MemoryRange.requireWritable(buffer.isReadOnly());
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
            throw new TargetTooSmallException(bytes, 0, room);
        }
    }

    /// Converts a position, all of whose bytes are in the range.
    private long position(long position, long bytes) {
        return target.start
                + Objects.checkFromIndexSize(position, bytes, target.end - target.start);
    }

    /// Puts bytes.
    public void putBytes(long position, byte[] from, int index, int bytes) {
        target.put(position(position, bytes), from, index, bytes);
    }

    /// Puts 64-bit numbers with one copy.
    public void putInt64s(long position, long[] from, int index, int numbers) {
        target.put(position(position, (long) numbers << 3), from, index, numbers);
    }

    /// Puts bytes of a segment. The segment must not overlap the range.
    public void putBytes(long position, MemorySegment from, long offset, long bytes) {
        target.put(position(position, bytes), from, offset, bytes);
    }
}
