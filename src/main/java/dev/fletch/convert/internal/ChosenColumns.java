// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.forward.BatchProjector;
import dev.fletch.input.ChosenPaths;
import dev.fletch.input.Input;
import dev.fletch.input.InputMessage;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.remote.internal.ByteRange;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The columns to write, and the projections of batches to them.
final class ChosenColumns {
    // The most ranges of a remote input to request at once, and those of one message.
    private static final int MOST_RANGES = 100_000;

    private final Input input;
    private final OutputSchema schema;
    // The layout of all columns, and the numbers of the chosen ones in it; null if all are chosen.
    private BatchLayout layout;
    private int[] chosen;
    // Null if all are chosen.
    private BatchProjector projector;

    ChosenColumns(Input input, OutputSchema schema) {
        this.input = input;
        this.schema = schema;
    }

    /// Chooses columns by their paths.
    ///
    /// @param texts see [ChosenPaths]
    /// @throws ChosenPaths.WrongColumns if they do not fit the schema
    void choose(List<String> texts) {
        if (schema.schema() == null) {
            throw FletchException.inInput(
                    Damage.notConvertible(0, "input has no columns to choose"));
        }
        try {
            BatchLayout all = schema.layout();
            choose(all, ChosenPaths.of(all, texts).toArray());
        } catch (IllegalArgumentException e) { // such as a field and its child
            throw new ChosenPaths.WrongColumns(e.getMessage());
        } catch (FletchException e) {
            throw e.isInInput() ? e : e.in(null, 0);
        }
    }

    /// Chooses columns.
    ///
    /// @param fields their numbers in the layout of all
    void choose(BatchLayout all, int... fields) {
        layout = all;
        chosen = fields;
        projector = new BatchProjector(all.choose(fields), EmissionOrder.ARROW_CPP);
    }

    /// The numbers of the chosen columns in the layout of all; null if all are chosen.
    int[] fields() {
        return chosen;
    }

    boolean areAll() {
        return projector == null;
    }

    /// Whether a column needs a dictionary.
    boolean need(long dictionaryId) {
        return areAll() || projector.layout().dictionaryLayout(dictionaryId) != null;
    }

    /// The schema message to write; null for tensors.
    MemorySegment schemaMessage() {
        return areAll() ? schema.message() : schema.message(projector.edit());
    }

    /// The layout of the written batches.
    BatchLayout writtenLayout() {
        return areAll() ? schema.layout() : projector.layout().alone();
    }

    /// The projector of batches; null if all columns are chosen.
    BatchProjector projector() {
        return projector;
    }

    /// The first of a message's errors that is one of the whole message, or in a chosen column;
    /// null if there is none.
    ///
    /// @param byField errors by field; not empty
    Fault error(Map<Integer, Fault> byField) {
        Fault fault = byField.get(SoundColumns.NO_FIELD);
        if (areAll()) {
            return byField.values().iterator().next();
        }
        for (int i = 0; i < chosen.length && fault == null; i++) {
            fault = SoundColumns.errorIn(layout, chosen[i], byField);
        }
        return fault;
    }

    /// Why a message cannot be written with the chosen columns alone; null if it can be.
    ///
    /// @param index of the message in the input
    Fault projectionError(int index, EncapsulatedMessage frame, Message message) {
        try {
            projector.write(message);
            return null;
        } catch (FletchException e) {
            String text = "message is invalid: " + e.fault().text();
            return e.fault().in(index, frame.offset()).withText(text);
        }
    }

    /// Reads the chosen columns of a remote input.
    void load(List<InputMessage> messages) throws IOException {
        if (areAll() || input.bytes().hasBodies()) {
            return;
        }
        EncapsulatedMessage frame = input.newFrame();
        Message message = new Message();
        List<ByteRange> ranges = new ArrayList<>();
        Set<Long> offsets = new HashSet<>();
        for (InputMessage each : messages) {
            if (!offsets.add(each.offset())) {
                continue;
            }
            frame.wrap(input.memory(), each.offset(), message);
            projector.write(message);
            for (int i = 0; i < projector.rangeCount(); i++) {
                long position = frame.bodyOffset() + projector.rangeOffset(i);
                ranges.add(new ByteRange(position, projector.rangeLength(i)));
            }
            if (ranges.size() > MOST_RANGES) {
                input.bytes().load(ranges);
                ranges.clear();
            }
        }
        input.bytes().load(ranges);
    }
}
