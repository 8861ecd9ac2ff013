// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.rules.BatchCounts;
import dev.fletch.format.rules.BufferShape;

/// The nodes and buffers in a batch that belong to a layout's fields: where they are, and copies of
/// their numbers.
///
/// ```text
///   numbers   length, null count of each node;  offset, length of each buffer
///                                               └ at buffersFrom
/// ```
///
/// In place, the numbers are those of one field: the cursor copies them when it moves to it.
final class BatchParts {
    /// Numbers per node, and per buffer.
    static final int PAIR = BufferShape.PAIR;

    private static final long[] NO_NUMBERS = {};

    final boolean isInPlace;

    // Of the batch that is bound, or was.
    FieldLayout layout;
    long rowCount;
    boolean isCompressed;
    int codec;

    boolean isBound;
    // Fields from this one on cannot be located; 0 if unbound.
    int placeable;
    // Whether all numbers were copied, and no buffer is variadic.
    boolean isPlain;
    long[] numbers = NO_NUMBERS;
    // Index in the batch of the first copied buffer, and its position in `numbers`.
    int copiedBuffer;
    int buffersFrom;
    int firstNode;
    int extraNodes;
    int extraBuffers;

    // References to parts of the layout, for moving to a field.
    int[] columns;
    int[] buffersAt;
    int base;
    private int[] firstViews;
    boolean hasViews;
    int firstBuffer;

    private final BodyCompression compression = new BodyCompression();
    RecordBatch batch;
    // Fields and buffers of the layout that can be located in the batch.
    private int placed;
    private int placedBuffers;
    // The batch's variadic buffer counts, and their sums before each view field of the layout and
    // after the
    // last.
    private long[] counts = NO_NUMBERS;
    private int[] variadicsBefore = new int[1];

    // The layout that the last batch matched, and that batch's number of nodes and buffers.
    private FieldLayout passed;
    private int passedNodes;
    private int passedBuffers;

    BatchParts(boolean isInPlace) {
        this.isInPlace = isInPlace;
    }

    void unbind() {
        isBound = false;
        placeable = 0;
    }

    /// Binds to a batch.
    ///
    /// Has more than 325 bytes of code, so that C2 never inlines it: inlined, it exhausts the
    /// caller's inlining budget, and accessors in the caller's loop remain calls. 10 columns in
    /// direct memory took 310 ns instead of 110.
    void bind(FieldLayout plan, RecordBatch header) {
        try {
            // References are compared first: storing one costs a barrier.
            if (batch != header) {
                batch = header;
            }
            rowCount = header.length();
            isCompressed = header.compression(compression);
            codec = isCompressed ? compression.codec() : 0;
            if (plan != passed
                    || header.nodesCount() != passedNodes
                    || header.buffersCount() != passedBuffers) {
                fit(plan);
            }
            FieldTable table = plan.table;
            if (layout != plan) {
                layout = plan;
            }
            if (columns != plan.columnFields()) { // a ColumnLayout may be refilled
                columns = plan.columnFields();
            }
            if (buffersAt != table.buffersAt) {
                buffersAt = table.buffersAt;
                firstViews = table.firstView;
            }
            base = plan.section.start;
            firstNode = plan.firstNode();
            hasViews = plan.viewCount() != 0;
            isPlain = !hasViews && !isInPlace;
            int before = variadicsBefore[0];
            // Without view fields, all variadic buffers belong to earlier columns.
            firstBuffer = plan.firstBuffer() + (hasViews ? 0 : before);
            int nodes = placed;
            if (!isInPlace) {
                int buffers = placedBuffers;
                reserve((long) nodes + buffers);
                copiedBuffer = plan.firstBuffer() + before;
                buffersFrom = PAIR * nodes;
                header.copyNodes(firstNode, nodes, numbers, 0);
                header.copyBuffers(copiedBuffer, buffers, numbers, buffersFrom);
            }
            isBound = true;
            placeable = nodes;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    long[] reserve(long entries) {
        if (PAIR * entries > numbers.length) {
            numbers = new long[Math.toIntExact(PAIR * entries)];
        }
        return numbers;
    }

    // ---- comparing the batch with the layout

    /// Checks that the batch has the nodes and buffers of a layout, and sums its variadic buffer
    /// counts.
    private void fit(FieldLayout plan) {
        passed = null;
        placed = plan.placeable();
        boolean isWhole = placed == plan.fieldCount();
        int next = plan.section.start + placed;
        int views = isWhole ? plan.viewCount() : plan.table.viewsBefore(next);
        int own = isWhole ? plan.bufferCount() : plan.table.firstBuffer(next);
        long nodes = plan.firstNode() + (long) placed;
        long buffers = plan.firstBuffer() + (long) own;
        if (batch.nodesCount() < nodes
                || !sumVariadics(plan.firstView(), views)
                || batch.buffersCount() < buffers + variadicsBefore[views]) {
            throw misfit(nodes, plan.firstView() + (long) views, buffers);
        }
        extraNodes = (int) (batch.nodesCount() - nodes);
        extraBuffers = (int) (batch.buffersCount() - buffers - variadicsBefore[views]);
        placedBuffers = own + variadicsBefore[views] - variadicsBefore[0];
        // A ColumnLayout may be refilled; with view fields, the batch's counts may differ.
        if (plan instanceof BatchLayout && plan.viewCount() == 0) {
            passed = plan;
            passedNodes = batch.nodesCount();
            passedBuffers = batch.buffersCount();
        }
    }

    /// Throws what [BatchCounts] finds.
    private IllegalStateException misfit(long nodes, long views, long buffers) {
        new BatchCounts(LayoutException.errors(null)).parts(batch, nodes, views, buffers, false);
        return changed();
    }

    static IllegalStateException changed() {
        return new IllegalStateException("batch changed while it was checked");
    }

    /// Sums the counts of the view fields before the layout, and of its own up to the last that can
    /// be located.
    ///
    /// @return false if counts are absent, or one is out of range
    private boolean sumVariadics(int before, int own) {
        int found = batch.variadicBufferCountsCount();
        if (found < before + (long) own) {
            return false;
        }
        if (variadicsBefore.length <= own) {
            variadicsBefore = new int[own + 1];
        }
        variadicsBefore[0] = 0;
        if (before + own == 0) {
            return true;
        }
        if (counts.length < found) {
            counts = new long[found];
        }
        batch.copyVariadicBufferCounts(counts, 0);
        long[] all = counts;
        long bits = 0;
        long sum = 0;
        for (int i = 0; i < before; i++) {
            bits |= all[i];
            sum += all[i];
        }
        for (int i = 0; i < own; i++) {
            variadicsBefore[i] = (int) sum;
            bits |= all[before + i];
            sum += all[before + i];
        }
        variadicsBefore[own] = (int) sum;
        // Without large counts, the sum has not overflowed.
        return bits >>> Integer.SIZE - 1 == 0 && sum <= batch.buffersCount();
    }

    // ---- fields of an in-place cursor, or of a layout with variadic buffers

    /// {@return index in the batch of a field's first buffer}
    ///
    /// @param own the field's number in [FieldTable#buffersAt]
    int firstBuffer(int field, int own) {
        int first = firstBuffer + (own >>> BufferShape.BITS);
        return hasViews ? first + variadicsBefore[firstViews[base + field]] : first;
    }

    /// {@return number of variadic buffers of a field of a view type}
    int variadicCount(int field) {
        int view = firstViews[base + field];
        return variadicsBefore[view + 1] - variadicsBefore[view];
    }

    // ---- positions for errors

    /// {@return position of a buffer's numbers; none if the message is gone: the copies outlive it}
    long bufferPosition(int index, long offset, long length) {
        try {
            Buffer found = batch.buffers(index, new Buffer());
            return found.offset() == offset && found.length() == length
                    ? found.position()
                    : FletchException.NO_OFFSET;
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return FletchException.NO_OFFSET;
        }
    }

    /// {@return position of a node's numbers; none if the message is gone}
    long nodePosition(int index, long length) {
        try {
            FieldNode found = batch.nodes(index, new FieldNode());
            return found.length() == length ? found.position() : FletchException.NO_OFFSET;
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return FletchException.NO_OFFSET;
        }
    }
}
