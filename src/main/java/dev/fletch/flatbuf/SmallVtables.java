// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.SplittableRandom;

/// The vtables that a buffer has of small tables, by where these have their fields: a hash table with
/// open addressing in an array that is used again. Tables are small that have no slot behind the
/// eighth and at most 255 bytes, as all of Arrow have; the others' vtables are in a [VtableIndex].
///
/// What it buys: the fields' places are at hand when a table has been written, in one word. Whether
/// the vtable is there already is known before it is made.
///
/// ```text
///   entry   bytes from the table's end to the start of each field, one in each byte, slot 0 lowest;
///           0 where there is none
///           number of the buffer << 8 | size of the table
///           distance of the vtable from the buffer's end
///           the vtable itself: its first two words,
///           its last eight bytes of slots,
///           the eight before these
///           twice nothing
/// ```
///
/// An entry of another buffer is a free place, so nothing has to be emptied; where it has what is
/// looked for, the vtable need not be made again.
final class SmallVtables {
    /// Largest table of the small ones.
    static final int MAX_TABLE_BYTES = 0xFF;

    private static final int LONGS = 8;

    // Words of an entry, behind the lanes.
    private static final int SIZE = 1;
    private static final int DISTANCE = 2;
    private static final int HEAD = 3;
    private static final int LAST = 4;
    private static final int FIRST = 5;

    private static final int INITIAL_BITS = 6;

    // Differ from process to process, so that no input can be made to collide.
    private static final long FACTOR;
    private static final long SIZE_FACTOR;

    static {
        final SplittableRandom random = new SplittableRandom();
        FACTOR = random.nextLong() | 1;
        SIZE_FACTOR = random.nextLong() | 1;
    }

    private long[] entries = new long[LONGS << INITIAL_BITS];
    private int shift = Long.SIZE - INITIAL_BITS;

    /// Entries of this buffer.
    private int count;

    /// Number of the buffer, shifted.
    private long buffer = 1L << Byte.SIZE;

    /// Finds the place of a vtable, or the free place where it would be.
    int find(long lanes, int tableBytes) {
        final long[] all = entries;
        final long sized = buffer | tableBytes;
        int place = (int) ((lanes * FACTOR ^ tableBytes * SIZE_FACTOR) >>> shift) * LONGS;
        while ((all[place] != lanes || all[place + SIZE] != sized) && isTaken(all[place + SIZE])) {
            place = place + LONGS & all.length - LONGS;
        }
        return place;
    }

    private boolean isTaken(long sized) {
        return (sized ^ buffer) >>> Byte.SIZE == 0;
    }

    /// Distance of the vtable at a place, 0 if the place is free.
    int distance(int place) {
        return isTaken(entries[place + SIZE]) ? (int) entries[place + DISTANCE] : 0;
    }

    /// Tells whether the vtable of another buffer at a free place is the same.
    boolean isSame(int place, long lanes, int tableBytes) {
        final long[] all = entries;
        return all[place] == lanes && ((all[place + SIZE] ^ tableBytes) & MAX_TABLE_BYTES) == 0;
    }

    /// Makes a vtable at a free place. It is not of this buffer yet.
    void make(int place, long lanes, int tableBytes) {
        final long low = SlotLanes.fromStart(SlotLanes.low(lanes), tableBytes);
        final long high = SlotLanes.fromStart(SlotLanes.high(lanes), tableBytes);
        final int used = SlotLanes.used(low, high);
        final int spare = Long.SIZE - used % SlotLanes.IN_A_WORD * Short.SIZE;
        final boolean isWhole = spare == Long.SIZE;
        final boolean isLow = used <= SlotLanes.IN_A_WORD;
        final long[] all = entries;
        all[place] = lanes;
        all[place + SIZE] = tableBytes;
        all[place + HEAD] = tableBytes << Short.SIZE | Wire.VTABLE_HEAD_BYTES + used * Short.BYTES;
        if (isLow) {
            all[place + LAST] = low << spare;
            all[place + FIRST] = 0;
        } else {
            all[place + LAST] = isWhole ? high : high << spare | low >>> Long.SIZE - spare;
            all[place + FIRST] = low << spare;
        }
    }

    /// The first two words of the vtable that is at a place.
    int head(int place) {
        return (int) entries[place + HEAD];
    }

    /// The last eight bytes of its slots; where it has fewer, what is before them does not count.
    long last(int place) {
        return entries[place + LAST];
    }

    /// The eight bytes before these, likewise.
    long first(int place) {
        return entries[place + FIRST];
    }

    /// Adds the vtable at a free place to the buffer.
    void add(int place, int distance) {
        final long[] all = entries;
        all[place + SIZE] = all[place + SIZE] & MAX_TABLE_BYTES | buffer;
        all[place + DISTANCE] = distance;
        if (++count << 1 >= all.length / LONGS) {
            grow();
        }
    }

    private void grow() {
        final long[] old = entries;
        entries = new long[2 * old.length];
        shift--;
        count = 0;
        for (int i = 0; i < old.length; i += LONGS) {
            if (isTaken(old[i + SIZE])) {
                final int tableBytes = (int) old[i + SIZE] & MAX_TABLE_BYTES;
                System.arraycopy(old, i, entries, find(old[i], tableBytes), LONGS);
                count++;
            }
        }
    }

    /// Forgets all vtables.
    void clear() {
        buffer += 1L << Byte.SIZE;
        count = 0;
    }
}
