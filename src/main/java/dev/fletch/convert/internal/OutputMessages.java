// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.input.CompleteBatches;
import dev.fletch.input.Input;
import dev.fletch.input.InputMessage;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Writes messages of one metadata version. Their bodies are copied, and padded to 8 bytes;
/// metadata is rewritten only where it has to change.
final class OutputMessages {
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[BodyLayout.LEAST_ALIGNMENT]);

    private final Input input;
    private final MemorySegment memory;
    private final OutputSchema schema;
    private final ChosenColumns columns;
    private final Damage damage;
    private final EncapsulatedMessage frame;
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCodec codec = new BatchCodec();
    private final SegmentList body = new SegmentList();

    // Null if unused bytes are kept.
    private final ClearedBatches cleared;
    // Of the written batches; null until needed.
    private BatchLayout layout;
    // Null if the messages keep their versions.
    private LaterVersion later;
    private long batches;
    private long rows;

    /// @param clearing reads the batches whose unused bytes are cleared; null if they are kept
    OutputMessages(
            Input input,
            OutputSchema schema,
            ChosenColumns columns,
            Damage damage,
            ReadOptions clearing) {
        this.input = input;
        this.memory = input.memory();
        this.frame = input.newFrame();
        this.schema = schema;
        this.columns = columns;
        this.damage = damage;
        cleared = clearing == null ? null : new ClearedBatches(clearing);
    }

    /// Number of record batches that were written.
    long batches() {
        return batches;
    }

    /// Number of rows of the record batches that were written.
    long rows() {
        return rows;
    }

    // ---- versions

    /// Gives all messages one metadata version: the schema that of the batches or, if these differ,
    /// all V5. Notes what stays different.
    void oneVersion(List<InputMessage> messages) {
        if (!schema.isThere()) {
            return;
        }
        Set<Integer> versions = new TreeSet<>();
        for (InputMessage each : messages) {
            frame.wrap(memory, each.offset(), message);
            versions.add(message.version());
        }
        boolean areMixed = versions.size() > 1;
        boolean isOne = versions.size() == 1;
        int version = isOne ? versions.iterator().next() : MetadataVersion.V5;
        versions.add(schema.version());
        if (versions.size() == 1) {
            return;
        }
        String found = "messages have several metadata versions";
        try {
            if (areMixed) {
                later = new LaterVersion(schema, columns.writtenLayout());
                rewriteAll(messages);
            }
            schema.setVersion(version);
            damage.note(found + "; all are written as " + MetadataVersion.NAMES.name(version));
        } catch (FletchException e) {
            later = null;
            damage.note(found + ", which stay: " + e.fault().text());
        }
    }

    /// Throws if a message cannot be rewritten.
    private void rewriteAll(List<InputMessage> messages) {
        for (InputMessage each : messages) {
            frame.wrap(memory, each.offset(), message);
            if (isRewrittenLater()) {
                rewritten();
            }
        }
    }

    /// Clears the body of a message.
    ///
    /// @return its new metadata, without the bytes that belong to no table
    private MemorySegment cleared(MemorySegment metadata) {
        Message message = new Message().wrap(metadata);
        if (layout == null && schema.isThere()) {
            layout = columns.writtenLayout();
        }
        MemorySegment other = cleared.clear(layout, message, body);
        return other == null ? edited(message, new MetadataEdit()) : other;
    }

    private boolean isRewrittenLater() {
        return later != null && message.version() == MetadataVersion.V4;
    }

    // ---- writing

    /// Writes all messages, and the end.
    void write(List<InputMessage> messages, MessageWriter writer) throws IOException {
        try {
            MemorySegment leading = columns.schemaMessage();
            if (leading != null && cleared != null) {
                Message source = new Message().wrap(leading);
                leading = schema.edited(source, new MetadataEdit(), schema.offset());
            }
            if (leading != null) {
                writer.write(leading);
            }
            for (int i = 0; i < messages.size(); i++) {
                Work.reached(i, messages.size());
                copy(writer, messages.get(i).offset());
            }
            Footer footer = schema.footer(leading);
            if (footer == null) {
                writer.finish();
            } else {
                writer.finish(footer);
            }
        } catch (FletchException e) {
            boolean isUnplaced = !e.isInInput() && e.rule() == MeaningRule.NOT_WRITABLE;
            throw isUnplaced ? OutputSchema.notWritable(e, "schema", 0) : e;
        } catch (IllegalArgumentException e) {
            throw OutputSchema.notWritable(e, "schema", 0);
        }
    }

    private void copy(MessageWriter writer, long offset) throws IOException {
        frame.wrap(memory, offset, message);
        try {
            boolean hasBody = frame.nextOffset() > frame.bodyOffset();
            if (cleared != null) {
                writer.write(cleared(rewritten()), body);
            } else if (!columns.areAll() || isRewrittenLater() || isCodecNamed() || padding() > 0) {
                writer.write(rewritten(), body);
            } else if (hasBody && input.channel() != null) {
                writer.write(
                        memory,
                        frame.metadataOffset(),
                        frame.metadataLength(),
                        input.channel(),
                        frame.bodyOffset());
            } else {
                writer.copy(memory, frame);
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            if (cleared != null && message.header(dictionary)) {
                // Without it, batches behind it would have the values of the one before.
                throw FletchException.inInput(Damage.notConvertible(offset, e.getMessage()), e);
            }
            damage.leaveOut(Damage.notConvertible(offset, e.getMessage()));
            return;
        }
        if (message.header(batch)) {
            batches++;
            rows = CompleteBatches.sum(rows, batch.length());
        }
    }

    /// The metadata of the current message as it is written. Its body is in [#body], padded.
    private MemorySegment rewritten() {
        MemorySegment metadata;
        if (!columns.areAll()) {
            BatchProjector projector = columns.projector();
            int length = projector.write(message);
            projector.body(memory, frame.bodyOffset(), body);
            metadata = projector.written().asSlice(0, length);
        } else {
            long padding = padding();
            body.reset().add(memory, frame.bodyOffset(), frame.bodyLength()).add(ZEROS, 0, padding);
            long length = frame.bodyLength() + padding;
            if (isCodecNamed()) { // since Arrow 1.0, readers expect the codec in another place
                MetadataEdit edit = new MetadataEdit().bodyLength(length);
                metadata = edited(message, edit.moveCodec(message, codec));
            } else if (padding > 0) {
                metadata = schema.withBodyLength(message, length, frame.metadataOffset());
            } else {
                metadata = memory.asSlice(frame.metadataOffset(), frame.metadataLength());
            }
        }
        return isRewrittenLater() ? later.of(metadata, frame.metadataOffset()) : metadata;
    }

    /// Metadata of the current message with changes.
    private MemorySegment edited(Message source, MetadataEdit edit) {
        return schema.edited(source, edit, frame.metadataOffset());
    }

    private boolean isCodecNamed() {
        return BatchCounts.find(message, dictionary, batch) && codec.read(batch) && codec.isNamed();
    }

    /// The bytes after the current body up to a multiple of 8.
    private long padding() {
        return Math.floorMod(-frame.bodyLength(), BodyLayout.LEAST_ALIGNMENT);
    }
}
