// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The vtables that a buffer has, by their content: a hash table with open addressing in arrays that
/// are used again.
///
/// A vtable is known here by its distance from the buffer's end, which is never 0. The number of
/// vtables is what the input makes it, so nothing here is linear in it: finding is not, and emptying
/// costs no more than what was added.
///
/// ```text
///   entry   hash << 32 | distance; 0 where there is nothing
///           size of the vtable, size of the table: its first two words
///           slots 0 to 3
///           slots 4 to 7
/// ```
///
/// What is behind the eighth slot is in the hash alone, and compared by whoever asks.
final class VtableIndex {
    private static final int LONGS = 4;
    private static final int INITIAL_CAPACITY = 64;

    /// Differs from process to process, so that no input can be made to collide.
    private static final long SEED = new SplittableRandom().nextLong();

    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final long HIGH_HALF = -1L << Integer.SIZE;

    private long[] entries = new long[INITIAL_CAPACITY * LONGS];

    /// Where in [#entries] the entries are that are taken; at most half of them are.
    private int[] places = new int[INITIAL_CAPACITY / 2];

    private int count;

    /// Begins a hash.
    static long hash(int head, long low, long high) {
        return mix(mix(mix(SEED, head), low), high);
    }

    /// Goes on with a hash.
    static long mix(long hash, long next) {
        final long product = (hash ^ next) * FACTOR;
        return product ^ product >>> Integer.SIZE;
    }

    /// Finds the place of the first vtable with this content, or the free place where it would be.
    int find(long hash, int head, long low, long high) {
        return search((int) hash * LONGS, hash, head, low, high);
    }

    /// Goes on to the next place, after one whose slots behind the eighth were others.
    int findNext(int place, long hash, int head, long low, long high) {
        return search(place + LONGS, hash, head, low, high);
    }

    private int search(int from, long hash, int head, long low, long high) {
        final long[] all = entries;
        final int last = all.length - LONGS;
        int place = from & last;
        while (all[place] != 0) {
            if (((all[place] ^ hash << Integer.SIZE) & HIGH_HALF) == 0
                    && all[place + 1] == head
                    && all[place + 2] == low
                    && all[place + 3] == high) {
                return place;
            }
            place = place + LONGS & last;
        }
        return place;
    }

    /// Distance of the vtable at a place, 0 if the place is free.
    int distance(int place) {
        return (int) entries[place];
    }

    /// Adds a vtable at a place that is free.
    void add(int place, long hash, int head, long low, long high, int distance) {
        entries[place] = hash << Integer.SIZE | distance;
        entries[place + 1] = head;
        entries[place + 2] = low;
        entries[place + 3] = high;
        places[count++] = place;
        if (count == places.length) {
            grow();
        }
    }

    private void grow() {
        final long[] old = entries;
        entries = new long[2 * old.length];
        for (int i = 0; i < count; i++) {
            final int from = places[i];
            final int last = entries.length - LONGS;
            int place = (int) (old[from] >>> Integer.SIZE) * LONGS & last;
            while (entries[place] != 0) {
                place = place + LONGS & last;
            }
            System.arraycopy(old, from, entries, place, LONGS);
            places[i] = place;
        }
        places = Arrays.copyOf(places, 2 * places.length);
    }

    /// Forgets all vtables.
    void clear() {
        for (int i = 0; i < count; i++) {
            entries[places[i]] = 0;
        }
        count = 0;
    }
}
