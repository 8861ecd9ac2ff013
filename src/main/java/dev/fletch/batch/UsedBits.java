// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Wire;

import java.util.Arrays;

/// A set of positions, which are added in ranges: rows in use, or bits of bytes in use.
///
/// Positions before [#prefix] are all in the set, and take no memory: most sets are no more than
/// that. For others, memory for all positions is allocated at once. Another set has the words of
/// this one that are full, so that ranges that overlap many times take no longer than others.
final class UsedBits {
    /// Memory for several sets.
    static final class Memory {
        private final long limit;
        private long taken;

        Memory(long mostBytes) {
            limit = mostBytes;
        }

        /// Replaces an array by a longer one, of zeros.
        private long[] allocate(long[] before, long words) {
            long others = taken - (long) Long.BYTES * before.length;
            if (words <= Math.min(Wire.LONGEST_ARRAY, (limit - others) / Long.BYTES)) {
                try {
                    long[] all = new long[(int) words];
                    taken = others + Long.BYTES * words;
                    return all;
                } catch (OutOfMemoryError _) {
                    // the limit is more than the JVM has
                }
            }
            String limits = ", used=" + others + ", limit=" + limit;
            throw DecompressedBuffers.tooMuch("unused bytes, words=" + words + limits);
        }
    }

    private static final int FEW_WORDS = 64;

    private final Memory memory;
    // Number of words for all positions.
    private long max;
    private long prefix;
    private long[] words = {};
    // Number of words that may have a bit.
    private int wordCount;
    // Full words; null while there are few.
    private UsedBits full;

    /// Creates an empty set.
    UsedBits(Memory memory) {
        this.memory = memory;
    }

    /// Removes all positions.
    ///
    /// @param count number of positions that may be added
    void clear(long count) {
        max = (count >>> 6) + 1;
        prefix = 0;
        Arrays.fill(words, 0, Math.min(wordCount, words.length), 0); // more if adding failed
        wordCount = 0;
        if (full != null) {
            full.clear(words.length);
        }
    }

    /// Adds the positions from one to before another; none if these are not in this order.
    ///
    /// @throws dev.fletch.FletchException if the memory does not suffice
    void add(long from, long to) {
        if (from >= to) {
            return;
        }
        if (from <= prefix) {
            prefix = Math.max(prefix, to);
            return;
        }
        if (words.length < max) {
            allocate();
        }
        int first = (int) (from >>> 6);
        int last = (int) (to - 1 >>> 6);
        wordCount = Math.max(wordCount, last + 1);
        long head = -1L << from;
        long tail = -1L >>> -to;
        if (first == last) {
            set(first, head & tail);
            return;
        }
        set(first, head);
        for (int i = notFull(first + 1); i < last; i = notFull(i + 1)) {
            set(i, -1L);
        }
        set(last, tail);
    }

    private void allocate() {
        words = memory.allocate(words, max);
        if (full == null && max > FEW_WORDS) {
            full = new UsedBits(memory);
        }
        if (full != null) {
            full.clear(words.length);
        }
    }

    private void set(int word, long bits) {
        words[word] |= bits;
        if (full != null && words[word] == -1L) {
            full.add(word, word + 1L);
        }
    }

    private int notFull(int word) {
        return full == null ? word : (int) Math.min(Integer.MAX_VALUE, full.nextAbsent(word));
    }

    /// {@return the first position of the set from one on; [Long#MAX_VALUE] if there is none}
    long next(long from) {
        if (from < prefix) {
            return from;
        }
        if (from >>> 6 >= wordCount) {
            return Long.MAX_VALUE;
        }
        int i = (int) (from >>> 6);
        long bits = words[i] & -1L << from;
        while (bits == 0) {
            if (++i >= wordCount) {
                return Long.MAX_VALUE;
            }
            bits = words[i];
        }
        return ((long) i << 6) + Long.numberOfTrailingZeros(bits);
    }

    /// {@return the first position from one on that is not in the set}
    long nextAbsent(long from) {
        long position = Math.max(from, prefix);
        if (position >>> 6 >= wordCount) {
            return position;
        }
        int i = (int) (position >>> 6);
        long bits = ~words[i] & -1L << position;
        while (bits == 0) {
            i = notFull(i + 1);
            if (i >= wordCount) {
                return (long) wordCount << 6;
            }
            bits = ~words[i];
        }
        return ((long) i << 6) + Long.numberOfTrailingZeros(bits);
    }

    /// {@return 64 positions from a multiple of 64 on, the first in the lowest bit}
    long word(long index) {
        long before = prefix - (index << 6);
        if (before >= Long.SIZE) {
            return -1L;
        }
        long bits = index < wordCount ? words[(int) index] : 0;
        return before <= 0 ? bits : bits | (1L << before) - 1;
    }
}
