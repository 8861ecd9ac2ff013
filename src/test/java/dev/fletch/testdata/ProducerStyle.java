// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.ipc.Frames;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/// Streams in the styles of several producers, with several batches each.
public enum ProducerStyle {
    /// arrow-java: prefixes of 8 bytes, all aligned to 8 bytes; nested columns and a dictionary.
    ARROW_JAVA(8) {
        @Override
        public byte[] stream() {
            return TradesSample.stream();
        }
    },
    /// arrow-rs: head, metadata and buffers aligned to 64 bytes; one batch is empty.
    ARROW_RS(64) {
        @Override
        public byte[] stream() {
            return aligned(ArrowVectorFiles.named("several_batches").stream());
        }
    },
    /// Before Arrow 0.15: version V4, prefixes of 4 bytes; a dictionary.
    OLD(8) {
        @Override
        public byte[] stream() {
            return ArrowVectorFiles.named("legacy_framing_v4").batches(60, 0, 80, 410).stream();
        }
    },
    /// Compressed buffers.
    LZ4(8) {
        @Override
        public byte[] stream() {
            return ArrowVectorFiles.named("lz4").batches(200, 50, 0, 120).stream();
        }
    };

    private static final int ALIGNMENT = 64;
    private static final int PREFIX = 8;

    private final int headLength;

    ProducerStyle(int headLength) {
        this.headLength = headLength;
    }

    /// The name in a table.
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public abstract byte[] stream();

    /// Length of a file's head in bytes.
    public int headLength() {
        return headLength;
    }

    /// The messages of a stream without dictionaries, with metadata and buffers aligned to 64
    /// bytes.
    private static byte[] aligned(byte[] stream) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            byte[] body = new byte[0];
            ByteBuffer metadata = each.metadata();
            if (each.isRecordBatch()) {
                RecordBatch batch = each.batch();
                body = body(stream, (int) each.bodyOffset(), batch);
                metadata = metadata(batch, body.length);
            }
            byte[] bytes = new byte[padded(PREFIX + metadata.remaining()) - PREFIX];
            metadata.get(bytes, 0, metadata.remaining());
            out.writeBytes(Frames.frame(bytes));
            out.writeBytes(body);
        }
        out.writeBytes(Frames.END);
        return out.toByteArray();
    }

    private static byte[] body(byte[] stream, int bodyAt, RecordBatch batch) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int i = 0; i < batch.buffersLength(); i++) {
            Buffer buffer = batch.buffers(i);
            int at = bodyAt + (int) buffer.offset();
            byte[] bytes = Arrays.copyOfRange(stream, at, at + (int) buffer.length());
            body.writeBytes(Frames.padded(bytes, ALIGNMENT));
        }
        return body.toByteArray();
    }

    private static ByteBuffer metadata(RecordBatch batch, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int at = 0;
        int[] offsets = new int[batch.buffersLength()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = at;
            at += padded((int) batch.buffers(i).length());
        }
        RecordBatch.startBuffersVector(builder, offsets.length);
        for (int i = offsets.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, offsets[i], batch.buffers(i).length());
        }
        int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, batch.nodesLength());
        for (int i = batch.nodesLength() - 1; i >= 0; i--) {
            FieldNode node = batch.nodes(i);
            FieldNode.createFieldNode(builder, node.length(), node.nullCount());
        }
        int nodes = builder.endVector();
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, batch.length());
        RecordBatch.addNodes(builder, nodes);
        RecordBatch.addBuffers(builder, buffers);
        int header = RecordBatch.endRecordBatch(builder);
        builder.finish(
                GeneratedTables.message(builder, MessageHeader.RecordBatch, header, bodyLength));
        return ByteBuffer.wrap(builder.sizedByteArray());
    }

    private static int padded(int length) {
        return Math.ceilDiv(length, ALIGNMENT) * ALIGNMENT;
    }
}
