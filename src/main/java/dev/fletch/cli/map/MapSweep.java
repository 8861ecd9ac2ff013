// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import java.util.Arrays;
import java.util.Comparator;

/// Gives each byte to what it is for, from an input's first byte to its last.
///
/// Whatever the order in which bytes are claimed, and however often, each is given once: to the
/// first that claims it in the order of offsets. So the sums are those of the input.
public final class MapSweep {
    /// What the format recommends that buffers are aligned to; many writers are content with 8.
    private static final int BUFFER_ALIGNMENT = 64;

    private static final int MESSAGE_ALIGNMENT = 8;

    private final MapMessage message;
    private final MapTotals totals;
    // All bytes before are given.
    private long given;

    MapSweep(MapMessage message, MapTotals totals) {
        this.message = message;
        this.totals = totals;
    }

    long given() {
        return given;
    }

    /// Claims bytes; those between what was claimed last and these are a gap between messages.
    void claim(MapClass of, long from, long to) {
        gap(MESSAGE_ALIGNMENT, 0, MapMessage.NONE, from);
        claim(of, MapMessage.NONE, from, to);
    }

    /// Claims the rest of what lies between messages.
    void gap(long to) {
        gap(MESSAGE_ALIGNMENT, 0, MapMessage.NONE, to);
    }

    /// Claims a batch's body for its buffers.
    void body(long from, long to) {
        // Who the bytes behind are the padding of: the buffer that reaches furthest.
        int last = MapMessage.NONE;
        for (int buffer : inOrder()) {
            long start = message.bufferOffsets[buffer];
            long end = start + message.bufferLengths[buffer];
            if (end == start) {
                continue;
            }
            gap(last == MapMessage.NONE ? 1 : BUFFER_ALIGNMENT, from, last, start);
            last = end > given ? buffer : last;
            claim(classOf(buffer), buffer, start, end);
        }
        gap(last == MapMessage.NONE ? 1 : BUFFER_ALIGNMENT, from, last, to);
    }

    private MapClass classOf(int buffer) {
        return message.bufferFields[buffer] == MapMessage.NONE
                ? MapClass.OTHER
                : message.isDictionary ? MapClass.DICTIONARIES : MapClass.COLUMNS;
    }

    /// The buffers by their offsets, which in all but odd batches is how they come.
    private int[] inOrder() {
        long[] offsets = message.bufferOffsets;
        int[] order = new int[message.bufferCount];
        boolean isSorted = true;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            isSorted &= i == 0 || offsets[i - 1] <= offsets[i];
        }
        return isSorted
                ? order
                : Arrays.stream(order)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> offsets[i]))
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    /// Gives what nobody has claimed: as padding up to the next aligned place, the rest to nothing.
    ///
    /// @param alignment counted from `start`
    /// @param owner buffer that the padding is behind
    private void gap(int alignment, long start, int owner, long to) {
        if (to <= given) {
            return;
        }
        long padding = Math.min(-(given - start) & alignment - 1, to - given);
        if (owner != MapMessage.NONE) {
            message.bufferPadding[owner] = padding;
        }
        give(MapClass.PADDING, owner, given + padding);
        give(MapClass.UNREFERENCED, MapMessage.NONE, to);
    }

    private void claim(MapClass of, int buffer, long from, long to) {
        if (from < given) {
            totals.addOverlapping(Math.min(to, given) - from);
        }
        give(of, buffer, to);
    }

    private void give(MapClass of, int buffer, long to) {
        if (to > given) {
            message.addExtent(of, buffer, to - given);
            totals.add(of, message, buffer, to - given);
            given = to;
        }
    }
}
