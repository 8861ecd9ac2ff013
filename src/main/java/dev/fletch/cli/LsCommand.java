// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.format.MessageHeader;
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
        versionProvider = Main.Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch ls trades.arrow",
            "  producer | fletch ls --json - | jq '.messages[].rows'",
            "%nA file's messages come in the order of their offsets. 'metadata' is the value of",
            "the size word; the body begins at offset + prefix + metadata."
        })
final class LsCommand extends InputCommand {
    // Wide enough for most: what the next message needs is not known yet.
    private static final int INDEX_WIDTH = 5;
    private static final int KIND_WIDTH = 15;
    private static final int VERSION_WIDTH = 7;
    private static final int PREFIX_WIDTH = 6;
    private static final int METADATA_WIDTH = 8;
    private static final int ROWS_WIDTH = 10;

    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    private final BatchFacts facts = new BatchFacts();
    private final StringBuilder line = new StringBuilder();
    // For offsets and lengths of bodies.
    private int placeWidth;

    LsCommand() {}

    @Override
    boolean answersInJson() {
        return json;
    }

    @Override
    void show(String name, Input input, PrintWriter out) throws IOException {
        if (json) {
            json(name, input, out);
        } else {
            text(name, input, out);
        }
    }

    private static void requireOne(int messages, Input input) {
        if (messages == 0) {
            throw new InvalidInput(input.frame().offset(), "there is no message");
        }
    }

    // ---- for a person

    private void text(String name, Input input, PrintWriter out) throws IOException {
        placeWidth = input.placeWidth();
        int index = 0;
        while (input.next()) {
            if (index == 0) {
                heading(name, out);
                header(out);
            }
            message(index, input, out);
            index++;
            if (input.isLive()) {
                out.flush();
            }
        }
        requireOne(index, input);
        if (input.container() == ArrowContainer.FILE) {
            line.append("footer: offset ").append(input.footerOffset());
            line.append(", length ").append(input.footerLength());
            endLine(out);
        }
    }

    private void header(PrintWriter out) {
        right("index", INDEX_WIDTH);
        right("offset", placeWidth);
        left("kind", KIND_WIDTH);
        left("version", VERSION_WIDTH);
        right("prefix", PREFIX_WIDTH);
        right("metadata", METADATA_WIDTH);
        right("body", placeWidth);
        right("rows", ROWS_WIDTH);
        left("dictionary", 0);
        endLine(out);
    }

    private void message(int index, Input input, PrintWriter out) {
        EncapsulatedMessage frame = input.frame();
        facts.read(input.message);
        right(Integer.toString(index), INDEX_WIDTH);
        right(Long.toString(input.frame().offset()), placeWidth);
        left(MessageHeader.name(input.message.headerType()), KIND_WIDTH);
        left(SupportedVersions.name(input.message.version()), VERSION_WIDTH);
        right(Integer.toString(frame.prefixLength()), PREFIX_WIDTH);
        right(Integer.toString(frame.metadataLength()), METADATA_WIDTH);
        right(Long.toString(frame.bodyLength()), placeWidth);
        right(facts.hasRows() ? Long.toString(facts.rows()) : "", ROWS_WIDTH);
        if (facts.hasDictionaryId()) {
            left(Long.toString(facts.dictionaryId()), 0);
            line.append(facts.isDelta() ? " delta" : "");
        }
        endLine(out);
    }

    private void left(String cell, int width) {
        gap();
        line.append(cell).repeat(' ', Math.max(0, width - cell.length()));
    }

    private void right(String cell, int width) {
        gap();
        line.repeat(' ', Math.max(0, width - cell.length())).append(cell);
    }

    private void gap() {
        if (!line.isEmpty()) {
            line.append("  ");
        }
    }

    private void endLine(PrintWriter out) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            end--;
        }
        out.append(line, 0, end);
        out.println();
        line.setLength(0);
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
                footer(input, generator);
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
                facts.read(input.message);
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
        generator.writeStartObject();
        generator.writeNumberField("index", index);
        generator.writeNumberField("offset", input.frame().offset());
        generator.writeStringField("kind", MessageHeader.name(input.message.headerType()));
        generator.writeStringField("version", SupportedVersions.name(input.message.version()));
        generator.writeNumberField("prefixLength", frame.prefixLength());
        generator.writeNumberField("metadataLength", frame.metadataLength());
        generator.writeNumberField("bodyLength", frame.bodyLength());
        if (facts.hasRows()) {
            generator.writeNumberField("rows", facts.rows());
        }
        if (facts.hasDictionaryId()) {
            generator.writeNumberField("dictionaryId", facts.dictionaryId());
        }
        if (facts.isDelta()) {
            generator.writeBooleanField("isDelta", true);
        }
        generator.writeEndObject();
    }

    private static void footer(Input input, JsonGenerator generator) throws IOException {
        generator.writeObjectFieldStart("footer");
        generator.writeNumberField("offset", input.footerOffset());
        generator.writeNumberField("length", input.footerLength());
        generator.writeEndObject();
    }
}
