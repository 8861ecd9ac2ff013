// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;

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
/// Comparing also reads one number of the buffer: at the end of the comparison the kind of memory
/// is known, and reading it later takes a fifth of the whole time.
///
/// Immutable and thread-safe.
public final class Shape {
    /// Returned for a buffer of another shape.
    public static final long OTHER = Long.MIN_VALUE;

    /// Number of words at the start of a buffer that are compared: the first at position 0, the
    /// others behind it without gaps. In a batch message, they have all tables.
    public static final int FIRST_WORDS = 10;

    /// Minimum length in bytes of a buffer with so many words at its start. A shorter buffer has
    /// its first words at any positions, and is compared more slowly.
    public static final int FIRST_BYTES = FIRST_WORDS * Long.BYTES;

    /// Maximum number of words after the first ones, enough for a compressed dictionary batch with
    /// some metadata.
    public static final int MOST_WORDS = 20;

    /// Number of these words that are always compared: a record batch has one or two.
    private static final int FEW_WORDS = 2;

    /// Longs per word of eight bytes: its position, its value and its mask.
    public static final int ENTRY = 3;

    private final int length;
    private final int numberAt;
    // Of an encapsulated message with this shape: continuation and metadata length.
    private final long prefix;
    // The first words, then the others.
    private final long[] words;
    private final boolean hasMoreWords;
    private final int[] strings;

    /// Creates a shape.
    ///
    /// @param length of the buffer in bytes, at least 8
    /// @param numberAt position of a number of 64 bits; -1 if it is absent, and then 0
    /// @param words position, value and mask of each of [#FIRST_WORDS] and [#MOST_WORDS] words;
    ///     zeros if there are fewer
    /// @param strings positions of all strings
    public Shape(int length, int numberAt, long[] words, int[] strings) {
        this.length = length;
        this.numberAt = numberAt;
        prefix = MessagePrefix.words(length);
        this.words = words;
        hasMoreWords = words[ENTRY * (FIRST_WORDS + FEW_WORDS) + 2] != 0;
        this.strings = strings;
    }

    /// {@return whether a buffer with this shape has strings}
    public boolean hasStrings() {
        return strings.length != 0;
    }

    // ---- comparing

    /// {@return the number; [#OTHER] if the buffer has another shape, or if it is that number}
    public long numberIn(MemoryRange buffer) {
        return buffer.end - buffer.start == length ? numberIn(buffer, buffer.start, false) : OTHER;
    }

    /// Moves a range to the metadata of an encapsulated message, if that has this shape.
    ///
    /// @param start position of the metadata; the prefix before it is in the memory
    /// @param room number of bytes of the input from the metadata on
    /// @return the number; [#OTHER] if prefix or metadata have another shape
    public long moveIfAt(MemoryRange memory, long start, long room) {
        return room < length
                ? OTHER
                : moveUnless(OTHER, numberIn(memory, start, true), memory, start);
    }

    private long moveUnless(long other, long number, MemoryRange memory, long start) {
        if (number != other) {
            memory.moveToPosition(start, length);
        }
        return number;
    }

    private long numberIn(MemoryRange memory, long start, boolean hasPrefix) {
        long number = numberByWords(memory, start, hasPrefix);
        return strings.length == 0 || number == OTHER || stringsFit(memory, start) ? number : OTHER;
    }

    private long numberByWords(MemoryRange memory, long start, boolean hasPrefix) {
        byte[] a = memory.array;
        if (length < FIRST_BYTES) {
            return numberElsewhere(a, memory.plainSegment(), start, hasPrefix);
        }
        if (a != null) {
            return numberAt(a, (int) start, hasPrefix);
        }
        return memory.isNative()
                ? numberAt(memory.plainSegment(), start, hasPrefix)
                : numberElsewhere(null, memory.plainSegment(), start, hasPrefix);
    }

    // Each word has its own load instruction. In a stream, a word is at a constant distance from
    // the same word of the previous message, and processors predict this for each load instruction.
    // A single load in a loop would have no such distance, and be five times slower for a mapped
    // stream. The first words are at constant positions, which saves half of the instructions.
    //
    // The prefix is compared before all words: messages of different shapes mostly differ in
    // length.
    //
    // Both methods are kept apart by length: inlined, they would also use too many registers.

    private long numberAt(byte[] a, int start, boolean hasPrefix) {
        long[] w = words;
        if (w.length != ENTRY * (FIRST_WORDS + MOST_WORDS)) {
            return OTHER; // never: a bound told to C2
        }
        if (hasPrefix && Wire.int64(a, start - MessagePrefix.BYTES) != prefix) {
            return OTHER;
        }
        long unlike =
                first(a, start, w, 0)
                        | first(a, start, w, 1)
                        | first(a, start, w, 2)
                        | first(a, start, w, 3)
                        | first(a, start, w, 4)
                        | first(a, start, w, 5)
                        | first(a, start, w, 6)
                        | first(a, start, w, 7)
                        | first(a, start, w, 8)
                        | first(a, start, w, 9)
                        | word(a, start, w, 0)
                        | word(a, start, w, 1);
        if (unlike == 0 && hasMoreWords) {
            unlike =
                    word(a, start, w, 2)
                            | word(a, start, w, 3)
                            | word(a, start, w, 4)
                            | word(a, start, w, 5)
                            | word(a, start, w, 6)
                            | word(a, start, w, 7)
                            | word(a, start, w, 8)
                            | word(a, start, w, 9)
                            | word(a, start, w, 10)
                            | word(a, start, w, 11)
                            | word(a, start, w, 12)
                            | word(a, start, w, 13)
                            | word(a, start, w, 14)
                            | word(a, start, w, 15)
                            | word(a, start, w, 16)
                            | word(a, start, w, 17)
                            | word(a, start, w, 18)
                            | word(a, start, w, 19);
        }
        if (unlike != 0) {
            return OTHER;
        }
        return numberAt < 0 ? 0 : Wire.int64(a, start + numberAt);
    }

    private long numberAt(MemorySegment memory, long start, boolean hasPrefix) {
        MemorySegment s = MemoryRange.cast(memory); // class told to C2
        long[] w = words;
        if (w.length != ENTRY * (FIRST_WORDS + MOST_WORDS)) {
            return OTHER; // never: a bound told to C2
        }
        if (hasPrefix && Wire.int64(s, start - MessagePrefix.BYTES) != prefix) {
            return OTHER;
        }
        long unlike =
                first(s, start, w, 0)
                        | first(s, start, w, 1)
                        | first(s, start, w, 2)
                        | first(s, start, w, 3)
                        | first(s, start, w, 4)
                        | first(s, start, w, 5)
                        | first(s, start, w, 6)
                        | first(s, start, w, 7)
                        | first(s, start, w, 8)
                        | first(s, start, w, 9)
                        | word(s, start, w, 0)
                        | word(s, start, w, 1);
        if (unlike == 0 && hasMoreWords) {
            unlike =
                    word(s, start, w, 2)
                            | word(s, start, w, 3)
                            | word(s, start, w, 4)
                            | word(s, start, w, 5)
                            | word(s, start, w, 6)
                            | word(s, start, w, 7)
                            | word(s, start, w, 8)
                            | word(s, start, w, 9)
                            | word(s, start, w, 10)
                            | word(s, start, w, 11)
                            | word(s, start, w, 12)
                            | word(s, start, w, 13)
                            | word(s, start, w, 14)
                            | word(s, start, w, 15)
                            | word(s, start, w, 16)
                            | word(s, start, w, 17)
                            | word(s, start, w, 18)
                            | word(s, start, w, 19);
        }
        if (unlike != 0) {
            return OTHER;
        }
        return numberAt < 0 ? 0 : Wire.int64(s, start + numberAt);
    }

    /// Compares a short buffer, or memory that is neither a writable array nor native, such as a
    /// read-only array.
    private long numberElsewhere(byte[] a, MemorySegment s, long start, boolean hasPrefix) {
        long unlike = hasPrefix ? Wire.int64(a, s, start - MessagePrefix.BYTES) ^ prefix : 0;
        long[] w = words;
        for (int i = 0; i < w.length; i += ENTRY) {
            unlike |= (Wire.int64(a, s, start + w[i]) ^ w[i + 1]) & w[i + 2];
        }
        if (unlike != 0) {
            return OTHER;
        }
        return numberAt < 0 ? 0 : Wire.int64(a, s, start + numberAt);
    }

    /// The different bits of one of the first words.
    private static long first(byte[] a, int start, long[] w, int i) {
        return (Wire.int64(a, start + Long.BYTES * i) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private static long first(MemorySegment s, long start, long[] w, int i) {
        return (Wire.int64(s, start + Long.BYTES * i) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    /// The different bits of a word after the first ones.
    private static long word(byte[] a, int start, long[] w, int i) {
        int entry = ENTRY * (FIRST_WORDS + i);
        return (Wire.int64(a, start + (int) w[entry]) ^ w[entry + 1]) & w[entry + 2];
    }

    private static long word(MemorySegment s, long start, long[] w, int i) {
        int entry = ENTRY * (FIRST_WORDS + i);
        return (Wire.int64(s, start + w[entry]) ^ w[entry + 1]) & w[entry + 2];
    }

    private boolean stringsFit(MemoryRange memory, long start) {
        byte[] a = memory.array;
        MemorySegment s = a == null ? memory.segment() : null;
        for (int position : strings) {
            long chars = start + position + Wire.OFFSET_BYTES;
            long bytes = Wire.uint32(a, s, chars - Wire.OFFSET_BYTES);
            if (bytes >= start + length - chars || Wire.word8(a, s, chars + bytes) != 0) {
                return false;
            }
        }
        return true;
    }
}
