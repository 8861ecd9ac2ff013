// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.wire.Utf8;

/// Finds rows of a [FieldTable] by parent and name.
///
/// ```text
///   first   for each bucket its first row, plus 1; 0 if it is empty
///   next    for each row the next one of its bucket, plus 1; 0 if there is none
/// ```
///
/// The rows of a bucket ascend, so duplicates are found in order. Hashes have a random seed, so
/// that a hostile schema cannot choose names that share a bucket.
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
    private final int[] first;
    private final int[] next;

    /// @param table complete
    NameIndex(FieldTable table) {
        this.table = table;
        int[] hashes = table.nameHash;
        int[] parents = table.parent;
        next = new int[table.rows];
        first = new int[Math.max(1, Integer.highestOneBit(table.rows))];
        mask = first.length - 1;
        for (int row = next.length - 1; row >= 0; row--) {
            int bucket = bucket(hashes[row], parents[row]);
            next[row] = first[bucket];
            first[bucket] = row + 1;
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
        boolean isNext = after >= 0 && hasKey(after, parent, hash);
        int row = isNext ? next[after] - 1 : first[bucket(hash, parent)] - 1;
        while (row >= 0 && (row <= after || !hasKey(row, parent, hash) || !isNamed(row, name))) {
            row = next[row] - 1;
        }
        return row;
    }

    private boolean hasKey(int row, int parent, int hash) {
        return table.nameHash[row] == hash && table.parent[row] == parent;
    }

    private boolean isNamed(int row, CharSequence name) {
        return Utf8.equals(table.names, null, table.nameAt[row], table.nameLength[row], name);
    }
}
