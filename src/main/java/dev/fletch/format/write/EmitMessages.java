// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;

/// Writes messages again.
final class EmitMessages {
    /// What arrow-java adds in which order.
    private static final long JAVA_MESSAGE_SLOTS =
            EmitSlots.of(
                    Message.HEADER_TYPE_SLOT,
                    Message.HEADER_SLOT,
                    Message.VERSION_SLOT,
                    Message.BODY_LENGTH_SLOT,
                    Message.CUSTOM_METADATA_SLOT);

    private final Emission out;
    private final EmitKeyValues keyValues;
    private final EmitSchemas schemas;
    private final EmitBatches batches;
    private final EmitTensors tensors;

    private final Schema schema = new Schema();
    private final RecordBatch recordBatch = new RecordBatch();
    private final DictionaryBatch dictionaryBatch = new DictionaryBatch();
    private final Tensor tensor = new Tensor();
    private final SparseTensor sparseTensor = new SparseTensor();

    private final long messageSlots;

    EmitMessages(Emission out, EmitKeyValues keyValues, EmitSchemas schemas, EmitTensors tensors) {
        this.out = out;
        this.keyValues = keyValues;
        this.schemas = schemas;
        this.tensors = tensors;
        batches = new EmitBatches(out);
        messageSlots = out.order.slots("Message", JAVA_MESSAGE_SLOTS);
    }

    int of(Message source, MetadataEdit edit) {
        final int header = header(source, edit);
        final int metadata =
                keyValues.of(
                        source,
                        Message.CUSTOM_METADATA_SLOT,
                        source.customMetadataCount(),
                        edit.customMetadata());
        out.startTable();
        for (long o = messageSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Message.VERSION_SLOT -> version(source, edit);
                case Message.HEADER_TYPE_SLOT -> out.int8(source, slot, source.headerType());
                case Message.HEADER_SLOT -> out.writer.addOffset(slot, header);
                case Message.BODY_LENGTH_SLOT -> bodyLength(source, edit);
                default -> out.writer.addOffset(slot, metadata);
            }
        }
        return out.endTable();
    }

    private void version(Message source, MetadataEdit edit) {
        if (edit.changesVersion()) {
            MessageEncoder.addVersion(out.writer, edit.version());
        } else {
            out.int16(source, Message.VERSION_SLOT, source.version());
        }
    }

    private void bodyLength(Message source, MetadataEdit edit) {
        if (edit.changesBodyLength()) {
            MessageEncoder.addBodyLength(out.writer, edit.bodyLength());
        } else {
            out.int64(source, Message.BODY_LENGTH_SLOT, source.bodyLength());
        }
    }

    private int header(Message source, MetadataEdit edit) {
        final int id = source.headerType();
        return switch (id) {
            case MessageHeader.SCHEMA -> source.header(schema) ? schemas.of(schema, edit) : 0;
            case MessageHeader.RECORD_BATCH ->
                    source.header(recordBatch) ? batches.of(recordBatch) : 0;
            case MessageHeader.DICTIONARY_BATCH ->
                    source.header(dictionaryBatch) ? batches.of(dictionaryBatch, edit) : 0;
            case MessageHeader.TENSOR -> source.header(tensor) ? tensors.of(tensor) : 0;
            case MessageHeader.SPARSE_TENSOR ->
                    source.header(sparseTensor) ? tensors.of(sparseTensor) : 0;
            default -> {
                if (source.isPresent(Message.HEADER_SLOT)) {
                    throw Emission.unknown("MessageHeader", id);
                }
                yield 0;
            }
        };
    }

    /// Writes the message that a stream begins with, around a schema.
    int around(Schema source, int version, MetadataEdit edit) {
        final int header = schemas.of(source, edit);
        final int metadata = keyValues.added(edit.customMetadata());
        out.startTable();
        for (long o = messageSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            switch (EmitSlots.first(o)) {
                case Message.VERSION_SLOT -> MessageEncoder.addVersion(out.writer, version);
                case Message.HEADER_TYPE_SLOT ->
                        MessageEncoder.addHeaderType(out.writer, MessageHeader.SCHEMA);
                case Message.HEADER_SLOT -> MessageEncoder.addHeader(out.writer, header);
                case Message.BODY_LENGTH_SLOT -> MessageEncoder.addBodyLength(out.writer, 0);
                default -> MessageEncoder.addCustomMetadata(out.writer, metadata);
            }
        }
        return out.endTable();
    }
}
