// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.convert;

import dev.fletch.FletchException;
import dev.fletch.cli.io.DetectedInput.Form;
import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.io.Progress;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.BodyParts;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageWriter;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// A file or stream that is written again with the same schema, dictionaries and batches.
///
/// All messages are found before the first byte is written, and what is left out is known then. Bodies
/// are copied without decoding them.
final class Conversion {
    private static final int BODY_ALIGNMENT = Long.BYTES;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[BODY_ALIGNMENT]);

    /// Where a message is, and what it is.
    private record Place(long offset, int kind) {}

    private final Input input;
    private final MemorySegment memory;
    private final boolean salvages;
    private final ArrowContainer target;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BodyParts body = new BodyParts();

    private final List<Place> places = new ArrayList<>();
    // The footer that decides about the schema; null if there is none that is used.
    private Footer footer;
    private boolean copiesSchema = true;
    private final List<String> notes = new ArrayList<>();
    private InvalidInput leftOut;
    private long batches;
    private long rows;

    /// @param salvages whether to leave out what is incomplete or damaged
    Conversion(Input input, ArrowContainer target, boolean salvages) {
        this.input = input;
        this.memory = input.memory();
        this.target = target;
        this.salvages = salvages;
    }

    /// What was left out, and where the first fault is; null if all was converted.
    InvalidInput leftOut() {
        return leftOut;
    }

    /// What else the user should know.
    List<String> notes() {
        return notes;
    }

    long batches() {
        return batches;
    }

    long rows() {
        return rows;
    }

    // ---- what there is to write

    /// Finds the messages.
    ///
    /// @throws InvalidInput if something is missing or damaged, unless it may be left out; or if there is
    ///     no schema
    void find() throws IOException {
        if (input.form() == Form.FLATBUFFER) {
            throw new InvalidInput(0, "a flatbuffer alone has no batches to convert");
        }
        if (input.hasFooter()) {
            blocks();
            schemaOfFooter();
        } else {
            sequence();
        }
        if (input.form() == Form.FILE) {
            dictionariesFirst();
        }
        requireOneOfEach();
    }

    /// Takes the messages one after the other.
    private void sequence() throws IOException {
        while (input.next()) {
            boolean isSchema = input.message.headerType() == MessageHeader.SCHEMA;
            if (isSchema && input.index() > 0) {
                String text =
                        "schema is not the first message; all behind it belongs to another one";
                leaveOut(new InvalidInput(input.frame().offset(), text));
                return;
            }
            add(input.frame(), input.message);
        }
        if (places.isEmpty()) {
            input.throwIfDamaged();
        }
        InvalidInput fault = input.fault();
        if (fault != null && input.endsCleanly()) {
            notes.add("offset " + fault.offset() + ": " + fault.getMessage());
        } else if (fault != null) {
            leaveOut(fault);
        }
    }

    /// Takes the messages that the footer's blocks lead to, in its order.
    private void blocks() {
        ArrowFile file = input.file();
        footer = file.footer();
        // By offset: no byte of a body is copied twice.
        TreeMap<Long, Long> taken = new TreeMap<>();
        int dictionaries = file.dictionaryCount();
        for (int i = 0; i < dictionaries + file.recordBatchCount(); i++) {
            try {
                if (i < dictionaries) {
                    file.dictionary(i, frame, message);
                } else {
                    file.recordBatch(i - dictionaries, frame, message);
                }
                long end = frame.nextOffset();
                Long before = taken.lowerKey(end);
                if (before != null && taken.get(before) > frame.offset()) {
                    String text = "message overlaps another one: other=" + before;
                    throw new InvalidInput(frame.offset(), text);
                }
                taken.put(frame.offset(), end);
                add(frame, message);
            } catch (ArrowFormatException | InvalidInput e) {
                leaveOut(InvalidInput.of(e, null));
            }
        }
        if (salvages) {
            unreferenced(taken);
        }
    }

    /// Adds complete messages that no block leads to: a damaged footer may have lost their blocks.
    private void unreferenced(TreeMap<Long, Long> taken) {
        int found = 0;
        Long at = (long) ArrowFile.FIRST_MESSAGE_OFFSET;
        while (at != null) {
            Long end = taken.get(at);
            try {
                if (end == null
                        && frame.wrap(memory, at, input.footerOffset(), message)
                                == FrameKind.MESSAGE) {
                    end = frame.nextOffset();
                    int kind = message.headerType();
                    boolean isBatch =
                            kind == MessageHeader.RECORD_BATCH
                                    || kind == MessageHeader.DICTIONARY_BATCH;
                    Long next = taken.higherKey(at);
                    if (isBatch && (next == null || next >= end)) {
                        add(frame, message);
                        found++;
                    }
                }
            } catch (ArrowFormatException _) {
                end = null; // it is no message
            }
            at = end != null && end <= input.footerOffset() ? end : taken.higherKey(at);
        }
        if (found > 0 || leftOut != null) {
            places.sort((a, b) -> Long.compare(a.offset(), b.offset()));
        }
        if (found > 0) {
            notes.add("footer leads to all messages but " + found + ", which are converted, too");
        }
    }

    /// Copies the schema message if it has the footer's schema. A footer that has lost blocks is not
    /// trusted with the schema either.
    private void schemaOfFooter() throws IOException {
        Schema ofFooter = new Schema();
        Schema ofMessage = new Schema();
        boolean hasSchema = footer.schema(ofFooter);
        if (!hasSchema && !input.file().hasSchemaMessage()) {
            throw new InvalidInput(input.footerOffset(), "file has no schema");
        }
        copiesSchema = false;
        if (input.file().hasSchemaMessage()) {
            input.file().message(0, frame, message);
            message.header(ofMessage);
            boolean isSame = hasSchema && isSame(ofFooter, ofMessage);
            copiesSchema = isSame || salvages || !hasSchema;
            if (!isSame) {
                notes.add(
                        "schema message and footer have different schemas; that of the "
                                + (copiesSchema ? "message" : "footer")
                                + " is used");
            }
        }
    }

    /// Whether two schemas have the same content. One that cannot be written again is like no other.
    private static boolean isSame(Schema a, Schema b) {
        try {
            return content(a).mismatch(content(b)) < 0;
        } catch (FletchException _) {
            return false;
        }
    }

    /// A schema without what its producer decided about order and padding.
    private static MemorySegment content(Schema schema) {
        FlatBufferWriter buffer =
                FlatBufferWriter.growing(EmissionOrder.ARROW_JAVA.dialect()).reset();
        new MetadataWriter(EmissionOrder.ARROW_JAVA, buffer).schema(schema);
        return buffer.segment();
    }

    private void add(EncapsulatedMessage at, Message of) {
        places.add(new Place(at.offset(), of.headerType()));
    }

    /// A file may have its dictionaries behind the batches that use them; readers of streams need them
    /// first.
    private void dictionariesFirst() {
        places.sort((a, b) -> Integer.compare(rank(a), rank(b)));
    }

    private static int rank(Place place) {
        return switch (place.kind()) {
            case MessageHeader.SCHEMA -> 0;
            case MessageHeader.DICTIONARY_BATCH -> 1;
            default -> 2;
        };
    }

    /// A file, read or written, has no place for a dictionary that replaces another one.
    private void requireOneOfEach() {
        if (target == ArrowContainer.STREAM && input.form() == Form.STREAM) {
            return;
        }
        Set<Long> ids = new HashSet<>();
        for (Place each : places) {
            if (each.kind() != MessageHeader.DICTIONARY_BATCH) {
                continue;
            }
            frame.wrap(memory, each.offset(), message);
            if (message.header(dictionary) && !dictionary.isDelta() && !ids.add(dictionary.id())) {
                throw new InvalidInput(
                        each.offset(),
                        "dictionary replaces an earlier one, which a file cannot hold: id="
                                + dictionary.id());
            }
        }
    }

    /// Notes that something is not converted, or refuses to.
    private void leaveOut(InvalidInput fault) {
        if (!salvages) {
            throw fault.with("; --salvage converts the complete batches");
        }
        leftOut = leftOut == null ? fault : leftOut;
    }

    // ---- writing

    /// Writes all messages. Does not close the channel.
    void write(WritableByteChannel channel) throws IOException {
        MessageWriter writer = MessageWriter.of(target, channel);
        if (footer != null) {
            if (copiesSchema) {
                copy(writer, ArrowFile.FIRST_MESSAGE_OFFSET);
            } else {
                writer.write(schemaMessage());
            }
        }
        for (int i = 0; i < places.size(); i++) {
            Progress.reached(i, places.size());
            copy(writer, places.get(i).offset());
        }
        finish(writer);
    }

    private MemorySegment schemaMessage() {
        Schema schema = new Schema();
        footer.schema(schema);
        int version = footer.version();
        if (!places.isEmpty()) { // old writers leave the footer's version out
            frame.wrap(memory, places.getFirst().offset(), message);
            version = message.version();
        }
        FlatBufferWriter buffer = FlatBufferWriter.growing(EmissionOrder.ARROW_CPP.dialect());
        try {
            new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset())
                    .schemaMessage(schema, version, new MetadataEdit());
        } catch (FletchException e) {
            throw new InvalidInput(input.footerOffset(), e.getMessage());
        }
        return buffer.segment();
    }

    private void copy(MessageWriter writer, long offset) throws IOException {
        frame.wrap(memory, offset, message);
        try {
            long bytes = frame.nextOffset() - frame.bodyOffset();
            long padding = Math.floorMod(-bytes, BODY_ALIGNMENT);
            long at = frame.metadataOffset();
            if (padding == 0 && bytes > 0 && input.channel() != null) {
                long bodyAt = frame.bodyOffset();
                writer.write(memory, at, frame.metadataLength(), input.channel(), bodyAt);
            } else if (padding == 0) {
                body.reset().add(memory, frame.bodyOffset(), bytes);
                writer.write(memory, at, frame.metadataLength(), body);
            } else {
                body.reset().add(memory, frame.bodyOffset(), bytes).add(ZEROS, 0, padding);
                writer.write(lengthened(padding), body);
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            leaveOut(new InvalidInput(offset, e.getMessage()));
            return;
        }
        if (message.header(batch)) {
            batches++;
            rows += Math.clamp(batch.length(), 0, Long.MAX_VALUE - rows);
        }
    }

    /// The metadata of a message whose body is padded: the format wants a multiple of 8 bytes.
    private MemorySegment lengthened(long padding) {
        byte[] copy =
                memory.asSlice(frame.metadataOffset(), frame.metadataLength())
                        .toArray(ValueLayout.JAVA_BYTE);
        MemorySegment metadata = MemorySegment.ofArray(copy);
        new Message().wrap(metadata).setBodyLength(frame.bodyLength() + padding);
        return metadata;
    }

    /// The footer of the input is kept, if it goes with what was written.
    private void finish(MessageWriter writer) throws IOException {
        if (footer == null) {
            writer.finish();
        } else if (target == ArrowContainer.STREAM) {
            if (footer.customMetadataCount() > 0) {
                notes.add("custom metadata of the footer is left out: a stream has none");
            }
            writer.finish();
        } else {
            try {
                writer.finish(footer);
            } catch (IllegalArgumentException | FletchException e) {
                notes.add("footer is written anew: " + e.getMessage());
                writer.finish();
            }
        }
    }
}
