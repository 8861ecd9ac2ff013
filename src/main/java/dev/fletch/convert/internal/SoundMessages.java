// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.batch.BatchLayout;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Damage.Notes;
import dev.fletch.format.Message;
import dev.fletch.format.internal.LostDictionaries;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.DictionaryDamage;
import dev.fletch.input.Input;
import dev.fletch.input.InputMessage;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.Work;
import dev.fletch.verify.internal.MessageValues;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Leaves out messages, or columns, with errors in metadata and values.
final class SoundMessages {
    private static final String LEFT_OUT = " a dictionary that is left out: id=";

    private final MemorySegment memory;
    private final Input input;
    private final ConvertOptions options;
    private final OutputSchema schema;
    private final ChosenColumns columns;
    // The numbers of the columns of the options; null for all.
    private final int[] requested;
    private final Damage damage;
    private final EncapsulatedMessage frame;
    private final Message message = new Message();
    private final Notes withoutBlock;
    private final DictionaryDamage damaged;
    // The last batch that is kept of each dictionary that is defined.
    private final Map<Long, InputMessage> defined = new HashMap<>();
    // Those of which a batch is left out.
    private final LostDictionaries<Fault> lost = new LostDictionaries<>();
    // Those that damage in front of a batch may have replaced, and the last batch: in a stream, or
    // a file without footer.
    private final Set<Long> doubtful = new TreeSet<>();
    private InputMessage lastBatch;

    private List<InputMessage> messages;
    // Null until an error is found.
    private SoundColumns sound;

    SoundMessages(
            Input input,
            ConvertOptions options,
            OutputSchema schema,
            ChosenColumns columns,
            Damage damage,
            InputMessages found) {
        this.damaged = found.dictionaryDamage();
        this.input = input;
        this.memory = input.memory();
        this.frame = input.newFrame();
        this.options = options;
        this.schema = schema;
        this.columns = columns;
        this.requested = columns.fields();
        this.damage = damage;
        this.withoutBlock = damage.new Notes();
    }

    /// Returns the messages without errors, also without dictionaries that no column needs.
    ///
    /// @throws FletchException for an error that may not be left out
    List<InputMessage> of(List<InputMessage> all) throws IOException {
        messages = all;
        if (options.salvagesColumns() && schema.isThere()) {
            leaveOutWrongColumns();
        }
        leaveOutInvalid();
        leaveOutUnneeded();
        leaveOutWrongValues();
        withoutBlock.end("more messages without block are left out");
        return messages;
    }

    /// The paths of the columns without errors; empty if salvaging has found none with errors.
    List<String> soundColumns() {
        return sound == null || sound.wrong().length == 0
                ? List.of()
                : Arrays.stream(sound.sound()).mapToObj(sound.layout()::pathString).toList();
    }

    // ---- metadata

    /// Goes through the messages in their order. Wrong are those with an error, and those that need
    /// a dictionary of which a batch is wrong.
    ///
    /// @param check finds the error of a message; null if it has none
    /// @param wrong receives each wrong message
    /// @return the others
    private List<InputMessage> pass(
            Function<InputMessage, Fault> check, BiConsumer<InputMessage, Fault> wrong) {
        lost.begin(input.form() == Form.FILE);
        defined.clear();
        doubtful.clear();
        lastBatch = null;
        List<InputMessage> left = new ArrayList<>();
        for (InputMessage each : messages) {
            Fault error = check.apply(each);
            error = error == null ? withoutDictionary(each) : error;
            if (error == null) {
                left.add(each);
                keep(each);
            } else {
                wrong.accept(each, error);
                lose(each, error);
            }
        }
        return left;
    }

    /// Leaves out messages with errors, as verifying finds them.
    private void leaveOutInvalid() {
        MessageErrors errors = schema.beginErrors();
        Notes elsewhere = damage.new Notes();
        Fault[] first = {null};
        messages =
                pass(
                        each -> error(each, errors, elsewhere),
                        (each, error) -> {
                            leaveOut(each, damage.salvages() ? error : earlier(error, errors));
                            first[0] = first[0] == null ? error : first[0];
                        });
        elsewhere.end("more messages are damaged in other columns");
        if (!doubtful.isEmpty()) {
            damage.note(
                    "damage may be a dictionary, so later values may be wrong: ids=" + doubtful);
        }
        if (schema.isOther() && messages.isEmpty() && first[0] != null) {
            throw FletchException.inInput(
                    first[0].withText("the given schema does not fit: " + first[0].text()));
        }
        Fault atEnd = schema.endErrors(errors);
        if (atEnd != null) {
            damage.leaveOut(atEnd);
        }
        Fault missing = errors.missingDictionaries(columns::need);
        if (missing != null) {
            addMissing(errors, missing);
            damage.leaveOut(missing);
        }
    }

    /// Leaves out a message. That is no damage if no block leads to it, but one to all others.
    private void leaveOut(InputMessage message, Fault error) {
        if (isListed(message)) {
            damage.leaveOut(error);
        } else {
            withoutBlock.add(error.followedBy("; the message is left out").placed());
        }
    }

    private boolean isListed(InputMessage message) {
        return message.block() != ContainerPart.NO_BLOCK
                || input.lostBlocks() > 0
                || !input.hasFooter();
    }

    /// The fault that a message needs a dictionary of which a batch is left out, or may be damaged:
    /// the values of later deltas have other indices, those of batches are others. Null if it does
    /// not.
    private Fault withoutDictionary(InputMessage each) {
        long id = each.dictionaryId();
        Long other = each.isBatch() ? lost.first() : null;
        if (other != null) {
            return leftOut(lost.why(other), each, "values are those of" + LEFT_OUT, other);
        }
        Fault cause = each.isDictionary() ? lost.before(id, each.isDelta()) : null;
        if (cause != null) {
            return leftOut(cause, each, "delta of" + LEFT_OUT, id);
        }
        if (each.isDelta() && defined.containsKey(id)) {
            cause = damaged.between(defined.get(id), each);
            if (cause != null && sound() != null) {
                String text = "delta behind damage, which may be one of the same dictionary: id=";
                cause = leftOut(cause, each, text, id);
                sound.addDictionary(id, cause);
            }
        }
        return cause;
    }

    /// Records that a message is left out: a dictionary batch, or one whose id or kind is damaged.
    /// Without an earlier definition of a dictionary, later batches have no values instead of wrong
    /// ones.
    private void lose(InputMessage each, Fault error) {
        if (each.isBatch() || !isListed(each)) {
            return;
        }
        if (each.isDictionary() && defined.containsKey(each.dictionaryId())) {
            lost.lose(each.dictionaryId(), error);
        } else if (!each.isDictionary() || error.rule() == MeaningRule.UNUSED_DICTIONARY) {
            damaged.add(each, error);
        }
    }

    /// Records that a message is kept.
    private void keep(InputMessage each) {
        long id = each.dictionaryId();
        if (each.isDelta()) {
            defined.computeIfPresent(id, (_, _) -> each);
        } else if (each.isDictionary() && columns.need(id)) {
            defined.put(id, each);
            lost.define(id);
        } else if (each.isBatch() && !input.hasFooter()) {
            if (lastBatch == null || damaged.between(lastBatch, each) != null) {
                defined.entrySet().stream()
                        .filter(one -> damaged.between(one.getValue(), each) != null)
                        .forEach(one -> doubtful.add(one.getKey()));
            }
            lastBatch = each;
        }
    }

    /// The fault of a dictionary that was missing before an error, else the error.
    private Fault earlier(Fault error, MessageErrors errors) {
        Fault missing = errors.missingDictionaries(columns::need);
        return missing != null && missing.position() < error.position() ? missing : error;
    }

    /// The error for which the current message is left out; null if there is none, or if damage may
    /// be left out and is only in columns that are not chosen.
    ///
    /// @param elsewhere receives damage of other columns
    private Fault error(InputMessage current, MessageErrors errors, Notes elsewhere) {
        bind(current);
        if (!schema.isThere() && !current.isTensor()) {
            return schema.absent(current);
        }
        Fault error = errors.error(current, frame, message);
        if (error != null && !options.salvagesColumns()) {
            addErrors(current, errors.byField());
        }
        if (columns.areAll()) {
            return error;
        }
        if (error == null || damage.salvages() && isElsewhere(current, errors)) {
            if (error != null && !options.salvagesColumns()) { // else the column is reported
                elsewhere.add(error.followedBy("; not in a chosen column").placed());
            }
            return columns.projectionError(current.index(), frame, message);
        }
        return error;
    }

    /// Whether the errors of a message are only in columns that are not chosen. The id of a
    /// dictionary of no column is damaged.
    private boolean isElsewhere(InputMessage current, MessageErrors errors) {
        long id = current.dictionaryId();
        return current.isDictionary()
                ? !columns.need(id) && schema.layout().dictionaryLayout(id) != null
                : columns.error(errors.byField()) == null;
    }

    private void leaveOutUnneeded() {
        messages.removeIf(each -> each.isDictionary() && !columns.need(each.dictionaryId()));
    }

    // ---- columns

    /// Where to collect columns with errors; null if they cannot be named.
    private SoundColumns sound() {
        if (sound == null && damage.salvages()) {
            try {
                sound = new SoundColumns(schema.layout(), requested);
            } catch (FletchException _) {
                return null; // the check of the schema reports the fault
            }
        }
        return sound;
    }

    /// Adds the errors of a message by their fields, of a dictionary as a whole.
    private void addErrors(InputMessage message, Map<Integer, Fault> byField) {
        SoundColumns to = byField.isEmpty() || !schema.isThere() ? null : sound();
        if (to != null && message.isDictionary()) {
            to.addDictionary(message.dictionaryId(), byField.values().iterator().next());
        } else if (to != null) {
            to.addBatch(byField);
        }
    }

    private void addMissing(MessageErrors errors, Fault missing) {
        if (missing != null && sound() != null) {
            errors.missing().forEach(id -> sound.addDictionary(id, missing));
        }
    }

    /// Leaves out the columns with errors in metadata.
    private void leaveOutWrongColumns() {
        MessageErrors errors = schema.beginErrors();
        pass(
                each -> {
                    bind(each);
                    Fault error = errors.error(each, frame, message);
                    addErrors(each, errors.byField());
                    return error;
                },
                (_, _) -> {});
        addMissing(errors, errors.missingDictionaries(_ -> true));
        chooseSoundColumns();
    }

    /// Writes only the columns without errors.
    private void chooseSoundColumns() {
        int[] wrong = sound == null ? new int[0] : sound.wrong();
        if (wrong.length == 0) {
            return;
        }
        if (sound.sound().length == 0) {
            throw FletchException.inInput(
                    sound.error(wrong[0]).followedBy("; no column is sound in all batches"));
        }
        columns.choose(sound.layout(), sound.sound());
        leaveOutUnneeded();
    }

    private void reportWrongColumns() {
        for (int each : sound == null ? new int[0] : sound.wrong()) {
            Fault error = sound.error(each);
            String path = Escaper.name(sound.layout().shortPath(each));
            damage.leaveOut(
                    error.withText("column is left out: column=" + path + ": " + error.text()));
        }
    }

    // ---- values

    /// Leaves out messages whose values have errors, and those that need a dictionary with errors.
    private void leaveOutWrongValues() throws IOException {
        Map<InputMessage, Map<Integer, Fault>> errors = valueErrors();
        errors.forEach(this::addErrors);
        if (options.salvagesColumns()) {
            chooseSoundColumns();
            reportWrongColumns();
        }
        messages =
                pass(
                        each -> errors.containsKey(each) ? columns.error(errors.get(each)) : null,
                        (each, error) -> {
                            leaveOut(each, error);
                            if (each.isDictionary()) { // also the first: values are asked for
                                lost.lose(each.dictionaryId(), error);
                            }
                        });
    }

    private void bind(InputMessage to) {
        frame.wrap(memory, to.offset(), message);
        Work.worked(frame.metadataLength());
    }

    private static Fault leftOut(Fault cause, InputMessage message, String text, long id) {
        return Fault.of(cause.rule(), message.offset(), id)
                .in(message.index(), message.offset())
                .withText(text + id);
    }

    /// The first error in the values of each field of each message, by the rules of
    /// [dev.fletch.ValueRule].
    private Map<InputMessage, Map<Integer, Fault>> valueErrors() throws IOException {
        Map<InputMessage, Map<Integer, Fault>> errors = new LinkedHashMap<>();
        boolean hasColumns = requested == null || requested.length > 0;
        if (!options.checksValues() || !schema.isThere() || !hasColumns) {
            return errors;
        }
        columns.load(messages);
        FaultSink first =
                new FaultSink() {
                    @Override
                    public void accept(Fault fault) {
                        addFirst(fault, errors);
                    }

                    @Override
                    public boolean isFull() {
                        return !damage.salvages() && !errors.isEmpty(); // then nothing is written
                    }
                };
        UnaryOperator<BatchLayout> choice =
                requested == null ? null : layout -> layout.choose(requested);
        MessageValues values = new MessageValues(choice, options.reading(), first);
        values.begin(schema.schema(), true, false);
        for (int i = 0; i < messages.size(); i++) {
            bind(messages.get(i));
            frame.nextOffset(); // throws if the body is not inside the input
            long position = frame.metadataOffset();
            values.message(message, i, i, memory, position, frame.metadataLength(), true);
        }
        values.finish();
        return errors;
    }

    private void addFirst(Fault fault, Map<InputMessage, Map<Integer, Fault>> errors) {
        if (fault.rule().severity() == Severity.NOTE) {
            damage.note(fault.text());
        } else if (fault.rule().severity() == Severity.ERROR) {
            InputMessage place = messages.get(fault.message());
            SoundColumns all = place.isDictionary() ? null : sound();
            int field = all == null ? SoundColumns.NO_FIELD : all.source(fault.field());
            errors.computeIfAbsent(place, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(field, _ -> invalidValues(fault, place.index()));
        }
    }

    private static Fault invalidValues(Fault fault, int message) {
        String text = fault.rule().id() + ": " + fault.text();
        return fault.inMessage(message).withText("values are invalid: " + text);
    }
}
