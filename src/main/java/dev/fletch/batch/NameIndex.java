// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Utf8;

import java.util.Arrays;

/// Finds rows of a [FieldTable] by parent and name.
///
/// ```text
///   starts   per bucket, index of its first row in `rows`; one more for the end
///   rows     sorted by bucket, then ascending
/// ```
///
/// A counting sort fills the buckets, so building time does not depend on the names, and duplicates
/// are found in order. Hashes have a random seed, so that a hostile schema cannot choose names that
/// share a bucket.
final class NameIndex {
    private static final long PARENT_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long NAME_FACTOR = 0xD6E8FEB86659FD93L;

    /// A row that was found.
    private record Known(String name, int parent, int row) {}

    private static final int MOST_KNOWN = 64;

    // The first rows that were found by a String, each at a place by the hash that the String has
    // kept: finding them again takes 4 ns instead of 70. Entries are immutable and stay, so threads
    // may race. Null until needed.
    private Known[] known;
    private final FieldTable table;
    private final int mask;
    private final int[] starts;
    private final int[] rows;

    /// @param table complete
    NameIndex(FieldTable table) {
        this.table = table;
        int count = table.rows;
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
        long mixed = (nameHash ^ table.seed ^ parent * PARENT_FACTOR) * NAME_FACTOR;
        return (int) (mixed ^ mixed >>> 32) & mask;
    }

    /// Finds the first row of a name after another row.
    ///
    /// @param parent value of [FieldTable#parent]
    /// @param after a row, or -1
    /// @return the row, -1 if there is none
    int find(int parent, CharSequence name, int after) {
        if (after >= 0 || !(name instanceof String text)) {
            return search(parent, name, after);
        }
        Known[] all = known;
        if (all == null) {
            all = new Known[MOST_KNOWN];
            known = all;
        }
        int place = (text.hashCode() ^ parent) & MOST_KNOWN - 1;
        Known there = all[place];
        if (there != null && there.parent == parent && there.name.equals(text)) {
            return there.row;
        }
        int row = search(parent, name, after);
        if (row >= 0 && there == null) {
            all[place] = new Known(text, parent, row);
        }
        return row;
    }

    private int search(int parent, CharSequence name, int after) {
        int hash = Utf8.hash(name, table.seed);
        int bucket = bucket(hash, parent);
        int stop = starts[bucket + 1];
        for (int i = behind(starts[bucket], stop, after); i < stop; i++) {
            int row = rows[i];
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
        int found = Arrays.binarySearch(rows, start, stop, after);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
