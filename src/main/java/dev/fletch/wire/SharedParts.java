// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.util.concurrent.ThreadLocalRandom;

/// Lets work on parts of a buffer be done once for each part, however many share it.
///
/// What shares nothing is done in order, without looking anything up, until all of it together is
/// as large as the buffer. From then on something is shared, or overlaps: each part is remembered by
/// its place, and so done once more at most. Different parts that together are larger than the
/// buffer once again overlap, which no writer lets them, and are too much.
///
/// So work and memory stay proportional to the buffer, and what only shares is never refused.
public final class SharedParts {
    /// The part is to be worked on, and then told to [#keep].
    public static final int NEW = -1;

    /// The parts overlap.
    public static final int TOO_MUCH = -2;

    private static final int FIRST_SIZE = 64;

    // Drawn, so that nobody can choose places that meet.
    private static final long FACTOR = ThreadLocalRandom.current().nextLong() | 1;

    private long unseen;
    private long distinct;
    private boolean isKept;

    // Places, 0 where there is none, and what was kept of them; open addressing, at most half full.
    private long[] places = {};
    private int[] values = {};
    private int count;

    /// Forgets all parts.
    ///
    /// @param most size of the buffer, in the unit of the parts
    public void begin(long most) {
        unseen = most;
        distinct = most;
        if (count > 0) {
            places = new long[0];
            values = new int[0];
            count = 0;
        }
    }

    /// Looks for what is known of a part.
    ///
    /// @param place of its first byte, never 0
    /// @param size of the part
    /// @return what was kept of it, or [#NEW], or [#TOO_MUCH]
    public int find(long place, long size) {
        if (size <= unseen) {
            unseen -= size;
            isKept = false;
            return NEW;
        }
        if (count > 0) {
            final int at = slot(place);
            if (places[at] == place) {
                return values[at];
            }
        }
        if (size > distinct) {
            return TOO_MUCH;
        }
        distinct -= size;
        isKept = true;
        return NEW;
    }

    /// Keeps what came out of the part that was new.
    ///
    /// @param value at least 0
    /// @return the value
    public int keep(long place, int value) {
        if (isKept) {
            if (count << 1 >= places.length) {
                grow();
            }
            final int at = slot(place);
            places[at] = place;
            values[at] = value;
            count++;
        }
        return value;
    }

    private int slot(long place) {
        final int mask = places.length - 1;
        int at = (int) (place * FACTOR >>> 32) & mask;
        while (places[at] != 0 && places[at] != place) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        final long[] oldPlaces = places;
        final int[] oldValues = values;
        places = new long[Math.max(FIRST_SIZE, oldPlaces.length << 1)];
        values = new int[places.length];
        for (int i = 0; i < oldPlaces.length; i++) {
            if (oldPlaces[i] != 0) {
                final int at = slot(oldPlaces[i]);
                places[at] = oldPlaces[i];
                values[at] = oldValues[i];
            }
        }
    }
}
