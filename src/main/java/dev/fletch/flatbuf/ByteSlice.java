// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8Checker;
import dev.fletch.wire.Wire;
import dev.fletch.wire.Words;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/// A reusable view of a range of bytes.
///
/// Numbers are little-endian and may be unaligned. They are read in two ways:
///
/// - **by position**, in bytes from the first one: `int32(8)` reads bytes 8 to 11;
/// - **by index**, as elements of an array of such numbers: `int32At(2)` reads the same bytes.
///
/// ```java
/// for (long row = 0; row < rows; row++) {
///     sum += valid.bit(row) ? prices.float64At(row) : 0;
/// }
/// ```
///
/// A read outside the slice throws an [IndexOutOfBoundsException].
///
/// Only [#asSlice()] and [#toByteArray()] allocate; binding allocates at most when the segment
/// differs from the previous one.
///
/// **Lifetime and threads.** A slice is valid while its memory is, even if the flyweight that bound
/// the slice is bound to another object. Several threads may read a slice while no thread binds it,
/// if its memory allows this.
public final class ByteSlice {
    private final MemoryRange source = new MemoryRange();

    /// Creates an empty slice.
    public ByteSlice() {}

    /// Binds to a part of a segment.
    ///
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public ByteSlice wrap(MemorySegment memory, long offset, long length) {
        source.wrap(memory, offset, length);
        return this;
    }

    /// Binds to a part of another slice.
    ///
    /// @param bytes the other slice; may be this
    /// @param position position of the first byte in `bytes`
    /// @throws IndexOutOfBoundsException if the range is not inside `bytes`
    public ByteSlice wrap(ByteSlice bytes, long position, long length) {
        Objects.checkFromIndexSize(position, length, bytes.length());
        source.wrap(bytes.source, bytes.source.start + position, length);
        return this;
    }

    /// Binds to the buffer of a bound flyweight: the range that its root has wrapped.
    public ByteSlice wrapBufferOf(Flyweight flyweight) {
        MemoryRange memory = flyweight.live();
        source.wrap(memory, memory.start, memory.end - memory.start);
        return this;
    }

    /// {@return number of bytes}
    public long length() {
        return source.end - source.start;
    }

    /// {@return byte offset of the first byte in the wrapped segment or buffer}
    public long offset() {
        return source.offsetOf(source.start);
    }

    // ---- numbers by position

    /// {@return a signed 8-bit number}
    public byte int8(long position) {
        return Wire.int8(source.array, memory(), checked(position, Byte.BYTES));
    }

    /// {@return a signed 16-bit number}
    public short int16(long position) {
        return Wire.int16(source.array, memory(), checked(position, Short.BYTES));
    }

    /// {@return a signed 32-bit number}
    public int int32(long position) {
        return Wire.int32(source.array, memory(), checked(position, Integer.BYTES));
    }

    /// {@return a signed 64-bit number}
    public long int64(long position) {
        return Wire.any64(source.array, memory(), checked(position, Long.BYTES));
    }

    // ---- numbers by index

    /// {@return an element of an array of signed 8-bit numbers}
    public byte int8At(long index) {
        return int8(index);
    }

    /// {@return an element of an array of unsigned 8-bit numbers}
    public int uint8At(long index) {
        return int8(index) & 0xFF;
    }

    /// {@return an element of an array of signed 16-bit numbers}
    public short int16At(long index) {
        return Wire.int16(source.array, memory(), element(index, 1));
    }

    /// {@return an element of an array of unsigned 16-bit numbers}
    public int uint16At(long index) {
        return int16At(index) & 0xFFFF;
    }

    /// {@return an element of an array of signed 32-bit numbers}
    public int int32At(long index) {
        return Wire.int32(source.array, memory(), element(index, 2));
    }

    /// {@return an element of an array of unsigned 32-bit numbers}
    public long uint32At(long index) {
        return Wire.uint32(source.array, memory(), element(index, 2));
    }

    /// {@return an element of an array of 64-bit numbers; unsigned values from 2^63 on are
    /// negative: see [Long#toUnsignedString(long)] and [Long#compareUnsigned]}
    public long int64At(long index) {
        return Wire.any64(source.array, memory(), element(index, 3));
    }

    /// {@return an element of an array of signed numbers}
    ///
    /// @param width of a number in bytes: 1, 2, 4 or 8
    public long integerAt(long index, int width) {
        return switch (width) {
            case Byte.BYTES -> int8At(index);
            case Short.BYTES -> int16At(index);
            case Integer.BYTES -> int32At(index);
            default -> int64At(index);
        };
    }

    /// {@return the lower half of an element of an array of 128-bit numbers, an unsigned number}
    public long int128LowAt(long index) {
        return Wire.any64(source.array, memory(), element(index, 4));
    }

    /// {@return the upper half of an element of an array of 128-bit numbers, signed}
    public long int128HighAt(long index) {
        return Wire.any64(source.array, memory(), element(index, 4) + Long.BYTES);
    }

    /// {@return an element of an array of 16-bit floating-point numbers (binary16)}
    public float float16At(long index) {
        return Float.float16ToFloat(int16At(index));
    }

    /// {@return an element of an array of 32-bit floating-point numbers}
    public float float32At(long index) {
        return Float.intBitsToFloat(int32At(index));
    }

    /// {@return an element of an array of 64-bit floating-point numbers}
    public double float64At(long index) {
        return Double.longBitsToDouble(int64At(index));
    }

    // ---- many numbers at once, in a fraction of the time

    /// {@return whether no number of an array is negative, or greater than another one}
    ///
    /// @param first index of the first number
    /// @param count of numbers, at least 0
    /// @param width bytes of a number: 1, 2, 4 or 8
    /// @param limit not negative, and not greater than signed numbers of that width
    public boolean areUpTo(long first, long count, int width, long limit) {
        long position = elements(first, count, width);
        return Words.areUpTo(source, position, count * width, width, limit);
    }

    /// {@return whether no number of an array is negative, or less than the one before it}
    ///
    /// @param first index of the first number
    /// @param count of numbers, at least 0
    /// @param width bytes of a number: 4 or 8
    public boolean areAscending(long first, long count, int width) {
        long position = elements(first, count, width);
        return count == 0 || Words.ascend(source, position, (count - 1) * width, width);
    }

    /// Copies 64-bit numbers.
    ///
    /// @param first index of the first number
    /// @param into filled from its start
    /// @param count of numbers
    public void copyInt64s(long first, long[] into, int count) {
        long position = elements(first, count, Long.BYTES);
        source.copy(position, into, 0, count);
    }

    /// {@return which of some views is the first that is not sound; `to` if there is none}
    ///
    /// A view is sound if its bytes are in itself, and those behind them are 0; or if this slice,
    /// a variadic buffer, has its bytes among the first ones, and they begin with its prefix.
    ///
    /// @param views each as two numbers
    /// @param number of this buffer among the variadic ones
    /// @param end number of the first bytes, at most [#length]
    /// @param isAscii whether values in their views must be ASCII
    /// @throws IndexOutOfBoundsException if the array is too short, or this slice has less than 4
    ///     bytes
    public int soundViews(long[] views, int from, int to, int number, long end, boolean isAscii) {
        Objects.checkFromToIndex(from, to, views.length / 2);
        Objects.checkFromToIndex(0, end, length());
        Objects.checkFromIndexSize(0, Integer.BYTES, length());
        return Words.soundViews(source, views, from, to, number, end, isAscii);
    }

    private long elements(long first, long count, int width) {
        Objects.checkFromIndexSize(first, count, length() / width);
        return source.start + first * width;
    }

    /// {@return the position after well-formed characters of UTF-8: `stop` or later; or the
    /// position of a malformed character before it}
    ///
    /// @param from position of the first character
    /// @param stop position from which on no character begins
    /// @param end position that no character exceeds
    /// @throws IndexOutOfBoundsException if they are not in this order inside the slice
    public long afterUtf8(long from, long stop, long end) {
        Objects.checkFromToIndex(stop, end, length());
        Objects.checkFromToIndex(from, stop, end);
        byte[] a = source.array;
        MemorySegment s = a == null ? source.segment() : null;
        long start = source.start;
        return Utf8Checker.afterWellFormed(a, s, start + from, start + stop, start + end) - start;
    }

    /// {@return whether a position is inside a character of UTF-8: the byte there continues one;
    /// false at the end of the slice}
    public boolean isInsideCharacter(long position) {
        return position != length() && Utf8Checker.isContinuation(int8(position));
    }

    // ---- bits, least significant bit first

    /// {@return a bit, such as that of a validity buffer or of a boolean value}
    public boolean bit(long index) {
        // Inverted, so that a load and a test of a bit are two instructions: see Wire.apart(int).
        int inverted = ~Wire.word8(source.array, memory(), element(index >> 3, 0));
        return (inverted >> (index & 7) & 1) == 0;
    }

    /// {@return number of set bits in a range}
    public long countBits(long from, long to) {
        Objects.checkFromToIndex(from, to, length() > Long.MAX_VALUE >> 3 ? to : length() << 3);
        long position = from >> 3;
        long last = to >> 3;
        // Subtracts the bits before `from`, and adds those before `to` in the last byte.
        long count = -lowBits(position, (int) from & 7);
        for (; position <= last - Long.BYTES; position += Long.BYTES) {
            count += Long.bitCount(int64(position));
        }
        for (; position < last; position++) {
            count += Integer.bitCount(int8(position) & 0xFF);
        }
        return count + lowBits(last, (int) to & 7);
    }

    /// Number of set bits among the lowest `bits` of a byte; 0 bits read nothing.
    private int lowBits(long position, int bits) {
        return bits == 0 ? 0 : Integer.bitCount(int8(position) & (1 << bits) - 1);
    }

    // ---- bytes

    /// {@return whether the slice has the bytes of an array from index `from` to before `to` at a
    /// position; false if the slice is too short}
    ///
    /// @throws IndexOutOfBoundsException if `from` and `to` are not a range of `bytes`
    public boolean contentEquals(long position, byte[] bytes, int from, int to) {
        int length = to - Objects.checkFromToIndex(from, to, bytes.length);
        if (position < 0 || position > length() - length) {
            return false;
        }
        byte[] a = source.array;
        long start = source.start + position;
        if (a != null) {
            return Arrays.equals(a, (int) start, (int) start + length, bytes, from, to);
        }
        return Words.areEqual(source, start, bytes, from, length);
    }

    /// {@return the bytes as a new slice of the wrapped segment or the buffer's memory; empty if
    /// unbound}
    public MemorySegment asSlice() {
        boolean isBound = source.array != null || memory() != null;
        return isBound ? source.slice(source.start, length()) : MemorySegment.NULL;
    }

    /// {@return a copy of the bytes}
    ///
    /// @throws IllegalStateException if the slice is longer than an array can be
    public byte[] toByteArray() {
        return asSlice().toArray(ValueLayout.JAVA_BYTE);
    }

    private MemorySegment memory() {
        return source.plainSegment();
    }

    private long checked(long position, int bytes) {
        return source.start + Objects.checkFromIndexSize(position, bytes, length());
    }

    /// The position of an element of 2^shift bytes. Checks the index before the shift may overflow.
    private long element(long index, int shift) {
        return source.start + (Objects.checkIndex(index, length() >> shift) << shift);
    }
}
