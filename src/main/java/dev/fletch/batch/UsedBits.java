// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Wire;

import java.util.Arrays;

/// A set of positions, which are added in ranges: rows in use, or bits of bytes in use.
///
/// Positions before [#prefix] are all in the set, and take no memory: most sets are no more than
/// that. Another set has the words of this one that are full, so that ranges that overlap many times
/// take no longer than others.
final class UsedBits {
    /// Memory for several sets.
    static final class Memory {
        private final long most;
        private long taken;

        Memory(long mostBytes) {
            most = mostBytes;
        }

        private void take(long bytes) {
            if (bytes > most - taken) {
                throw DecompressedBuffers.tooMuch(
                        "unused bytes, length=" + bytes + ", used=" + taken + ", limit=" + most);
            }
            taken += bytes;
        }
    }

    private static final int FEW_WORDS = 64;

    private final Memory memory;
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
    void clear() {
        prefix = 0;
        Arrays.fill(words, 0, wordCount, 0);
        wordCount = 0;
        if (full != null) {
            full.clear();
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
        if (to - 1 >>> 6 >= words.length) {
            grow((to - 1 >>> 6) + 1);
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

    private void grow(long least) {
        long size =
                Math.max(least, Math.min(Wire.LONGEST_ARRAY, words.length + (words.length >> 1)));
        memory.take(
                size > Wire.LONGEST_ARRAY ? Long.MAX_VALUE : Long.BYTES * (size - words.length));
        words = Arrays.copyOf(words, (int) size);
        if (full == null && size > FEW_WORDS) {
            full = new UsedBits(memory);
            for (int i = 0; i < wordCount; i++) {
                set(i, 0);
            }
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
        long at = Math.max(from, prefix);
        if (at >>> 6 >= wordCount) {
            return at;
        }
        int i = (int) (at >>> 6);
        long bits = ~words[i] & -1L << at;
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
