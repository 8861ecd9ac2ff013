// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The memory range wrapped by a root flyweight, and shared by all flyweights bound under it.
///
/// A position is an index into [#array] if there is one, else an offset into [#segment]. [#bias] is
/// the position minus the caller's offset.
public final class MemoryRange {
    /// Heap bytes as a segment.
    private static final Class<?> HEAP_BYTES = MemorySegment.ofArray(new byte[0]).getClass();

    /// Writable heap bytes, read directly; null for any other memory.
    public byte[] array;

    /// First position of the range.
    public long start;

    /// First position after the range.
    public long end;

    /// Number of the current wrap. Values decoded in an earlier epoch are outdated.
    public long epoch;

    private MemorySegment segment;
    private boolean nativeMemory;
    private long bias;
    private ByteBuffer buffer;

    /// Wraps `length` bytes at `offset` of a segment.
    public void wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (segment != memory) {
            attach(memory);
        }
        moveTo(offset, length);
    }

    /// Wraps the bytes between a buffer's position and its limit. The byte order is ignored.
    public void wrap(ByteBuffer bytes) {
        if (buffer != bytes) {
            attach(bytes);
        }
        moveTo(bytes.position(), bytes.remaining());
    }

    /// Wraps a part of another range.
    ///
    /// @param from position of the first byte in `other`
    public void wrap(MemoryRange other, long from, long length) {
        if (array != other.array || segment != other.segment) {
            array = other.array;
            segment = other.segment;
            nativeMemory = other.nativeMemory;
            buffer = null;
        }
        bias = other.bias;
        moveTo(from - bias, length);
    }

    /// Moves the range inside the wrapped memory. The caller has checked the range.
    public void moveTo(long offset, long length) {
        moveToPosition(bias + offset, length);
    }

    /// [#moveTo] to a position.
    void moveToPosition(long position, long length) {
        epoch++;
        start = position;
        end = position + length;
    }

    private void attach(MemorySegment memory) {
        buffer = null;
        segment = memory;
        nativeMemory = Wire.NATIVE.isInstance(memory);
        if (memory.heapBase().orElse(null) instanceof byte[] bytes) {
            array = bytes;
            bias = memory.address();
        } else {
            array = null;
            bias = 0;
        }
    }

    /// Attaches the buffer up to its capacity: position and limit change with each message, and
    /// wrapping the same buffer again must not allocate.
    private void attach(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            segment = null;
            nativeMemory = false;
            array = bytes.array();
            bias = bytes.arrayOffset();
        } else {
            attach(MemorySegment.ofBuffer(bytes.duplicate().clear()));
        }
        buffer = bytes;
    }

    /// Returns the memory to read if there is no [#array].
    ///
    /// The cast tells C2 its class, for all later reads in a method: see [Wire]. It does not where
    /// other segments, such as read-only arrays, were read as well.
    public MemorySegment segment() {
        return nativeMemory ? cast(segment) : segment;
    }

    /// [#segment] without the cast, for callers that test the class themselves. May be any segment,
    /// or null, if there is an [#array].
    public MemorySegment plainSegment() {
        return segment;
    }

    /// Casts a segment of native memory, to tell C2 its class.
    public static MemorySegment cast(MemorySegment nativeSegment) {
        return (MemorySegment) Wire.NATIVE.cast(nativeSegment);
    }

    /// Returns whether [#segment] is native memory.
    public boolean isNative() {
        return nativeMemory;
    }

    /// Converts a position to an offset of the caller.
    public long offsetOf(long position) {
        return position - bias;
    }

    /// Converts an offset of the caller to a position.
    public long positionOf(long offset) {
        return offset + bias;
    }

    /// Returns whether `memory` is the segment or buffer that was wrapped last.
    public boolean isOf(Object memory) {
        return memory == (buffer != null ? buffer : segment);
    }

    /// Returns all of the memory: the wrapped segment, or a segment made from the buffer.
    public MemorySegment whole() {
        MemorySegment known = segment; // read once: several threads may read a slice
        if (known == null) {
            known =
                    buffer == null
                            ? MemorySegment.ofArray(array).asSlice(bias)
                            : MemorySegment.ofBuffer(buffer.duplicate().clear());
            segment = known;
        }
        return known;
    }

    /// Returns the part of [#whole] at a position.
    public MemorySegment slice(long position, long bytes) {
        return whole().asSlice(position - bias, bytes);
    }

    /// [#whole] for bulk copies, cast to tell C2 its class.
    private MemorySegment bulk() {
        return array == null ? segment() : (MemorySegment) HEAP_BYTES.cast(whole());
    }

    /// Copies 64-bit numbers.
    public void copy(long from, long[] into, int position, int longs) {
        MemorySegment.copy(bulk(), Wire.LONG, from - bias, into, position, longs);
    }

    /// Copies 64-bit numbers into the memory.
    public void put(long position, long[] from, int index, int count) {
        if (array != null && count <= Wire.FEW_LONGS) {
            Objects.checkFromIndexSize(index, count, from.length); // before the first store
            Wire.setInt64s(array, (int) position, from, index, count);
        } else {
            MemorySegment.copy(from, index, bulk(), Wire.LONG, position - bias, count);
        }
    }

    /// Copies bytes into the memory.
    public void put(long position, byte[] from, int index, int count) {
        if (array != null) {
            System.arraycopy(from, index, array, (int) position, count);
        } else {
            MemorySegment.copy(from, index, segment(), ValueLayout.JAVA_BYTE, position, count);
        }
    }

    /// Copies bytes of a segment into the memory.
    public void put(long position, MemorySegment from, long offset, long count) {
        MemorySegment.copy(from, offset, bulk(), position - bias, count);
    }

    /// Checks memory to write to.
    ///
    /// @throws IllegalArgumentException if it is read-only
    public static void requireWritable(boolean readOnly) {
        if (readOnly) {
            throw new IllegalArgumentException("target is read-only");
        }
    }
}
