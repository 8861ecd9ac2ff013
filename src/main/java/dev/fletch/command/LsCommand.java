// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.Terminal;
import dev.fletch.command.text.TextTable;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.input.Input;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.scan.internal.BatchBinding;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.SmallBatches;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// `fletch ls`: one line per message, printed as soon as the message is read.
@Command(
        name = "ls",
        description = "Lists the messages: offset, kind, version and lengths.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch ls trades.arrow",
            "  producer | fletch ls --json - | jq '.messages[].rows'",
            "%nA file's messages are sorted by offset. 'metadata' is the metadata length in the",
            "message's prefix; the body begins at offset + prefix + metadata. All lengths are",
            "in bytes. A narrow terminal shows fewer columns; a pipe gets all of them."
        })
final class LsCommand extends InputCommand {
    /// The columns, which are also the keys in JSON. Widths are fixed, because later messages are
    /// not read yet.
    enum Column {
        INDEX("index", "index", 5, true),
        OFFSET("offset", "offset", Input.OFFSET_WIDTH, true),
        KIND("kind", "kind", 15, false),
        VERSION("version", "version", 7, false),
        PREFIX("prefix", "prefixLength", 6, true),
        METADATA("metadata", "metadataLength", 8, true),
        BODY("body", "bodyLength", Input.OFFSET_WIDTH, true),
        ROWS("rows", "rows", 10, true),
        DICTIONARY("dictionary", "dictionaryId", 10, false),
        CODEC("codec", "codec", 9, false);

        final String title;
        final String key;
        // In characters.
        final int width;
        final boolean isNumber;

        Column(String title, String key, int width, boolean isNumber) {
            this.title = title;
            this.key = key;
            this.width = width;
            this.isNumber = isNumber;
        }
    }

    /// The columns to leave out on a narrow terminal, the first one first.
    static final List<String> LEFT_OUT =
            Stream.of(
                            Column.PREFIX,
                            Column.VERSION,
                            Column.METADATA,
                            Column.CODEC,
                            Column.BODY,
                            Column.DICTIONARY)
                    .map(each -> each.title)
                    .toList();

    private static final int GAP = 2;
    private static final int LEAST_ROWS_WIDTH = 6;

    @Mixin private JsonOption json = new JsonOption();

    /// The values of an input's current message.
    private static final class Values {
        private final Input input;
        private final BatchBinding binding;
        private final RecordBatch batch = new RecordBatch();
        private final DictionaryBatch dictionary = new DictionaryBatch();
        private final BatchCodec codec = new BatchCodec();
        private boolean isCompressed;
        private boolean hasBatch;
        private boolean hasDictionary;

        Values(Input input) {
            this.input = input;
            binding = new BatchBinding(input, false, false);
        }

        /// Moves to the next message. One that is invalid is listed, too, and is a fault.
        boolean next() throws IOException {
            boolean isThere = input.next();
            if (isThere) {
                binding.take(() -> {});
            }
            return isThere;
        }

        /// Binds to the current message: to its record batch, or to that of its dictionary batch.
        void bind() {
            hasDictionary = input.message.header(dictionary);
            hasBatch = hasDictionary ? dictionary.data(batch) : input.message.header(batch);
            isCompressed = hasBatch && codec.read(batch) && codec.check(_ -> {});
        }

        /// The value of a column; null if the message has none.
        Object of(Column column) {
            EncapsulatedMessage frame = input.frame();
            return switch (column) {
                case INDEX -> input.index();
                case OFFSET -> frame.offset();
                case KIND -> MessageHeader.NAMES.name(input.message.headerType());
                case VERSION -> VersionCheck.name(input.message.version());
                case PREFIX -> frame.prefixLength();
                case METADATA -> frame.metadataLength();
                case BODY -> frame.bodyLength();
                case ROWS -> hasBatch ? (Object) batch.length() : null;
                case DICTIONARY -> hasDictionary ? (Object) dictionary.id() : null;
                case CODEC -> isCompressed ? MapMessage.codec(codec.codec()) : null;
            };
        }

        boolean isDelta() {
            return hasDictionary && dictionary.isDelta();
        }
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        if (json.isGiven()) {
            json(name, input, out);
        } else {
            text(name, input, out);
        }
        return input.fault();
    }

    // ---- for a person

    private void text(String name, Input input, InputOutput out) throws IOException {
        Values values = new Values(input);
        TextTable table = null;
        long metadata = 0;
        while (values.next() || input.hasIncomplete()) {
            if (table == null) {
                heading(name, input, out);
                table = table(Terminal.outputWidth(), out);
            }
            values.bind();
            List<Object> cells = new ArrayList<>();
            for (Column each : Column.values()) {
                boolean isDelta = each == Column.DICTIONARY && values.isDelta();
                cells.add(isDelta ? values.of(each) + " delta" : values.of(each));
            }
            cells.add(input.hasIncomplete() ? "incomplete" : "");
            metadata += input.frame().prefixLength() + (long) input.frame().metadataLength();
            table.line(cells.toArray());
            if (input.hasIncomplete()) {
                break;
            }
            if (input.isLive()) {
                out.flush();
            }
        }
        long size = input.end() - (input.isFollowing() ? input.start() : 0);
        String small = SmallBatches.text(input.batches(), input.rows(), metadata, size);
        if (small != null) {
            out.println(small);
        }
        ArrowFile file = input.file();
        if (input.fault() == null && file != null) {
            if (table == null) {
                heading(name, input, out);
            }
            out.println(
                    "footer: offset " + file.footerOffset() + ", length " + file.footerLength());
        }
    }

    /// Begins a table with its titles. Its last column, without a title, is for notes.
    ///
    /// @param width of the terminal: if it is too small, the column of rows is narrowed first
    static TextTable table(int width, PrintWriter out) {
        Column[] all = Column.values();
        int over = Stream.of(all).mapToInt(each -> GAP + each.width).sum() - GAP - width;
        int spare = Column.ROWS.width - LEAST_ROWS_WIDTH;
        TextTable table = new TextTable(out);
        for (Column each : all) {
            int narrowed = each == Column.ROWS ? Math.clamp(over, 0, spare) : 0;
            table.column(each.title, each.width - narrowed, each.isNumber);
        }
        return table.leaveOut(width, LEFT_OUT).left("", 0).titles().print();
    }

    // ---- for a program

    private static void json(String name, Input input, PrintWriter out) throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
            generator.writeStringField("container", input.form().id());
            generator.writeArrayFieldStart("messages");
            Values values = new Values(input);
            while (values.next()) {
                message(values, generator);
            }
            generator.writeEndArray();
            JsonOutput.end(generator, input.fault(), input);
            ArrowFile file = input.file();
            if (input.fault() == null && file != null) {
                generator.writeObjectFieldStart("footer");
                generator.writeNumberField("offset", file.footerOffset());
                generator.writeNumberField("length", file.footerLength());
                generator.writeEndObject();
            }
        }
    }

    private static void message(Values values, JsonGenerator generator) throws IOException {
        values.bind();
        generator.writeStartObject();
        for (Column each : Column.values()) {
            Object value = values.of(each);
            if (value != null) {
                generator.writeObjectField(each.key, value);
            }
            if (each == Column.DICTIONARY && values.isDelta()) {
                generator.writeBooleanField("isDelta", true);
            }
        }
        generator.writeEndObject();
    }
}
