// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.FieldTable.Section;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.tables.BufferShape;

/// The nodes and buffers in a batch that belong to a layout's fields: where they are, and copies of
/// their numbers.
///
/// ```text
///   numbers   length, null count of each node  │  offset, length of each buffer
///             └ at nodeAt                         └ at bufferAt
/// ```
///
/// The first buffer has the same position in all batches of a layout. The nodes are before or after
/// the buffers, as in the message.
final class BatchParts {
    private static final int PAIR = BufferShape.PAIR;
    private static final long[] NO_NUMBERS = {};
    private static final int[] NO_FIELDS = {};

    // Of the batch that is bound, or was.
    BatchLayout layout;
    long rowCount;
    boolean isCompressed;
    int codec;

    boolean isBound;
    // Of each field that can be located: see BatchLayout. Empty if unbound.
    int[] buffersAt = NO_FIELDS;
    // See RolePositions. Empty until needed.
    private int[] roles = NO_FIELDS;
    long[] numbers = NO_NUMBERS;

    // References to parts of the layout.
    private int base;
    private int[] firstViews;
    boolean hasViews;
    // Positions of the layout's first node and buffer.
    private int nodesAt;
    private int buffersStart;

    private final BatchCodec compression = new BatchCodec();
    RecordBatch batch;
    // Fields of the layout that can be located, and their buffers in the batch.
    private int placed;
    private int placedBuffers;
    // The batch's variadic buffer counts, and their sums before its view fields and after the last.
    private long[] counts = NO_NUMBERS;
    private int[] variadicsBeforeAll = new int[1];
    // The same sums of the layout's own view fields.
    private int[] variadicsBefore = new int[1];

    // Whether the fields are neighbours in the batch: then the index of the first node and buffer,
    // else the indexes of all nodes, then of all buffers.
    private boolean isOneRun;
    private int firstNode;
    private int firstIndex;
    private int[] elements = {};

    // The layout that the last batch matched, and that batch's number of nodes and buffers.
    private BatchLayout passed;
    private int passedNodes;
    private int passedBuffers;

    /// After a failure: no field can be located.
    void dropUnlessBound() {
        if (!isBound) {
            buffersAt = NO_FIELDS;
        }
    }

    /// Binds to a batch.
    ///
    /// Kept apart by recursion, see [dev.fletch.wire]: otherwise 1,000 columns by role took 23 µs
    /// instead of 3.3.
    void bind(BatchLayout plan, RecordBatch header, int detours) {
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
            if (layout != plan) {
                layout = plan;
                firstViews = plan.table.firstView;
                base = plan.section.start;
                hasViews = plan.viewCount() != 0;
                roles = NO_FIELDS;
            }
            int nodes = placed;
            int buffers = placedBuffers;
            reserve(2L * nodes + buffers + 1);
            nodesAt = 0;
            buffersStart = BufferShape.firstPosition(nodes);
            if (isOneRun) {
                nodesAt = header.copyParts(firstNode, nodes, firstIndex, buffers, numbers);
            } else {
                header.copyNodes(elements, 0, nodes, numbers, 0);
                header.copyBuffers(elements, nodes, buffers, numbers, buffersStart);
            }
            isBound = true;
            if (buffersAt != plan.buffersAt) { // compared before it is stored
                buffersAt = plan.buffersAt;
            }
        } catch (InternalError e) {
            isBound = false; // it may come after the last step
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
    private void fit(BatchLayout plan) {
        FieldPlaces.Needed needed = plan.places.needed();
        passed = null;
        if (batch.nodesCount() < needed.nodes()
                || !sumVariadics(needed.views())
                || batch.buffersCount()
                        < needed.buffers() + (long) variadicsBeforeAll[needed.views()]) {
            requireParts(batch, needed, false);
            throw changed();
        }
        locate(plan.places);
        if (needed.views() == 0) { // else, the next batch's counts may differ
            passed = plan;
            passedNodes = batch.nodesCount();
            passedBuffers = batch.buffersCount();
        }
    }

    /// Locates the parts of the layout's fields, after those of all were summed.
    private void locate(FieldPlaces places) {
        int[] all = variadicsBeforeAll;
        if (variadicsBefore.length < all.length) {
            variadicsBefore = new int[all.length];
        }
        Section section = places.section();
        int runs = places.located();
        int view = 0;
        for (int i = 0; i < runs; i++) {
            int shift = places.runs()[i].view() - view;
            for (int end = section.viewsBefore(places.end(i)); view < end; view++) {
                int count = all[view + shift + 1] - all[view + shift];
                variadicsBefore[view + 1] = variadicsBefore[view] + count;
            }
        }
        placed = section.placeable();
        placedBuffers = section.buffersBefore(placed) + variadicsBefore[view];
        isOneRun = runs == 1;
        if (isOneRun) {
            FieldPlaces.Run run = places.runs()[0];
            firstNode = run.node();
            firstIndex = run.buffer() + all[run.view()];
        } else {
            addElements(places, runs);
        }
    }

    private void addElements(FieldPlaces places, int runs) {
        int[] all = variadicsBeforeAll;
        if (elements.length < placed + placedBuffers) {
            elements = new int[placed + placedBuffers];
        }
        Section section = places.section();
        int node = 0;
        int buffer = placed;
        for (int i = 0; i < runs; i++) {
            FieldPlaces.Run run = places.runs()[i];
            int first = run.field();
            int end = places.end(i);
            for (int field = first; field < end; field++) {
                elements[node++] = run.node() + field - first;
            }
            int views = section.viewsBefore(end) - section.viewsBefore(first);
            int buffers = section.buffersBefore(end) - section.buffersBefore(first);
            int last = run.buffer() + buffers + all[run.view() + views];
            for (int index = run.buffer() + all[run.view()]; index < last; index++) {
                elements[buffer++] = index;
            }
        }
    }

    /// Checks that a batch has parts.
    ///
    /// @param isExact whether it may have no others
    static void requireParts(RecordBatch batch, FieldPlaces.Needed needed, boolean isExact) {
        new BatchCounts(FletchException.errors(null))
                .parts(batch, needed.nodes(), needed.views(), needed.buffers(), isExact);
    }

    static IllegalStateException changed() {
        return new IllegalStateException("batch changed while it was checked");
    }

    /// Sums the counts of the first view fields.
    ///
    /// @return false if counts are absent, or one is out of range
    private boolean sumVariadics(int views) {
        int found = batch.variadicBufferCountsCount();
        if (found < views) {
            return false;
        }
        if (variadicsBeforeAll.length <= views) {
            variadicsBeforeAll = new int[views + 1];
        }
        if (views == 0) {
            return true;
        }
        if (counts.length < found) {
            counts = new long[found];
        }
        batch.copyVariadicBufferCounts(counts, 0);
        long bits = 0;
        long sum = 0;
        for (int i = 0; i < views; i++) {
            bits |= counts[i];
            sum += counts[i];
            variadicsBeforeAll[i + 1] = (int) sum;
        }
        // Without large counts, the sum has not overflowed.
        return bits >>> Integer.SIZE - 1 == 0 && sum <= batch.buffersCount();
    }

    // ---- one field

    /// {@return position of a field's node}
    int nodeAt(int field) {
        return nodesAt + PAIR * field;
    }

    /// {@return position of a field's first buffer, also if it has none}
    ///
    /// @param own the field's number in [FieldTable#buffersAt]
    int bufferAt(int field, int own) {
        int first = buffersStart + PAIR * (own >>> BufferShape.BITS);
        return hasViews ? first + variadicsBefore(field) : first;
    }

    /// {@return position of a field's buffer with a role; negative if there is none}
    int bufferAt(int field, BufferRole role) {
        if (roles.length == 0) {
            roles = layout.positions().all();
        }
        int position = roles[RolePositions.index(field, role)];
        return hasViews ? position + variadicsBefore(field) : position;
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
    int bufferIndex(int position) {
        int index = ownIndex(position);
        return isOneRun ? firstIndex + index : elements[placed + index];
    }

    /// {@return index among the buffers of the layout's fields of the buffer at a position}
    int ownIndex(int position) {
        return (position - buffersStart) / PAIR;
    }

    // ---- all buffers

    int firstPosition() {
        return buffersStart;
    }

    /// Position after the last buffer.
    int endPosition() {
        return buffersStart + PAIR * placedBuffers;
    }

    /// {@return the field with the buffer at a position}
    int fieldAt(int position) {
        int field = buffersAt.length - 1;
        while (bufferAt(field, buffersAt[field]) > position) {
            field--;
        }
        return field;
    }

    // ---- positions for errors

    /// {@return position of a buffer's numbers; none if the message is gone: the copies outlive it}
    long bufferPosition(int index, long offset, long length) {
        try {
            Buffer buffer = batch.buffers(index, new Buffer());
            return buffer.offset() == offset && buffer.length() == length
                    ? buffer.position()
                    : FletchException.NO_OFFSET;
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return FletchException.NO_OFFSET;
        }
    }

    /// {@return position of a node's numbers; none if the message is gone}
    long nodePosition(int index, long length) {
        try {
            FieldNode node = batch.nodes(index, new FieldNode());
            return node.length() == length ? node.position() : FletchException.NO_OFFSET;
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return FletchException.NO_OFFSET;
        }
    }
}
