// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;

import java.lang.foreign.MemorySegment;

/// Reads the batches of a stream in memory with Fletch, one per call, cyclically. Reuses all
/// objects.
final class FletchBatches {
    private final EncapsulatedMessage frame;
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private BatchLayout layout;
    private BatchLayout chosen;
    private BatchCursor cursor;
    private BatchCursor few;
    private MemorySegment stream;
    private long at;

    FletchBatches(ReadOptions options) {
        frame = new EncapsulatedMessage(options);
    }

    /// Sets a stream, at its start.
    FletchBatches wrap(MemorySegment batches) {
        stream = batches;
        at = 0;
        return this;
    }

    /// Sets the schema whose layout is used to find columns.
    ///
    /// @param schema message without prefix, in the stream's kind of memory
    void plan(MemorySegment schema) {
        Schema header = new Schema();
        new Message().wrap(schema).header(header);
        layout = BatchLayout.compile(header, MetadataVersion.V5);
        cursor = new BatchCursor();
        few = new BatchCursor();
        int n = layout.columnCount();
        chosen = layout.choose(field(1), field(n / 2), field(n - 2));
    }

    /// Binds the next batch; after the last one, the first.
    private void next() {
        if (frame.wrap(stream, at, message) != FrameKind.MESSAGE || !message.header(batch)) {
            throw new AssertionError("message is not a record batch");
        }
        long next = frame.nextOffset();
        at = next == stream.byteSize() ? 0 : next;
    }

    /// Body length and rows.
    long head() {
        next();
        return frame.bodyLength() + batch.length();
    }

    /// All numbers.
    long numbers() {
        next();
        long sum = frame.bodyLength() + batch.length();
        for (int i = 0, n = batch.nodesCount(); i < n; i++) {
            sum += batch.nodesLength(i) + batch.nodesNullCount(i);
        }
        for (int i = 0, n = batch.buffersCount(); i < n; i++) {
            sum += batch.buffersOffset(i) + batch.buffersLength(i);
        }
        return sum;
    }

    /// Column by column, by the layout.
    long columns() {
        nextByColumn();
        long sum = batch.length();
        for (int i = 0, n = layout.columnCount(); i < n; i++) {
            int field = layout.columnField(i);
            sum += cursor.length(field) + cursor.nullCount(field);
            for (int b = 0, c = cursor.bufferCount(field); b < c; b++) {
                sum += cursor.bufferOffset(field, b) + cursor.bufferLength(field, b);
            }
        }
        return sum;
    }

    /// Lengths only, column by column: what arrow-java's vectors know of them.
    long lengths() {
        nextByColumn();
        long sum = batch.length();
        for (int i = 0, n = layout.columnCount(); i < n; i++) {
            int field = layout.columnField(i);
            sum += cursor.length(field);
            sum += cursor.bufferLength(field, BufferRole.OFFSETS);
            sum += cursor.bufferLength(field, BufferRole.DATA);
        }
        return sum;
    }

    /// By column and role: `Utf8` has three buffers.
    long roles() {
        nextByColumn();
        long sum = batch.length();
        for (int i = 0, n = layout.columnCount(); i < n; i++) {
            int field = layout.columnField(i);
            sum += cursor.length(field) + cursor.nullCount(field);
            sum +=
                    cursor.bufferOffset(field, BufferRole.VALIDITY)
                            + cursor.bufferLength(field, BufferRole.VALIDITY);
            sum +=
                    cursor.bufferOffset(field, BufferRole.OFFSETS)
                            + cursor.bufferLength(field, BufferRole.OFFSETS);
            sum +=
                    cursor.bufferOffset(field, BufferRole.DATA)
                            + cursor.bufferLength(field, BufferRole.DATA);
        }
        return sum;
    }

    /// Three columns by the layout: the second, the middle and the second to last.
    long three() {
        next();
        few.bind(chosen, batch).body(stream, frame.bodyOffset(), frame.bodyLength());
        return batch.length() + few(0) + few(1) + few(2);
    }

    private int field(int column) {
        return layout.columnField(column);
    }

    private void nextByColumn() {
        next();
        cursor.bind(layout, batch).body(stream, frame.bodyOffset(), frame.bodyLength());
    }

    private long few(int column) {
        int field = chosen.columnField(column);
        long sum = few.length(field) + few.nullCount(field);
        for (int b = 0, n = few.bufferCount(field); b < n; b++) {
            sum += few.bufferOffset(field, b) + few.bufferLength(field, b);
        }
        return sum;
    }
}
