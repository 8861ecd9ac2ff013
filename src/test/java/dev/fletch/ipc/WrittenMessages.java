// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.format.write.TableEncoder;

import java.lang.foreign.MemorySegment;

/// Messages to be framed.
final class WrittenMessages {
    private WrittenMessages() {}

    private static MemorySegment message(
            FlatBufferWriter writer, int version, int kind, int header, long bodyLength) {
        writer.finish(TableEncoder.createMessage(writer, version, kind, header, bodyLength, 0));
        return MemorySegment.ofArray(writer.toByteArray());
    }

    /// A schema with a column per dictionary, each in a list; one that is -1 has none.
    static MemorySegment schema(long... dictionaries) {
        return schemaOf(MetadataVersion.V5, 0, dictionaries);
    }

    static MemorySegment schemaOf(int version, long bodyLength, long... dictionaries) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int schema = schema(writer, dictionaries);
        return message(writer, version, MessageHeader.SCHEMA, schema, bodyLength);
    }

    private static int schema(FlatBufferWriter writer, long... dictionaries) {
        int[] fields = new int[dictionaries.length];
        for (int i = 0; i < fields.length; i++) {
            int[] item = {field(writer, "item", Type.UTF8, dictionaries[i], 0)};
            int children = writer.createOffsetVector(item, 0, 1);
            fields[i] = field(writer, "list", Type.LIST, -1, children);
        }
        int vector = writer.createOffsetVector(fields, 0, fields.length);
        return TableEncoder.createSchema(writer, Endianness.LITTLE, vector, 0, 0);
    }

    /// A schema message with a key/value pair of its own.
    static byte[] schemaWithPair(String key, String value) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int schema = schema(writer, 5, -1);
        int pairs = pairs(writer, key, value);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.SCHEMA, schema, 0, pairs));
        return writer.toByteArray();
    }

    /// A footer of nothing but key/value pairs.
    static Footer footerOfPairs(String... keysAndValues) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int pairs = pairs(writer, keysAndValues);
        writer.finish(TableEncoder.create(writer, "Footer", MetadataVersion.V5, 0, 0, 0, pairs));
        return new Footer().wrap(writer.segment());
    }

    private static int pairs(FlatBufferWriter writer, String... keysAndValues) {
        int[] pairs = new int[keysAndValues.length / 2];
        for (int i = 0; i < pairs.length; i++) {
            int key = writer.createString(keysAndValues[2 * i]);
            int value = writer.createString(keysAndValues[2 * i + 1]);
            pairs[i] = TableEncoder.createKeyValue(writer, key, value);
        }
        return writer.createOffsetVector(pairs, 0, pairs.length);
    }

    private static int field(
            FlatBufferWriter writer, String name, int tag, long dictionary, int children) {
        int text = writer.createString(name);
        int type = TableEncoder.createEmpty(writer);
        int encoding =
                dictionary < 0
                        ? 0
                        : TableEncoder.create(writer, "DictionaryEncoding", dictionary, 0, 0, 0);
        return TableEncoder.createField(writer, text, true, tag, type, encoding, children, 0);
    }

    /// A record batch with one buffer.
    static MemorySegment batch(long bodyLength) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        BodyLayout layout = new BodyLayout();
        layout.addNode(3, 0).addBuffer(bodyLength);
        int header = layout.createHeader(writer, 3, 0);
        return message(writer, MetadataVersion.V5, MessageHeader.RECORD_BATCH, header, bodyLength);
    }

    /// A dictionary batch with one buffer.
    static MemorySegment dictionary(long id, boolean delta, long bodyLength) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        BodyLayout layout = new BodyLayout();
        layout.addNode(3, 0).addBuffer(bodyLength);
        int data = layout.createHeader(writer, 3, 0);
        int header = TableEncoder.createDictionaryBatch(writer, id, data, delta);
        return message(
                writer, MetadataVersion.V5, MessageHeader.DICTIONARY_BATCH, header, bodyLength);
    }

    /// A dictionary batch without the record batch that it should hold.
    static MemorySegment dictionaryWithoutData(long id) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int header = TableEncoder.createDictionaryBatch(writer, id, 0, false);
        return message(writer, MetadataVersion.V5, MessageHeader.DICTIONARY_BATCH, header, 0);
    }

    static MemorySegment tensor(long bodyLength) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        int type = TableEncoder.createEmpty(writer);
        int shape = writer.createOffsetVector(new int[0], 0, 0);
        int tensor =
                TableEncoder.create(writer, "Tensor", Type.BOOL, type, shape, 0, 0, bodyLength);
        return message(writer, MetadataVersion.V5, MessageHeader.TENSOR, tensor, bodyLength);
    }

    /// A message that says it has a header, and has none.
    static MemorySegment withoutHeader(int kind) {
        return message(
                new FlatBufferWriter().alignEmptyVectors(true), MetadataVersion.V5, kind, 0, 0);
    }

    /// A body whose bytes tell their places.
    static SegmentList body(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i + 1);
        }
        return new SegmentList().add(MemorySegment.ofArray(content), 0, bytes);
    }
}
