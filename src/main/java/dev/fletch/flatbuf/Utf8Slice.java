// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// A view of a string's bytes: UTF-8, without the NUL after them.
///
/// Length and indexes count bytes. Whether the bytes are UTF-8 is not checked here; [#toString()]
/// replaces what is not. Nothing but [#toString()] and [#toByteArray()] allocates.
///
/// A slice is valid as long as the bytes that it shows stay where they are, even if its flyweight is
/// bound to something else. It belongs to one thread at a time.
public final class Utf8Slice {
    private byte[] array;
    private MemorySegment segment;
    private long position;
    private int length;

    /// Creates an empty slice.
    public Utf8Slice() {}

    /// Binds to bytes in memory.
    ///
    /// @param memory any segment
    /// @param offset byte offset of the first byte
    /// @param bytes how many
    /// @return this
    /// @throws IndexOutOfBoundsException if they are not inside `memory`
    public Utf8Slice wrap(MemorySegment memory, long offset, int bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (memory.heapBase().orElse(null) instanceof byte[] a) {
            bind(a, null, memory.address() + offset, bytes);
        } else {
            bind(null, memory, offset, bytes);
        }
        return this;
    }

    void bind(byte[] a, MemorySegment s, long at, int bytes) {
        if (array != a) {
            array = a;
        }
        if (segment != s) {
            segment = s;
        }
        position = at;
        length = bytes;
    }

    /// {@return the number of bytes}
    public int length() {
        return length;
    }

    /// {@return whether there are no bytes}
    public boolean isEmpty() {
        return length == 0;
    }

    /// {@return the place of the first byte in its memory: two slices of one memory with the same place
    /// and length show the same bytes}
    public long place() {
        return position;
    }

    /// Reads one byte.
    ///
    /// @param index from 0 to [#length()] - 1
    /// @return the byte
    /// @throws IndexOutOfBoundsException if there is no such byte
    public byte byteAt(int index) {
        Objects.checkIndex(index, length);
        return Wire.int8(array, segment, position + index);
    }

    /// Compares with a text, without decoding or allocating.
    ///
    /// @param text any text
    /// @return whether the bytes are exactly the UTF-8 encoding of `text`
    public boolean contentEquals(CharSequence text) {
        return Utf8.equals(array, segment, position, length, text);
    }

    /// Compares with bytes.
    ///
    /// @param bytes any bytes
    /// @return whether the slice has exactly these
    public boolean contentEquals(byte[] bytes) {
        return bytes.length == length && matches(bytes, null, 0);
    }

    /// Compares with some bytes of an array.
    ///
    /// @param bytes has them
    /// @param at index of the first one
    /// @param count how many
    /// @return whether the slice has exactly these
    /// @throws IndexOutOfBoundsException if they are not inside `bytes`
    public boolean contentEquals(byte[] bytes, int at, int count) {
        Objects.checkFromIndexSize(at, count, bytes.length);
        return count == length && matches(bytes, null, at);
    }

    /// Compares with the bytes of another slice.
    ///
    /// @param other a slice of this or any other memory
    /// @return whether both have the same bytes
    public boolean contentEquals(Utf8Slice other) {
        return other.length == length && matches(other.array, other.segment, other.position);
    }

    private boolean matches(byte[] a, MemorySegment s, long at) {
        return Wire.equals(array, segment, position, a, s, at, length);
    }

    /// Copies the bytes out.
    ///
    /// @param into where to
    /// @param at index of the first byte in `into`
    /// @return how many bytes were copied, which is [#length()]
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyTo(byte[] into, int at) {
        Objects.checkFromIndexSize(at, length, into.length);
        if (array != null) {
            System.arraycopy(array, (int) position, into, at, length);
        } else if (length != 0) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position, into, at, length);
        }
        return length;
    }

    /// Copies the bytes out.
    ///
    /// @param into where to
    /// @param at offset of the first byte in `into`
    /// @return how many bytes were copied, which is [#length()]
    /// @throws IndexOutOfBoundsException if they don't fit
    public int copyTo(MemorySegment into, long at) {
        Objects.checkFromIndexSize(at, length, into.byteSize());
        if (array != null) {
            MemorySegment.copy(array, (int) position, into, ValueLayout.JAVA_BYTE, at, length);
        } else if (length != 0) {
            MemorySegment.copy(segment, position, into, at, length);
        }
        return length;
    }

    /// {@return a copy of the bytes}
    public byte[] toByteArray() {
        final byte[] bytes = new byte[length];
        copyTo(bytes, 0);
        return bytes;
    }

    /// {@return the text; what is not UTF-8 becomes U+FFFD}
    @Override
    public String toString() {
        return length == 0 ? "" : Utf8.decode(array, segment, position, length);
    }

    /// Compares contents. A slice that is bound again changes, so don't keep one as a key.
    ///
    /// @param other anything
    /// @return whether `other` is a slice of the same bytes
    @Override
    public boolean equals(Object other) {
        return other instanceof Utf8Slice slice && contentEquals(slice);
    }

    /// Hashes the contents, eight bytes at a time: equal bytes give equal numbers in any memory. The
    /// number may change from version to version and is not that of a [String].
    ///
    /// @return the hash
    @Override
    public int hashCode() {
        long hash = length;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash ^ Wire.int64(array, segment, position + i));
        }
        long tail = 0;
        for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
            tail |= (Wire.word8(array, segment, position + i) & 0xFFL) << shift;
        }
        hash = mix(hash ^ tail);
        return (int) (hash ^ hash >>> 32);
    }

    private static long mix(long word) {
        final long product = word * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 29;
    }
}
