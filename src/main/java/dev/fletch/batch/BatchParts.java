// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.tables.BufferShape;

/// The nodes and buffers in a batch that belong to a layout's fields: where they are, and copies of
/// their numbers.
///
/// ```text
///   numbers   length, null count of each node;  offset, length of each buffer
///             └ at PAIR · field                 └ at bufferAt
/// ```
final class BatchParts {
    private static final int PAIR = BufferShape.PAIR;
    private static final long[] NO_NUMBERS = {};

    // Of the batch that is bound, or was.
    FieldLayout layout;
    long rowCount;
    boolean isCompressed;
    int codec;

    boolean isBound;
    // Fields from this one on cannot be located; 0 if unbound.
    int placeable;
    long[] numbers = NO_NUMBERS;
    int extraNodes;
    int extraBuffers;

    // References to parts of the layout.
    int[] buffersAt;
    int base;
    private int[] firstViews;
    boolean hasViews;
    // Position of the layout's first buffer.
    private int firstBuffer;

    private final BatchCodec compression = new BatchCodec();
    RecordBatch batch;
    // Fields and buffers of the layout that can be located in the batch.
    private int placed;
    private int placedBuffers;
    // The batch's variadic buffer counts, and their sums before each view field of the layout and
    // after the last.
    private long[] counts = NO_NUMBERS;
    private int[] variadicsBefore = new int[1];

    // Whether the layout has chosen fields: the indexes of their nodes in the batch, then those of
    // their buffers; and the sums of the variadic buffer counts before the view fields of all
    // columns.
    private boolean isChoice;
    private int[] elements = {};
    private int[] variadicsBeforeAll = new int[1];

    // The layout that the last batch matched, and that batch's number of nodes and buffers.
    private FieldLayout passed;
    private int passedNodes;
    private int passedBuffers;

    void unbind() {
        isBound = false;
        placeable = 0;
    }

    /// Binds to a batch.
    ///
    /// Kept apart by recursion, see [dev.fletch.wire]: otherwise 1,000 columns by role took 23 µs
    /// instead of 3.3.
    void bind(FieldLayout plan, RecordBatch header, int detours) {
        try {
            if (detours != 0) {
                // Inside: the JVM may throw the error of a read when the inner call returns.
                bind(plan, header, detours - 1);
                return;
            }
            // Compared before it is stored.
            if (batch != header) {
                batch = header;
            }
            rowCount = header.length();
            isCompressed = compression.read(header);
            codec = compression.codec();
            if (isCompressed) {
                compression.check(FletchException::raise);
            }
            if (plan != passed
                    || header.nodesCount() != passedNodes
                    || header.buffersCount() != passedBuffers) {
                fit(plan);
            }
            FieldTable table = plan.table;
            if (layout != plan) {
                layout = plan;
            }
            if (buffersAt != table.buffersAt) { // a ColumnLayout may be refilled
                buffersAt = table.buffersAt;
                firstViews = table.firstView;
            }
            base = plan.section.start;
            hasViews = plan.viewCount() != 0;
            int nodes = placed;
            int buffers = placedBuffers;
            reserve((long) nodes + buffers);
            if (isChoice) {
                firstBuffer = PAIR * nodes;
                header.copyNodes(elements, 0, nodes, numbers, 0);
                header.copyBuffers(elements, nodes, buffers, numbers, PAIR * nodes);
            } else {
                int before = variadicsBefore[0];
                // Without view fields, all variadic buffers belong to earlier columns.
                firstBuffer = PAIR * (nodes - (hasViews ? before : 0));
                header.copyNodes(plan.firstNode(), nodes, numbers, 0);
                header.copyBuffers(plan.firstBuffer() + before, buffers, numbers, PAIR * nodes);
            }
            isBound = true;
            placeable = nodes;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private void reserve(long entries) {
        if (PAIR * entries > numbers.length) {
            numbers = new long[Math.toIntExact(PAIR * entries)];
        }
    }

    // ---- comparing the batch with the layout

    /// Checks that the batch has the nodes and buffers of a layout, and sums its variadic buffer
    /// counts.
    private void fit(FieldLayout part) {
        FieldLayout plan = part.whole();
        passed = null;
        placed = plan.placeable();
        int views = plan.viewsBefore(placed);
        int own = plan.buffersBefore(placed);
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
        isChoice = part != plan;
        if (isChoice) {
            choose((BatchLayout) part);
        }
        // A ColumnLayout may be refilled; with view fields, the batch's counts may differ.
        if (plan instanceof BatchLayout && plan.viewCount() == 0) {
            passed = part;
            passedNodes = batch.nodesCount();
            passedBuffers = batch.buffersCount();
        }
    }

    /// Locates the parts of chosen fields, after those of all were summed.
    private void choose(BatchLayout chosen) {
        int[] all = variadicsBefore;
        int[] own = variadicsBeforeAll;
        if (own.length < all.length) {
            own = new int[all.length];
        }
        variadicsBeforeAll = all;
        variadicsBefore = own;
        own[0] = 0;
        placed = chosen.fieldCount();
        placedBuffers = chosen.bufferCount();
        int views = 0;
        for (FieldChoice.Run run : chosen.choice.runs) {
            for (int view = run.firstView(); view < run.firstView() + run.views(); view++) {
                int count = all[view + 1] - all[view];
                own[++views] = own[views - 1] + count;
                placedBuffers += count;
            }
        }
        if (elements.length < placed + placedBuffers) {
            elements = new int[placed + placedBuffers];
        }
        int node = 0;
        int buffer = placed;
        for (FieldChoice.Run run : chosen.choice.runs) {
            for (int i = 0; i < run.fields(); i++) {
                elements[node++] = run.from() + i;
            }
            int end = run.firstView() + run.views();
            int to = run.firstBuffer() + run.buffers() + all[end];
            for (int i = run.firstBuffer() + all[run.firstView()]; i < to; i++) {
                elements[buffer++] = i;
            }
        }
    }

    /// Throws what [BatchCounts] finds.
    private IllegalStateException misfit(long nodes, long views, long buffers) {
        new BatchCounts(FletchException.errors(null)).parts(batch, nodes, views, buffers, false);
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

    // ---- one field

    /// {@return position of a field's first buffer, also if it has none}
    ///
    /// @param own the field's number in [FieldTable#buffersAt]
    int bufferAt(int field, int own) {
        int first = firstBuffer + PAIR * (own >>> BufferShape.BITS);
        return hasViews ? first + variadicsBefore(field) : first;
    }

    private int variadicsBefore(int field) {
        return PAIR * variadicsBefore[firstViews[base + field]];
    }

    /// {@return number of variadic buffers of a field of a view type}
    int variadicCount(int field) {
        int view = firstViews[base + field];
        return variadicsBefore[view + 1] - variadicsBefore[view];
    }

    /// {@return index in the batch of the buffer at a position}
    int bufferIndex(int at) {
        int entry = at / PAIR;
        return isChoice
                ? elements[entry]
                : layout.firstBuffer() + variadicsBefore[0] + entry - placed;
    }

    // ---- all buffers

    int firstPosition() {
        return PAIR * placed;
    }

    /// Position after the last buffer.
    int endPosition() {
        return PAIR * (placed + placedBuffers);
    }

    /// {@return the field with the buffer at a position}
    int fieldAt(int at) {
        int field = placeable - 1;
        while (bufferAt(field, buffersAt[base + field]) > at) {
            field--;
        }
        return field;
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
