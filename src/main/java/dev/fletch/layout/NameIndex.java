// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.Utf8Text;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/// Finds rows of a [FieldTable] by parent and name.
///
/// ```text
///   starts   one for each bucket, and the end       where the bucket's rows begin
///   rows     by bucket, in a bucket ascending
///   hashes   beside rows: the part of the hash that the bucket does not tell
/// ```
///
/// Rows are sorted into buckets by counting, so building takes the same time whatever the names
/// are, and duplicates are found in order. Names that share a bucket by intent make looking them up
/// slow, so hashes are seeded, with a number that whoever writes a schema cannot know.
final class NameIndex {
    private static final long PARENT_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long NAME_FACTOR = 0xD6E8FEB86659FD93L;

    private final FieldTable table;
    private final long seed;
    private final int mask;
    private final int[] starts;
    private final int[] rows;
    private final int[] hashes;

    /// @param sections first row of each section, ascending
    NameIndex(FieldTable table, int[] sections) {
        this.table = table;
        this.seed = ThreadLocalRandom.current().nextLong();
        final int count = table.rows;
        this.mask = Math.max(1, Integer.highestOneBit(count)) - 1;
        this.starts = new int[mask + 2];
        this.rows = new int[count];
        this.hashes = new int[count];
        final long[] all = hashes();
        for (int row = 0, section = -1; row < count; row++) {
            while (section + 1 < sections.length && sections[section + 1] <= row) {
                section++;
            }
            final int parent = table.parent[row];
            final long key =
                    parent == FieldTable.NO_PARENT ? keyOf(section) : sections[section] + parent;
            all[row] = mix(all[row], key);
        }
        sort(all);
    }

    /// Hashes of all names, each name that rows share being read once.
    private long[] hashes() {
        final SharedParts shared = new SharedParts();
        shared.begin(table.names.length);
        final long[] all = new long[table.rows];
        for (int row = 0; row < all.length; row++) {
            final int at = table.nameAt[row];
            final int length = table.nameLength[row];
            final int known = shared.find(at + 1L, length);
            if (known >= 0) {
                all[row] = all[known];
            } else { // never too much, as different names are copied to different places
                all[row] = Utf8Text.hash(table.names, at, length, seed);
                shared.keep(at + 1L, row);
            }
        }
        return all;
    }

    private void sort(long[] all) {
        for (long hash : all) {
            starts[bucket(hash) + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        final int[] next = Arrays.copyOf(starts, mask + 1);
        for (int row = 0; row < all.length; row++) {
            final int at = next[bucket(all[row])]++;
            rows[at] = row;
            hashes[at] = (int) (all[row] >>> 32);
        }
    }

    /// What stands for the parent of a section's top-level fields.
    static long keyOf(int section) {
        return -1L - section;
    }

    /// The hash of a name below a parent.
    private static long mix(long hash, long parentKey) {
        final long sum = (hash ^ parentKey * PARENT_FACTOR) * NAME_FACTOR;
        return sum ^ sum >>> 32;
    }

    private int bucket(long hash) {
        return (int) hash & mask;
    }

    /// Finds the first row behind another one.
    ///
    /// @param parentKey row of the parent, or [#keyOf] the section
    /// @param parent the parent as the table has it
    /// @param name a [CharSequence], a `byte[]` or a [Utf8Slice]
    /// @param from index of the first char or byte; a slice is taken as a whole
    /// @param to index behind the last one
    /// @param after a row, or -1
    /// @param base the section's first row
    /// @param end the row behind the section's last one
    /// @return the row, -1 if there is none
    int find(
            long parentKey,
            int parent,
            Object name,
            int from,
            int to,
            int after,
            int base,
            int end) {
        final long hash = mix(hash(name, from, to, seed), parentKey);
        final int bucket = bucket(hash);
        final int part = (int) (hash >>> 32);
        final int stop = starts[bucket + 1];
        for (int i = behind(starts[bucket], stop, after); i < stop; i++) {
            if (hashes[i] != part) {
                continue;
            }
            final int row = rows[i];
            if (row >= base
                    && row < end
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

    long memoryBytes() {
        return (long) Integer.BYTES * (starts.length + rows.length + hashes.length);
    }
}
