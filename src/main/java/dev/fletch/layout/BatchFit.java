// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.RecordBatch;

/// Holds a batch against a layout: whether it has the nodes and buffers that the layout speaks of,
/// and how many variadic buffers it has before each field of a view type.
final class BatchFit {
    private FieldLayout layout;
    private RecordBatch batch;
    // Fields from this one on cannot be placed.
    private int placeable;
    private int extraNodes;
    private int extraBuffers;
    // Variadic buffers before each view field of the layout, and in the end before what follows.
    private int[] variadics = new int[1];

    void check(FieldLayout plan, RecordBatch header) {
        layout = plan;
        batch = header;
        placeable = plan.firstUnknown() < 0 ? plan.fieldCount() : plan.firstUnknown();
        checkNodes();
        checkBuffers(countVariadics());
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

    int variadicsBefore(int view) {
        return variadics[view];
    }

    private boolean isWhole() {
        return placeable == layout.fieldCount();
    }

    private void checkNodes() {
        final int count = batch.nodesCount();
        final int exact = layout.exactNodes();
        final long least = layout.firstNode() + (long) placeable;
        if (count < least || exact >= 0 && count != exact) {
            throw mismatch(LayoutFault.NODE_COUNT, count, least, exact);
        }
        extraNodes = (int) (count - least);
    }

    private void checkBuffers(int variadic) {
        final int count = batch.buffersCount();
        final int own =
                isWhole()
                        ? layout.bufferCount()
                        : layout.table.firstBuffer[layout.base() + placeable];
        final long least = layout.firstBuffer() + (long) own + variadic;
        final long exact =
                layout.exactBuffers() < 0 ? -1 : layout.exactBuffers() + (long) allVariadics();
        if (count < least || exact >= 0 && count != exact) {
            throw mismatch(LayoutFault.BUFFER_COUNT, count, least, exact);
        }
        extraBuffers = (int) (count - least);
    }

    /// Adds up the counts up to the layout's last view field that can be placed.
    ///
    /// @return the sum
    private int countVariadics() {
        final int before = layout.firstView();
        final int own =
                isWhole() ? layout.viewCount() : layout.table.firstView[layout.base() + placeable];
        final int found = batch.variadicBufferCountsCount();
        if (found < before + (long) own) {
            throw mismatch(LayoutFault.VARIADIC_COUNT, found, before + (long) own, -1);
        }
        if (variadics.length <= own) {
            variadics = new int[own + 1];
        }
        int sum = sum(0, before, 0);
        for (int i = 0; i < own; i++) {
            variadics[i] = sum;
            sum = sum(before + i, before + i + 1, sum);
        }
        variadics[own] = sum;
        return sum;
    }

    private int allVariadics() {
        return sum(0, batch.variadicBufferCountsCount(), 0);
    }

    /// Adds counts to a sum, which never gets above the number of buffers.
    private int sum(int from, int to, int start) {
        final int limit = batch.buffersCount();
        int sum = start;
        for (int i = from; i < to; i++) {
            final long count = batch.variadicBufferCounts(i);
            if (count < 0 || count > limit - sum) {
                throw new LayoutException(
                        LayoutFault.VARIADIC_COUNT_RANGE,
                        "index=%d, count=%d, before=%d, buffers=%d"
                                .formatted(i, count, sum, limit));
            }
            sum += (int) count;
        }
        return sum;
    }

    private static LayoutException mismatch(LayoutFault fault, long count, long least, long exact) {
        return exact >= 0
                ? LayoutException.of(fault, "found", count, "exactly", exact)
                : LayoutException.of(fault, "found", count, "least", least);
    }
}
