// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The part of a [FlatBufferWriter] that writes strings.
abstract sealed class WriterStrings extends WriterMemory permits WriterObjects {
    /// What a string takes at most besides its bytes: length, NUL, padding.
    private static final int MAX_STRING_EXTRA = 2 * Wire.OFFSET_BYTES;

    /// The same, and bytes before it that are written and do not count.
    private static final int MAX_STRING_ROOM = MAX_STRING_EXTRA + Long.BYTES;

    WriterStrings() {}

    final void requireIdle(String call) {
        if (state != WriterState.IDLE) {
            throw misuse(call);
        }
    }

    /// Writes a string.
    ///
    /// @param text any text, which must not change meanwhile
    /// @return where it is, for [FlatBufferWriter#addOffset]
    /// @throws IllegalArgumentException if a surrogate in `text` is unpaired: there is no UTF-8 for it,
    ///     and flatbuffers-java refuses it as well. Nothing is written then
    public int createString(CharSequence text) {
        return text instanceof String string ? createString(string) : createText(text);
    }

    /// Most texts are a [String], and of characters that take one byte each: these are gathered eight
    /// at a time, and stored as a word.
    private int createString(String text) {
        final int chars = text.length();
        final int begin = size();
        if (state != WriterState.IDLE || chars > at - start - MAX_STRING_ROOM) {
            return createText(text);
        }
        final byte[] a = array;
        final MemorySegment s = memory();
        final int from = begin + chars + Wire.OFFSET_BYTES & -Wire.OFFSET_BYTES;
        Wire.setInt64(a, s, at - Long.BYTES, 0); // NUL and padding; what is too many is overwritten
        final long p = end - from;
        final int few = chars & Long.BYTES - 1;
        if (few != 0) {
            final long word = first(text, few);
            if (word < 0) {
                return createText(text);
            }
            Wire.setInt64(a, s, p + few - Long.BYTES, word); // begins in the room
        }
        if (few < chars) {
            final long word = eight(text, few);
            if (word < 0 || few + Long.BYTES < chars && !putEights(text, few + Long.BYTES, p)) {
                return createText(text);
            }
            Wire.setInt64(a, s, p + few, word);
        }
        if (largestAlignment < Wire.OFFSET_BYTES) {
            largestAlignment = Wire.OFFSET_BYTES;
        }
        at = end - from - Wire.OFFSET_BYTES;
        Wire.setInt32(a, s, at, chars);
        return from + Wire.OFFSET_BYTES;
    }

    /// The rest of a text, which is a multiple of eight characters long.
    private boolean putEights(String text, int from, long p) {
        long all = 0;
        for (int i = from; i < text.length(); i += Long.BYTES) {
            final long word = eight(text, i);
            Wire.setInt64(array, memory(), p + i, word);
            all |= word;
        }
        return all >= 0;
    }

    /// Eight characters as bytes, negative if one takes more than one byte.
    private static long eight(String text, int i) {
        final int c0 = text.charAt(i);
        final int c1 = text.charAt(i + 1);
        final int c2 = text.charAt(i + 2);
        final int c3 = text.charAt(i + 3);
        final int c4 = text.charAt(i + 4);
        final int c5 = text.charAt(i + 5);
        final int c6 = text.charAt(i + 6);
        final int c7 = text.charAt(i + 7);
        if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 0x80) {
            return -1;
        }
        final int low = c0 | c1 << 8 | c2 << 16 | c3 << 24;
        final int high = c4 | c5 << 8 | c6 << 16 | c7 << 24;
        return low | (long) high << Integer.SIZE;
    }

    /// Up to seven characters as the last bytes of a word, negative if one takes more than one byte.
    private static long first(String text, int chars) {
        int all = 0;
        long word = 0;
        for (int i = chars - 1; i >= 0; i--) {
            final int c = text.charAt(i);
            all |= c;
            word = word << Byte.SIZE | c;
        }
        return all >= 0x80 ? -1 : word << Long.SIZE - chars * Byte.SIZE;
    }

    private int createText(CharSequence text) {
        requireIdle("createString");
        final int chars = text.length();
        // Only with room to spare: what is missing is told, and asked for, by the encoding's
        // length.
        if (hasRoom((long) chars + MAX_STRING_EXTRA)) {
            final int before = size();
            startString(chars);
            if (putAscii(text, chars)) {
                return endString(chars);
            }
            backTo(before);
        }
        final long bytes = Utf8Encoder.encodedLength(text);
        startString(bytes);
        putText(text, (int) bytes);
        return endString((int) bytes);
    }

    /// Writes a string whose encoding is at hand. Whether it is UTF-8 is not checked.
    ///
    /// @param utf8 holds the encoding
    /// @param from index of its first byte
    /// @param length its length in bytes
    /// @return where it is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if it is not inside `utf8`
    public int createString(byte[] utf8, int from, int length) {
        requireIdle("createString");
        Objects.checkFromIndexSize(from, length, utf8.length);
        startString(length);
        putAll(utf8, from, length);
        return endString(length);
    }

    /// Writes a string whose encoding is at hand. Whether it is UTF-8 is not checked.
    ///
    /// @param memory holds the encoding
    /// @param offset byte offset of its first byte
    /// @param length its length in bytes
    /// @return where it is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if it is not inside `memory`
    public int createString(MemorySegment memory, long offset, int length) {
        requireIdle("createString");
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        startString(length);
        putAll(memory, offset, length);
        return endString(length);
    }

    /// Writes a string of another message. Whether it is UTF-8 is not checked.
    ///
    /// @param text shows the encoding
    /// @return where it is, for [FlatBufferWriter#addOffset]
    public int createString(Utf8Slice text) {
        requireIdle("createString");
        final int length = text.length();
        startString(length);
        putAll(text);
        return endString(length);
    }

    private void startString(long bytes) {
        align(Wire.OFFSET_BYTES, bytes + 1, Wire.OFFSET_BYTES);
        pad(1); // the NUL
    }

    private int endString(int bytes) {
        put32(bytes);
        return size();
    }
}
