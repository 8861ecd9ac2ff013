// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.verify.messages.Meant;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// A file or stream put together from any tables and bodies: also what no writer writes.
public final class HandmadeInput {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MARKER = {-1, -1, -1, -1, 0, 0, 0, 0};
    private static final int V5_VALUE = 4;

    /// A batch: its nodes in pre-order, each with its buffers.
    public static final class Batch {
        private final long rows;
        private final List<long[]> nodes = new ArrayList<>();
        private final List<long[]> buffers = new ArrayList<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private FbsValue.Table compression;
        private UnaryOperator<byte[]> frame = UnaryOperator.identity();

        public Batch(long rows) {
            this.rows = rows;
        }

        /// Compresses the buffers of all nodes added later that are not empty.
        ///
        /// @param toFrame makes a length and a frame of the bytes of a buffer
        public Batch compressed(int codec, UnaryOperator<byte[]> toFrame) {
            compression = Meant.table("BodyCompression", "codec", codec);
            frame = toFrame;
            return this;
        }

        public Batch node(long length, long nulls, byte[]... ofNode) {
            nodes.add(pair(length, nulls));
            for (byte[] each : ofNode) {
                byte[] stored = each.length == 0 ? each : frame.apply(each);
                buffers.add(pair(body.size(), stored.length));
                add(stored);
            }
            return this;
        }

        /// Adds bytes that belong to no buffer, and pads the body to 8 bytes.
        public Batch add(byte[] bytes) {
            body.writeBytes(bytes);
            body.writeBytes(new byte[-body.size() & 7]);
            return this;
        }

        /// Of the numbers of each buffer, its offset and length.
        public List<long[]> buffers() {
            return buffers;
        }

        public byte[] body() {
            return body.toByteArray();
        }

        public FbsValue.Table table() {
            FbsValue.Table plain =
                    Meant.table("RecordBatch", "length", rows, "nodes", nodes, "buffers", buffers);
            return with(plain, "compression", compression);
        }
    }

    /// A message in the file.
    private record Part(FbsValue.Table header, byte[] metadata, byte[] body) {}

    private final FbsValue.Table schema;
    private final List<Part> parts = new ArrayList<>();
    private UnaryOperator<byte[]> schemaEdit = UnaryOperator.identity();
    private UnaryOperator<byte[]> footerEdit = UnaryOperator.identity();
    private UnaryOperator<FbsValue.Table> footerTable = UnaryOperator.identity();
    private FbsValue.Table schemaMessage;
    private byte[] schemaBody = {};
    private boolean isFramed = true;
    private int padding;
    private byte[] head = Arrays.copyOf(MAGIC, 8);
    private byte[] gap = {};
    private byte[] marker = MARKER;
    private int footerVersion = V5_VALUE;
    private boolean isLegacy;

    public HandmadeInput(FbsValue.Table schema) {
        this.schema = schema;
        this.schemaMessage = message(schema, 0);
    }

    public FbsValue.Table schema() {
        return schema;
    }

    /// Changes the bytes of the schema message, or with the second those of the footer.
    public HandmadeInput edit(
            UnaryOperator<byte[]> ofSchemaMessage, UnaryOperator<byte[]> ofFooter) {
        schemaEdit = ofSchemaMessage;
        footerEdit = ofFooter;
        return this;
    }

    /// Changes the footer, which has its schema and blocks already.
    public HandmadeInput footer(UnaryOperator<FbsValue.Table> change) {
        footerTable = change;
        return this;
    }

    /// Sets another schema message.
    ///
    /// @param other null for none
    public HandmadeInput schemaMessage(FbsValue.Table other, byte... body) {
        schemaMessage = other;
        schemaBody = body;
        return this;
    }

    /// Leaves out the prefix of the schema message.
    public HandmadeInput unframed() {
        isFramed = false;
        return this;
    }

    /// Pads metadata with more bytes than to a multiple of 8.
    public HandmadeInput padding(int bytes) {
        padding = bytes;
        return this;
    }

    /// Leaves out all continuation words, as writers before Arrow 0.15 did.
    public HandmadeInput legacy() {
        isLegacy = true;
        marker = new byte[Integer.BYTES];
        return this;
    }

    /// Sets the bytes before the first message of a file.
    public HandmadeInput head(byte... other) {
        head = other;
        return this;
    }

    /// Sets the bytes between the schema message and the others.
    public HandmadeInput gap(byte... other) {
        gap = other;
        return this;
    }

    /// Sets what ends the messages.
    public HandmadeInput marker(byte... other) {
        marker = other;
        return this;
    }

    public HandmadeInput footerVersion(int value) {
        footerVersion = value;
        return this;
    }

    public HandmadeInput dictionary(long id, boolean isDelta, Batch values) {
        FbsValue.Table header =
                table(
                        "DictionaryBatch",
                        "id",
                        id,
                        "data",
                        values.table(),
                        "isDelta",
                        isDelta ? 1 : 0);
        return add(header, values.body.toByteArray());
    }

    public HandmadeInput batch(Batch batch) {
        return add(batch.table(), batch.body.toByteArray());
    }

    public HandmadeInput add(FbsValue.Table header, byte[] body) {
        return addMessage(message(header, body.length), body);
    }

    /// Adds a message with any metadata version and body.
    public HandmadeInput addMessage(FbsValue.Table message, byte[] body) {
        return addMessage(message, body, UnaryOperator.identity());
    }

    /// Adds a message, and changes the bytes of its metadata.
    public HandmadeInput addMessage(
            FbsValue.Table message, byte[] body, UnaryOperator<byte[]> edit) {
        FbsValue.Table header = (FbsValue.Table) message.fields().get("header");
        parts.add(new Part(header, edit.apply(Meant.bytes(message)), body));
        return this;
    }

    // ---- bytes

    public static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    public static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// A message with its prefix and body.
    private byte[] framed(byte[] metadata, byte[] body) {
        int prefix = isLegacy ? 4 : 8;
        int length = (prefix + metadata.length + 7 & -8) - prefix + padding;
        ByteBuffer bytes = buffer(prefix + length + body.length);
        if (!isLegacy) {
            bytes.putInt(-1);
        }
        return bytes.putInt(length).put(metadata).put(prefix + length, body).array();
    }

    private byte[] framedSchema() {
        if (schemaMessage == null) {
            return new byte[0];
        }
        byte[] metadata = schemaEdit.apply(Meant.bytes(schemaMessage));
        return isFramed
                ? framed(metadata, schemaBody)
                : Arrays.copyOf(metadata, metadata.length + 7 & -8);
    }

    public byte[] stream() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(framedSchema());
        parts.forEach(each -> out.writeBytes(framed(each.metadata, each.body)));
        out.writeBytes(marker);
        return out.toByteArray();
    }

    /// A file.
    ///
    /// @param order for each block, the number of its message behind the schema; none for all
    ///     messages in their order
    public byte[] file(int... order) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head);
        out.writeBytes(framedSchema());
        out.writeBytes(gap);
        List<long[]> blocks = new ArrayList<>();
        for (Part each : parts) {
            byte[] framed = framed(each.metadata, each.body);
            long metadata = framed.length - each.body.length;
            blocks.add(new long[] {out.size(), metadata, each.body.length});
            out.writeBytes(framed);
        }
        out.writeBytes(marker);
        return end(out, blocks, order);
    }

    private byte[] end(ByteArrayOutputStream out, List<long[]> blocks, int[] order) {
        List<long[]> dictionaries = new ArrayList<>();
        List<long[]> batches = new ArrayList<>();
        for (int i = 0; i < (order.length == 0 ? parts.size() : order.length); i++) {
            int number = order.length == 0 ? i : order[i];
            boolean isDictionary = parts.get(number).header.name().equals("DictionaryBatch");
            (isDictionary ? dictionaries : batches).add(blocks.get(number));
        }
        FbsValue.Table footer = table("Footer", "version", footerVersion, "schema", schema);
        footer = with(footer, "dictionaries", dictionaries, "recordBatches", batches);
        byte[] bytes = footerEdit.apply(Meant.bytes(footerTable.apply(footer)));
        out.writeBytes(bytes);
        out.writeBytes(buffer(Integer.BYTES).putInt(bytes.length).array());
        out.writeBytes(MAGIC);
        return out.toByteArray();
    }
}
