// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import java.util.Arrays;

/// The ranges of a batch's buffers in the body, and which of them share bytes: by their starts and
/// their ends, each sorted on its own. Empty ranges share nothing. Allocates nothing, unless there
/// are more ranges than before.
final class SharedRanges {
    private long[] starts = {};
    private long[] ends = {};
    private int count;

    /// Removes all ranges.
    ///
    /// @param limit maximum number of ranges to add
    void begin(int limit) {
        if (starts.length < limit) {
            starts = new long[limit];
            ends = new long[limit];
        }
        count = 0;
    }

    void add(long start, long length) {
        if (length != 0) {
            starts[count] = start;
            ends[count++] = start + length;
        }
    }

    /// Ends the ranges.
    SharedRanges sort() {
        Arrays.sort(starts, 0, count);
        Arrays.sort(ends, 0, count);
        return this;
    }

    /// {@return start of a range whose first byte another one has, too; -1 if the ranges are apart:
    /// each ends before the next one starts}
    long firstShared() {
        for (int i = 1; i < count; i++) {
            if (ends[i - 1] > starts[i]) {
                return starts[i];
            }
        }
        return -1;
    }

    /// {@return whether another range has bytes of one of the ranges}
    boolean isShared(long start, long length) {
        // Those that begin before its end, without those that end before it begins.
        return length != 0 && upTo(start + length - 1, starts) - upTo(start, ends) > 1;
    }

    /// How many of some numbers, in ascending order, are not greater than a limit.
    private int upTo(long limit, long[] numbers) {
        int least = 0;
        int max = count;
        while (least < max) {
            int middle = least + max >>> 1;
            if (numbers[middle] <= limit) {
                least = middle + 1;
            } else {
                max = middle;
            }
        }
        return least;
    }
}
