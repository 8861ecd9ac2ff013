// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.util.Arrays;

/// Finds rows of a [FieldTable] by parent and name.
///
/// ```text
///   starts   per bucket, index of its first row in `rows`; one more for the end
///   rows     sorted by bucket, then ascending
/// ```
///
/// A counting sort fills the buckets, so building time does not depend on the names, and duplicates are found
/// in order. Hashes have a random seed, so that a hostile schema cannot choose names that share a bucket.
final class NameIndex {
    private static final long PARENT_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long NAME_FACTOR = 0xD6E8FEB86659FD93L;
    private static final long FIRST = 0x8EBC6AF09C88C6E3L;
    private static final long SECOND = 0x589965CC75374CC3L;

    private final FieldTable table;
    private final int mask;
    private final int[] starts;
    private final int[] rows;

    /// @param table complete
    NameIndex(FieldTable table) {
        this.table = table;
        final int count = table.rows;
        this.mask = Math.max(1, Integer.highestOneBit(count)) - 1;
        this.starts = new int[mask + 3];
        this.rows = new int[count];
        // Sizes are counted two places too high, so their sums are the starts one place too high.
        // Adding a row advances its bucket's start, in the end to the next bucket's.
        for (int row = 0; row < count; row++) {
            starts[bucket(table.nameHash[row], table.parent[row]) + 2]++;
        }
        for (int i = 3; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        for (int row = 0; row < count; row++) {
            rows[starts[bucket(table.nameHash[row], table.parent[row]) + 1]++] = row;
        }
    }

    private int bucket(int nameHash, int parent) {
        final long mixed = (nameHash ^ table.seed ^ parent * PARENT_FACTOR) * NAME_FACTOR;
        return (int) (mixed ^ mixed >>> 32) & mask;
    }

    /// Finds the first row of a name after another row.
    ///
    /// @param parent value of [FieldTable#parent]
    /// @param after a row, or -1
    /// @return the row, -1 if there is none
    int find(int parent, CharSequence name, int after) {
        final int hash = hash(name, table.seed);
        final int bucket = bucket(hash, parent);
        final int stop = starts[bucket + 1];
        for (int i = behind(starts[bucket], stop, after); i < stop; i++) {
            final int row = rows[i];
            if (table.nameHash[row] == hash
                    && table.parent[row] == parent
                    && Utf8.equals(
                            table.names, null, table.nameAt[row], table.nameLength[row], name)) {
                return row;
            }
        }
        return -1;
    }

    /// The first index in a bucket whose row is greater than another one.
    private int behind(int start, int stop, int after) {
        if (start == stop || rows[start] > after) {
            return start;
        }
        final int found = Arrays.binarySearch(rows, start, stop, after);
        return found >= 0 ? found + 1 : -found - 1;
    }

    // ---- hashes of names

    /// Hashes UTF-8, eight bytes at a time.
    static int hash(byte[] bytes, int at, int length, long seed) {
        long hash = seed;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash, Wire.int64(bytes, at + i));
        }
        long word = 0;
        for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
            word |= (bytes[at + i] & 0xFFL) << shift;
        }
        return finish(hash, word, length);
    }

    /// Hashes the UTF-8 encoding of a text, without allocating. The hash is arbitrary for a text with an
    /// unpaired surrogate, which has no encoding.
    static int hash(CharSequence text, long seed) {
        long hash = seed;
        long word = 0;
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            final int c = Utf8.codePoint(text, i, text.length());
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            long rest = Utf8.encode(c);
            do {
                word |= (rest & 0xFF) << (bytes << 3); // a shift counts modulo 64
                if ((++bytes & 7) == 0) {
                    hash = mix(hash, word);
                    word = 0;
                }
                rest >>>= 8;
            } while (rest != 0);
        }
        return finish(hash, word, bytes);
    }

    private static long mix(long hash, long word) {
        return fold(hash ^ word ^ FIRST, SECOND) + hash;
    }

    private static int finish(long hash, long word, int bytes) {
        return (int) fold(mix(hash, word) ^ bytes, FIRST);
    }

    /// Combines both halves of the 128-bit product.
    private static long fold(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }
}
