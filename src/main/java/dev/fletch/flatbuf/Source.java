// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/// The memory and the range that a root flyweight has wrapped; every flyweight bound below that root
/// shares it.
///
/// Positions are those of the memory that is read: an index into [#array] where there is one, else an
/// offset into [#segment]. [#bias] is what a position is ahead of the offset that the caller counts.
final class Source {
    /// Heap bytes as a segment.
    private static final Class<?> HEAP_BYTES = MemorySegment.ofArray(new byte[0]).getClass();

    /// Writable heap bytes, read without a detour over a segment; null for any other memory.
    byte[] array;

    /// First position of the range.
    long start;

    /// First position behind the range.
    long end;

    /// Number of the current wrap. What was decoded under another number is not valid any more.
    long epoch;

    private MemorySegment segment;
    private boolean nativeMemory;
    private long bias;
    private ByteBuffer buffer;

    /// Wraps `length` bytes at `offset` of a segment.
    void wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (segment != memory) {
            attach(memory);
        }
        range(offset, length);
    }

    /// Wraps the bytes between a buffer's position and its limit. Its byte order plays no part.
    void wrap(ByteBuffer bytes) {
        if (buffer != bytes) {
            attach(bytes);
        }
        range(bytes.position(), bytes.remaining());
    }

    /// Wraps a part of the range of another one.
    ///
    /// @param from first byte, as `other` counts positions
    void wrap(Source other, long from, long length) {
        if (array != other.array || segment != other.segment) {
            array = other.array;
            segment = other.segment;
            nativeMemory = other.nativeMemory;
            buffer = null;
        }
        bias = other.bias;
        range(from - bias, length);
    }

    private void range(long offset, long length) {
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
    }

    /// The whole buffer is attached, whatever its position and limit: they move from message to
    /// message, and the same buffer must not cost an allocation each time.
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

    /// The memory to read where there is no [#array].
    ///
    /// What it buys: a JVM that has seen heap, native and mapped segments calls two or three virtual
    /// methods for every read of a segment, unless the compiler knows its class. The cast tells it,
    /// once for all reads that follow in a method; the walk of a schema is four times faster for it.
    MemorySegment segment() {
        return nativeMemory ? cast(segment) : segment;
    }

    /// Tells the compiler the class of a segment of native memory.
    static MemorySegment cast(MemorySegment nativeSegment) {
        return (MemorySegment) Wire.NATIVE.cast(nativeSegment);
    }

    /// Whether [#segment] is native memory, which is then cast.
    boolean isNative() {
        return nativeMemory;
    }

    /// Tells the compiler the class of heap bytes, for bulk copies: see [#segment].
    static MemorySegment heapBytes(MemorySegment bytes) {
        return (MemorySegment) HEAP_BYTES.cast(bytes);
    }

    /// The caller's own count of a position.
    long offsetOf(long position) {
        return position - bias;
    }

    /// Copies 64-bit numbers.
    void copy(long from, long[] into, int at, int longs) {
        final byte[] a = array;
        if (a == null) {
            MemorySegment.copy(segment(), Wire.LONG, from, into, at, longs);
        } else if (segment != null) {
            MemorySegment.copy(segment, Wire.LONG, offsetOf(from), into, at, longs);
        } else {
            for (int i = 0; i < longs; i++) {
                into[at + i] = Wire.int64(a, null, from + ((long) i << 3));
            }
        }
    }

    /// What to throw where bytes lead out of the range.
    ///
    /// @param what the thing that does
    /// @param object the kind of object it was found in
    /// @param at position of the fault
    /// @param value the value found there
    FlatBufferFormatException malformed(String what, String object, long at, long value) {
        return new FlatBufferFormatException(
                String.format(
                        Locale.ROOT,
                        "%s out of range: in=%s, offset=%d, value=%d, range=%d..%d",
                        what,
                        object,
                        offsetOf(at),
                        value,
                        offsetOf(start),
                        offsetOf(end)),
                offsetOf(at));
    }
}
