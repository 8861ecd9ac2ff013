// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/// A view of a range of bytes, which its owner binds again and again.
///
/// Positions count from the first byte of the slice. Numbers are little-endian, at any alignment.
/// Nothing but [#asSlice()] and [#toByteArray()] allocates; binding does at most when it is to
/// another segment than the last time.
///
/// **Lifetime and threads.** A slice is valid as long as its bytes stay where they are, even if the
/// flyweight that has bound it is bound to something else. Several threads may read a slice while none
/// binds it, where its memory allows that.
public final class ByteSlice {
    private static final int BLOCK_BYTES = 4 << 10;

    private final MemoryRange source = new MemoryRange();

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
    ByteSlice wrap(MemoryRange memory) {
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

    /// {@return a byte}
    ///
    /// @param at position
    /// @throws IndexOutOfBoundsException if it is not inside
    public byte int8(long at) {
        return Wire.int8(source.array, memory(), position(at, Byte.BYTES));
    }

    /// {@return a 16-bit number}
    ///
    /// @param at position of its first byte
    /// @throws IndexOutOfBoundsException if it is not inside
    public short int16(long at) {
        return Wire.int16(source.array, memory(), position(at, Short.BYTES));
    }

    /// {@return a 32-bit number}
    ///
    /// @param at position of its first byte
    /// @throws IndexOutOfBoundsException if it is not inside
    public int int32(long at) {
        return Wire.int32(source.array, memory(), position(at, Integer.BYTES));
    }

    /// {@return a 64-bit number}
    ///
    /// @param at position of its first byte
    /// @throws IndexOutOfBoundsException if it is not inside
    public long int64(long at) {
        return Wire.int64(source.array, memory(), position(at, Long.BYTES));
    }

    /// {@return whether the slice has exactly these bytes}
    ///
    /// @param bytes any bytes
    public boolean contentEquals(byte[] bytes) {
        return bytes.length == length() && contentEquals(0, bytes, 0, bytes.length);
    }

    /// Compares a part of the slice with a part of an array.
    ///
    /// @param at position of the first byte to compare
    /// @param bytes any bytes
    /// @param from index of the first byte to compare with
    /// @param to index behind the last one
    /// @return whether the slice has exactly these bytes there; false if it ends before
    /// @throws IndexOutOfBoundsException if `from` and `to` are no range of `bytes`
    public boolean contentEquals(long at, byte[] bytes, int from, int to) {
        final int length = to - Objects.checkFromToIndex(from, to, bytes.length);
        if (at < 0 || at > length() - length) {
            return false;
        }
        final byte[] a = source.array;
        final long start = source.start + at;
        if (a != null) {
            return Arrays.equals(a, (int) start, (int) start + length, bytes, from, to);
        }
        final MemorySegment s = source.segment();
        if (!source.isNative()) {
            final MemorySegment other = MemorySegment.ofArray(bytes);
            return MemorySegment.mismatch(s, start, start + length, other, from, to) < 0;
        }
        final int words = length & -Long.BYTES;
        for (int i = 0; i < words; i += BLOCK_BYTES) {
            if (!sameWords(s, start + i, bytes, from + i, Math.min(BLOCK_BYTES, words - i), 2)) {
                return false;
            }
        }
        for (int i = words; i < length; i++) {
            if (Wire.word8(s, start + i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }

    /// Compares native memory, with one test for all words, so that the compiler can use vectors.
    /// [MemorySegment#mismatch] is faster, but crashes the JVM when a mapped file has been shortened.
    /// Stays a call, by the detours of [Table]'s binding: inlined into much else, it has no vectors.
    private static boolean sameWords(
            MemorySegment memory, long start, byte[] bytes, int from, int length, int detours) {
        if (detours != 0) {
            return sameWords(memory, start, bytes, from, length, detours - 1);
        }
        final MemorySegment s = MemoryRange.cast(memory);
        long difference = 0;
        for (int i = 0; i < length; i += Long.BYTES) {
            difference |= Wire.int64(s, start + i) ^ Wire.int64(bytes, from + i);
        }
        return difference == 0;
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

    private MemorySegment memory() {
        return source.array == null ? source.segment() : null;
    }

    private long position(long at, int bytes) {
        return source.start + Objects.checkFromIndexSize(at, bytes, length());
    }
}
