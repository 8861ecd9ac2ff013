// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule.Severity;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RewriteException;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.MessageSearch;
import dev.fletch.input.WorkDone;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.BodyParts;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.semantics.SemanticVerifier;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes the schema, dictionaries and batches of an input as a file or stream.
///
/// Finds all messages, and those to leave out, before it writes the first byte. Copies bodies without
/// decoding them.
public final class Conversion {
    private static final int BODY_ALIGNMENT = Long.BYTES;
    private static final int MOST_FAULTS = 1_000;
    // Work of a search for messages, as a multiple of the input's size.
    private static final int SEARCHES = 4;
    // The most messages to name that are left out after the first.
    private static final int MOST_NAMED = 20;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[BODY_ALIGNMENT]);

    /// A message to write: its offset in the input and the id of its kind.
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
    // The footer whose custom metadata is kept; null if there is none.
    private Footer footer;
    // The schema message to write; null for tensors.
    private MemorySegment schema;
    private final List<String> notes = new ArrayList<>();
    private InvalidInput leftOut;
    private int leftOutCount;
    private int foundCount;
    // Whether messages after damage were found.
    private boolean isResumed;
    private long batches;
    private long rows;

    /// @param salvages whether to leave out incomplete and damaged messages
    public Conversion(Input input, ArrowContainer target, boolean salvages) {
        this.input = input;
        this.memory = input.memory();
        this.target = target;
        this.salvages = salvages;
    }

    /// The fault of the first message that was left out; null if all were converted.
    public InvalidInput leftOut() {
        return leftOut;
    }

    /// Notes for the user.
    public List<String> notes() {
        return notes;
    }

    public long batches() {
        return batches;
    }

    public long rows() {
        return rows;
    }

    // ---- the messages to write

    /// Finds the messages.
    ///
    /// @throws InvalidInput if a message is incomplete or damaged and may not be left out, or if there is
    ///     no schema
    public void find() throws IOException {
        if (input.form() == Form.FLATBUFFER) {
            throw new InvalidInput(0, "input is a flatbuffer without batches to convert");
        }
        MemorySegment written;
        if (input.hasFooter()) {
            blocks();
            written = schemaMessage();
        } else {
            written = sequence();
        }
        if (input.form() == Form.FILE) {
            dictionariesFirst();
        }
        schema = footer == null ? written : schema(written);
        requireSchema();
        if (leftOut != null && foundCount >= leftOutCount) {
            notes.add("offset " + leftOut.offset() + ": " + leftOut.getMessage());
            leftOut = null; // only the footer was wrong: all messages were found
        }
        leaveOutInvalid();
        leaveOutUnusedDictionaries();
        requireOneOfEach();
    }

    /// The schema message of a file with a footer, also without a prefix, as polars writes it; null if it
    /// is absent or invalid.
    private MemorySegment schemaMessage() {
        if (input.file().hasSchemaMessage()) {
            input.file().message(0, frame, message);
            return memory.asSlice(frame.metadataOffset(), frame.metadataLength());
        }
        long at = ArrowFile.FIRST_MESSAGE_OFFSET;
        long end = places.stream().mapToLong(Place::offset).min().orElse(at);
        return end - at <= VerifierOptions.ARROW_CPP.maxSize()
                        && new Verifier().verify(Verifier.Root.MESSAGE, memory, at, end - at)
                        && message.wrap(memory, at, end - at).header(new Schema())
                ? memory.asSlice(at, end - at)
                : null;
    }

    /// Collects the messages in the order of the input.
    ///
    /// @return the schema message; null if there is none
    private MemorySegment sequence() throws IOException {
        MemorySegment first = null;
        long end = input.form() == Form.FILE ? ArrowFile.FIRST_MESSAGE_OFFSET : 0;
        long lastBody = Long.MAX_VALUE;
        while (input.next()) {
            EncapsulatedMessage at = input.frame();
            boolean isSchema = input.message.headerType() == MessageHeader.SCHEMA;
            if (isSchema && first != null) {
                String text = "second schema message: later messages belong to another stream";
                leaveOut(new InvalidInput(at.offset(), text));
                return first;
            }
            if (isSchema) {
                first = memory.asSlice(at.metadataOffset(), at.metadataLength());
            } else {
                add(at, input.message);
                lastBody = at.bodyOffset();
            }
            end = at.nextOffset();
        }
        boolean isEnd = input.frame().kind() == FrameKind.END_OF_STREAM;
        end = isEnd ? input.frame().nextOffset() : end;
        long before = isEnd || input.hasIncomplete() ? end : Math.min(lastBody, end);
        long resumed = salvages && first != null ? resume(before, end) : end;
        if (resumed > end && input.fault() == null) {
            leaveOut(new InvalidInput(end, "bytes between messages are no message"));
        }
        isResumed = resumed != end;
        end = resumed;
        if (input.form() == Form.FILE) {
            footer = footerAt(end);
        } else if (isEnd && end < memory.byteSize()) {
            String place = "offset=" + end + ", bytes=" + (memory.byteSize() - end);
            notes.add("bytes after the end-of-stream marker are left out: " + place);
        }
        InvalidInput fault = input.fault();
        if (fault != null && first == null && footer == null) {
            throw fault.with("; no schema found, so nothing can be converted");
        }
        if (fault != null && input.endsCleanly()) {
            notes.add("offset " + fault.offset() + ": " + fault.getMessage());
        } else if (fault != null) {
            leaveOut(fault);
        }
        return first;
    }

    /// Collects the complete messages after damage, up to a second schema. If one begins inside the body
    /// of the message before the damage, a length of that message is wrong: it is left out. A schema there
    /// is a value of the body.
    ///
    /// @param before start of that body
    /// @param from start of the damaged bytes
    /// @return end of the last message, or of the end-of-stream marker after it; `from` if there is none
    private long resume(long before, long from) {
        long size = memory.byteSize();
        if (from == size) {
            return from;
        }
        MessageSearch search = new MessageSearch(memory, SEARCHES * size);
        long end = from;
        long at = search.next(before, size);
        while (at < size) {
            try {
                frame.wrap(memory, at, message);
                long next = frame.nextOffset();
                boolean isSchema = message.headerType() == MessageHeader.SCHEMA;
                if (isSchema && at >= from) {
                    return end;
                }
                if (at < from && end == from && !isSchema) {
                    String text = "message overlaps the next message: next=" + at;
                    leaveOut(new InvalidInput(places.removeLast().offset(), text));
                }
                if (!isSchema) {
                    add(frame, message);
                    end = next;
                }
                at = isSchema ? from : next;
                if (frame.wrap(memory, at, message) == FrameKind.END_OF_STREAM) {
                    at = frame.nextOffset();
                    end = at;
                }
            } catch (ArrowFormatException _) {
                at += BODY_ALIGNMENT; // no message, or an incomplete one
            }
            at = search.next(at, size);
        }
        return end;
    }

    /// The footer after the messages of a file with a damaged end; null if it is not valid.
    private Footer footerAt(long at) {
        long room = memory.byteSize() - at;
        Verifier verifier = new Verifier();
        return room > 0
                        && room <= VerifierOptions.ARROW_CPP.maxSize()
                        && verifier.verify(Verifier.Root.FOOTER, memory, at, room)
                        && new Footer().wrap(memory, at, room).schema(new Schema())
                ? new Footer().wrap(memory, at, room)
                : null;
    }

    /// Collects the messages of the footer's blocks, in the footer's order.
    private void blocks() {
        ArrowFile file = input.file();
        footer = file.footer();
        // End of each message by its offset, so that no byte is copied twice.
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
                    String text = "message overlaps another message: other=" + before;
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

    /// Adds complete messages without a block: a damaged footer may have lost their blocks.
    private void unreferenced(TreeMap<Long, Long> taken) {
        int found = 0;
        Long at = (long) ArrowFile.FIRST_MESSAGE_OFFSET;
        while (at != null) {
            Long end = taken.get(at);
            try {
                if (end == null
                        && frame.wrap(memory, at, input.file().footerOffset(), message)
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
                end = null; // no message here
            }
            at = end != null && end <= input.file().footerOffset() ? end : taken.higherKey(at);
        }
        if (found > 0 || leftOut != null) {
            places.sort((a, b) -> Long.compare(a.offset(), b.offset()));
        }
        if (found > 0) {
            notes.add("footer has no block for some messages; converted, too: messages=" + found);
        }
        foundCount = found;
    }

    // ---- the schema

    /// Chooses between the schema message and the footer's schema. If both are equal, it is the message.
    /// Otherwise it is the footer's schema; with `--salvage`, it is the message's if fewer messages break a
    /// rule with it.
    ///
    /// @param written the schema message; null if absent
    private MemorySegment schema(MemorySegment written) {
        Schema ofFooter = new Schema();
        Schema ofMessage = new Schema();
        boolean hasOne = footer.schema(ofFooter);
        if (written == null) {
            return hasOne ? schemaMessage(ofFooter) : null;
        }
        new Message().wrap(written).header(ofMessage);
        if (!hasOne) {
            return written;
        }
        MemorySegment encoded = null;
        try {
            encoded = schemaMessage(ofFooter);
            if (encoded.mismatch(schemaMessage(ofMessage)) < 0) {
                return written;
            }
        } catch (InvalidInput e) {
            if (encoded == null && !salvages) {
                throw e;
            }
        }
        boolean usesMessage = encoded == null || salvages && errors(written) < errors(encoded);
        notes.add(
                "schema message and footer have different schemas; the schema of the "
                        + (usesMessage ? "message" : "footer")
                        + " is used");
        return usesMessage ? written : encoded;
    }

    private void requireSchema() {
        if (schema != null) {
            return;
        }
        if (places.isEmpty()) {
            throw new InvalidInput(0, "no schema");
        }
        Place first = places.getFirst();
        if (first.kind() != MessageHeader.TENSOR && first.kind() != MessageHeader.SPARSE_TENSOR) {
            String kind = MessageHeader.NAMES.name(first.kind());
            throw new InvalidInput(first.offset(), "batch has no schema before it: kind=" + kind);
        }
    }

    /// Leaves out messages with errors, by the rules of `fletch verify`.
    private void leaveOutInvalid() {
        if (schema == null) {
            return;
        }
        SemanticCheck check = new SemanticCheck();
        String wrong = check.error(new Message().wrap(schema));
        if (wrong != null) {
            throw new InvalidInput(0, "schema is invalid: " + wrong);
        }
        places.removeIf(
                each -> {
                    frame.wrap(memory, each.offset(), message);
                    String error = check.error(message);
                    if (error != null) {
                        leaveOut(new InvalidInput(each.offset(), "message is invalid: " + error));
                    }
                    return error != null;
                });
        if (!check.missing.isEmpty()) {
            String text = "dictionaries are missing, so their columns have no values: ids=";
            leaveOut(new InvalidInput(check.missingAt, text + check.missing));
        }
    }

    /// Leaves out the dictionaries of a stream if no batch is left: Arrow C++ does not open a stream
    /// that starts with only some of its schema's dictionaries.
    private void leaveOutUnusedDictionaries() {
        if (leftOut == null
                || target != ArrowContainer.STREAM
                || places.stream().anyMatch(each -> each.kind() == MessageHeader.RECORD_BATCH)) {
            return;
        }
        if (places.removeIf(each -> each.kind() == MessageHeader.DICTIONARY_BATCH)) {
            notes.add("dictionaries are left out: no batch uses them");
        }
    }

    /// The number of messages with errors if this is their schema.
    private int errors(MemorySegment of) {
        SemanticCheck check = new SemanticCheck();
        int count = check.error(new Message().wrap(of)) == null ? 0 : 1;
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            count += check.error(message) == null ? 0 : 1;
        }
        return count;
    }

    /// Finds errors, not deviations, in consecutive messages. With `--salvage`, a missing dictionary is no
    /// error: a batch has other columns.
    private final class SemanticCheck {
        final Set<Long> missing = new TreeSet<>();
        // Offset of the first message that needs a missing dictionary.
        long missingAt;
        private final SemanticVerifier verifier = new SemanticVerifier();
        private String found;

        SemanticCheck() {
            verifier.beginStream();
            verifier.collect(this::add, MOST_FAULTS);
        }

        private void add(Fault fault) {
            if (salvages && fault.rule() == SemanticRules.DICTIONARY_UNDEFINED) {
                missingAt = missing.isEmpty() ? frame.offset() : missingAt;
                missing.add(fault.value());
            } else if (found == null && fault.rule().severity() == Severity.ERROR) {
                found = fault.toString();
            }
        }

        String error(Message message) {
            found = null;
            verifier.message(message);
            return found;
        }
    }

    private void add(EncapsulatedMessage at, Message of) {
        places.add(new Place(at.offset(), of.headerType()));
    }

    /// Moves dictionaries before batches: a file may have them after the batches that use them, a stream
    /// may not.
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

    /// Rejects dictionary replacement if input or output is a file: the file format does not allow it.
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
                        "dictionary replacement is not allowed in a file: id=" + dictionary.id());
            }
        }
    }

    /// Leaves out a message and records its fault; without `--salvage`, throws.
    private void leaveOut(InvalidInput fault) {
        if (!salvages) {
            throw fault.with("; --salvage converts the complete batches");
        }
        if (leftOut == null) {
            leftOut = fault;
        } else if (leftOutCount <= MOST_NAMED) {
            notes.add("offset " + fault.offset() + ": " + fault.getMessage());
        }
        leftOutCount++;
    }

    // ---- writing

    /// Writes all messages. Does not close the channel.
    public void write(WritableByteChannel channel) throws IOException {
        MessageWriter writer = MessageWriter.of(target, channel);
        try {
            if (schema != null) {
                writer.write(schema);
            }
            for (int i = 0; i < places.size(); i++) {
                WorkDone.reached(i, places.size());
                copy(writer, places.get(i).offset());
            }
            finish(writer);
        } catch (RewriteException e) {
            throw new InvalidInput(0, "schema cannot be written: " + e.getMessage());
        }
        if (leftOutCount > MOST_NAMED + 1) {
            notes.add("more messages are left out: count=" + (leftOutCount - MOST_NAMED - 1));
        }
        if (leftOut != null && (input.hasFooter() || isResumed)) {
            leftOut = leftOut.with("; converted: batches=" + batches + ", rows=" + rows);
        }
    }

    /// Encodes a schema: schemas with the same content have the same bytes.
    private MemorySegment schemaMessage(Schema of) {
        int version = footer.version();
        if (!places.isEmpty()) { // old writers omit the footer's version
            frame.wrap(memory, places.getFirst().offset(), message);
            version = message.version();
        }
        FlatBufferWriter buffer = FlatBufferWriter.growing(EmissionOrder.ARROW_CPP.dialect());
        try {
            new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset())
                    .schemaMessage(of, version, new MetadataEdit());
        } catch (FletchException e) {
            throw new InvalidInput(of.position(), "schema cannot be written: " + e.getMessage());
        }
        return buffer.segment();
    }

    private void copy(MessageWriter writer, long offset) throws IOException {
        frame.wrap(memory, offset, message);
        try {
            long bytes = frame.nextOffset() - frame.bodyOffset();
            long padding = Math.floorMod(-bytes, BODY_ALIGNMENT);
            if (padding == 0 && bytes > 0 && input.channel() != null) {
                writer.write(
                        memory,
                        frame.metadataOffset(),
                        frame.metadataLength(),
                        input.channel(),
                        frame.bodyOffset());
            } else if (padding == 0) {
                writer.copy(memory, frame);
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

    /// The metadata with the length of the padded body, a multiple of 8 bytes.
    private MemorySegment lengthened(long padding) {
        byte[] copy =
                memory.asSlice(frame.metadataOffset(), frame.metadataLength())
                        .toArray(ValueLayout.JAVA_BYTE);
        MemorySegment metadata = MemorySegment.ofArray(copy);
        new Message().wrap(metadata).setBodyLength(frame.bodyLength() + padding);
        return metadata;
    }

    /// Ends the output, with the input's footer if it matches the written messages.
    private void finish(MessageWriter writer) throws IOException {
        if (footer == null) {
            writer.finish();
        } else if (target == ArrowContainer.STREAM) {
            if (footer.customMetadataCount() > 0) {
                notes.add("custom metadata of the footer is left out: a stream has no footer");
            }
            writer.finish();
        } else {
            try {
                writer.finish(footer);
            } catch (IllegalArgumentException | RewriteException e) {
                notes.add("footer of the input is replaced: " + e.getMessage());
                writer.finish();
            }
        }
    }
}
