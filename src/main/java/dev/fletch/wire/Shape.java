// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What a small buffer has in common with others of its kind: its length, and all bytes that decide
/// whether it is valid and where its parts are.
///
/// These are the root offset, each table's offset to its vtable, the vtables, the offsets, the counts
/// of vectors and all numbers of 8 and 16 bits, such as kinds and versions. Longer numbers, the
/// elements of vectors of numbers and structs, and the text of strings may differ.
///
/// A buffer that has the shape of a valid one is valid under the same options: a verifier reads nothing
/// else, except each string's length and the NUL behind it, as this does. Its tables are bound by adding a
/// distance to the places in the other one.
///
/// Immutable; any number of threads may share one.
public final class Shape {
    /// Words that are always compared: a record batch has nine or ten.
    private static final int FIRST_WORDS = 10;

    /// Room for a compressed dictionary batch with some metadata.
    public static final int MOST_WORDS = 30;

    /// Longs for a word of eight bytes: its place, its value, and which bits count.
    public static final int ENTRY = 3;

    /// What no 64-bit number of a valid message is.
    public static final long OTHER = Long.MIN_VALUE;

    private final int length;
    private final long[] words;
    private final boolean hasMoreWords;
    private final int[] strings;
    private final int tables;

    /// Creates a shape.
    ///
    /// @param length of the buffer in bytes
    /// @param words for each deciding word its place, its value and which of its bits count
    /// @param wordCount number of words, at most [#MOST_WORDS]
    /// @param strings places of all strings
    /// @param tables number of tables
    public Shape(int length, long[] words, int wordCount, int[] strings, int tables) {
        this.length = length;
        this.words = Arrays.copyOf(words, ENTRY * MOST_WORDS);
        hasMoreWords = wordCount > FIRST_WORDS;
        this.strings = strings;
        this.tables = tables;
    }

    /// {@return number of tables of such a buffer, as a verifier counts them}
    public int tables() {
        return tables;
    }

    /// {@return whether such a buffer has strings}
    public boolean hasStrings() {
        return strings.length != 0;
    }

    // ---- comparing

    /// Tells whether a buffer has this shape, and reads a number in it.
    ///
    /// @param at distance of a 64-bit number from the buffer's start, which is in such a buffer
    /// @return the number, [#OTHER] if the buffer has another shape, or if that is the number
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

    // Each word is read by a load of its own. In a stream, a word is at a constant distance from
    // the
    // same word of the message before, and processors predict that for each load instruction. A
    // loop
    // would be one load without such a distance, and five times slower for a mapped stream.
    //
    // Both ways stay calls, by the detours of Table's binding: inlined, they would take all that C2
    // may
    // inline into the caller, and too many registers.

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
        final MemorySegment s = MemoryRange.cast(memory); // here, where it is read
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

    /// In memory that is neither a writable array nor native, such as a read-only array.
    private boolean areElsewhere(MemoryRange memory) {
        for (int i = 0; i < MOST_WORDS; i++) {
            if (word(memory.segment(), memory.start, words, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /// The bits of a word that differ.
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
