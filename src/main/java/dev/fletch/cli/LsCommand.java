// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InputOutput;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.text.Terminal;
import dev.fletch.cli.text.Version;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.input.Input;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.SupportedVersions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// `fletch ls`: one line per message, printed as soon as the message is read.
@Command(
        name = "ls",
        description = "Lists the messages: offset, kind, version and lengths.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch ls trades.arrow",
            "  producer | fletch ls --json - | jq '.messages[].rows'",
            "%nA file's messages are sorted by offset. 'metadata' is the metadata length in the",
            "message's prefix; the body begins at offset + prefix + metadata. All lengths are",
            "in bytes. A narrow terminal shows fewer columns; a pipe gets all of them."
        })
final class LsCommand extends InputCommand {
    /// The columns. Widths are fixed, because later messages are not read yet.
    enum Column {
        INDEX("index", 5, true),
        OFFSET("offset", 0, true),
        KIND("kind", 15, false),
        VERSION("version", 7, false),
        PREFIX("prefix", 6, true),
        METADATA("metadata", 8, true),
        BODY("body", 0, true),
        ROWS("rows", 10, true),
        DICTIONARY("dictionary", 10, false),
        CODEC("codec", 9, false);

        /// The columns to leave out on a narrow terminal, the first one first.
        static final List<Column> LEFT_OUT =
                List.of(PREFIX, VERSION, METADATA, CODEC, BODY, DICTIONARY);

        final String title;
        // In characters; 0 for the width of the largest offset.
        final int width;
        final boolean isNumber;

        Column(String title, int width, boolean isNumber) {
            this.title = title;
            this.width = width;
            this.isNumber = isNumber;
        }
    }

    @Option(names = "--json", description = "Print one JSON object per file, each on its own line.")
    private boolean json;

    private int width;

    LsCommand() {}

    /// The record batch of a message, or of its dictionary batch.
    private static final class Batch {
        final RecordBatch header = new RecordBatch();
        final DictionaryBatch dictionary = new DictionaryBatch();
        final BodyCompression compression = new BodyCompression();
        // Whether the current message has a record batch, and a dictionary batch.
        boolean hasBatch;
        boolean hasDictionary;

        void bind(Message message) {
            hasDictionary = message.header(dictionary);
            hasBatch = hasDictionary ? dictionary.data(header) : message.header(header);
        }

        /// The codec; null if the batch is not compressed.
        String codec() {
            if (!hasBatch || !header.compression(compression)) {
                return null;
            }
            int codec = compression.codec();
            return CompressionType.NAMES.isKnown(codec)
                    ? CompressionType.NAMES.name(codec).toLowerCase(Locale.ROOT)
                    : Integer.toString(codec);
        }
    }

    @Override
    protected void checkUsage() {
        width = json ? 0 : Terminal.width();
    }

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, InputOutput out) throws IOException {
        if (json) {
            json(name, input, out);
        } else {
            text(name, input, out);
        }
    }

    // ---- for a person

    private void text(String name, Input input, InputOutput out) throws IOException {
        Batch batch = new Batch();
        LsTable table = new LsTable(out, width, input.placeWidth());
        boolean isHeaded = false;
        while (input.next() || input.hasIncomplete()) {
            if (!isHeaded) {
                heading(name, out);
                table.header();
                isHeaded = true;
            }
            message(input, batch, table);
            if (input.hasIncomplete()) {
                break;
            }
            if (input.isLive()) {
                out.flush();
            }
        }
        input.throwIfDamaged();
        if (input.hasFooter()) {
            out.println(
                    "footer: offset " + input.footerOffset() + ", length " + input.footerLength());
        }
    }

    private static void message(Input input, Batch batch, LsTable table) {
        EncapsulatedMessage frame = input.frame();
        batch.bind(input.message);
        String id = batch.hasDictionary ? Long.toString(batch.dictionary.id()) : "";
        table.cell(Column.INDEX, input.index())
                .cell(Column.OFFSET, frame.offset())
                .cell(Column.KIND, MessageHeader.NAMES.name(input.message.headerType()))
                .cell(Column.VERSION, SupportedVersions.name(input.message.version()))
                .cell(Column.PREFIX, frame.prefixLength())
                .cell(Column.METADATA, frame.metadataLength())
                .cell(Column.BODY, frame.bodyLength())
                .cell(Column.ROWS, batch.hasBatch ? Long.toString(batch.header.length()) : "")
                .cell(
                        Column.DICTIONARY,
                        batch.hasDictionary && batch.dictionary.isDelta() ? id + " delta" : id)
                .cell(Column.CODEC, Objects.requireNonNullElse(batch.codec(), ""))
                .end(input.hasIncomplete() ? "incomplete" : "");
    }

    // ---- for a program

    private static void json(String name, Input input, PrintWriter out) throws IOException {
        try (JsonGenerator generator = Json.object(name, out)) {
            generator.writeStringField("container", input.form().id());
            generator.writeArrayFieldStart("messages");
            Batch batch = new Batch();
            while (input.next()) {
                message(input, batch, generator);
            }
            generator.writeEndArray();
            Json.end(generator, input.fault(), input);
            if (input.fault() == null && input.hasFooter()) {
                generator.writeObjectFieldStart("footer");
                generator.writeNumberField("offset", input.footerOffset());
                generator.writeNumberField("length", input.footerLength());
                generator.writeEndObject();
            }
            generator.writeEndObject();
        } finally {
            out.println();
        }
        input.throwIfDamaged();
    }

    private static void message(Input input, Batch batch, JsonGenerator generator)
            throws IOException {
        EncapsulatedMessage frame = input.frame();
        batch.bind(input.message);
        generator.writeStartObject();
        generator.writeNumberField("index", input.index());
        generator.writeNumberField("offset", frame.offset());
        generator.writeStringField("kind", MessageHeader.NAMES.name(input.message.headerType()));
        generator.writeStringField("version", SupportedVersions.name(input.message.version()));
        generator.writeNumberField("prefixLength", frame.prefixLength());
        generator.writeNumberField("metadataLength", frame.metadataLength());
        generator.writeNumberField("bodyLength", frame.bodyLength());
        if (batch.hasBatch) {
            generator.writeNumberField("rows", batch.header.length());
        }
        if (batch.hasDictionary) {
            generator.writeNumberField("dictionaryId", batch.dictionary.id());
        }
        if (batch.hasDictionary && batch.dictionary.isDelta()) {
            generator.writeBooleanField("isDelta", true);
        }
        if (batch.codec() != null) {
            generator.writeStringField("codec", batch.codec());
        }
        generator.writeEndObject();
    }
}
