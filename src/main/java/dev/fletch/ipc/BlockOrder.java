// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.Block;
import dev.fletch.format.Footer;

/// The order in which a footer's blocks lie in the file: a footer may list them in any other.
///
/// Blocks have numbers: first the dictionaries, then the record batches, as the footer lists them.
/// Each of the two is in order already in all but odd files, so runs that are in order are merged.
final class BlockOrder {
    private final long[] offsets;

    private BlockOrder(long[] offsets) {
        this.offsets = offsets;
    }

    /// Returns the numbers of all blocks by offset; equal offsets stay as they were.
    static int[] of(Footer footer) {
        final int dictionaries = footer.dictionariesCount();
        final int recordBatches = footer.recordBatchesCount();
        final long[] offsets = new long[Math.addExact(dictionaries, recordBatches)];
        final Block block = new Block();
        for (int i = 0; i < dictionaries; i++) {
            offsets[i] = footer.dictionaries(i, block).offset();
        }
        for (int i = 0; i < recordBatches; i++) {
            offsets[dictionaries + i] = footer.recordBatches(i, block).offset();
        }
        return new BlockOrder(offsets).sorted();
    }

    private int[] sorted() {
        int[] from = new int[offsets.length];
        for (int i = 0; i < from.length; i++) {
            from[i] = i;
        }
        int[] to = new int[offsets.length];
        while (mergeRuns(from, to) > 1) {
            final int[] swapped = from;
            from = to;
            to = swapped;
        }
        return to;
    }

    /// Merges each run with the next one.
    ///
    /// @return how many runs are left
    private int mergeRuns(int[] from, int[] to) {
        int runs = 0;
        for (int start = 0; start < from.length; runs++) {
            final int middle = runEnd(from, start);
            final int end = runEnd(from, middle);
            merge(from, start, middle, end, to);
            start = end;
        }
        return runs;
    }

    private int runEnd(int[] from, int start) {
        int end = start;
        while (end < from.length
                && (end == start || offsets[from[end - 1]] <= offsets[from[end]])) {
            end++;
        }
        return end;
    }

    private void merge(int[] from, int start, int middle, int end, int[] to) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            final boolean takeLeft =
                    right == end || left < middle && offsets[from[left]] <= offsets[from[right]];
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }
}
