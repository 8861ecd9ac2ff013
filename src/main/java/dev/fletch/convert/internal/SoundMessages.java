// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Damage.Notes;
import dev.fletch.format.Message;
import dev.fletch.input.Input;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.Work;
import dev.fletch.verify.internal.MessageValues;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Leaves out messages, or columns, with errors in metadata and values.
final class SoundMessages {
    private final MemorySegment memory;
    private final Input input;
    private final ConvertOptions options;
    private final boolean leavesOutColumns;
    private final OutputSchema schema;
    private final ChosenColumns columns;
    private final Damage damage;
    private final EncapsulatedMessage frame;
    private final Message message = new Message();
    private final Notes withoutBlock;

    private List<InputMessage> messages;
    // Null until an error is found.
    private SoundColumns sound;

    SoundMessages(
            Input input,
            ConvertOptions options,
            OutputSchema schema,
            ChosenColumns columns,
            Damage damage) {
        this.input = input;
        this.memory = input.memory();
        this.frame = input.newFrame();
        this.options = options;
        this.leavesOutColumns = options.salvagesColumns();
        this.schema = schema;
        this.columns = columns;
        this.damage = damage;
        this.withoutBlock = damage.new Notes();
    }

    /// Returns the messages without errors, also without dictionaries that no column needs.
    ///
    /// @throws FletchException for an error that may not be left out
    List<InputMessage> of(List<InputMessage> all) throws IOException {
        messages = all;
        if (leavesOutColumns && schema.message() != null) {
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
                : Arrays.stream(sound.sound()).mapToObj(sound::path).toList();
    }

    // ---- metadata

    /// Leaves out messages with errors, as verifying finds them.
    private void leaveOutInvalid() {
        MessageErrors errors = schema.beginErrors();
        Fault first = null;
        Notes elsewhere = damage.new Notes();
        List<InputMessage> left = new ArrayList<>();
        for (InputMessage each : messages) {
            frame.wrap(memory, each.offset(), message);
            Work.worked(frame.metadataLength());
            Fault error = error(each, errors, elsewhere);
            if (error == null) {
                left.add(each);
                continue;
            }
            leaveOut(each, damage.salvages() ? error : earlier(error, errors));
            first = first == null ? error : first;
        }
        messages = left;
        elsewhere.end("more messages are damaged in other columns");
        if (schema.isOther() && messages.isEmpty() && first != null) {
            throw FletchException.inInput(
                    first.withText("the given schema does not fit: " + first.text()));
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
        boolean isListed = message.block() != ContainerPart.NO_BLOCK || input.lostBlocks() > 0;
        if (isListed || !input.hasFooter()) {
            damage.leaveOut(error);
        } else {
            withoutBlock.add(error.followedBy("; the message is left out").placed());
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
        if (schema.message() == null && !current.isTensor()) {
            return schema.absent(current);
        }
        Fault error = errors.error(current, frame, message);
        if (error != null && !leavesOutColumns) {
            addErrors(current, errors.byField());
        }
        if (columns.areAll()) {
            return error;
        }
        if (error == null || damage.salvages() && isElsewhere(current, errors)) {
            if (error != null && !leavesOutColumns) { // else the column is reported
                elsewhere.add(error.followedBy("; not in a chosen column").placed());
            }
            return columns.projectionError(current.index(), frame, message);
        }
        return error;
    }

    /// Whether the errors of a message are only in columns that are not chosen.
    private boolean isElsewhere(InputMessage current, MessageErrors errors) {
        return current.isDictionary()
                ? !columns.need(current.dictionaryId())
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
                sound = new SoundColumns(schema.layout(), options.columns());
            } catch (FletchException _) {
                return null; // the check of the schema reports the fault
            }
        }
        return sound;
    }

    /// Adds the errors of a message by their fields, of a dictionary as a whole.
    private void addErrors(InputMessage message, Map<Integer, Fault> byField) {
        SoundColumns to = byField.isEmpty() || schema.message() == null ? null : sound();
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
        for (InputMessage each : messages) {
            frame.wrap(memory, each.offset(), message);
            errors.error(each, frame, message);
            addErrors(each, errors.byField());
        }
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
            String path = Escaper.name(sound.path(each));
            damage.leaveOut(
                    error.withText("column is left out: column=" + path + ": " + error.text()));
        }
    }

    // ---- values

    /// Leaves out messages whose values have errors, and those that need a dictionary with errors.
    /// After a delta that is left out, so are later ones: their values would have other indices.
    private void leaveOutWrongValues() throws IOException {
        Map<InputMessage, Map<Integer, Fault>> errors = valueErrors();
        errors.forEach(this::addErrors);
        if (leavesOutColumns) {
            chooseSoundColumns();
            reportWrongColumns();
        }
        List<InputMessage> left = new ArrayList<>();
        Map<Long, Rule> wrong = new TreeMap<>(); // dictionaries, and what is wrong
        for (InputMessage each : messages) {
            long id = each.dictionaryId();
            Fault error = errors.containsKey(each) ? columns.error(errors.get(each)) : null;
            if (error == null && each.isDelta() && wrong.containsKey(id)) {
                error = leftOut(wrong.get(id), each, "delta of", id);
            } else if (error == null && !each.isDictionary() && !wrong.isEmpty()) {
                long other = wrong.keySet().iterator().next();
                error = leftOut(wrong.get(other), each, "values are those of", other);
            }
            if (error != null) {
                leaveOut(each, error);
            } else {
                left.add(each);
            }
            if (each.isDictionary() && error != null) {
                wrong.put(id, error.rule());
            } else if (each.isDictionary()) {
                wrong.remove(id);
            }
        }
        messages = left;
    }

    private static Fault leftOut(Rule cause, InputMessage message, String what, long id) {
        String text = what + " a dictionary that is left out: id=" + id;
        return Fault.of(cause, message.offset(), id)
                .in(message.index(), message.offset())
                .withText(text);
    }

    /// The first error in the values of each field of each message, by the rules of
    /// [dev.fletch.ValueRule].
    private Map<InputMessage, Map<Integer, Fault>> valueErrors() throws IOException {
        Map<InputMessage, Map<Integer, Fault>> errors = new LinkedHashMap<>();
        List<String> paths = options.columns() == null ? List.of() : options.columns();
        boolean hasColumns = options.columns() == null || !paths.isEmpty();
        if (!options.checksValues() || schema.message() == null || !hasColumns) {
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
        MessageValues values = new MessageValues(paths, options.reading(), first);
        values.begin(schema.schema(), true, false);
        for (int i = 0; i < messages.size(); i++) {
            frame.wrap(memory, messages.get(i).offset(), message);
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
