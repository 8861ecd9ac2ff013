// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Failures;
import dev.fletch.cli.io.FilesCommand;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.cli.text.Version;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Endianness;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `fletch verify`: every fault of the metadata, the framing and the file around them.
@Command(
        name = "verify",
        description = "Tells whether messages, footer and file are well-formed: every fault.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch verify trades.arrow",
            "  fletch verify --strict --json *.arrow | jq 'select(.ok | not)'",
            "%nA line per fault, or one that says ok; 100,000 faults of one input at most, and",
            "then one that says more-faults. Bodies are not looked into, but with --strict",
            "for the sizes in front of compressed buffers."
        })
public final class VerifyCommand extends FilesCommand {
    @Option(
            names = "--strict",
            description = {
                "Check more than the official verifier does:",
                "strings are UTF-8, unions have tag and value,",
                "tables and vtables keep to their sizes, no",
                "offset is 0, elements of vectors are aligned;",
                "buffers stand one behind the other and are large",
                "enough for their values, features are known;",
                "also what compressed buffers say of their size",
                "(of a piped stream, in bodies up to 64 MiB)."
            })
    private boolean strict;

    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    VerifyCommand() {}

    @Override
    protected int show(String name, InputBytes bytes, PrintWriter out) throws IOException {
        VerifierOptions options = strict ? VerifierOptions.STRICT : VerifierOptions.ARROW_CPP;
        String title = Escaper.text(InputBytes.title(name)) + ": ";
        List<Finding> found = new ArrayList<>();
        // For a person at once, however many there may be; an object begins with the verdict.
        InputCheck check =
                new InputCheck(
                        options,
                        strict ? SemanticOptions.STRICT : SemanticOptions.DEFAULT,
                        json ? found::add : each -> out.println(title + Escaper.text(each.line())));
        try {
            check.run(bytes);
            if (json) {
                json(name, check, found, out);
            } else if (check.isOk()) {
                out.println(title + ok(check));
            }
        } catch (OutputClosed e) {
            throw e.after(status(check));
        }
        return status(check);
    }

    private static int status(InputCheck check) {
        return check.isOk() ? 0 : Failures.INVALID;
    }

    private static String ok(InputCheck check) {
        String counts =
                String.format(
                        Locale.ROOT,
                        "ok: %s, messages=%d, dictionaryBatches=%d, recordBatches=%d",
                        title(check.container()),
                        check.messages(),
                        check.dictionaryBatches(),
                        check.recordBatches());
        int endianness = check.endianness();
        return endianness == Endianness.LITTLE
                ? counts
                : counts + ", endianness=" + Endianness.NAMES.name(endianness);
    }

    private static void json(String name, InputCheck check, List<Finding> found, PrintWriter out)
            throws IOException {
        try (JsonGenerator generator = Json.generator(out)) {
            generator.writeStartObject();
            generator.writeStringField("file", name);
            generator.writeStringField("container", title(check.container()));
            generator.writeNumberField("messages", check.messages());
            generator.writeNumberField("dictionaryBatches", check.dictionaryBatches());
            generator.writeNumberField("recordBatches", check.recordBatches());
            generator.writeStringField("endianness", Endianness.NAMES.name(check.endianness()));
            generator.writeBooleanField("ok", check.isOk());
            generator.writeArrayFieldStart("faults");
            for (Finding each : found) {
                each.write(generator);
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        out.println();
    }

    /// Null if it is neither.
    private static String title(ArrowContainer container) {
        return switch (container) {
            case FILE -> "file";
            case STREAM -> "stream";
            case null -> null;
        };
    }
}
