// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion.Notes;
import dev.fletch.convert.internal.Conversion.Place;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaSize;
import dev.fletch.format.SchemaTooLargeException;
import dev.fletch.format.rules.DictionaryOrder;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.SchemaFit;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileHead;
import dev.fletch.ipc.IpcRules;
import dev.fletch.ipc.walk.BlockCheck;
import dev.fletch.ipc.walk.ContainerPart;
import dev.fletch.ipc.walk.ContainerPart.Kind;
import dev.fletch.ipc.walk.ContainerPart.State;
import dev.fletch.ipc.walk.ContainerPlan;
import dev.fletch.ipc.walk.MessagePlace;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Collects the messages of a damaged input that are whole, by its [ContainerPlan], and what is
/// left out. Invalid messages are collected, too: the check of all messages leaves them out, unless
/// their faults are in columns that are not chosen.
final class Salvage {
    /// A message to write.
    ///
    /// @param block number of its block; or [ContainerPart#NO_BLOCK]
    private record Saved(Place place, int block) {
        /// Messages without block come last.
        int order() {
            return block < 0 ? Integer.MAX_VALUE : block;
        }
    }

    private static final Comparator<Saved> BY_OFFSET =
            Comparator.comparingLong(each -> each.place.offset());

    private final Input input;
    private final ConvertOptions options;
    private final MemorySegment memory;
    private final boolean keepsDoubtful;
    private final ContainerPlan plan;
    private final EncapsulatedMessage frame;
    private final Message message = new Message();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final Consumer<InvalidInput> noted;
    private final List<String> notes;
    private final Notes withoutBlock;
    private final Notes kept;
    private final Notes withoutMessage;

    private final List<Saved> saved = new ArrayList<>();
    private MemorySegment schema;
    private Footer footer;
    private final Damages damages = new Damages();
    // In a file with a footer, bytes between messages count only if a message is lost.
    private final Damages gaps = new Damages();
    // The offsets of these bytes; and the end of the last ones.
    private final Set<Long> gapOffsets = new HashSet<>();
    private long gapEnd = -1;
    // The last zeros between messages; null if there are none.
    private ContainerPart padding;
    // The first blocks without message.
    private final List<InvalidInput> blocks = new ArrayList<>();
    private final Map<Long, ContainerPart> dictionaries = new HashMap<>();
    // The first block without message; null if there is none.
    private InvalidInput firstBlock;
    // The first of them that are inside the file, by the offset of their message.
    private final TreeMap<Long, InvalidInput> lostBlocks = new TreeMap<>();
    // The end-of-stream marker after the last message; null if there is none.
    private ContainerPart marker;
    private long nextStream = -1;

    /// The first damaged parts, and the number of all.
    private static final class Damages {
        final List<InvalidInput> first = new ArrayList<>();
        long count;

        boolean isFull() {
            return first.size() == Conversion.MOST_NAMED;
        }

        void add(ContainerPart part) {
            add(damage(part));
        }

        void add(Rule rule, long offset, String reason) {
            add(new InvalidInput(rule, offset, reason));
        }

        void add(InvalidInput damage) {
            count++;
            if (!isFull()) {
                first.add(damage);
            }
        }

        void addAll(Damages others) {
            first.addAll(others.first);
            count += others.count;
        }
    }

    /// @param input before its first message
    /// @param noted receives damage that leaves nothing out
    /// @param notes receives what else the user should know
    Salvage(Input input, ConvertOptions options, Consumer<InvalidInput> noted, List<String> notes) {
        this.input = input;
        this.options = options;
        this.noted = noted;
        this.notes = notes;
        keepsDoubtful = options.salvage().contains(ConvertOptions.Salvage.DOUBTFUL);
        memory = input.memory();
        frame = input.frame();
        withoutBlock = new Notes(notes);
        kept = new Notes(notes);
        withoutMessage = new Notes(notes);
        plan = ContainerPlan.of(memory, new SchemaFit(input.limits()));
        footer = plan.footer();
    }

    /// Collects all parts.
    ///
    /// @throws InvalidInput if the input has no schema because it is damaged, and the options have
    ///     none
    void collect() {
        if (input.footerFault() != null) {
            noted.accept(input.footerFault());
        }
        for (ContainerPart each = plan.next(); each != null; each = plan.next()) {
            if (isNextStream(each)) {
                nextStream = each.offset();
                break;
            }
            switch (each.kind()) {
                case SCHEMA -> schema(each);
                case BATCH, DICTIONARY, MESSAGE -> message(each);
                case GAP -> gap(each);
                case PADDING -> padding(each);
                case MARKER -> marker = each;
                case FOOTER -> footer(each);
                default -> {}
            }
        }
        finish();
    }

    /// The messages to write: in the order of the footer; if something is lost, in the order of
    /// their offsets.
    List<Place> places() {
        return saved.stream().map(Saved::place).collect(Collectors.toCollection(ArrayList::new));
    }

    /// The schema message; null if there is none.
    MemorySegment schema() {
        return schema;
    }

    /// The footer; null if there is none.
    Footer footer() {
        return footer;
    }

    /// What is left out; the first parts.
    List<InvalidInput> damages() {
        return damages.first;
    }

    /// Number of parts that are left out.
    long damageCount() {
        return damages.count;
    }

    // ---- parts

    private boolean isNextStream(ContainerPart part) {
        return part.kind() == Kind.SCHEMA
                && input.form() == Form.STREAM
                && (schema != null || !saved.isEmpty());
    }

    /// A schema message has no body, so its bytes are known to be whole.
    private void schema(ContainerPart part) {
        if (schema == null) {
            schema = memory.asSlice(part.metadataOffset(), part.metadataLength());
            Schema found = new Schema();
            try {
                if (message.wrap(schema).header(found)) {
                    SchemaSize.check(found, input.limits());
                }
            } catch (SchemaTooLargeException e) {
                throw InvalidInput.required(e, input);
            }
        }
    }

    private void message(ContainerPart part) {
        if (marker != null && plan.footer() == null) {
            String next = ": next=" + part.offset();
            damages.add(
                    IpcRules.END_BETWEEN_MESSAGES,
                    marker.offset(),
                    "end-of-stream marker between messages of a stream" + next);
        }
        marker = null;
        boolean isDoubtful = part.state() == State.DOUBTFUL;
        if (part.state() == State.OVERLAPPED || isDoubtful && !keepsDoubtful) {
            damages.add(part);
            return;
        }
        InvalidInput fault = fault(part);
        if (fault != null) { // such as a message that is cut off
            damages.add(fault);
            return;
        }
        if (isDoubtful || part.state() == State.UNDECIDED) {
            kept.add(
                    "offset "
                            + part.offset()
                            + ": "
                            + part.fault().text()
                            + "; the message is kept");
        }
        Place place = Place.of(frame, message, dictionary);
        if (!place.isDictionary() || place.isDelta() || isFirst(place, part)) {
            saved.add(new Saved(place, part.block()));
            noteBlock(part);
        }
    }

    /// Whether a dictionary is defined for the first time. A file has one definition of each; it
    /// may be there twice.
    private boolean isFirst(Place place, ContainerPart part) {
        if (part.state() == State.REPEATED || input.form() != Form.FILE) {
            return part.state() != State.REPEATED;
        }
        ContainerPart first = dictionaries.putIfAbsent(place.dictionaryId(), part);
        if (first != null && !areEqual(first, part)) {
            Fault fault = DictionaryOrder.replaced(part.offset(), place.dictionaryId());
            damages.add(new InvalidInput(fault.with("other", first.offset())));
        }
        return first == null;
    }

    private boolean areEqual(ContainerPart a, ContainerPart b) {
        MemorySegment ofA = memory.asSlice(a.metadataOffset(), a.end() - a.metadataOffset());
        MemorySegment ofB = memory.asSlice(b.metadataOffset(), b.end() - b.metadataOffset());
        return InputBytes.mismatch(ofA, ofB) < 0;
    }

    private void noteBlock(ContainerPart part) {
        if (plan.footer() != null && part.block() < 0 && part.kind() != Kind.MESSAGE) {
            withoutBlock.add(Conversion.withoutBlock(frame, message, "converted"));
        }
    }

    /// Binds to the message of a part.
    ///
    /// @return what is wrong there; null if it is a complete message
    private InvalidInput fault(ContainerPart part) {
        try {
            frame.wrap(memory, part.offset(), plan.end(), message);
            frame.nextOffset(); // throws if the body is not inside
            return null;
        } catch (RuntimeException e) {
            return InvalidInput.required(e, input);
        }
    }

    private void gap(ContainerPart part) {
        if (part.block() >= 0) {
            block(part);
        } else if (!isBehindMessages(part) && !isDamagedMagic(part)) {
            InvalidInput fault = gaps.isFull() ? null : fault(part);
            addGap(part, fault == null ? damage(part) : fault);
        }
    }

    private static InvalidInput damage(ContainerPart part) {
        return new InvalidInput(part.fault());
    }

    private void block(ContainerPart part) {
        if (part.state() == State.REPEATED) { // too often
            damages.add(part);
            return;
        }
        InvalidInput fault = damage(part);
        int batchNumber = part.block() - plan.footer().dictionariesCount();
        boolean isNamed = input.hasFooter() && !withoutMessage.isFull();
        try {
            if (isNamed && batchNumber >= 0) {
                input.file().recordBatch(batchNumber, frame, message);
            } else if (isNamed) {
                input.file().dictionary(part.block(), frame, message);
            }
        } catch (RuntimeException e) {
            fault = InvalidInput.required(e, input);
        }
        firstBlock = firstBlock == null ? fault : firstBlock;
        if (lostBlocks.size() < Conversion.MOST_NAMED && isInside(part.block())) {
            lostBlocks.putIfAbsent(part.offset(), fault);
        }
        if (withoutMessage.isShown()) {
            blocks.add(fault);
        }
    }

    /// Whether a block is inside the file. A damaged footer may have others, and more of them than
    /// the file has messages.
    private boolean isInside(int number) {
        BlockCheck check = new BlockCheck(plan.footer(), plan.end(), 0, _ -> {});
        check.bind(number);
        return check.isInside();
    }

    private long blocksInside() {
        return IntStream.range(0, BlockCheck.count(plan.footer())).filter(this::isInside).count();
    }

    /// Whether bytes follow the end-of-stream marker, or are a damaged footer.
    private boolean isBehindMessages(ContainerPart part) {
        if (plan.footer() != null) {
            return false;
        }
        return marker != null
                || input.form() == Form.FILE
                        && part.end() == plan.end()
                        && (schema != null || !saved.isEmpty())
                        && !MessagePlace.mayBeDamaged(memory, part.offset(), part.end());
    }

    /// Whether bytes are the damaged magic at the start of a file.
    private boolean isDamagedMagic(ContainerPart part) {
        return input.form() == Form.FILE
                && part.offset() == 0
                && part.end() <= FileHead.USUAL_BYTES;
    }

    /// So many zeros are no padding: a message is lost.
    private void padding(ContainerPart part) {
        padding = part;
        if (part.bodyLength() >= ContainerPlan.LEAST_LOST_BYTES
                && marker == null
                && part.end() < plan.end()) {
            String text = "zeros between messages: bytes=" + part.bodyLength();
            addGap(part, new InvalidInput(IpcRules.END_BETWEEN_MESSAGES, part.offset(), text));
        }
    }

    /// Adds damage, unless the damage before it ends there: then it is one.
    private void addGap(ContainerPart part, InvalidInput damage) {
        if (part.offset() != gapEnd) {
            gaps.add(damage);
            boolean isBehindZeros = padding != null && padding.end() == part.offset();
            gapOffsets.add(isBehindZeros ? padding.offset() : part.offset());
        }
        gapEnd = part.end();
    }

    private void footer(ContainerPart part) {
        if (footer == null) { // only its end is damaged
            footer = new Footer().wrap(memory, part.offset(), part.bodyLength());
        }
    }

    // ---- the end

    private void finish() {
        withoutBlock.end("more messages have no block in the footer");
        blocks.removeIf(each -> gapOffsets.contains(each.offset())); // is named there
        blocks.forEach(noted);
        withoutMessage.end("more blocks have no message");
        kept.end("more messages are kept whose end is not known");
        if (plan.footer() == null || firstBlock != null || damages.count > 0) {
            damages.addAll(gaps);
        }
        saved.forEach(each -> lostBlocks.remove(each.place.offset()));
        if (!lostBlocks.isEmpty() && damages.count == 0 && saved.size() < blocksInside()) {
            damages.add(lostBlocks.firstEntry().getValue()); // without a trace
        }
        boolean isInOrder = firstBlock == null && damages.count == 0;
        saved.sort(isInOrder ? Comparator.comparingInt(Saved::order) : BY_OFFSET);
        damages.first.sort(Comparator.comparingLong(InvalidInput::offset));
        if (nextStream >= 0) {
            notes.add("another stream follows and is not converted: offset=" + nextStream);
        } else if (marker != null && input.form() == Form.STREAM) {
            bytesBehindMarker();
        }
        requireSchema();
    }

    private void bytesBehindMarker() {
        long bytes = memory.byteSize() - marker.end();
        if (bytes > 0) {
            String place = "offset=" + marker.end() + ", bytes=" + bytes;
            notes.add("bytes after the end-of-stream marker are left out: " + place);
        }
    }

    private void requireSchema() {
        if (schema != null || footer != null) {
            return;
        }
        InvalidInput first = damages.first.isEmpty() ? null : damages.first.getFirst();
        if (options.schema() == null) {
            InvalidInput fault = input.footerFault() == null ? first : input.footerFault();
            if (fault != null) {
                throw fault.with(Conversion.NO_SCHEMA);
            }
        } else if (first != null
                && !saved.isEmpty()
                && first.offset() < saved.getFirst().place.offset()) {
            noted.accept(first); // the schema message, which is replaced
            damages.first.removeFirst();
            damages.count--;
        }
    }
}
