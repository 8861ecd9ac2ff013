// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BufferRole;
import dev.fletch.layout.LayoutException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/// Goes through an input from its first byte to its last, and finds out what each of them is for.
/// Bodies are never read: headers tell where everything in them is.
public final class MapWalk {
    private static final int MAGIC_BYTES = 6;

    private final Input input;
    private final List<MapSink> sinks;
    private final boolean isFile;
    private final MapMessage message = new MapMessage();
    private final MapTotals totals = new MapTotals();
    private final MapSweep sweep = new MapSweep(message, totals);

    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final Schema schema = new Schema();
    private final BatchCursor cursor = new BatchCursor();
    private final Buffer buffer = new Buffer();
    private MapPlan plan;
    // Behind the metadata of the message before.
    private long read;

    MapWalk(Input input, List<MapSink> sinks) {
        this.input = input;
        this.sinks = sinks;
        this.isFile = input.container() == ArrowContainer.FILE;
    }

    void run() throws IOException {
        for (MapSink sink : sinks) {
            sink.start(input.container());
        }
        if (isFile) {
            sweep.claim(MapClass.MAGIC, 0, MAGIC_BYTES);
            sweep.gap(ArrowFile.FIRST_MESSAGE_OFFSET);
        }
        for (message.index = 0; input.next(); message.index++) {
            message();
            message.clearExtents();
        }
        if (message.index == 0) {
            throw new InvalidInput(input.frame().offset(), "there is no message");
        }
        message.clearBatch();
        sweep.claim(MapClass.METADATA, sweep.given(), input.endOfMarker(sweep.given()));
        if (isFile) {
            long footerEnd = input.footerOffset() + input.footerLength() + Integer.BYTES;
            sweep.claim(MapClass.FOOTER, input.footerOffset(), footerEnd);
            sweep.claim(MapClass.MAGIC, footerEnd, footerEnd + MAGIC_BYTES);
        }
        sweep.gap(input.size());
        for (MapSink sink : sinks) {
            sink.end(message, totals);
        }
    }

    private void message() throws IOException {
        EncapsulatedMessage frame = input.frame();
        // Of a stream it is told behind the message, where a pipe tells it too.
        if (isFile && !frame.isBodyComplete()) {
            input.throwIfDamaged(); // of a file that has lost its end it is told that it has
            frame.nextOffset(); // which tells so
        }
        if (frame.offset() < read) {
            // Any number of blocks may lead to one message: no metadata is looked into twice.
            throw new InvalidInput(
                    frame.offset(), "message begins inside the metadata before it: end=" + read);
        }
        read = frame.bodyOffset();
        message.clearBatch();
        message.kind = MessageHeader.NAMES.name(input.message.headerType());
        message.offset = frame.offset();
        message.prefixLength = frame.prefixLength();
        message.metadataLength = frame.metadataLength();
        message.bodyLength = frame.bodyLength();
        int headerType = input.message.headerType();
        if (headerType == MessageHeader.SCHEMA) {
            schema(frame);
        }
        try {
            batch(headerType, frame);
        } catch (LayoutException e) {
            throw new InvalidInput(frame.metadataOffset(), e.getMessage());
        }
        sweep.claim(MapClass.METADATA, frame.offset(), frame.bodyOffset());
        long end = frame.bodyOffset() + frame.bodyLength();
        if (message.hasBatch() || headerType == MessageHeader.SCHEMA) {
            sweep.body(frame.bodyOffset(), end);
        } else {
            sweep.claim(MapClass.OTHER, frame.bodyOffset(), end);
        }
        for (MapSink sink : sinks) {
            sink.message(message);
        }
    }

    private void schema(EncapsulatedMessage frame) throws IOException {
        if (plan != null || message.index > 0) {
            throw new InvalidInput(frame.offset(), "schema is not the first message");
        }
        if (!input.message.header(schema)) {
            throw new InvalidInput(frame.offset(), "schema message has no schema");
        }
        try {
            plan = MapPlan.of(schema, frame.metadataLength());
        } catch (LayoutException e) {
            throw new InvalidInput(frame.metadataOffset(), e.getMessage());
        }
        totals.columns(plan.columns());
        for (MapSink sink : sinks) {
            sink.plan(plan);
        }
    }

    // ---- batches

    private void batch(int headerType, EncapsulatedMessage frame) {
        switch (headerType) {
            case MessageHeader.RECORD_BATCH -> {
                if (!input.message.header(batch)) {
                    throw new InvalidInput(frame.offset(), "record batch has no header");
                }
                requirePlan(frame);
                buffers(plan.columns(), frame);
            }
            case MessageHeader.DICTIONARY_BATCH -> {
                if (!input.message.header(dictionary) || !dictionary.data(batch)) {
                    throw new InvalidInput(frame.offset(), "dictionary batch has no data");
                }
                requirePlan(frame);
                MapPlan.Fields values = plan.dictionary(dictionary.id());
                if (values == null) {
                    throw new InvalidInput(
                            frame.offset(), "no field has this dictionary: id=" + dictionary.id());
                }
                message.isDictionary = true;
                message.dictionaryId = dictionary.id();
                message.isDelta = dictionary.isDelta();
                totals.dictionary(dictionary.id());
                buffers(values, frame);
            }
            default -> {}
        }
    }

    private void requirePlan(EncapsulatedMessage frame) {
        if (plan == null) {
            throw new InvalidInput(
                    frame.offset(), "batch has no schema before it: kind=" + message.kind);
        }
    }

    private void buffers(MapPlan.Fields fields, EncapsulatedMessage frame) {
        // Without the body: nothing in it is read.
        cursor.bind(fields.layout(input.message.version()), batch, MemorySegment.NULL);
        message.fields = fields;
        message.rows = batch.length();
        message.reserve(fields.placeable(), batch.buffersCount());
        for (int field = 0; field < fields.placeable(); field++) {
            cursor.field(field);
            message.addNode(cursor.length(), cursor.nullCount());
            for (int i = 0; i < cursor.bufferCount(); i++) {
                add(field, cursor.role(i), cursor.bufferOffset(i), cursor.bufferLength(i), frame);
            }
        }
        while (message.bufferCount < batch.buffersCount()) {
            batch.buffers(message.bufferCount, buffer);
            add(MapMessage.NONE, null, buffer.offset(), buffer.length(), frame);
        }
    }

    /// One without bytes may claim to be anywhere.
    private void add(
            int field, BufferRole role, long offset, long length, EncapsulatedMessage frame) {
        long body = frame.bodyLength();
        boolean fits =
                length == 0
                        ? offset <= Long.MAX_VALUE - frame.bodyOffset()
                        : offset >= 0 && length > 0 && length <= body && offset <= body - length;
        if (!fits) {
            int number = message.bufferCount;
            String column = field == MapMessage.NONE ? "none" : message.fields.paths()[field];
            throw new InvalidInput(
                    frame.metadataOffset(),
                    String.format(
                            Locale.ROOT,
                            "buffer out of body: column=%s, buffer=%d, offset=%d, length=%d,"
                                    + " body=%d",
                            column,
                            number,
                            offset,
                            length,
                            body));
        }
        message.addBuffer(field, role, frame.bodyOffset() + offset, length);
    }
}
