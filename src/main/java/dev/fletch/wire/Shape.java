// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The shape of a small buffer: its length, and all bytes that determine its validity and the
/// positions of its parts.
///
/// These bytes are the root offset, each table's offset to its vtable, the vtables, the offsets,
/// the counts of vectors, and all numbers of 8 and 16 bits, such as union tags and versions. Longer
/// numbers, the elements of vectors of numbers and structs, and the text of strings may differ.
///
/// A buffer with the shape of a valid buffer is valid under the same options: a verifier reads only
/// these bytes, and each string's length and NUL, which are compared as well. Its tables are bound
/// by adding a distance to the positions in the other buffer.
///
/// Immutable and thread-safe.
public final class Shape {
    /// Number of words that are always compared: a record batch has nine or ten.
    private static final int FIRST_WORDS = 10;

    /// Maximum number of words, enough for a compressed dictionary batch with some metadata.
    public static final int MOST_WORDS = 30;

    /// Longs per word of eight bytes: its position, its value and its mask.
    public static final int ENTRY = 3;

    /// Not a 64-bit number of any valid message.
    public static final long OTHER = Long.MIN_VALUE;

    private final int length;
    // Of an encapsulated message with this shape: continuation and metadata length.
    private final long prefix;
    private final long[] words;
    private final boolean hasMoreWords;
    private final int[] strings;
    private final int tables;

    /// Creates a shape.
    ///
    /// @param length of the buffer in bytes
    /// @param words position, value and mask of each deciding word
    /// @param wordCount number of words, at most [#MOST_WORDS]
    /// @param strings positions of all strings
    /// @param tables number of tables
    public Shape(int length, long[] words, int wordCount, int[] strings, int tables) {
        this.length = length;
        prefix = (long) length << Integer.SIZE | 0xFFFFFFFFL;
        this.words = Arrays.copyOf(words, ENTRY * MOST_WORDS);
        hasMoreWords = wordCount > FIRST_WORDS;
        this.strings = strings;
        this.tables = tables;
    }

    /// {@return length of a buffer with this shape in bytes}
    public int length() {
        return length;
    }

    /// {@return number of tables of a buffer with this shape, as a verifier counts them}
    public int tables() {
        return tables;
    }

    /// {@return whether a buffer with this shape has strings}
    public boolean hasStrings() {
        return strings.length != 0;
    }

    // ---- comparing

    /// Compares a buffer with this shape, and reads a number in the buffer.
    ///
    /// @param at distance of a 64-bit number from the start of any buffer with this shape
    /// @return the number; [#OTHER] if the buffer has another shape, or if the number is that value
    public long numberIn(MemoryRange memory, int at) {
        return memory.end - memory.start == length
                ? numberIn(memory, memory.start, at, false)
                : OTHER;
    }

    /// Compares an encapsulated message, and reads a number in its metadata.
    ///
    /// @param memory the memory; its range does not matter
    /// @param start position of the metadata. The prefix before it and [#length] bytes after it are
    ///     in the memory
    /// @param at as for [#numberIn]
    /// @return as for [#numberIn]; [#OTHER] also for another prefix
    public long numberInMessage(MemoryRange memory, long start, int at) {
        return numberIn(memory, start, at, true);
    }

    private long numberIn(MemoryRange memory, long start, int at, boolean isMessage) {
        if (strings.length != 0 && !stringsFit(memory, start)) {
            return OTHER;
        }
        final byte[] a = memory.array;
        if (a != null) {
            return numberIn(a, (int) start, at, isMessage);
        }
        return memory.isNative()
                ? numberIn(memory.plainSegment(), start, at, isMessage)
                : numberElsewhere(memory.plainSegment(), start, at, isMessage);
    }

    // Each word has its own load instruction. In a stream, a word is at a constant distance from
    // the same word of the previous message, and processors predict this for each load instruction.
    // A single load in a loop would have no such distance, and be five times slower for a mapped
    // stream.
    //
    // Both methods have more than 325 bytes of code, so that C2 never inlines them: inlined, they
    // would use up the caller's inlining budget, and too many registers.

    private long numberIn(byte[] a, int start, int at, boolean isMessage) {
        final long number = Wire.int64(a, start + at);
        final long[] w = words;
        if (w.length != ENTRY * MOST_WORDS) {
            return OTHER; // never: informs the compiler of the length
        }
        long unlike =
                word(a, start, w, 0)
                        | word(a, start, w, 1)
                        | word(a, start, w, 2)
                        | word(a, start, w, 3)
                        | word(a, start, w, 4)
                        | word(a, start, w, 5)
                        | word(a, start, w, 6)
                        | word(a, start, w, 7)
                        | word(a, start, w, 8)
                        | word(a, start, w, 9);
        if (isMessage) {
            unlike |= Wire.int64(a, start - Wire.PREFIX_BYTES) ^ prefix;
        }
        if (unlike == 0 && hasMoreWords) {
            unlike =
                    word(a, start, w, 10)
                            | word(a, start, w, 11)
                            | word(a, start, w, 12)
                            | word(a, start, w, 13)
                            | word(a, start, w, 14)
                            | word(a, start, w, 15)
                            | word(a, start, w, 16)
                            | word(a, start, w, 17)
                            | word(a, start, w, 18)
                            | word(a, start, w, 19)
                            | word(a, start, w, 20)
                            | word(a, start, w, 21)
                            | word(a, start, w, 22)
                            | word(a, start, w, 23)
                            | word(a, start, w, 24)
                            | word(a, start, w, 25)
                            | word(a, start, w, 26)
                            | word(a, start, w, 27)
                            | word(a, start, w, 28)
                            | word(a, start, w, 29);
        }
        return unlike == 0 ? number : OTHER;
    }

    private long numberIn(MemorySegment memory, long start, int at, boolean isMessage) {
        final MemorySegment s = MemoryRange.cast(memory); // must be in this method
        final long number = Wire.int64(s, start + at);
        final long[] w = words;
        if (w.length != ENTRY * MOST_WORDS) {
            return OTHER; // never: informs the compiler of the length
        }
        long unlike =
                word(s, start, w, 0)
                        | word(s, start, w, 1)
                        | word(s, start, w, 2)
                        | word(s, start, w, 3)
                        | word(s, start, w, 4)
                        | word(s, start, w, 5)
                        | word(s, start, w, 6)
                        | word(s, start, w, 7)
                        | word(s, start, w, 8)
                        | word(s, start, w, 9);
        if (isMessage) {
            unlike |= Wire.int64(s, start - Wire.PREFIX_BYTES) ^ prefix;
        }
        if (unlike == 0 && hasMoreWords) {
            unlike =
                    word(s, start, w, 10)
                            | word(s, start, w, 11)
                            | word(s, start, w, 12)
                            | word(s, start, w, 13)
                            | word(s, start, w, 14)
                            | word(s, start, w, 15)
                            | word(s, start, w, 16)
                            | word(s, start, w, 17)
                            | word(s, start, w, 18)
                            | word(s, start, w, 19)
                            | word(s, start, w, 20)
                            | word(s, start, w, 21)
                            | word(s, start, w, 22)
                            | word(s, start, w, 23)
                            | word(s, start, w, 24)
                            | word(s, start, w, 25)
                            | word(s, start, w, 26)
                            | word(s, start, w, 27)
                            | word(s, start, w, 28)
                            | word(s, start, w, 29);
        }
        return unlike == 0 ? number : OTHER;
    }

    /// Compares memory that is neither a writable array nor native, such as a read-only array.
    private long numberElsewhere(MemorySegment s, long start, int at, boolean isMessage) {
        long unlike = isMessage ? Wire.int64(s, start - Wire.PREFIX_BYTES) ^ prefix : 0;
        for (int i = 0; i < MOST_WORDS; i++) {
            unlike |= word(s, start, words, i);
        }
        return unlike == 0 ? Wire.int64(s, start + at) : OTHER;
    }

    /// The different bits of a word.
    private static long word(byte[] a, int start, long[] w, int i) {
        return (Wire.int64(a, start + (int) w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private static long word(MemorySegment s, long start, long[] w, int i) {
        return (Wire.int64(s, start + w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private boolean stringsFit(MemoryRange memory, long start) {
        final byte[] a = memory.array;
        final MemorySegment s = a == null ? memory.segment() : null;
        for (int at : strings) {
            final long chars = start + at + Wire.OFFSET_BYTES;
            final long bytes = Wire.uint32(a, s, chars - Wire.OFFSET_BYTES);
            if (bytes >= start + length - chars || Wire.word8(a, s, chars + bytes) != 0) {
                return false;
            }
        }
        return true;
    }
}
