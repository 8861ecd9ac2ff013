// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Usage;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.input.FileName;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaJson;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Set;

/// `fletch json`: prints schemas as integration JSON, or writes a stream from such JSON.
@Command(
        name = "json",
        description = {
            "Prints the schema as Arrow's integration JSON, or writes a stream from it.",
            "Prints one object per file, each on its own line. For a file, this is the",
            "footer's schema. With several inputs, prints null for one without a schema.",
            "With --to-arrow, writes a stream with the schema of file JSON and no batches."
        },
        customSynopsis = {
            "fletch json [-r] [--suffix=SUFFIX] FILE...",
            "       fletch json --to-arrow [--order=ORDER] [--allow=CODE] [--force] JSON OUT"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch json trades.arrow > schema.json",
            "  fletch json --to-arrow schema.json trades.arrows",
            "%nJSON is a schema, or a complete integration file, of which only the schema is",
            "read. Integration JSON cannot express byte order and features."
        })
final class JsonCommand extends InputCommand {
    @Option(
            names = "--to-arrow",
            description = {
                "Write the schema in file JSON as a stream to OUT;",
                "- is standard output."
            })
    private boolean toArrow;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = {
                "Write the bytes that this producer writes: flatc,",
                "arrow_java, arrow_cpp (default), arrow_cpp_3 (Arrow",
                "C++ 2.0 and 3.0), arrow_cpp_1 (up to 1.0), or",
                "arrow_cpp_1_key_first (up to 1.0, big-endian)."
            })
    private EmissionOrder order;

    @Option(
            names = "--allow",
            paramLabel = "CODE",
            split = ",",
            description = {
                "Also write a schema that breaks this rule of",
                "'fletch verify', such as run-ends-nullable.",
                "Can be repeated."
            })
    private Set<Rule> allowed = Set.of();

    @Mixin private OutputFile.ForceOption force = new OutputFile.ForceOption();

    @Override
    protected void check(Usage usage) {
        for (String each : List.of("--order", "--force", "--allow")) {
            usage.requires(each, "--to-arrow");
        }
        usage.excludes("--to-arrow", "--recursive", "--all-streams");
        usage.refuse(
                toArrow && names().size() != 2, "--to-arrow requires two arguments: JSON and OUT");
        usage.refuse(
                toArrow && OutputFile.isFolder(names().getLast()),
                "OUT names a folder: " + names().getLast());
    }

    @Override
    public Integer call() throws IOException {
        return toArrow ? write() : super.call();
    }

    @Override
    protected Need need() {
        return schemaNeed();
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        out.println(Escaper.text(SchemaJson.text(Models.shown(input))));
        readOn(input, out);
        return input.fault();
    }

    /// Prints one line per input even on failure, so a program can match lines and inputs.
    @Override
    protected void failed(InputOutput input, PrintWriter out) {
        if (hasSeveral() && input.isEmpty()) {
            out.println("null");
        }
    }

    // ---- JSON to a stream

    private int write() {
        check(usage());
        String current = names().getLast();
        try {
            OutputFile out = new OutputFile(FileName.path(current), "stream");
            usage().output(out);
            current = names().getFirst();
            byte[] stream = stream(read(current));
            current = out.isStandardOutput() ? current : names().getLast();
            out.refuseInput(names().getFirst());
            out.write(force.isGiven(), to -> Channels.newOutputStream(to).write(stream));
            return 0;
        } catch (OutputClosed | ParameterException e) {
            throw e;
        } catch (Throwable e) { // such as not enough memory for the text
            return Failures.input(current, e, err());
        }
    }

    private ArrowSchema read(String name) throws IOException {
        try (InputBytes bytes = InputBytes.open(name, Need.ALL, http(), () -> {})) {
            return Models.ofJson(bytes.stream());
        }
    }

    /// The stream of a schema without batches.
    private byte[] stream(ArrowSchema schema) throws IOException {
        EmissionOrder chosen = order == null ? EmissionOrder.ARROW_CPP : order;
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, stream)) {
            writer.write(schema.toMessage(chosen, allowed.toArray(Rule[]::new)));
            writer.finish();
        }
        return stream.toByteArray();
    }
}
