// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.Utf8Text;

import java.util.Arrays;

/// Finds rows of a [FieldTable] by parent and name.
///
/// ```text
///   starts   one for each bucket, and the end       where the bucket's rows begin
///   rows     by bucket, in a bucket ascending
/// ```
///
/// Rows are sorted into buckets by counting, so building takes the same time whatever the names
/// are, and duplicates are found in order. Names that share a bucket by intent would make looking
/// them up slow, so hashes are seeded with a number that the writer of a schema cannot know.
final class NameIndex {
    private static final long PARENT_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long NAME_FACTOR = 0xD6E8FEB86659FD93L;

    private final FieldTable table;
    private final int mask;
    private final int[] starts;
    private final int[] rows;

    /// @param table to which nothing is added any more
    NameIndex(FieldTable table) {
        this.table = table;
        final int count = table.rows;
        this.mask = Math.max(1, Integer.highestOneBit(count)) - 1;
        this.starts = new int[mask + 3];
        this.rows = new int[count];
        // Sizes are counted two places too high, so that their sums are starts one place too high,
        // which move to the bucket's end while its rows are put there.
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

    /// Finds the first row behind another one.
    ///
    /// @param parent as the table has it
    /// @param name a [CharSequence], a `byte[]` or a [Utf8Slice]
    /// @param from index of the first char or byte; a slice is taken as a whole
    /// @param to index behind the last one
    /// @param after a row, or -1
    /// @return the row, -1 if there is none
    int find(int parent, Object name, int from, int to, int after) {
        final int hash = (int) hash(name, from, to, table.seed);
        final int bucket = bucket(hash, parent);
        final int stop = starts[bucket + 1];
        for (int i = behind(starts[bucket], stop, after); i < stop; i++) {
            final int row = rows[i];
            if (table.nameHash[row] == hash
                    && table.parent[row] == parent
                    && equals(row, name, from, to)) {
                return row;
            }
        }
        return -1;
    }

    /// The first place of a bucket whose row is behind another one.
    private int behind(int start, int stop, int after) {
        if (start == stop || rows[start] > after) {
            return start;
        }
        final int found = Arrays.binarySearch(rows, start, stop, after);
        return found >= 0 ? found + 1 : -found - 1;
    }

    private static long hash(Object name, int from, int to, long seed) {
        return switch (name) {
            case CharSequence text -> Utf8Text.hash(text, from, to, seed);
            case byte[] bytes -> Utf8Text.hash(bytes, from, to - from, seed);
            case Utf8Slice slice -> Utf8Text.hash(slice, seed);
            default -> throw new IllegalArgumentException("not a name: " + name.getClass());
        };
    }

    private boolean equals(int row, Object name, int from, int to) {
        final int at = table.nameAt[row];
        final int length = table.nameLength[row];
        return switch (name) {
            case CharSequence text -> Utf8Text.equals(table.names, at, length, text, from, to);
            case byte[] bytes -> Arrays.equals(table.names, at, at + length, bytes, from, to);
            case Utf8Slice slice -> slice.contentEquals(table.names, at, length);
            default -> false;
        };
    }

    /// Bytes of its arrays.
    long memoryBytes() {
        return (long) Integer.BYTES * (starts.length + rows.length);
    }
}
