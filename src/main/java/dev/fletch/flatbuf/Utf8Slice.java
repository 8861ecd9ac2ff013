// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// A reusable view of a string's bytes: UTF-8, without the NUL terminator.
///
/// Length and indexes count bytes. The bytes are not checked to be UTF-8; [#toString()] replaces
/// malformed bytes. Only [#toString()] and [#toByteArray()] allocate.
///
/// A slice is valid while its memory is, even if its flyweight is bound to another object. It
/// belongs to one thread at a time.
public final class Utf8Slice {
    private byte[] array;
    private MemorySegment segment;
    private long position;
    private int length;

    /// Creates an empty slice.
    public Utf8Slice() {}

    /// Binds to bytes in memory.
    ///
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public Utf8Slice wrap(MemorySegment memory, long offset, int bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (memory.heapBase().orElse(null) instanceof byte[] a) {
            bind(a, null, memory.address() + offset, bytes);
        } else {
            bind(null, memory, offset, bytes);
        }
        return this;
    }

    void bind(byte[] a, MemorySegment s, long offset, int bytes) {
        if (array != a) {
            array = a;
        }
        if (segment != s) {
            segment = s;
        }
        position = offset;
        length = bytes;
    }

    /// {@return the number of bytes}
    public int length() {
        return length;
    }

    /// {@return the byte at an index}
    ///
    /// @throws IndexOutOfBoundsException if there is no such byte
    public byte byteAt(int index) {
        Objects.checkIndex(index, length);
        return Wire.int8(array, segment, position + index);
    }

    /// {@return whether the bytes are exactly the UTF-8 encoding of a text}
    public boolean contentEquals(CharSequence text) {
        return Utf8.equals(array, segment, position, length, text);
    }

    /// {@return whether the slice has exactly `count` bytes of an array, from index `offset` on}
    ///
    /// @throws IndexOutOfBoundsException if the range is not inside `bytes`
    public boolean contentEquals(byte[] bytes, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        return count == length
                && Wire.equals(array, segment, position, bytes, null, offset, length);
    }

    /// Copies the bytes to an array, from index `offset` on, and returns their number.
    ///
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyTo(byte[] into, int offset) {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (array != null) {
            System.arraycopy(array, (int) position, into, offset, length);
        } else if (length != 0) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position, into, offset, length);
        }
        return length;
    }

    /// Copies the bytes to a segment, from offset `offset` on, and returns their number.
    ///
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyTo(MemorySegment into, long offset) {
        Objects.checkFromIndexSize(offset, length, into.byteSize());
        if (array != null) {
            MemorySegment.copy(array, (int) position, into, ValueLayout.JAVA_BYTE, offset, length);
        } else if (length != 0) {
            MemorySegment.copy(segment, position, into, offset, length);
        }
        return length;
    }

    /// {@return a copy of the bytes}
    public byte[] toByteArray() {
        byte[] bytes = new byte[length];
        copyTo(bytes, 0);
        return bytes;
    }

    /// {@return the text; malformed bytes become U+FFFD}
    @Override
    public String toString() {
        return length == 0 ? "" : Utf8.decode(array, segment, position, length);
    }

    /// {@return whether `other` is a slice, of any memory, with the same bytes} Binding changes a
    /// slice, so do not use one as a key.
    @Override
    public boolean equals(Object other) {
        return other instanceof Utf8Slice o
                && o.length == length
                && Wire.equals(array, segment, position, o.array, o.segment, o.position, length);
    }

    /// {@return a hash of the contents, the same in any memory} It may change between versions, and
    /// is not that of a [String].
    @Override
    public int hashCode() {
        return Utf8.hash(array, segment, position, length, 0);
    }
}
