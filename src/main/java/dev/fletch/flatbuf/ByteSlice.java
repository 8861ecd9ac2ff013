// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// A view of a range of bytes, which its owner binds as often as wanted.
///
/// Positions count from the first byte of the slice. Numbers are little-endian, at any alignment.
/// Nothing but [#asSlice()] and [#toByteArray()] allocates; binding does at most when it is to
/// another segment than the last time.
///
/// **Lifetime and threads.** A slice is valid as long as its bytes stay where they are, even if the
/// flyweight that has bound it is bound to something else. Reading changes nothing, so several threads
/// may read a slice that nobody binds, where its memory allows them to.
public final class ByteSlice {
    private final Source source = new Source();

    /// Creates an empty slice.
    public ByteSlice() {}

    /// Binds to a part of a segment.
    ///
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the first byte
    /// @param length number of bytes
    /// @return this
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public ByteSlice wrap(MemorySegment memory, long offset, long length) {
        source.wrap(memory, offset, length);
        return this;
    }

    /// Binds to a part of another slice.
    ///
    /// @param of the other one; may be this
    /// @param at position of the first byte in it
    /// @param length number of bytes
    /// @return this
    /// @throws IndexOutOfBoundsException if the range is not inside `of`
    public ByteSlice wrap(ByteSlice of, long at, long length) {
        Objects.checkFromIndexSize(at, length, of.length());
        source.wrap(of.source, of.source.start + at, length);
        return this;
    }

    /// Binds to the whole buffer that a flyweight is bound in: to what its root has wrapped.
    ///
    /// @param flyweight one that is bound
    /// @return this
    /// @throws IllegalStateException if the flyweight is not bound, or out of date
    public ByteSlice wrapBufferOf(Flyweight flyweight) {
        return wrap(flyweight.live());
    }

    /// Binds to all of the range of a source.
    ByteSlice wrap(Source memory) {
        source.wrap(memory, memory.start, memory.end - memory.start);
        return this;
    }

    /// {@return number of bytes}
    public long length() {
        return source.end - source.start;
    }

    /// {@return byte offset of the first byte in the segment or buffer that was wrapped}
    public long offset() {
        return source.offsetOf(source.start);
    }

    /// Reads a byte.
    ///
    /// @param at position
    /// @return the byte
    /// @throws IndexOutOfBoundsException if it is not inside
    public byte int8(long at) {
        return Wire.int8(source.array, memory(), position(at, Byte.BYTES));
    }

    /// Reads a 16-bit number.
    ///
    /// @param at position of its first byte
    /// @return the number
    /// @throws IndexOutOfBoundsException if it is not inside
    public short int16(long at) {
        return Wire.int16(source.array, memory(), position(at, Short.BYTES));
    }

    /// Reads a 32-bit number.
    ///
    /// @param at position of its first byte
    /// @return the number
    /// @throws IndexOutOfBoundsException if it is not inside
    public int int32(long at) {
        return Wire.int32(source.array, memory(), position(at, Integer.BYTES));
    }

    /// Reads a 64-bit number.
    ///
    /// @param at position of its first byte
    /// @return the number
    /// @throws IndexOutOfBoundsException if it is not inside
    public long int64(long at) {
        return Wire.int64(source.array, memory(), position(at, Long.BYTES));
    }

    /// Compares with bytes.
    ///
    /// @param bytes any bytes
    /// @return whether the slice has exactly these
    public boolean contentEquals(byte[] bytes) {
        if (bytes.length != length()) {
            return false;
        }
        final byte[] a = source.array;
        final MemorySegment s = memory();
        final long start = source.start;
        int i = 0;
        for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
            if (Wire.int64(a, s, start + i) != Wire.int64(bytes, null, i)) {
                return false;
            }
        }
        for (; i < bytes.length; i++) {
            if (Wire.word8(a, s, start + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /// The bytes as a segment. Allocates it.
    ///
    /// @return a slice of the segment that was wrapped, or of the buffer's memory; empty if nothing was
    public MemorySegment asSlice() {
        final MemorySegment whole = source.segment();
        if (whole != null) {
            return whole.asSlice(offset(), length());
        }
        return source.array == null
                ? MemorySegment.NULL
                : MemorySegment.ofArray(source.array).asSlice(source.start, length());
    }

    /// A copy of the bytes. Allocates it.
    ///
    /// @return the bytes
    /// @throws IllegalStateException if an array cannot hold as many
    public byte[] toByteArray() {
        return asSlice().toArray(ValueLayout.JAVA_BYTE);
    }

    /// Both positions and sizes of what is read are the source's.
    Source source() {
        return source;
    }

    private MemorySegment memory() {
        return source.array == null ? source.segment() : null;
    }

    private long position(long at, int bytes) {
        return source.start + Objects.checkFromIndexSize(at, bytes, length());
    }
}
