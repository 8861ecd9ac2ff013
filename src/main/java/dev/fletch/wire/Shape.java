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
        this.words = Arrays.copyOf(words, ENTRY * MOST_WORDS);
        hasMoreWords = wordCount > FIRST_WORDS;
        this.strings = strings;
        this.tables = tables;
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
        if (memory.end - memory.start != length || strings.length != 0 && !stringsFit(memory)) {
            return OTHER;
        }
        final byte[] a = memory.array;
        if (a != null) {
            return numberIn(a, (int) memory.start, at, 2);
        }
        final MemorySegment s = memory.segment();
        return memory.isNative()
                ? numberIn(s, memory.start, at, 2)
                : areElsewhere(memory) ? Wire.int64(s, memory.start + at) : OTHER;
    }

    // Each word has its own load instruction. In a stream, a word is at a constant distance from
    // the same word of the previous message, and processors predict this for each load instruction.
    // A single load in a loop would have no such distance, and be five times slower for a mapped
    // stream.
    //
    // The detours of Table's binding prevent inlining: inlined, both methods would use up the
    // caller's inlining budget, and too many registers.

    private long numberIn(byte[] a, int start, int at, int detours) {
        if (detours != 0) {
            return numberIn(a, start, at, detours - 1);
        }
        final long number = Wire.int64(a, start + at);
        final long[] w = words;
        return w.length == ENTRY * MOST_WORDS
                        && ten(a, start, w, 0) == 0
                        && (!hasMoreWords || (ten(a, start, w, 10) | ten(a, start, w, 20)) == 0)
                ? number
                : OTHER;
    }

    private long numberIn(MemorySegment memory, long start, int at, int detours) {
        if (detours != 0) {
            return numberIn(memory, start, at, detours - 1);
        }
        final MemorySegment s = MemoryRange.cast(memory); // must be in this method
        final long number = Wire.int64(s, start + at);
        final long[] w = words;
        return w.length == ENTRY * MOST_WORDS
                        && ten(s, start, w, 0) == 0
                        && (!hasMoreWords || (ten(s, start, w, 10) | ten(s, start, w, 20)) == 0)
                ? number
                : OTHER;
    }

    private static long ten(byte[] a, int start, long[] w, int i) {
        return word(a, start, w, i)
                | word(a, start, w, i + 1)
                | word(a, start, w, i + 2)
                | word(a, start, w, i + 3)
                | word(a, start, w, i + 4)
                | word(a, start, w, i + 5)
                | word(a, start, w, i + 6)
                | word(a, start, w, i + 7)
                | word(a, start, w, i + 8)
                | word(a, start, w, i + 9);
    }

    private static long ten(MemorySegment s, long start, long[] w, int i) {
        return word(s, start, w, i)
                | word(s, start, w, i + 1)
                | word(s, start, w, i + 2)
                | word(s, start, w, i + 3)
                | word(s, start, w, i + 4)
                | word(s, start, w, i + 5)
                | word(s, start, w, i + 6)
                | word(s, start, w, i + 7)
                | word(s, start, w, i + 8)
                | word(s, start, w, i + 9);
    }

    /// Compares memory that is neither a writable array nor native, such as a read-only array.
    private boolean areElsewhere(MemoryRange memory) {
        for (int i = 0; i < MOST_WORDS; i++) {
            if (word(memory.segment(), memory.start, words, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /// The different bits of a word.
    private static long word(byte[] a, int start, long[] w, int i) {
        return (Wire.int64(a, start + (int) w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private static long word(MemorySegment s, long start, long[] w, int i) {
        return (Wire.int64(s, start + w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private boolean stringsFit(MemoryRange memory) {
        final byte[] a = memory.array;
        final MemorySegment s = a == null ? memory.segment() : null;
        for (int at : strings) {
            final long chars = memory.start + at + Wire.OFFSET_BYTES;
            final long bytes = Wire.uint32(a, s, chars - Wire.OFFSET_BYTES);
            if (bytes >= memory.end - chars || Wire.word8(a, s, chars + bytes) != 0) {
                return false;
            }
        }
        return true;
    }
}
