// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.diff;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Failures;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.cli.text.Printable;
import dev.fletch.cli.text.Version;
import dev.fletch.model.SchemaChange;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// `fletch diff`: what two inputs say otherwise.
@Command(
        name = "diff",
        description = {
            "Compares two schemas by meaning, or all metadata byte for byte.",
            "A file's schema is that of its footer. There is a line for each change from",
            "A to B, and nothing if there is none."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch diff yesterday.arrow today.arrow",
            "  fletch diff --bytes trades.arrow copy.arrow",
            "%nWhat is absent means the same as what is empty; the order of metadata means",
            "nothing, nor do ids of dictionaries, nor names of list items and map entries.",
            "The exit status is 1 if there is a difference, or if an input is invalid, which",
            "then has its line on standard error. In JSON 'same' is null then."
        })
public final class DiffCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "Arrow IPC file or stream; - is standard input.")
    private String first;

    @Parameters(index = "1", paramLabel = "B", description = "Another one.")
    private String second;

    @Option(
            names = "--bytes",
            description = {
                "Compare the metadata of all messages, and of the",
                "footers, byte for byte: a line for each that",
                "differs, with its first differing byte."
            })
    private boolean bytes;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec private CommandSpec spec;

    DiffCommand() {}

    @Override
    public Integer call() throws IOException {
        if (first.equals(InputBytes.STANDARD_INPUT) && second.equals(first)) {
            throw new ParameterException(
                    spec.commandLine(), "standard input can be one of the two only");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (DiffInput a = DiffInput.open(DiffInput.Side.A, first, bytes);
                DiffInput b = DiffInput.open(DiffInput.Side.B, second, bytes)) {
            boolean same = bytes ? compareBytes(a, b, out) : compareMeaning(a, b, out);
            out.flush();
            return same ? 0 : Failures.INVALID;
        } catch (DiffInput.Failed e) {
            if (json && e.getCause() instanceof InvalidInput fault) {
                fault(e.side(), fault, out);
            }
            out.flush();
            return Failures.input(e.name(), e.getCause(), spec.commandLine().getErr());
        } catch (InternalError | OutOfMemoryError | StackOverflowError e) {
            // A mapped file has lost its end while bytes were compared, or both are too much.
            return Failures.input(first + " or " + second, e, spec.commandLine().getErr());
        }
    }

    private boolean compareMeaning(DiffInput a, DiffInput b, PrintWriter out) throws IOException {
        List<SchemaChange> changes = a.schema().diff(b.schema());
        if (!json) {
            changes.forEach(change -> out.println(Printable.text(change.toString())));
            return changes.isEmpty();
        }
        try (JsonGenerator generator = Json.generator(out)) {
            start(generator, changes.isEmpty(), "changes");
            for (SchemaChange change : changes) {
                generator.writeStartObject();
                generator.writeStringField("path", change.path());
                String kind = change.kind().name().toLowerCase(Locale.ROOT);
                generator.writeStringField("kind", kind);
                generator.writeStringField("key", change.key());
                generator.writeStringField("before", change.before());
                generator.writeStringField("after", change.after());
                generator.writeEndObject();
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        out.println();
        return changes.isEmpty();
    }

    private boolean compareBytes(DiffInput a, DiffInput b, PrintWriter out) throws IOException {
        List<BytesDifference> differences = BytesDifference.all(a, b);
        if (!json) {
            differences.forEach(out::println);
            return differences.isEmpty();
        }
        try (JsonGenerator generator = Json.generator(out)) {
            start(generator, differences.isEmpty(), "differences");
            for (BytesDifference each : differences) {
                each.write(generator);
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        out.println();
        return differences.isEmpty();
    }

    /// Nothing is known of what differs then.
    private void fault(DiffInput.Side side, InvalidInput fault, PrintWriter out)
            throws IOException {
        try (JsonGenerator generator = Json.generator(out)) {
            start(generator);
            generator.writeNullField("same");
            generator.writeStringField("invalid", side.id());
            Json.fault(generator, fault);
            generator.writeEndObject();
        } catch (OutputClosed e) {
            throw e.after(Failures.INVALID);
        }
        out.println();
    }

    private void start(JsonGenerator generator) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("a", first);
        generator.writeStringField("b", second);
    }

    private void start(JsonGenerator generator, boolean same, String list) throws IOException {
        start(generator);
        generator.writeBooleanField("same", same);
        generator.writeArrayFieldStart(list);
    }
}
