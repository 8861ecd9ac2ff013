// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/// Messages with batches, written with the generated classes: of each form one after the other,
/// with other numbers and other texts.
public final class BatchMessages {
    /// What such messages have in common.
    ///
    /// @param nodes number of field nodes
    /// @param buffers number of buffers
    /// @param views number of variadic buffer counts, -1 for no vector
    /// @param codec how the body is compressed, -1 for not at all
    /// @param dictionary 0 for a record batch, 1 for a dictionary, 2 for a delta of one
    /// @param pairs number of key/value pairs, -1 for no vector
    /// @param isEmpty whether rows and body length are 0, and so left out
    public record Form(
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

    /// Returns memory of each kind that a reader of streams meets: a heap array, native memory, and
    /// a new file that is mapped.
    static List<MemorySegment> memories(Path file, Arena arena, long size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            return List.of(
                    MemorySegment.ofArray(new byte[(int) size]),
                    arena.allocate(size),
                    channel.map(MapMode.READ_WRITE, 0, size, arena));
        }
    }

    /// Writes a message.
    public static byte[] message(Form form, Random random) {
        FlatBufferBuilder to = new FlatBufferBuilder(1024);
        int batch = batch(to, form, random);
        byte type = MessageHeader.RECORD_BATCH;
        int header = batch;
        if (form.dictionary != 0) {
            type = MessageHeader.DICTIONARY_BATCH;
            to.startTable(Wire.SLOTS);
            numbers(to, "DictionaryBatch", form, random);
            to.addOffset(DictionaryBatch.DATA_SLOT, batch, 0);
            to.addBoolean(DictionaryBatch.IS_DELTA_SLOT, form.dictionary == 2, false);
            header = to.endTable();
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
        to.startTable(Wire.SLOTS);
        to.addShort(Message.VERSION_SLOT, (short) MetadataVersion.V5, 0);
        to.addByte(Message.HEADER_TYPE_SLOT, type, 0);
        to.addOffset(Message.HEADER_SLOT, header, 0);
        numbers(to, "Message", form, random);
        to.addOffset(Message.CUSTOM_METADATA_SLOT, metadata, 0);
        to.finish(to.endTable());
        byte[] bytes = to.sizedByteArray();
        return java.util.Arrays.copyOf(bytes, bytes.length + 7 & -8);
    }

    /// Adds all numbers of 32 and 64 bits that a table can have: they differ from message to
    /// message.
    private static void numbers(FlatBufferBuilder to, String table, Form form, Random random) {
        for (FieldDecl field : Flyweights.ARROW.table(table).fields()) {
            if (!field.type().isScalar() || form.isEmpty) {
                continue;
            }
            switch (field.type().inlineBytes()) {
                case Long.BYTES -> to.addLong(field.slot(), 1 + number(random), 0);
                case Integer.BYTES -> to.addInt(field.slot(), 1 + random.nextInt(99), 0);
                default -> {} // the same in all messages of a form
            }
        }
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
        to.startTable(Wire.SLOTS);
        numbers(to, "RecordBatch", form, random);
        to.addOffset(RecordBatch.NODES_SLOT, nodes, 0);
        to.addOffset(RecordBatch.BUFFERS_SLOT, buffers, 0);
        to.addOffset(RecordBatch.COMPRESSION_SLOT, compression, 0);
        to.addOffset(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, views, 0);
        return to.endTable();
    }
}
