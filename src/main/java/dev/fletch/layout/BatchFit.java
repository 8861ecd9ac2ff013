// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.format.RecordBatch;

import java.util.Locale;

/// Compares a batch with a layout: whether it has the nodes and buffers of the layout, and how many variadic
/// buffers it has before each field of a view type.
///
/// The variadic buffer counts of the layout's columns, and of those before a single column, are added up
/// for each batch.
final class BatchFit {
    private FieldLayout layout;
    private RecordBatch batch;
    // Fields from this one on cannot be placed.
    private int placeable;
    private int extraNodes;
    private int extraBuffers;
    private int placedBuffers;
    // Variadic buffers before each view field of the layout, and in the end before what follows.
    private int[] variadics = new int[1];

    // The plan that the last batch passed, and how many nodes and buffers it had.
    private FieldLayout passed;
    private int passedNodes;
    private int passedBuffers;

    // The batch's counts.
    private long[] counts = {};

    void check(FieldLayout plan, RecordBatch header) {
        if (batch != header) {
            batch = header; // compared first: storing a reference costs a barrier
        }
        if (plan == passed
                && header.nodesCount() == passedNodes
                && header.buffersCount() == passedBuffers) {
            return;
        }
        passed = null;
        layout = plan;
        placeable = plan.placeable();
        checkNodes();
        checkBuffers(countVariadics());
        // A plan of one column may be filled anew; of view fields, the batch's counts decide.
        if (plan instanceof BatchLayout && plan.viewCount() == 0) {
            passed = plan;
            passedNodes = header.nodesCount();
            passedBuffers = header.buffersCount();
        }
    }

    /// Bytes of the arrays that grow with the batches.
    long memoryBytes() {
        return (long) Long.BYTES * counts.length + (long) Integer.BYTES * variadics.length;
    }

    int placeable() {
        return placeable;
    }

    int extraNodes() {
        return extraNodes;
    }

    int extraBuffers() {
        return extraBuffers;
    }

    /// Number of buffers of the fields that can be placed, variadic ones included.
    int placedBuffers() {
        return placedBuffers;
    }

    int variadicsBefore(int view) {
        return variadics[view];
    }

    private boolean isWhole() {
        return placeable == layout.fieldCount();
    }

    private void checkNodes() {
        final int count = batch.nodesCount();
        final long least = layout.firstNode() + (long) placeable;
        if (count < least) {
            throw tooFew(LayoutRules.NODE_COUNT, count, least);
        }
        extraNodes = (int) (count - least);
    }

    private void checkBuffers(int variadic) {
        final int count = batch.buffersCount();
        final int own =
                isWhole()
                        ? layout.bufferCount()
                        : layout.table.firstBuffer(layout.section.start + placeable);
        final long least = layout.firstBuffer() + (long) own + variadic;
        if (count < least) {
            throw tooFew(LayoutRules.BUFFER_COUNT, count, least);
        }
        extraBuffers = (int) (count - least);
        placedBuffers = own + variadic - variadics[0];
    }

    /// Adds up the counts up to the layout's last view field that can be placed.
    ///
    /// @return the sum
    private int countVariadics() {
        final int before = layout.firstView();
        final int own =
                isWhole()
                        ? layout.viewCount()
                        : layout.table.viewsBefore(layout.section.start + placeable);
        final int found = batch.variadicBufferCountsCount();
        if (found < before + (long) own) {
            throw tooFew(LayoutRules.VARIADIC_COUNTS, found, before + (long) own);
        }
        if (variadics.length <= own) {
            variadics = new int[own + 1];
        }
        if (before + own == 0) {
            variadics[0] = 0;
        } else {
            if (counts.length < found) {
                counts = new long[found];
            }
            batch.copyVariadicBufferCounts(counts, 0);
            int sum = sum(0, before, 0);
            for (int i = 0; i < own; i++) {
                variadics[i] = sum;
                sum = sum(before + i, before + i + 1, sum);
            }
            variadics[own] = sum;
        }
        return variadics[own];
    }

    /// Adds counts to a sum, which never gets above the number of buffers.
    private int sum(int from, int to, int start) {
        final int limit = batch.buffersCount();
        final long[] all = counts;
        long bits = 0;
        long sum = start;
        for (int i = from; i < to; i++) {
            bits |= all[i];
            sum += all[i];
        }
        if (bits >>> Integer.SIZE - 1 != 0 || sum > limit) { // else it cannot have overflowed
            throw outOfRange(from, start, limit);
        }
        return (int) sum;
    }

    private LayoutException outOfRange(int from, int start, int limit) {
        int index = from;
        long sum = start;
        while (counts[index] >= 0 && counts[index] <= limit - sum) {
            sum += counts[index++];
        }
        return new LayoutException(
                LayoutRules.VARIADIC_COUNT_RANGE,
                String.format(
                        Locale.ROOT,
                        "index=%d, count=%d, before=%d, buffers=%d",
                        index,
                        counts[index],
                        sum,
                        limit));
    }

    private static LayoutException tooFew(Rule fault, long count, long least) {
        return LayoutException.of(fault, "found", count, "least", least);
    }
}
