// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The memory and the range that a root flyweight has wrapped; every flyweight bound below that root
/// shares it.
///
/// Positions are those of the memory that is read: an index into [#array] where there is one, else an
/// offset into [#segment]. [#bias] is the position minus the offset that the caller counts.
public final class MemoryRange {
    /// Heap bytes as a segment.
    private static final Class<?> HEAP_BYTES = MemorySegment.ofArray(new byte[0]).getClass();

    /// Writable heap bytes, read without a detour over a segment; null for any other memory.
    public byte[] array;

    /// First position of the range.
    public long start;

    /// First position behind the range.
    public long end;

    /// Number of the current wrap. What was decoded under another number is not valid any more.
    public long epoch;

    private MemorySegment segment;
    private boolean nativeMemory;
    private long bias;
    private ByteBuffer buffer;

    /// Position minus offset in [#whole].
    private long wholeBias;

    /// Wraps `length` bytes at `offset` of a segment.
    public void wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (segment != memory) {
            attach(memory);
        }
        moveTo(offset, length);
    }

    /// Wraps the bytes between a buffer's position and its limit. Its byte order plays no part.
    public void wrap(ByteBuffer bytes) {
        if (buffer != bytes) {
            attach(bytes);
        }
        moveTo(bytes.position(), bytes.remaining());
    }

    /// Wraps a part of the range of another one.
    ///
    /// @param from first byte, as `other` counts positions
    public void wrap(MemoryRange other, long from, long length) {
        if (array != other.array || segment != other.segment) {
            array = other.array;
            segment = other.segment;
            nativeMemory = other.nativeMemory;
            buffer = null;
        }
        bias = other.bias;
        wholeBias = other.wholeBias;
        moveTo(from - bias, length);
    }

    /// Moves the range inside the memory that was wrapped; the caller has checked that it is there.
    public void moveTo(long offset, long length) {
        epoch++;
        start = bias + offset;
        end = start + length;
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
        wholeBias = bias;
    }

    /// Attaches the whole buffer: position and limit move from message to message, and the same buffer
    /// must not cost an allocation each time.
    private void attach(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            segment = null;
            nativeMemory = false;
            array = bytes.array();
            bias = bytes.arrayOffset();
            wholeBias = 0;
        } else {
            attach(MemorySegment.ofBuffer(bytes.duplicate().clear()));
        }
        buffer = bytes;
    }

    /// The memory to read where there is no [#array].
    ///
    /// It is cast, so that the compiler knows its class for all reads that follow in a method: see [Wire].
    public MemorySegment segment() {
        return nativeMemory ? cast(segment) : segment;
    }

    /// [#segment] without the cast, for readers that test for the class themselves. Any segment, or null, where
    /// there is an [#array].
    public MemorySegment plainSegment() {
        return segment;
    }

    /// Tells the compiler the class of a segment of native memory.
    public static MemorySegment cast(MemorySegment nativeSegment) {
        return (MemorySegment) Wire.NATIVE.cast(nativeSegment);
    }

    /// Whether [#segment] is native memory, which is then cast.
    public boolean isNative() {
        return nativeMemory;
    }

    /// Tells the compiler the class of heap bytes, for bulk copies: see [#segment].
    public static MemorySegment heapBytes(MemorySegment bytes) {
        return (MemorySegment) HEAP_BYTES.cast(bytes);
    }

    /// The caller's own count of a position.
    public long offsetOf(long position) {
        return position - bias;
    }

    /// The position at an offset that the caller counts.
    public long positionOf(long offset) {
        return offset + bias;
    }

    /// Whether the memory is that of a segment or a buffer that was wrapped last.
    public boolean isOf(Object memory) {
        return memory == (buffer != null ? buffer : segment);
    }

    /// The memory as a segment, of which the range is a part: the one that was wrapped, or one made of
    /// a buffer.
    public MemorySegment whole() {
        if (segment == null) {
            segment = MemorySegment.ofArray(array);
        }
        return segment;
    }

    /// The part of [#whole] at a position.
    public MemorySegment slice(long at, long bytes) {
        return whole().asSlice(at - wholeBias, bytes);
    }

    /// [#whole] for bulk copies: the compiler knows its class.
    private MemorySegment bulk() {
        return array == null ? segment() : heapBytes(whole());
    }

    /// Copies 64-bit numbers.
    public void copy(long from, long[] into, int at, int longs) {
        MemorySegment.copy(bulk(), Wire.LONG, from - wholeBias, into, at, longs);
    }

    /// Copies 64-bit numbers into the memory.
    public void put(long at, long[] from, int index, int count) {
        if (array != null && count <= Wire.FEW_LONGS) {
            Objects.checkFromIndexSize(index, count, from.length); // before any is put
            Wire.setInt64s(array, (int) at, from, index, count);
        } else {
            MemorySegment.copy(from, index, bulk(), Wire.LONG, at - wholeBias, count);
        }
    }

    /// Copies 32-bit numbers into the memory.
    public void put(long at, int[] from, int index, int count) {
        MemorySegment.copy(from, index, bulk(), Wire.INT, at - wholeBias, count);
    }

    /// Copies bytes into the memory.
    public void put(long at, byte[] from, int index, int count) {
        if (array != null) {
            System.arraycopy(from, index, array, (int) at, count);
        } else {
            MemorySegment.copy(from, index, segment(), ValueLayout.JAVA_BYTE, at, count);
        }
    }

    /// Copies bytes of a segment into the memory.
    public void put(long at, MemorySegment from, long offset, long count) {
        MemorySegment.copy(from, offset, bulk(), at - wholeBias, count);
    }
}
