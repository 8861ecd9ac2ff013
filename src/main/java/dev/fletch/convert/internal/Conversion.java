// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.FletchException;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputMessage;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes the schema, dictionaries and batches of an input as a file or stream.
///
/// Finds all messages, and those to leave out, before it writes the first byte. Only a batch whose
/// unused bytes cannot be cleared is found later. Copies bodies without decoding them, unless
/// unused bytes are cleared. Dictionaries come before the batches and dictionaries that refer to
/// them.
public final class Conversion {
    private final Input input;
    private final ConvertOptions options;
    private final ArrowContainer target;
    private final Damage damage;

    // Null before #find.
    private List<InputMessage> messages;
    private SoundMessages sound;
    private OutputMessages output;

    /// @param options all but limits and monitor, which are those of the input
    public Conversion(Input input, ConvertOptions options) {
        this.input = input;
        this.options = options;
        this.target = options.target() == null ? input.container() : options.target();
        this.damage = new Damage(options.salvages(), input.footerFault());
    }

    /// Opens the input of a conversion, after storing a pipe: for salvage, also behind other bytes.
    public static Input open(InputBytes bytes, ConvertOptions options) throws IOException {
        bytes.keep();
        ReadOptions reading = ReadOptions.DEFAULT.withLimits(options.reading().limits());
        return options.salvages() ? Input.behindOthers(bytes, reading) : Input.of(bytes, reading);
    }

    /// What to read of a remote input at first: all if it is searched for messages; with chosen
    /// columns, their ranges follow.
    public static Need need(ConvertOptions options) {
        return options.columns() == null || options.salvages() ? Need.ALL : Need.ALL_BUT_BODIES;
    }

    // ---- what is found and written

    /// The damage of the input: also after an exception.
    public Damage damage() {
        return damage;
    }

    /// What was written and what was left out.
    public ConversionReport report() {
        return new ConversionReport(
                target,
                output.batches(),
                output.rows(),
                damage.notes(),
                damage.leftOut(),
                damage.leftOutCount(),
                sound.soundColumns());
    }

    // ---- steps

    /// Finds the messages to write.
    ///
    /// @throws FletchException if a message is incomplete or damaged and may not be left out, or if
    ///     there is no schema
    public void find() throws IOException {
        if (input.form() == Form.FLATBUFFER) {
            throw FletchException.inInput(
                    Damage.notConvertible(0, "input is a flatbuffer without batches to convert"));
        }
        if (input.skipped() > 0) {
            damage.note(
                    input.container().name().toLowerCase(Locale.ROOT)
                            + " begins behind other bytes, and offsets count from there: offset="
                            + input.skipped());
        }
        InputMessages found = new InputMessages(input, options, damage);
        found.collect();
        messages = found.messages();
        OutputSchema schema = new OutputSchema(input, options, found, messages, damage);
        schema.choose(target);
        messages = InnerDictionaries.first(messages, schema);
        ChosenColumns columns = new ChosenColumns(input, schema);
        if (options.columns() != null) {
            columns.choose(options.columns());
        }
        sound = new SoundMessages(input, options, schema, columns, damage, found);
        messages = sound.of(messages);
        leaveOutUnusedDictionaries();
        found.noteWithoutBlock(messages);
        boolean hasTensors =
                target == ArrowContainer.STREAM
                        && messages.stream().anyMatch(InputMessage::isTensor);
        if (damage.salvages() && schema.schema() == null && !hasTensors) {
            throw FletchException.inInput(damage.nothingLeft());
        }
        requireOneOfEach();
        ReadOptions clearing = options.clearsUnused() ? options.reading() : null;
        output = new OutputMessages(input, schema, columns, damage, clearing);
        output.oneVersion(messages);
        if (!options.checksValues()) { // else they were loaded before
            columns.load(messages);
        }
    }

    /// Leaves out the dictionaries of a stream if no batch is left: Arrow C++ does not open a
    /// stream that starts with only some of its schema's dictionaries.
    private void leaveOutUnusedDictionaries() {
        if (damage.leftOutCount() > 0
                && target == ArrowContainer.STREAM
                && messages.stream().noneMatch(InputMessage::isBatch)
                && messages.removeIf(InputMessage::isDictionary)) {
            damage.note("dictionaries are left out: no batch uses them");
        }
    }

    /// Rejects dictionary replacement if input or output is a file: the file format does not allow
    /// it.
    private void requireOneOfEach() {
        if (target == ArrowContainer.STREAM && input.form() == Form.STREAM) {
            return;
        }
        Map<Long, InputMessage> definitions = new HashMap<>();
        for (InputMessage each : messages) {
            if (each.earlier(definitions) != null) {
                throw FletchException.inInput(damage.failure(each.replacement()));
            }
        }
    }

    /// Writes all messages. Does not close the channel.
    public void write(WritableByteChannel channel) throws IOException {
        MessageWriter writer = MessageWriter.of(target, channel);
        output.write(messages, writer.set(to -> to.missingDictionaries(damage.salvages())));
    }
}
