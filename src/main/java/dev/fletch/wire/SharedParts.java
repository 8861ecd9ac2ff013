// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.util.concurrent.ThreadLocalRandom;

/// Finds parts of a buffer that references share, so that each is processed at most twice.
///
/// The first parts are not recorded, until their sizes add up to the size of the buffer. From then
/// on, some parts must be shared or overlap, and each part is recorded by its position. So a buffer
/// that shares nothing is not recorded. Parts that overlap at different positions are all new.
public final class SharedParts {
    /// The part is new: process it, then call [#keep].
    public static final int NEW = -1;

    private static final int FIRST_SIZE = 64;

    // Random, so that no input can choose positions that collide.
    private static final long FACTOR = ThreadLocalRandom.current().nextLong() | 1;

    private long unseen;
    private boolean isKept;

    // Positions, 0 if none, and their values; open addressing, at most half full.
    private long[] places = {};
    private int[] values = {};
    private int count;

    /// Removes all parts.
    ///
    /// @param limit size of the buffer, in the unit of the parts
    public void begin(long limit) {
        unseen = limit;
        if (count > 0) {
            places = new long[0];
            values = new int[0];
            count = 0;
        }
    }

    /// {@return the recorded value of a part, or [#NEW]}
    ///
    /// @param place position of its first byte, never 0
    public int find(long place, long size) {
        if (size <= unseen) {
            unseen -= size;
            isKept = false;
            return NEW;
        }
        if (count > 0) {
            int position = slot(place);
            if (places[position] == place) {
                return values[position];
            }
        }
        isKept = true;
        return NEW;
    }

    /// {@return `value`, after recording it for the new part}
    ///
    /// @param value at least 0
    public int keep(long place, int value) {
        if (isKept) {
            if (count << 1 >= places.length) {
                grow();
            }
            int position = slot(place);
            places[position] = place;
            values[position] = value;
            count++;
        }
        return value;
    }

    private int slot(long place) {
        int mask = places.length - 1;
        int position = (int) (place * FACTOR >>> 32) & mask;
        while (places[position] != 0 && places[position] != place) {
            position = position + 1 & mask;
        }
        return position;
    }

    private void grow() {
        long[] oldPlaces = places;
        int[] oldValues = values;
        places = new long[Math.max(FIRST_SIZE, oldPlaces.length << 1)];
        values = new int[places.length];
        for (int i = 0; i < oldPlaces.length; i++) {
            if (oldPlaces[i] != 0) {
                int position = slot(oldPlaces[i]);
                places[position] = oldPlaces[i];
                values[position] = oldValues[i];
            }
        }
    }
}
