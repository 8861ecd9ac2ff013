// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.MessageHeader;

import java.util.Random;

/// The shape of a record batch's or a dictionary batch's message, encoded in full by the encoders,
/// which `EncodersAgreeTest` compares with the classes that flatc generates.
///
/// @param variadicCounts -1 where the vector is absent
/// @param codec -1 where there is no compression
/// @param pairs of metadata; -1 where the vector is absent
/// @param dictionary the dictionary's number; -1 for a record batch
public record TemplateShape(
        int version,
        int nodes,
        int buffers,
        int variadicCounts,
        int codec,
        int pairs,
        long dictionary,
        boolean delta) {
    private static final int ABSENT = -1;

    /// The numbers of one message.
    public record Numbers(long rows, long bodyLength, long[] nodes, long[] buffers, long[] counts) {
        BodyLayout layout() {
            BodyLayout layout = new BodyLayout();
            for (int i = 0; i < nodes.length; i += 2) {
                layout.addNode(nodes[i], nodes[i + 1]);
            }
            for (int i = 0; i < buffers.length; i += 2) {
                layout.addPlaced(buffers[i], buffers[i + 1]);
            }
            layout.endAt(bodyLength);
            for (long count : counts) {
                layout.addVariadicCount(count);
            }
            return layout;
        }
    }

    static TemplateShape random(Random random) {
        boolean small = random.nextInt(3) == 0;
        int nodes = small ? random.nextInt(3) : random.nextInt(30);
        return new TemplateShape(
                random.nextInt(5),
                nodes,
                small ? random.nextInt(4) : random.nextInt(80),
                random.nextInt(3) - 1,
                random.nextInt(3) - 1,
                random.nextInt(4) == 0 ? random.nextInt(3) : ABSENT,
                random.nextInt(3) == 0 ? random.nextInt(3) : ABSENT,
                random.nextBoolean());
    }

    /// Any numbers, zeros among them.
    Numbers numbers(Random random) {
        return new Numbers(
                number(random),
                number(random),
                random.longs(2L * nodes).toArray(),
                random.longs(2L * buffers).toArray(),
                random.longs(Math.max(0, variadicCounts)).toArray());
    }

    private static long number(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextLong();
            default -> random.nextInt(1 << 20);
        };
    }

    byte[] encoded(Numbers numbers) {
        return encoded(numbers, "value");
    }

    /// @param value of all pairs of metadata
    public byte[] encoded(Numbers numbers, String value) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        encode(writer, numbers, value);
        return writer.toByteArray();
    }

    void encode(FlatBufferWriter writer, Numbers numbers) {
        encode(writer, numbers, "value");
    }

    private void encode(FlatBufferWriter writer, Numbers numbers, String value) {
        int bufferVector = writer.createVector(numbers.buffers, 0, buffers, 2);
        int nodeVector = writer.createVector(numbers.nodes, 0, nodes, 2);
        int counts =
                variadicCounts == ABSENT
                        ? 0
                        : writer.createVector(numbers.counts, 0, variadicCounts, 1);
        int compression =
                codec == ABSENT ? 0 : TableEncoder.createBodyCompression(writer, codec, 0);
        int header =
                TableEncoder.createRecordBatch(
                        writer, numbers.rows, nodeVector, bufferVector, compression, counts);
        if (isDictionary()) {
            header = TableEncoder.createDictionaryBatch(writer, dictionary, header, delta);
        }
        int metadata = 0;
        if (pairs != ABSENT) {
            int[] all = new int[pairs];
            for (int i = 0; i < pairs; i++) {
                int key = writer.createString("key " + i);
                all[i] = TableEncoder.createKeyValue(writer, key, writer.createString(value));
            }
            metadata = writer.createOffsetVector(all, 0, pairs);
        }
        writer.finish(
                TableEncoder.createMessage(
                        writer, version, headerType(), header, numbers.bodyLength, metadata));
    }

    private int headerType() {
        return isDictionary() ? MessageHeader.DICTIONARY_BATCH : MessageHeader.RECORD_BATCH;
    }

    private boolean isDictionary() {
        return dictionary != ABSENT;
    }
}
