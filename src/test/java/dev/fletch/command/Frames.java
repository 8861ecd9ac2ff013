// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.GeneratedMessages;
import dev.fletch.testdata.RandomTables;

import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/// Streams put together by hand, for what no real writer writes.
public final class Frames {
    private static final int NONE = 0;
    private static final int V5_VALUE = 4;

    private Frames() {}

    /// Prefix, flatbuffer and padding of one message; its body comes behind.
    public static byte[] encapsulated(byte[] flatbuffer) {
        int padded = (flatbuffer.length + 7) / 8 * 8;
        return ByteBuffer.allocate(8 + padded)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(-1)
                .putInt(padded)
                .put(flatbuffer)
                .array();
    }

    public static byte[] endOfStream() {
        return new byte[] {-1, -1, -1, -1, 0, 0, 0, 0};
    }

    public static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    /// A file without batches, of a schema without columns; the footer may say anything.
    public static byte[] file(FbsValue.Table footer) {
        byte[] magic = "ARROW1".getBytes(StandardCharsets.US_ASCII);
        byte[] flatbuffer = FbsValueWriter.write(RandomTables.ARROW, footer, 0);
        byte[] length =
                ByteBuffer.allocate(4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(flatbuffer.length)
                        .array();
        return joined(magic, new byte[2], emptySchema(), endOfStream(), flatbuffer, length, magic);
    }

    /// A schema without columns.
    public static byte[] emptySchema() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int fields = Schema.createFieldsVector(builder, new int[0]);
        Schema.startSchema(builder);
        Schema.addFields(builder, fields);
        return message(builder, MessageHeader.Schema, Schema.endSchema(builder), 0);
    }

    /// A schema, as a stream that has nothing else.
    public static byte[] schemaStream(FbsValue.Table schema, long seed) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        fields.put("version", new FbsValue.Number(V5_VALUE));
        fields.put("header_type", new FbsValue.Number(MessageHeader.Schema));
        fields.put("header", schema);
        FbsValue.Table message = new FbsValue.Table("Message", fields);
        return encapsulated(FbsValueWriter.write(RandomTables.ARROW, message, seed));
    }

    public static byte[] recordBatch(long rows, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int batch = batch(builder, rows);
        return message(builder, MessageHeader.RecordBatch, batch, bodyLength);
    }

    public static byte[] dictionaryBatch(long id, boolean isDelta, long rows) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int data = batch(builder, rows);
        int batch = DictionaryBatch.createDictionaryBatch(builder, id, data, isDelta);
        return message(builder, MessageHeader.DictionaryBatch, batch, 0);
    }

    /// A message of a kind that has no header table here.
    public static byte[] messageOfKind(int headerType) {
        return message(new FlatBufferBuilder(), headerType, NONE, 0);
    }

    private static int batch(FlatBufferBuilder builder, long rows) {
        return RecordBatch.createRecordBatch(builder, rows, NONE, NONE, NONE, NONE);
    }

    private static byte[] message(
            FlatBufferBuilder builder, int type, int header, long bodyLength) {
        builder.finish(GeneratedMessages.create(builder, (byte) type, header, bodyLength));
        return encapsulated(builder.sizedByteArray());
    }
}
