// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.BUFFER_COUNT;
import static dev.fletch.MeaningRule.COLUMN_LENGTH;
import static dev.fletch.MeaningRule.NEGATIVE_LENGTH;
import static dev.fletch.MeaningRule.NEGATIVE_ROWS;
import static dev.fletch.MeaningRule.NODE_COUNT;
import static dev.fletch.MeaningRule.NO_DICTIONARY_DATA;
import static dev.fletch.MeaningRule.NULL_COUNT_RANGE;
import static dev.fletch.MeaningRule.NULL_COUNT_UNKNOWN;
import static dev.fletch.MeaningRule.VARIADIC_COUNTS;
import static dev.fletch.MeaningRule.VARIADIC_COUNT_RANGE;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;

/// The rules of a batch's numbers: how many nodes, buffers and variadic buffers it has, and the
/// numbers of a node. Each check returns whether to continue.
public final class BatchCounts {
    // arrow-js may write it for the type Null.
    private static final long UNKNOWN_NULLS = -1;

    private final FaultSink sink;

    public BatchCounts(FaultSink sink) {
        this.sink = sink;
    }

    /// Checks that the number of rows is not negative.
    public boolean rows(RecordBatch batch) {
        long rows = batch.length();
        long position = batch.position(RecordBatch.LENGTH_SLOT);
        return rows >= 0 || sink.add(Fault.of(NEGATIVE_ROWS, position, rows).at("length"));
    }

    /// {@return whether a kind of message is a record batch, or the batch of a dictionary}
    ///
    /// @param kind one of [MessageHeader]
    public static boolean isBatch(int kind) {
        return kind == MessageHeader.RECORD_BATCH || kind == MessageHeader.DICTIONARY_BATCH;
    }

    /// Binds to the record batch of a message: its header, or the values in its dictionary batch.
    ///
    /// @param dictionary bound to the dictionary batch, if there is one
    /// @return whether there is a record batch
    public static boolean find(Message message, DictionaryBatch dictionary, RecordBatch into) {
        return message.header(into) || message.header(dictionary) && dictionary.data(into);
    }

    /// Binds to the batch of a dictionary.
    ///
    /// @return whether there is one
    public static boolean data(DictionaryBatch dictionary, RecordBatch into, FaultSink sink) {
        return dictionary.data(into)
                || sink.broken(
                        Fault.of(NO_DICTIONARY_DATA, dictionary.position(), dictionary.id())
                                .at("data")
                                .with("dictionary", dictionary.id()));
    }

    /// Checks that a batch has the parts that its fields need.
    ///
    /// @param nodes number of fields
    /// @param views number of fields of view types
    /// @param buffers number of buffers, without variadic ones
    /// @param isExact whether the batch may have no other parts
    public boolean parts(RecordBatch batch, long nodes, long views, long buffers, boolean isExact) {
        int nodeCount = batch.nodesCount();
        if (!fits(nodeCount, nodes, isExact)
                && !add(NODE_COUNT, batch, RecordBatch.NODES_SLOT, nodeCount, nodes, "nodes")) {
            return false;
        }
        int slot = RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT;
        int counts = batch.variadicBufferCountsCount();
        if (!fits(counts, views, isExact)) {
            return add(VARIADIC_COUNTS, batch, slot, counts, views, "variadicBufferCounts");
        }
        int bufferCount = batch.buffersCount();
        long variadic = 0;
        for (int i = 0; i < views; i++) {
            long count = batch.variadicBufferCounts(i);
            if (count < 0 || count > bufferCount - variadic) {
                long position = batch.targetPosition(slot) + Integer.BYTES + (long) i * Long.BYTES;
                return sink.add(
                        Fault.of(VARIADIC_COUNT_RANGE, position, count)
                                .at("variadicBufferCounts", i, "")
                                .with("count", count)
                                .with("before", variadic)
                                .with("buffers", bufferCount));
            }
            variadic += count;
        }
        long needed = buffers + variadic;
        int buffersSlot = RecordBatch.BUFFERS_SLOT;
        return fits(bufferCount, needed, isExact)
                || add(BUFFER_COUNT, batch, buffersSlot, bufferCount, needed, "buffers");
    }

    private static boolean fits(long found, long needed, boolean isExact) {
        return isExact ? found == needed : found >= needed;
    }

    private boolean add(
            Rule rule, RecordBatch batch, int slot, long found, long needed, String name) {
        return sink.add(
                Fault.of(rule, batch.targetPosition(slot), found)
                        .at(name)
                        .with("found", found)
                        .with("needed", needed));
    }

    // ---- nodes

    /// Checks that the length of a node is not negative.
    public boolean length(FieldNode node, int index) {
        return node.length() >= 0 || negativeLength(node.position(), node.length(), index);
    }

    /// Reports a negative length.
    ///
    /// @param position of the node
    public boolean negativeLength(long position, long length, int index) {
        return sink.add(Fault.of(NEGATIVE_LENGTH, position, length).at("nodes", index, "length"));
    }

    /// Checks that a column has as many values as its batch has rows.
    public boolean columnLength(FieldNode node, int index, long rows) {
        long length = node.length();
        if (length == rows) {
            return true;
        }
        return sink.add(
                Fault.of(COLUMN_LENGTH, node.position(), length)
                        .at("nodes", index, "length")
                        .with("length", length)
                        .with("rows", rows));
    }

    /// {@return whether the null count is from 0 to the length, or an unknown one of the type Null; a
    /// negative length is another fault}
    ///
    /// @param isAllNull whether the type is Null
    public static boolean isInRange(long nullCount, long length, boolean isAllNull) {
        return nullCount >= 0
                ? nullCount <= length || length < 0
                : isAllNull && nullCount == UNKNOWN_NULLS;
    }

    /// Checks the null count of a node: see [#isInRange].
    public boolean nullCount(FieldNode node, int index, boolean isAllNull) {
        long nulls = node.nullCount();
        long position = node.position() + FieldNode.NULL_COUNT_AT;
        if (!isInRange(nulls, node.length(), isAllNull)) {
            return sink.add(
                    Fault.of(NULL_COUNT_RANGE, position, nulls)
                            .at("nodes", index, "nullCount")
                            .with("nulls", nulls)
                            .with("length", node.length()));
        }
        return nulls >= 0
                || sink.add(
                        Fault.of(NULL_COUNT_UNKNOWN, position, nulls)
                                .at("nodes", index, "nullCount"));
    }
}
