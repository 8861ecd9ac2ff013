// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static dev.fletch.command.SchemaTables.field;
import static dev.fletch.command.SchemaTables.struct;
import static dev.fletch.command.SchemaTables.table;

import dev.fletch.command.SchemaTables;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Batches put together by hand, whose buffers may claim anything.
public final class MapFrames {
    /// Batches of two columns that have more regions than a page shows.
    static final int TOO_MANY = 70_000;

    private MapFrames() {}

    /// A column with two buffers.
    public static FbsValue.Table int32(String name) {
        return field(name, Type.INT, table("Int", "bitWidth", 32, "is_signed", 1));
    }

    public static byte[] schema(FbsValue.Table... columns) {
        return message(MetadataVersion.V5, MessageHeader.SCHEMA, SchemaTables.schema(columns), 0);
    }

    /// A record batch without its body.
    ///
    /// @param buffers offset, length, and so on
    static byte[] batch(int nodes, long bodyLength, long... buffers) {
        return batchOfVersion(MetadataVersion.V5, nodes, bodyLength, buffers);
    }

    static byte[] batchOfVersion(int version, int nodes, long bodyLength, long... buffers) {
        FbsValue.Table header = header(nodes, buffers);
        return message(version, MessageHeader.RECORD_BATCH, header, bodyLength);
    }

    static byte[] dictionary(long id, int nodes, long bodyLength, long... buffers) {
        FbsValue.Table header = table("DictionaryBatch", "id", id, "data", header(nodes, buffers));
        return message(MetadataVersion.V5, MessageHeader.DICTIONARY_BATCH, header, bodyLength);
    }

    private static FbsValue.Table header(int nodes, long... buffers) {
        List<FbsValue> allNodes = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            allNodes.add(struct(1, 0));
        }
        List<FbsValue> allBuffers = new ArrayList<>();
        for (int i = 0; i < buffers.length; i += 2) {
            allBuffers.add(struct(buffers[i], buffers[i + 1]));
        }
        return table("RecordBatch", "length", 1, "nodes", allNodes, "buffers", allBuffers);
    }

    /// A record batch of one column with views, without its body.
    static byte[] views(long bodyLength, long... buffers) {
        SortedMap<String, FbsValue> fields = new TreeMap<>(header(1, buffers).fields());
        FbsValue count = new FbsValue.Number(buffers.length / 2 - 2);
        fields.put("variadicBufferCounts", new FbsValue.Vector(List.of(count)));
        FbsValue.Table header = new FbsValue.Table("RecordBatch", fields);
        return message(MetadataVersion.V5, MessageHeader.RECORD_BATCH, header, bodyLength);
    }

    static byte[] message(int version, int kind, FbsValue.Table header, long bodyLength) {
        FbsValue.Table message =
                table(
                        "Message",
                        "version",
                        version,
                        "header_type",
                        kind,
                        "header",
                        header,
                        "bodyLength",
                        bodyLength);
        return Frames.encapsulated(SchemaTables.bytes(message));
    }

    /// A stream of two columns and one batch.
    static byte[] stream(int bodyLength, long... buffers) {
        return Frames.join(
                schema(int32("a"), int32("b")),
                batch(2, bodyLength, buffers),
                new byte[bodyLength],
                Frames.END);
    }

    /// A file of messages that lie anywhere in it.
    ///
    /// @param messages all between the leading magic and the footer
    /// @param blocks of record batches: offset, length of prefix and metadata, length of the body
    static byte[] file(FbsValue.Table schema, byte[] messages, long[]... blocks) {
        List<FbsValue> batches = new ArrayList<>();
        for (long[] each : blocks) {
            batches.add(struct(each[0], each[1], each[2]));
        }
        return Frames.file(
                messages,
                table(
                        "Footer",
                        "version",
                        MetadataVersion.V5,
                        "schema",
                        schema,
                        "recordBatches",
                        batches));
    }

    /// A stream of equal columns and batches, whose bodies are not written.
    public static void writeWide(Path path, int columns, int batches) throws IOException {
        FbsValue.Table[] fields = new FbsValue.Table[columns];
        Arrays.setAll(fields, i -> int32("column_" + i));
        long[] buffers = new long[4 * columns];
        for (int i = 0; i < columns; i++) {
            buffers[4 * i] = 64L * i;
            buffers[4 * i + 2] = 64L * i;
            buffers[4 * i + 3] = 40;
        }
        byte[] batch = batch(columns, 64L * columns, buffers);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(schema(fields));
            for (int i = 0; i < batches; i++) {
                file.write(batch);
                file.setLength(file.length() + 64L * columns);
                file.seek(file.length());
            }
            file.write(Frames.END);
        }
    }
}
