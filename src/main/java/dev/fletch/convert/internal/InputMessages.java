// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Damage.Notes;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.DictionaryDamage;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputMessage;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FoundMessage;
import dev.fletch.ipc.internal.GapMessages;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Collects the complete messages of an input, its schema message and footer, and what is damaged.
/// Messages may break rules: the check of all messages leaves them out.
final class InputMessages {
    private final Input input;
    private final ConvertOptions options;
    private final Damage damage;
    private final MemorySegment memory;
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final Notes withoutBlock;
    private final Notes kept;

    private final List<InputMessage> messages = new ArrayList<>();
    // For salvage, the first definition of each dictionary of a file.
    private final Map<Long, InputMessage> definitions = new HashMap<>();
    private final List<Fault> damages = new ArrayList<>();
    private final DictionaryDamage dictionaryDamage;
    private MemorySegment schema;
    private long schemaAt;
    private Footer footer;

    /// @param input before its first message
    /// @param damage receives what is damaged, and what else the user should know
    InputMessages(Input input, ConvertOptions options, Damage damage) {
        this.input = input;
        this.options = options;
        this.damage = damage;
        this.memory = input.memory();
        this.withoutBlock = damage.new Notes();
        this.kept = damage.new Notes();
        this.dictionaryDamage = new DictionaryDamage(input);
        if (damage.salvages()) {
            boolean isDoubtful = options.keepsDoubtful();
            input.salvage(isDoubtful ? Input.Salvage.DOUBTFUL : Input.Salvage.WHOLE);
        }
    }

    /// Collects all messages.
    ///
    /// @throws FletchException if a message is damaged and may not be left out; or if the input has
    ///     no schema because it is damaged, and the options have none
    void collect() throws IOException {
        while (input.next()) {
            EncapsulatedMessage frame = input.frame();
            if (input.message.headerType() == MessageHeader.SCHEMA) {
                schema = memory.asSlice(frame.metadataOffset(), frame.metadataLength());
                schemaAt = frame.metadataOffset();
            } else {
                message(frame, input.part());
            }
        }
        damages.addAll(input.damages());
        dictionaryDamage.end(messages, damages);
        if (input.hasFooter()) {
            footer = input.file().footer();
            blocks();
        } else if (input.form() == Form.FILE) {
            long position = input.endOfMessages();
            long room = memory.byteSize() - position;
            footer = FileTail.usable(memory, position, room, input.limits());
        } else {
            behindStream();
        }
        kept.end("more messages are kept whose end is not known");
        damages.sort(Comparator.comparingLong(Fault::position));
        requireSchema();
        damages.forEach(damage::leaveOut);
        damage.leaveOutMore(input.damageCount() - input.damages().size());
        if (input.form() == Form.FILE) {
            messages.sort(dictionaryDamage.order());
        }
    }

    /// The messages to write: of a stream as they are, of a file dictionaries first.
    List<InputMessage> messages() {
        return messages;
    }

    /// The schema message; null if there is none.
    MemorySegment schema() {
        return schema;
    }

    /// Offset of the schema message's metadata; 0 if there is none, or it has no prefix.
    long schemaAt() {
        return schemaAt;
    }

    /// The footer; null if there is none.
    Footer footer() {
        return footer;
    }

    /// Where damage may be a dictionary batch.
    DictionaryDamage dictionaryDamage() {
        return dictionaryDamage;
    }

    // ---- messages

    private void message(EncapsulatedMessage frame, ContainerPart part) {
        boolean isDecided =
                part == null
                        || part.state() != ContainerPart.State.UNDECIDED
                                && part.state() != ContainerPart.State.DOUBTFUL;
        if (!isDecided) {
            Fault fault = part.fault().in(input.index(), frame.offset());
            kept.add(fault.followedBy("; the message is kept").placed());
        }
        InputMessage next = InputMessage.of(input, dictionary);
        dictionaryDamage.add(next);
        if (damage.salvages() && input.form() == Form.FILE && isRepeated(next)) {
            return;
        }
        messages.add(next);
    }

    /// Whether a file has defined a dictionary before. The first definition counts: others are
    /// damage, but for copies of it, and blocks that lead to it again.
    private boolean isRepeated(InputMessage next) {
        InputMessage first = next.earlier(definitions);
        if (first != null
                && first.offset() != next.offset()
                && InputBytes.mismatch(bytes(first), bytes(next)) >= 0) {
            damages.add(next.replacement().with("other", first.offset()));
        }
        return first != null;
    }

    /// Metadata and body.
    private MemorySegment bytes(InputMessage of) {
        EncapsulatedMessage frame = input.newFrame();
        frame.wrap(memory, of.offset(), new Message());
        long position = frame.metadataOffset();
        return memory.asSlice(position, frame.nextOffset() - position);
    }

    // ---- the end

    /// Notes the blocks without message.
    private void blocks() {
        Notes withoutMessage = damage.new Notes();
        for (Fault each : input.unexplainedBlocks()) {
            if (damage.salvages() && withoutMessage.isShown()) {
                damage.repair(each);
            }
        }
        withoutMessage.end("more blocks have no message");
        schema = schema == null ? unframedSchema() : schema;
    }

    /// The metadata of a schema message without prefix; null if it is absent or invalid.
    private MemorySegment unframedSchema() {
        long length = input.first().unframedEnd() - input.start();
        try {
            if (length > 0) {
                input.newFrame().wrapMetadata(memory, input.start(), (int) length, new Message());
                return memory.asSlice(input.start(), length);
            }
        } catch (FletchException _) {
            // as if it were absent: the footer has a schema
        }
        return null;
    }

    /// Notes the batches of a file that no block leads to.
    ///
    /// @param converted the messages that are converted
    void noteWithoutBlock(List<InputMessage> converted) {
        if (input.isPlanned()) {
            EncapsulatedMessage frame = input.newFrame();
            Message message = new Message();
            for (InputMessage each : converted) {
                if (each.block() == ContainerPart.NO_BLOCK
                        && BatchCounts.isBatch(each.kind())
                        && withoutBlock.isShown()) {
                    frame.wrap(memory, each.offset(), message);
                    damage.note(withoutBlock(each.offset(), message, "converted"));
                }
            }
        } else if (input.hasFooter()) {
            noteInGaps();
        }
        withoutBlock.end("more messages have no block in the footer");
    }

    private void noteInGaps() {
        GapMessages gaps = new GapMessages(memory);
        Message message = new Message();
        input.blocks()
                .gaps(
                        input.first().schemaEnd(),
                        (from, to, _) -> {
                            for (FoundMessage each; (each = gaps.next(from, to)) != null; ) {
                                if (BatchCounts.isBatch(each.kind())) {
                                    message.wrap(
                                            memory, each.metadataOffset(), each.metadataLength());
                                    withoutBlock.add(
                                            withoutBlock(each.offset(), message, "not converted"));
                                }
                            }
                        });
    }

    /// The note that a batch or dictionary has no block.
    private static String withoutBlock(long position, Message message, String fate) {
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        String values = message.header(batch) ? "rows=" + batch.length() : "";
        values = message.header(dictionary) ? "id=" + dictionary.id() : values;
        String kind = MessageHeader.NAMES.name(message.headerType());
        String text = " has no block in the footer, and is " + fate + ": ";
        return "offset " + position + ": " + kind + text + values;
    }

    private void behindStream() throws IOException {
        String behind = input.behindMarker();
        if (!behind.isEmpty()) {
            damage.note("bytes after the end-of-stream marker are left out: " + behind);
        }
        if (input.nextStream() >= 0) {
            damage.note(
                    "another stream follows and is not converted: offset=" + input.nextStream());
        }
    }

    private void requireSchema() {
        if (schema != null || footer != null) {
            return;
        }
        Fault first = damages.isEmpty() ? null : damages.getFirst();
        if (options.schema() == null) {
            Fault fault = input.footerFault() == null ? first : input.footerFault();
            if (fault != null) {
                throw FletchException.inInput(damage.withoutSchema(fault));
            }
        } else if (first != null
                && !messages.isEmpty()
                && first.position() < messages.getFirst().offset()) {
            damage.repair(first); // the schema message, which is replaced
            damages.removeFirst();
        }
    }
}
