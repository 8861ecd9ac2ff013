// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.LsTable.Column;
import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.text.Terminal;
import dev.fletch.cli.text.Version;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.SupportedVersions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;

/// `fletch ls`: a line per message, written as soon as the message is known.
@Command(
        name = "ls",
        description = "Lists the messages: where each is, what it is, how long it is.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch ls trades.arrow",
            "  producer | fletch ls --json - | jq '.messages[].rows'",
            "%nA file's messages come in the order of their offsets. 'metadata' is the value of",
            "the size word; the body begins at offset + prefix + metadata. On a terminal that",
            "is too narrow for all columns some are left out; a pipe gets all."
        })
final class LsCommand extends InputCommand {
    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    // Whether the current message has them.
    private boolean hasBatch;
    private boolean hasDictionary;
    // 0 until the terminal was asked.
    private int width;

    LsCommand() {}

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, PrintWriter out) throws IOException {
        if (json) {
            json(name, input, out);
        } else {
            text(name, input, out);
        }
    }

    /// Binds to the batch and the dictionary batch of a message, if it has them.
    private void bind(Message message) {
        hasDictionary = message.header(dictionary);
        hasBatch = hasDictionary ? dictionary.data(batch) : message.header(batch);
    }

    private static void requireOne(int messages, Input input) {
        if (messages == 0 && !input.hasFooter()) {
            throw new InvalidInput(input.frame().offset(), "there is no message");
        }
    }

    // ---- for a person

    private void text(String name, Input input, PrintWriter out) throws IOException {
        width = width == 0 ? Terminal.width() : width;
        LsTable table = new LsTable(out, width, input.placeWidth());
        int index = 0;
        while (input.next()) {
            if (index == 0) {
                heading(name, out);
                table.header();
            }
            message(index, input, table);
            index++;
            if (input.isLive()) {
                out.flush();
            }
        }
        requireOne(index, input);
        if (input.container() == ArrowContainer.FILE) {
            out.println(
                    "footer: offset " + input.footerOffset() + ", length " + input.footerLength());
        }
    }

    private void message(int index, Input input, LsTable table) {
        EncapsulatedMessage frame = input.frame();
        bind(input.message);
        String id = hasDictionary ? Long.toString(dictionary.id()) : "";
        table.cell(Column.INDEX, index)
                .cell(Column.OFFSET, frame.offset())
                .cell(Column.KIND, MessageHeader.NAMES.name(input.message.headerType()))
                .cell(Column.VERSION, SupportedVersions.name(input.message.version()))
                .cell(Column.PREFIX, frame.prefixLength())
                .cell(Column.METADATA, frame.metadataLength())
                .cell(Column.BODY, frame.bodyLength())
                .cell(Column.ROWS, hasBatch ? Long.toString(batch.length()) : "")
                .cell(Column.DICTIONARY, hasDictionary && dictionary.isDelta() ? id + " delta" : id)
                .end();
    }

    // ---- for a program

    private void json(String name, Input input, PrintWriter out) throws IOException {
        InvalidInput fault;
        try (JsonGenerator generator = answer(name, out)) {
            boolean isFile = input.container() == ArrowContainer.FILE;
            generator.writeStringField("container", isFile ? "file" : "stream");
            fault = messages(input, generator);
            Json.fault(generator, fault);
            if (fault == null && isFile) {
                generator.writeObjectFieldStart("footer");
                generator.writeNumberField("offset", input.footerOffset());
                generator.writeNumberField("length", input.footerLength());
                generator.writeEndObject();
            }
            generator.writeEndObject();
        } finally {
            out.println();
        }
        if (fault != null) {
            throw fault;
        }
    }

    /// Writes all messages up to a fault, which it returns.
    private InvalidInput messages(Input input, JsonGenerator generator) throws IOException {
        InvalidInput fault = null;
        generator.writeArrayFieldStart("messages");
        try {
            int index = 0;
            while (input.next()) {
                message(index, input, generator);
                index++;
            }
            requireOne(index, input);
        } catch (RuntimeException e) {
            fault = InvalidInput.of(e, input);
            if (fault == null) {
                throw e;
            }
        }
        generator.writeEndArray();
        return fault;
    }

    private void message(int index, Input input, JsonGenerator generator) throws IOException {
        EncapsulatedMessage frame = input.frame();
        bind(input.message);
        generator.writeStartObject();
        generator.writeNumberField("index", index);
        generator.writeNumberField("offset", frame.offset());
        generator.writeStringField("kind", MessageHeader.NAMES.name(input.message.headerType()));
        generator.writeStringField("version", SupportedVersions.name(input.message.version()));
        generator.writeNumberField("prefixLength", frame.prefixLength());
        generator.writeNumberField("metadataLength", frame.metadataLength());
        generator.writeNumberField("bodyLength", frame.bodyLength());
        if (hasBatch) {
            generator.writeNumberField("rows", batch.length());
        }
        if (hasDictionary) {
            generator.writeNumberField("dictionaryId", dictionary.id());
        }
        if (hasDictionary && dictionary.isDelta()) {
            generator.writeBooleanField("isDelta", true);
        }
        generator.writeEndObject();
    }
}
