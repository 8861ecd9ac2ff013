// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.format.ids.CompressionType;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// A message as `cases/*.txt` describe it, and its body.
final class CaseMessage {
    private static final int V4 = 3;

    FbsValue.Table table;
    byte[] body = {};

    private final boolean isV4;

    /// A batch apart from its buffers; null for any other message.
    private BatchParts batch;

    private final List<long[]> nodes = new ArrayList<>();
    private final List<byte[]> buffers = new ArrayList<>();

    /// What else a batch is made of.
    ///
    /// @param id of its dictionary; null for a record batch
    /// @param frame `lz4`, `zstd`, `stored` or empty: how its buffers are compressed
    /// @param rest of the body behind the buffers
    /// @param fields of its table that nodes and buffers do not decide
    private record BatchParts(
            Long id, boolean isDelta, String frame, byte[] rest, FbsValue.Table fields) {}

    /// A message without a body.
    CaseMessage(FbsValue.Table header, boolean isV4) {
        this.isV4 = isV4;
        setHeader(header);
    }

    /// Takes a message with its body.
    CaseMessage(CaseScanner from, CaseValues values, boolean isV4) {
        this.isV4 = isV4;
        if (from.takes("message")) {
            table = values.table(from);
            body = values.bytes(from);
        } else if (from.takes("header")) {
            FbsValue.Table header = values.table(from);
            body = values.bytes(from);
            setHeader(header);
        } else {
            takeBatch(from, values);
            make();
        }
    }

    private void takeBatch(CaseScanner from, CaseValues values) {
        boolean isDelta = from.takes("delta");
        boolean isDictionary = isDelta || from.takes("dictionary");
        Long id = isDictionary ? (Long) from.number() : null;
        if (!isDictionary) {
            from.expect("batch");
        }
        String frame = from.isNumber() ? "" : from.take();
        long rows = from.number();
        takeNodesAndBuffers(from, values);
        byte[] rest = from.takes("+") ? values.bytes(from) : Bodies.NONE;
        FbsValue.Table fields = table("RecordBatch", "length", rows);
        batch = new BatchParts(id, isDelta, frame, rest, values.fields(fields, from, "{", "}"));
    }

    private void takeNodesAndBuffers(CaseScanner from, CaseValues values) {
        from.expect("[");
        while (!from.takes("]")) {
            long length = from.number();
            long[] node = pair(length, from.takes("/") ? from.number() : 0);
            nodes.addAll(Collections.nCopies(CaseValues.times(from), node));
        }
        from.expect("[");
        while (!from.takes("]")) {
            byte[] buffer = values.bytes(from);
            buffers.addAll(Collections.nCopies(CaseValues.times(from), buffer));
        }
    }

    /// Adds nodes and buffers to a batch.
    void add(CaseScanner from, CaseValues values) {
        takeNodesAndBuffers(from, values);
        make();
    }

    void setHeader(FbsValue.Table header) {
        FbsValue.Table message = message(header, body.length);
        table = isV4 ? with(message, "version", V4) : message;
    }

    void setBuffer(int index, byte[] bytes) {
        buffers.set(index, bytes);
        make();
    }

    /// Makes body and table of the parts of a batch.
    private void make() {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        List<long[]> ranges = new ArrayList<>();
        for (byte[] each : buffers) {
            byte[] stored = each.length == 0 ? each : stored(each);
            ranges.add(pair(made.size(), stored.length));
            made.writeBytes(Frames.padded(stored, Long.BYTES));
        }
        made.writeBytes(Frames.padded(batch.rest, Long.BYTES));
        body = made.toByteArray();
        FbsValue.Table data = table("RecordBatch", "nodes", nodes, "buffers", ranges);
        if (!batch.frame.isEmpty()) {
            int codec =
                    batch.frame.equals("lz4") ? CompressionType.LZ4_FRAME : CompressionType.ZSTD;
            data = with(data, "compression", table("BodyCompression", "codec", codec));
        }
        for (Map.Entry<String, FbsValue> each : batch.fields.fields().entrySet()) {
            data = with(data, each.getKey(), each.getValue());
        }
        int delta = batch.isDelta ? 1 : 0;
        setHeader(
                batch.id == null
                        ? data
                        : table("DictionaryBatch", "id", batch.id, "data", data, "isDelta", delta));
    }

    private byte[] stored(byte[] bytes) {
        return switch (batch.frame) {
            case "lz4" -> Bodies.lz4(bytes);
            case "zstd" -> Bodies.zstd(bytes);
            case "stored" -> Bodies.stored(bytes);
            case "" -> bytes;
            default -> throw new IllegalArgumentException("no compression: " + batch.frame);
        };
    }
}
