// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.format.RecordBatch;
import dev.fletch.layout.LayoutRules;
import dev.fletch.range.ByteRange;

/// Iterates over the nodes, buffers and variadic buffer counts of a batch, and checks that they exist and
/// that buffers are inside the body.
final class BatchParts {
    private final RecordBatch batch;
    private final long bodyLength;
    // Number of variadic buffers before each count; empty if there are no counts.
    private final int[] variadicsBefore;
    private int node;
    private int buffer;
    private int view;

    /// @param batch not bound again while this is used
    BatchParts(RecordBatch batch, long bodyLength) {
        this.batch = batch;
        this.bodyLength = bodyLength;
        final int counts = batch.variadicBufferCountsCount();
        variadicsBefore = new int[counts == 0 ? 0 : counts + 1];
        for (int i = 0; i < counts; i++) {
            final long count = batch.variadicBufferCounts(i);
            final long limit = (long) batch.buffersCount() - variadicsBefore[i];
            if (count < 0 || count > limit) {
                throw VectorException.of(
                        VectorRules.BATCH_PARTS,
                        "variadicBufferCounts[%d]=%d, limit=%d",
                        i,
                        count,
                        limit);
            }
            variadicsBefore[i + 1] = variadicsBefore[i] + (int) count;
        }
    }

    /// Moves to the first part of a column.
    void goTo(ColumnPlan.Start start) {
        node = start.node();
        view = start.view();
        buffer = start.buffer();
        if (view > 0) {
            require("variadicBufferCounts", view - 1, variadicsBefore.length - 1, null);
            buffer += variadicsBefore[view];
        }
    }

    /// {@return index of the next node}
    int nextNode(FieldPart of) {
        require("nodes", node, batch.nodesCount(), of);
        return node++;
    }

    /// {@return number of variadic buffers of the next view field}
    int nextVariadicCount(FieldPart of) {
        require("variadicBufferCounts", view, variadicsBefore.length - 1, of);
        view++;
        return variadicsBefore[view] - variadicsBefore[view - 1];
    }

    /// {@return the range of the next buffer in the body; an empty one is at 0}
    ByteRange nextBuffer(FieldPart of) {
        require("buffers", buffer, batch.buffersCount(), of);
        final long offset = batch.buffersOffset(buffer);
        final long length = batch.buffersLength(buffer);
        final boolean isInside =
                length == 0
                        || (offset | length) >= 0
                                && length <= bodyLength
                                && offset <= bodyLength - length;
        if (!isInside) {
            throw VectorException.of(
                    LayoutRules.BUFFER_OUT_OF_BODY,
                    "column=%s, buffer=%d, offset=%d, length=%d, body=%d",
                    of.path(),
                    buffer,
                    offset,
                    length,
                    bodyLength);
        }
        buffer++;
        return new ByteRange(length == 0 ? 0 : offset, length);
    }

    /// Requires that the batch has the parts of all columns, and no others.
    void requireTotals(ColumnPlan.Totals totals) {
        requireSame("nodes", batch.nodesCount(), totals.nodes());
        requireSame("variadicBufferCounts", batch.variadicBufferCountsCount(), totals.views());
        final int variadics =
                variadicsBefore.length == 0 ? 0 : variadicsBefore[variadicsBefore.length - 1];
        requireSame("buffers", batch.buffersCount(), totals.buffers() + (long) variadics);
    }

    /// Requires that the batch has no further parts.
    void requireEnd() {
        requireSame("nodes", batch.nodesCount(), node);
        requireSame("variadicBufferCounts", batch.variadicBufferCountsCount(), view);
        requireSame("buffers", batch.buffersCount(), buffer);
    }

    private static void requireSame(String what, int found, long expected) {
        if (found != expected) {
            throw VectorException.of(
                    VectorRules.BATCH_PARTS, "%s=%d, needed=%d", what, found, expected);
        }
    }

    long nodeLength(int index) {
        return batch.nodesLength(index);
    }

    long nullCount(int index) {
        return batch.nodesNullCount(index);
    }

    private static void require(String what, int index, int count, FieldPart of) {
        if (index >= count) {
            throw VectorException.of(
                    VectorRules.BATCH_PARTS,
                    "%sfound=%s[%d], needed=%d",
                    of == null ? "" : "column=" + of.path() + ", ",
                    what,
                    Math.max(count, 0),
                    index + 1);
        }
    }
}
