// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.input.Input;
import dev.fletch.input.InputMessage;
import dev.fletch.input.Models;
import dev.fletch.input.SchemaDifferences;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.schema.ArrowSchema;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The schema to write, with its custom metadata: of the input's schema message, its footer, or the
/// options.
final class OutputSchema {
    // Permits schemas that break rules: the check of all messages reports them.
    private static final Rule[] ANY_RULE = MeaningRule.values();
    private static final Checks UTF8 = Checks.ARROW_CPP.with(Check.UTF8, true);

    // Has an effect where bodies are read.
    private static final Checks CHECKS = Checks.DEFAULT.with(Check.UNCOMPRESSED_SIZES, true);

    private final Input input;
    private final List<InputMessage> messages;
    private final Damage damage;
    private final ConvertOptions options;
    // The footer whose schema and custom metadata are kept; null if there is none.
    private final Footer footer;
    // The input's schema message, and the offset of its metadata; null if there is none.
    private final MemorySegment read;
    private final long readAt;
    // The schema message to write, without the body that it may have; null for tensors.
    private MemorySegment written;
    // Of its batches; null until needed.
    private BatchLayout layout;
    private boolean isOther;
    // Custom metadata that only the footer has; null if both have the same.
    private CustomMetadata ofFooter;

    /// @param found has the schema message and the footer
    /// @param messages in the order of the output
    OutputSchema(
            Input input,
            ConvertOptions options,
            InputMessages found,
            List<InputMessage> messages,
            Damage damage) {
        this.input = input;
        this.options = options;
        this.messages = messages;
        this.damage = damage;
        this.footer = found.footer();
        this.read = found.schema();
        this.readAt = found.schemaAt();
        if (read != null && bodyLength(read) != 0) {
            damage.note("the body of the schema message is left out: bytes=" + bodyLength(read));
        }
    }

    private static long bodyLength(MemorySegment message) {
        return new Message().wrap(message).bodyLength();
    }

    // ---- choice

    /// Chooses the schema.
    ///
    /// @param target what is written
    /// @throws FletchException if there is no schema, or the footer's is wrong and may not be left
    ///     out
    void choose(ArrowContainer target) {
        ArrowSchema other = options.schema();
        if (input.hasFooter()) {
            Fault fault = errors(CHECKS).beginFile(footer);
            if (fault != null && !damage.salvages()) {
                throw FletchException.inInput(fault);
            }
        }
        written = footer == null ? read : messageOrFooter();
        if (written != null && other != null) {
            damage.note("the schema of the input is used, not the given one");
        } else if (written == null && other != null) {
            isOther = true;
            written = other.toMessage(EmissionOrder.ARROW_CPP, ANY_RULE);
            setVersion(version(MetadataVersion.V5));
            damage.note("the input has no schema; the given one is used");
        } else if (written == null && messages.isEmpty()) {
            FrameCheck.noMessage(0, "", FletchException::raiseInInput);
        } else if (written == null && !messages.getFirst().isTensor()) {
            throw FletchException.inInput(damage.failure(absent(messages.getFirst())));
        }
        if (footer != null) {
            oneMetadata(target);
        }
    }

    /// Bodies are read only if values are checked. With salvage, the check of values reads
    /// compressed buffers: dictionaries without errors in metadata are found first.
    private MessageErrors errors(Checks checks) {
        boolean readsBodies =
                options.checksValues() && !damage.salvages() && input.bytes().hasBodies();
        return new MessageErrors(
                readsBodies ? input.memory() : null, checks.withLimits(input.limits()));
    }

    /// Chooses between the schema message and the footer's schema. If both are equal, it is the
    /// message. Otherwise it is the footer's schema; with salvage, it is the message's if fewer
    /// messages break a rule with it.
    private MemorySegment messageOrFooter() {
        Schema there = new Schema();
        footer.schema(there); // which it has, or it is not used
        int version =
                version(VersionCheck.isStated(footer) ? footer.version() : MetadataVersion.V5);
        Schema ofMessage = read == null ? null : schema(read);
        if (ofMessage == null) {
            return encoded(there, version, new MetadataEdit(), there.position());
        }
        List<String> differences = SchemaDifferences.of(there, ofMessage, input.limits());
        MemorySegment encoded = null;
        try {
            encoded = encoded(there, version, new MetadataEdit(), there.position());
            if (encoded.mismatch(encoded(ofMessage, version, new MetadataEdit(), readAt)) < 0) {
                return read;
            }
        } catch (FletchException e) {
            if (encoded == null && !damage.salvages()) {
                throw e;
            }
        }
        if (encoded != null && differences != null && differences.isEmpty()) {
            return encoded; // such as another name of a list's items, which makes no difference
        }
        boolean usesMessage =
                encoded == null || damage.salvages() && errors(read) < errors(encoded);
        damage.note(
                "schema message and footer have different schemas; the schema of the "
                        + (usesMessage ? "message" : "footer")
                        + " is used");
        return usesMessage ? read : encoded;
    }

    /// The number of messages with errors if this is their schema, also with buffers too small for
    /// their values. Missing dictionaries count as one, and text of the schema that is not UTF-8,
    /// which is a deviation.
    private int errors(MemorySegment segment) {
        MessageErrors errors = errors(Checks.STRICT);
        int count = errors.beginStream(segment) == null ? 0 : 1;
        EncapsulatedMessage frame = input.newFrame();
        Message message = new Message();
        for (InputMessage each : messages) {
            frame.wrap(input.memory(), each.offset(), message);
            count += errors.error(each, frame, message) == null ? 0 : 1;
        }
        boolean isText = new Verifier(UTF8).verify(Verifier.Root.MESSAGE, segment);
        return count + (isText ? 0 : 1) + (errors.missingDictionaries(_ -> true) == null ? 0 : 1);
    }

    /// The fault that a message, which is no tensor, has no schema.
    Fault absent(InputMessage of) {
        EncapsulatedMessage frame = input.newFrame();
        Message message = new Message();
        frame.wrap(input.memory(), of.offset(), message);
        List<Fault> faults = new ArrayList<>();
        if (of.kind() == MessageHeader.NONE) {
            long position = frame.inputOffset(message.position(Message.HEADER_TYPE_SLOT));
            FrameCheck.withoutHeader(position, of.kind(), faults::add);
        } else {
            FrameCheck.leadingSchema(of.offset(), FrameKind.MESSAGE, message, faults::add);
        }
        return faults.getFirst().inMessage(of.index());
    }

    // ---- custom metadata

    /// Gives the schema message the custom metadata of the footer, which must be the same; that of
    /// the message stays if the footer has none. If only the footer has some, as Arrow C++ writes
    /// it, that stays so in a file.
    private void oneMetadata(ArrowContainer target) {
        CustomMetadata ofMessage = metadata(read, null);
        CustomMetadata pairs = metadata(null, footer);
        if (target == ArrowContainer.FILE
                && read != null
                && ofMessage.count() == 0
                && pairs.count() != 0) {
            ofFooter = pairs;
            return;
        }
        if (!Models.metadata(pairs).diff(Models.metadata(ofMessage)).isEmpty()) {
            pairs = pairs.count() == 0 ? ofMessage : pairs;
            if (read != null) {
                damage.note(
                        "schema message and footer have different custom metadata; that of the "
                                + (pairs == ofMessage ? "message" : "footer")
                                + " is used");
            }
        } else if (written == read) {
            return;
        }
        written = encoded(schema(), version(), new MetadataEdit().customMetadata(pairs), offset());
    }

    /// The custom metadata of a message or a footer; either may be null.
    private static CustomMetadata metadata(MemorySegment message, Footer footer) {
        CustomMetadata pairs = new CustomMetadata();
        try {
            pairs = message == null ? pairs : pairs.addAll(new Message().wrap(message));
            return footer == null ? pairs : pairs.addAll(footer);
        } catch (FletchException | IllegalArgumentException e) {
            throw notWritable(e, "schema", 0);
        }
    }

    // ---- the choice

    /// Whether there is one: not for tensors.
    boolean isThere() {
        return written != null;
    }

    /// The schema message to write; null for tensors.
    MemorySegment message() {
        return written == null || bodyLength(written) == 0
                ? written
                : withBodyLength(new Message().wrap(written), 0, offset());
    }

    /// The schema message with only some columns.
    ///
    /// @param edit chooses the columns
    MemorySegment message(MetadataEdit edit) {
        return encoded(schema(), version(), edit.customMetadata(metadata(written, null)), offset());
    }

    /// The schema; null for tensors, and if it is absent in its message.
    Schema schema() {
        return written == null ? null : schema(written);
    }

    private static Schema schema(MemorySegment message) {
        Schema schema = new Schema();
        return new Message().wrap(message).header(schema) ? schema : null;
    }

    /// Offset of the schema message's metadata in the input; 0 if another is written.
    long offset() {
        return written == read ? readAt : 0;
    }

    /// Whether it is that of the options.
    boolean isOther() {
        return isOther;
    }

    int version() {
        return new Message().wrap(written).version();
    }

    void setVersion(int version) {
        written = withVersion(new Message().wrap(written), version, offset());
    }

    /// Version of the input's messages.
    ///
    /// @param other the version if there are no messages
    int version(int other) {
        Message message = new Message();
        if (!messages.isEmpty()) {
            long first = messages.getFirst().offset();
            input.newFrame().wrap(input.memory(), first, message);
        }
        return messages.isEmpty() ? other : message.version();
    }

    /// The layout of batches.
    BatchLayout layout() {
        if (layout == null) {
            layout = BatchLayout.compile(schema(), input.limits());
        }
        return layout;
    }

    /// Begins to check the messages: those of a file as such if none may be left out, else in the
    /// order of the output.
    ///
    /// @throws FletchException for an error of the schema, at its place in the input
    MessageErrors beginErrors() {
        MessageErrors errors = errors(CHECKS);
        if (isCheckedAsFile()) {
            errors.beginFile(footer);
            return errors;
        }
        Fault error = errors.beginStream(written);
        if (error == null) {
            return errors;
        }
        Fault there = input.hasFooter() ? errors(CHECKS).beginFile(footer) : null;
        Fault here = written == read ? error.in(0, readAt + error.position()) : error.in(0);
        throw FletchException.inInput(damage.failure(there == null ? here : there));
    }

    /// Ends the check of all messages.
    Fault endErrors(MessageErrors errors) {
        return isCheckedAsFile() ? errors.endFile(footer) : null;
    }

    private boolean isCheckedAsFile() {
        return input.hasFooter() && !damage.salvages();
    }

    // ---- writing

    /// A footer with custom metadata of its own; null if the writer's has all.
    ///
    /// @param message the schema message that was written
    Footer footer(MemorySegment message) {
        if (ofFooter == null) {
            return null;
        }
        FlatBufferWriter buffer = EmissionOrder.ARROW_CPP.newWriter();
        MetadataEdit edit = new MetadataEdit().footerMetadata(ofFooter);
        writer(buffer).schemaFooter(schema(message), version(), edit);
        return new Footer().wrap(buffer.segment());
    }

    /// Encodes a schema: schemas with the same content have the same bytes.
    ///
    /// @param offset of the schema in the input
    private MemorySegment encoded(Schema schema, int version, MetadataEdit edit, long offset) {
        FlatBufferWriter buffer = EmissionOrder.ARROW_CPP.newWriter();
        try {
            writer(buffer).schemaMessage(schema, version, edit);
        } catch (FletchException e) {
            throw notWritable(e, "schema", offset);
        }
        return buffer.segment();
    }

    /// Metadata with another version: see [#changed].
    MemorySegment withVersion(Message source, int version, long offset) {
        MetadataEdit edit = new MetadataEdit().version(version);
        return changed(source, edit, message -> message.setVersion(version), offset);
    }

    /// Metadata with another length of the body: see [#changed].
    MemorySegment withBodyLength(Message source, long bytes, long offset) {
        MetadataEdit edit = new MetadataEdit().bodyLength(bytes);
        return changed(source, edit, message -> message.setBodyLength(bytes), offset);
    }

    /// Metadata with one change, in place in a copy: so fields that Fletch does not know stay. If
    /// that hits other numbers, which share its bytes, the metadata is written anew.
    ///
    /// @param edit the same change
    private MemorySegment changed(
            Message source, MetadataEdit edit, Consumer<Message> change, long offset) {
        MemorySegment anew = edited(source, edit, offset);
        byte[] bytes = new ByteSlice().wrapBufferOf(source).toByteArray();
        MemorySegment copy = MemorySegment.ofArray(bytes);
        change.accept(new Message().wrap(copy));
        Checks checks = Checks.DEFAULT.withLimits(input.limits());
        return new Verifier(checks).verify(Verifier.Root.MESSAGE, copy, 0, bytes.length)
                        && edited(new Message().wrap(copy), new MetadataEdit(), offset)
                                        .mismatch(anew)
                                < 0
                ? copy
                : anew;
    }

    /// Metadata with changes, written anew.
    ///
    /// @param offset of the source in the input
    MemorySegment edited(Message source, MetadataEdit edit, long offset) {
        FlatBufferWriter buffer = EmissionOrder.ARROW_CPP.newWriter();
        try {
            writer(buffer).message(source, edit);
        } catch (FletchException e) {
            String what = source.headerType() == MessageHeader.SCHEMA ? "schema" : "message";
            throw notWritable(e, what, offset);
        }
        return buffer.segment();
    }

    /// Begins metadata within the limits of the input.
    private MetadataWriter writer(FlatBufferWriter buffer) {
        return new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset()).limits(input.limits());
    }

    static FletchException notWritable(RuntimeException cause, String what, long offset) {
        String why =
                cause instanceof FletchException known ? known.fault().text() : cause.getMessage();
        Fault fault = Damage.notConvertible(offset, what + " cannot be written: " + why);
        return FletchException.inInput(
                cause instanceof FletchException known ? fault.under(known.rule()) : fault);
    }
}
