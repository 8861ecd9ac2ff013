// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.remote.ByteRange;

/// Iterates over the nodes, buffers and variadic buffer counts of a batch, after checking that it
/// has those of all columns.
final class BatchParts {
    private final RecordBatch batch;
    private final long bodyLength;
    private final BatchCounts counts;
    private final BufferRange ranges;
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();
    // Number of variadic buffers before each view field.
    private int[] variadicsBefore = {0};
    private int nextNode;
    private int nextBuffer;
    private int nextView;
    // For errors; null while the batch is checked.
    private FieldPart field;

    /// @param batch not bound again while this is used
    BatchParts(RecordBatch batch, long bodyLength) {
        this.batch = batch;
        this.bodyLength = bodyLength;
        FaultSink error =
                FaultSink.throwing(
                        fault ->
                                FletchException.inColumn(
                                        fault, field == null ? null : field.path()));
        counts = new BatchCounts(error);
        ranges = new BufferRange(error, false);
    }

    /// Requires that the batch has parts.
    ///
    /// @param isExact whether it may have no others
    void require(ColumnPlan.Totals parts, boolean isExact) {
        counts.parts(batch, parts.nodes(), parts.views(), parts.buffers(), isExact);
        variadicsBefore = new int[parts.views() + 1];
        for (int i = 0; i < parts.views(); i++) {
            variadicsBefore[i + 1] = variadicsBefore[i] + (int) batch.variadicBufferCounts(i);
        }
    }

    /// Moves to the first part of a column.
    void goTo(ColumnPlan.Start start) {
        nextNode = start.node();
        nextView = start.view();
        nextBuffer = start.buffer() + variadicsBefore[nextView];
    }

    /// {@return the next node, whose numbers are in range; a null count of -1 is unknown}
    FieldNode nextNode(FieldPart of) {
        field = of;
        batch.nodes(nextNode, node);
        counts.length(node, nextNode);
        if (node.nullCount() != -1 && !BatchCounts.isInRange(node.nullCount(), node.length())) {
            counts.nullCount(node, nextNode);
        }
        nextNode++;
        return node;
    }

    /// {@return number of variadic buffers of the next view field}
    int nextVariadicCount() {
        nextView++;
        return variadicsBefore[nextView] - variadicsBefore[nextView - 1];
    }

    /// {@return the next buffer, which is inside the body}
    BatchBuffer nextBuffer(FieldPart of) {
        field = of;
        batch.buffers(nextBuffer, buffer);
        ranges.check(buffer, bodyLength, "buffers", nextBuffer);
        long offset = buffer.length() == 0 ? 0 : buffer.offset();
        var range = new ByteRange(offset, buffer.length());
        return new BatchBuffer(nextBuffer++, buffer.position(), range);
    }

    /// Requires that a column has as many values as the batch has rows.
    ///
    /// @param index of its node
    void requireRows(FieldPart column, int index, long rows) {
        field = column;
        counts.columnLength(batch.nodes(index, node), index, rows);
    }
}
