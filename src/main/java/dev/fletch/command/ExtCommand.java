// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.TextTable;
import dev.fletch.input.Input;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.schema.extension.ExtensionUse;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.List;

/// `fletch ext`: the fields with an extension type, and their faults.
@Command(
        name = "ext",
        description = {
            "Lists the extension types, and checks the canonical ones.",
            "For a file, reads the footer's schema."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  fletch ext trades.arrow",
            "%nAn extension type that is not canonical is listed as unknown; this is no fault.",
            "Of several inputs, those without extension types are not listed."
        })
final class ExtCommand extends InputCommand {
    private static final int STATE_WIDTH = 7;

    @Mixin private JsonOption json = new JsonOption();

    @Override
    protected Need need() {
        return schemaNeed();
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        List<ExtensionUse> uses = ExtensionRegistry.CANONICAL.list(Models.shown(input));
        long position = input.metadataOffset();
        if (json.isGiven()) {
            json(name, uses, input, out);
        } else if (!uses.isEmpty() || !hasSeveral()) {
            text(name, input, uses, out);
        }
        readOn(input, out);
        List<InvalidSchemaException> faults =
                uses.stream().flatMap(use -> use.fault().stream()).toList();
        if (faults.isEmpty()) {
            return input.fault();
        }
        String counts = "invalid=" + faults.size() + ", total=" + uses.size();
        Fault invalid =
                Fault.of(faults.getFirst().rule(), position, faults.size())
                        .withText("invalid extension types: " + counts);
        return input.fault() == null ? invalid : invalid.and(input.fault());
    }

    private void text(String name, Input input, List<ExtensionUse> uses, InputOutput out) {
        heading(name, input, out);
        TextTable table = new TextTable(out).left("state", STATE_WIDTH).left("type", 0);
        if (uses.isEmpty()) {
            out.println("no extension types");
        }
        for (ExtensionUse use : uses) {
            String state = !use.isOk() ? "fault" : use.isCanonical() ? "ok" : "unknown";
            String type = use.at().shown() + ": " + Escaper.name(use.extensionName());
            table.line(state, type + " " + Escaper.text(use.metadata().orElse("")));
            use.fault().ifPresent(fault -> table.line("", Escaper.text(fault.getMessage())));
        }
    }

    private void json(String name, List<ExtensionUse> uses, Input input, InputOutput out)
            throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
            JsonOutput.objects(generator, "extensions", uses, ExtCommand::fields);
            readOn(input, out);
            JsonOutput.fault(generator, input.fault());
            JsonOutput.nextStream(generator, input);
        }
    }

    private static void fields(JsonGenerator generator, ExtensionUse use) throws IOException {
        generator.writeStringField("path", use.path());
        generator.writeStringField("name", use.extensionName());
        generator.writeStringField("metadata", use.metadata().orElse(null));
        generator.writeBooleanField("canonical", use.isCanonical());
        generator.writeBooleanField("ok", use.isOk());
        generator.writeStringField("fault", use.fault().map(Throwable::getMessage).orElse(null));
    }
}
