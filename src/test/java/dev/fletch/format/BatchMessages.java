// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import com.google.flatbuffers.FlatBufferBuilder;

import java.util.Random;

/// Messages with batches, written with the generated classes: of each form one after the other, with
/// other numbers and other texts.
final class BatchMessages {
    /// What such messages have in common.
    ///
    /// @param nodes number of field nodes
    /// @param buffers number of buffers
    /// @param views number of variadic buffer counts, -1 for no vector
    /// @param codec how the body is compressed, -1 for not at all
    /// @param dictionary 0 for a record batch, 1 for a dictionary, 2 for a delta of one
    /// @param pairs number of key/value pairs, -1 for no vector
    /// @param isEmpty whether rows and body length are 0, and so left out
    record Form(
            int nodes,
            int buffers,
            int views,
            int codec,
            int dictionary,
            int pairs,
            boolean isEmpty) {}

    static final Form[] FORMS = {
        new Form(1, 2, -1, -1, 0, -1, false),
        new Form(10, 30, -1, -1, 0, -1, false),
        new Form(3, 9, -1, CompressionType.ZSTD, 0, -1, false),
        new Form(2, 7, 2, -1, 0, -1, false),
        new Form(1, 3, -1, -1, 1, -1, false),
        new Form(1, 3, -1, CompressionType.LZ4_FRAME, 2, -1, false),
        new Form(4, 8, -1, -1, 0, 2, false),
        new Form(4, 8, -1, -1, 0, 0, true),
        new Form(0, 0, 0, -1, 0, -1, true),
        new Form(1, 3, 1, CompressionType.ZSTD, 1, 1, false),
    };

    private BatchMessages() {}

    /// Writes a message.
    static byte[] message(Form form, Random random) {
        FlatBufferBuilder to = new FlatBufferBuilder(1024);
        int batch = batch(to, form, random);
        byte type = MessageHeader.RECORD_BATCH;
        int header = batch;
        if (form.dictionary != 0) {
            type = MessageHeader.DICTIONARY_BATCH;
            header =
                    org.apache.arrow.flatbuf.DictionaryBatch.createDictionaryBatch(
                            to, 1 + random.nextInt(99), batch, form.dictionary == 2);
        }
        int[] pairs = new int[Math.max(form.pairs, 0)];
        for (int i = 0; i < pairs.length; i++) {
            int key = to.createString("key" + i);
            pairs[i] =
                    org.apache.arrow.flatbuf.KeyValue.createKeyValue(
                            to, key, to.createString("" + (10_000 + random.nextInt(90_000))));
        }
        int metadata =
                form.pairs < 0
                        ? 0
                        : org.apache.arrow.flatbuf.Message.createCustomMetadataVector(to, pairs);
        org.apache.arrow.flatbuf.Message.startMessage(to);
        org.apache.arrow.flatbuf.Message.addVersion(to, (short) MetadataVersion.V5);
        org.apache.arrow.flatbuf.Message.addHeaderType(to, type);
        org.apache.arrow.flatbuf.Message.addHeader(to, header);
        org.apache.arrow.flatbuf.Message.addBodyLength(to, form.isEmpty ? 0 : 1 + number(random));
        if (form.pairs >= 0) {
            org.apache.arrow.flatbuf.Message.addCustomMetadata(to, metadata);
        }
        to.finish(org.apache.arrow.flatbuf.Message.endMessage(to));
        byte[] bytes = to.sizedByteArray();
        return java.util.Arrays.copyOf(bytes, bytes.length + 7 & -8);
    }

    private static long number(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() >>> 1 : random.nextInt(1_000_000);
    }

    private static int batch(FlatBufferBuilder to, Form form, Random random) {
        org.apache.arrow.flatbuf.RecordBatch.startNodesVector(to, form.nodes);
        for (int i = 0; i < form.nodes; i++) {
            org.apache.arrow.flatbuf.FieldNode.createFieldNode(to, number(random), number(random));
        }
        int nodes = to.endVector();
        org.apache.arrow.flatbuf.RecordBatch.startBuffersVector(to, form.buffers);
        for (int i = 0; i < form.buffers; i++) {
            org.apache.arrow.flatbuf.Buffer.createBuffer(to, number(random), number(random));
        }
        int buffers = to.endVector();
        int views = 0;
        if (form.views >= 0) {
            org.apache.arrow.flatbuf.RecordBatch.startVariadicBufferCountsVector(to, form.views);
            for (int i = 0; i < form.views; i++) {
                to.addLong(random.nextInt(3));
            }
            views = to.endVector();
        }
        int compression =
                form.codec < 0
                        ? 0
                        : org.apache.arrow.flatbuf.BodyCompression.createBodyCompression(
                                to, (byte) form.codec, (byte) BodyCompressionMethod.BUFFER);
        org.apache.arrow.flatbuf.RecordBatch.startRecordBatch(to);
        org.apache.arrow.flatbuf.RecordBatch.addLength(to, form.isEmpty ? 0 : 1 + number(random));
        org.apache.arrow.flatbuf.RecordBatch.addNodes(to, nodes);
        org.apache.arrow.flatbuf.RecordBatch.addBuffers(to, buffers);
        if (form.codec >= 0) {
            org.apache.arrow.flatbuf.RecordBatch.addCompression(to, compression);
        }
        if (form.views >= 0) {
            org.apache.arrow.flatbuf.RecordBatch.addVariadicBufferCounts(to, views);
        }
        return org.apache.arrow.flatbuf.RecordBatch.endRecordBatch(to);
    }
}
