// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.GeneratedTables;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Small messages, streams and files, made by flatc's generated classes, with whatever numbers a
/// test wants in them.
public final class Frames {
    public static final byte[] END = words(-1, 0);
    public static final byte[] LEGACY_END = words(0);
    public static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    private Frames() {}

    /// What a block of a footer says.
    public record BlockNumbers(long offset, int metadataLength, long bodyLength) {}

    // ---- Metadata ----

    /// An empty schema.
    public static byte[] schema() {
        return metadata(MetadataVersion.V5, MessageHeader.Schema, 0);
    }

    /// A record batch without columns.
    public static byte[] batch(long bodyLength) {
        return metadata(MetadataVersion.V5, MessageHeader.RecordBatch, bodyLength);
    }

    /// A dictionary batch without columns.
    public static byte[] dictionary(long bodyLength) {
        return metadata(MetadataVersion.V5, MessageHeader.DictionaryBatch, bodyLength);
    }

    /// A message of 8 bytes too few for an aligned frame with a legacy prefix.
    public static byte[] metadata(int version, int headerType, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int header =
                switch (headerType) {
                    case MessageHeader.Schema -> emptySchema(builder);
                    case MessageHeader.DictionaryBatch ->
                            GeneratedTables.dictionaryBatch(builder, 7, batch(builder, 5), false);
                    default -> batch(builder, 5);
                };
        return metadata(builder, version, headerType, header, bodyLength);
    }

    private static byte[] metadata(
            FlatBufferBuilder builder, int version, int type, int header, long bodyLength) {
        builder.finish(
                GeneratedTables.message(
                        builder, (short) version, (byte) type, header, bodyLength, 0));
        return padded(builder.sizedByteArray(), Long.BYTES);
    }

    private static int emptySchema(FlatBufferBuilder builder) {
        int fields = Schema.createFieldsVector(builder, new int[0]);
        return GeneratedTables.schema(builder, (short) 0, fields, 0, 0);
    }

    private static int batch(FlatBufferBuilder builder, long rows) {
        return GeneratedTables.recordBatch(builder, rows, 0, 0, 0, 0);
    }

    // ---- Framed messages ----

    /// A schema without columns.
    public static byte[] emptySchema() {
        return frame(schema());
    }

    /// A schema, as a stream that has nothing else.
    public static byte[] schemaStream(FbsValue.Table schema) {
        return encapsulated(Meant.bytes(Meant.message(schema, 0)));
    }

    public static byte[] recordBatch(long rows, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        return framed(builder, MessageHeader.RecordBatch, batch(builder, rows), bodyLength);
    }

    private static byte[] framed(FlatBufferBuilder builder, int type, int header, long body) {
        return frame(metadata(builder, MetadataVersion.V5, type, header, body));
    }

    // ---- Frames ----

    /// Prefix and metadata, without a body.
    public static byte[] frame(byte[] metadata) {
        return join(words(-1, metadata.length), metadata);
    }

    /// Prefix, flatbuffer and padding of one message.
    public static byte[] encapsulated(byte[] flatbuffer) {
        return frame(padded(flatbuffer, Long.BYTES));
    }

    /// The same in the form of old writers, where the metadata has 4 bytes more.
    public static byte[] legacyFrame(byte[] metadata) {
        return join(words(metadata.length + 4), metadata, new byte[4]);
    }

    public static byte[] body(int length) {
        byte[] body = new byte[length];
        Arrays.fill(body, (byte) 0xB0);
        return body;
    }

    /// A schema and two batches, with bodies of 16 and 0 bytes, and the mark at the end.
    public static byte[] stream() {
        return join(frame(schema()), frame(batch(16)), body(16), frame(batch(0)), END);
    }

    /// Reads a stream with the default options.
    static MessageReader reader(byte[] stream) {
        return MessageReader.of(new ByteArrayInputStream(stream), ReadOptions.DEFAULT);
    }

    // ---- Files ----

    /// Magic, messages, footer, magic.
    public static byte[] file(byte[] messages, byte[] footer) {
        return join(MAGIC, new byte[2], messages, footer, words(footer.length), MAGIC);
    }

    /// A file whose footer may say anything.
    public static byte[] file(byte[] messages, FbsValue.Table footer) {
        return file(messages, Meant.bytes(footer));
    }

    /// A file without batches, of a schema without columns; the footer may say anything.
    public static byte[] file(FbsValue.Table footer) {
        return file(join(emptySchema(), END), footer);
    }

    public static byte[] footer(List<BlockNumbers> dictionaries, List<BlockNumbers> batches) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = emptySchema(builder);
        Footer.startDictionariesVector(builder, dictionaries.size());
        addBlocks(builder, dictionaries);
        int dictionariesVector = builder.endVector();
        Footer.startRecordBatchesVector(builder, batches.size());
        addBlocks(builder, batches);
        int batchesVector = builder.endVector();
        builder.finish(
                GeneratedTables.footer(
                        builder, MetadataVersion.V5, schema, dictionariesVector, batchesVector, 0));
        return builder.sizedByteArray();
    }

    private static void addBlocks(FlatBufferBuilder builder, List<BlockNumbers> blocks) {
        for (BlockNumbers each : blocks.reversed()) {
            Block.createBlock(builder, each.offset(), each.metadataLength(), each.bodyLength());
        }
    }

    // ---- Bytes ----

    public static byte[] words(int... words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public static byte[] padded(byte[] bytes, int alignment) {
        return Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, alignment) * alignment);
    }
}
