// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;

import java.util.Arrays;

/// The offsets of messages and damage, in the order of their indices, in which they ascend.
final class MessageOffsets {
    private static final int FIRST_COUNT = 16;

    private long[] offsets = new long[FIRST_COUNT];
    private int count;

    /// Sets the offset of a message. It replaces what had this index, which was no message, and
    /// those behind it. An index that was skipped has the offset of the message before it.
    void set(int message, long offset) {
        if (message >= offsets.length) {
            offsets = Arrays.copyOf(offsets, Math.max(message + 1, 2 * offsets.length));
        }
        for (; count < message; count++) {
            offsets[count] = count == 0 ? Fault.NO_OFFSET : offsets[count - 1];
        }
        offsets[message] = offset;
        count = message + 1;
    }

    /// The index of the first message in a range; [Fault#NO_MESSAGE] if there is none.
    ///
    /// @param last last offset of the range
    int messageIn(long first, long last) {
        int index = Arrays.binarySearch(offsets, 0, count, first);
        while (index > 0 && offsets[index - 1] == first) {
            index--;
        }
        index = index < 0 ? -index - 1 : index;
        return index < count && offsets[index] <= last ? index : Fault.NO_MESSAGE;
    }
}
