// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.diff;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.check.Finding;
import dev.fletch.cli.io.Failures;
import dev.fletch.cli.io.JsonOutput;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.format.MessageHeader;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.SchemaChange;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `fletch diff`: the differences between two inputs.
@Command(
        name = "diff",
        description = {
            "Compares two schemas by meaning, or all metadata byte for byte.",
            "For a file, this is the footer's schema. Prints one line per change from A to",
            "B, and nothing if there is no change."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch diff yesterday.arrow today.arrow",
            "  fletch diff --bytes trades.arrow copy.arrow",
            "%nSchemas have the same meaning if they differ only in absent or empty values,",
            "order of metadata, ids of dictionaries, or names of list items and map entries.",
            "Exit status 1: there is a difference, or an input is invalid. An invalid input",
            "is reported on standard error; in JSON, 'same' is then null."
        })
public final class DiffCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "Arrow IPC file or stream; - is standard input.")
    private String first;

    @Parameters(
            index = "1",
            paramLabel = "B",
            description = "Arrow IPC file or stream to compare with A; - is standard input.")
    private String second;

    @Option(
            names = "--bytes",
            description = {
                "Compare the metadata of all messages and of the",
                "footers byte for byte. Print one line for each that",
                "differs, with its first differing byte."
            })
    private boolean bytes;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec private CommandSpec spec;

    // The input being read, to name it in an error; null while both are compared.
    private Side current;

    /// One of the two inputs.
    private static final class Side implements AutoCloseable {
        /// The key in JSON: `a` or `b`.
        private final String id;

        private final String name;
        private InputBytes bytes;
        private Input input;

        Side(String id, String name) {
            this.id = id;
            this.name = name;
        }

        /// The metadata of the current message, with its padding.
        BytesDifference.Metadata metadata() {
            return metadata(input.frame().metadataOffset(), input.frame().metadataLength());
        }

        /// The footer; null for a stream.
        BytesDifference.Metadata footer() {
            ArrowFile file = input.file();
            return file == null ? null : metadata(file.footerOffset(), file.footerLength());
        }

        private BytesDifference.Metadata metadata(long offset, int length) {
            return new BytesDifference.Metadata(offset, input.memory().asSlice(offset, length));
        }

        /// Converts a failure due to invalid bytes to [InvalidInput]; returns other failures unchanged.
        Throwable failure(Throwable e) {
            InvalidInput invalid = InvalidInput.of(e, input);
            return invalid == null ? e : invalid;
        }

        @Override
        public void close() throws IOException {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        if (first.equals(InputBytes.STANDARD_INPUT) && second.equals(first)) {
            throw new ParameterException(
                    spec.commandLine(), "standard input is given more than once");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Side a = new Side("a", first);
                Side b = new Side("b", second)) {
            open(a);
            open(b);
            boolean same =
                    bytes
                            ? print(
                                    differences(a, b),
                                    "differences",
                                    (to, each) -> each.write(to),
                                    out)
                            : print(changes(a, b), "changes", JsonOutput::change, out);
            out.flush();
            return same ? 0 : Failures.INVALID;
        } catch (OutputClosed e) {
            throw e;
        } catch (Exception | VirtualMachineError e) {
            return failed(e, out);
        }
    }

    private int failed(Throwable e, PrintWriter out) throws Exception {
        Throwable failure = current == null ? e : current.failure(e);
        if (current == null && failure instanceof Exception bug) {
            throw bug;
        }
        if (json && failure instanceof InvalidInput fault) {
            fault(fault, out);
        }
        out.flush();
        // A mapped file may be truncated while both are compared.
        String name =
                current == null ? Links.shown(first) + " or " + Links.shown(second) : current.name;
        return Failures.input(name, failure, spec.commandLine().getErr());
    }

    private void open(Side side) throws IOException {
        current = side;
        side.bytes = InputBytes.open(side.name, bytes ? Need.HEADERS : Need.SCHEMA, () -> {});
        if (bytes) {
            side.bytes.keep(); // metadata of both is compared in memory
        }
        side.input = Input.of(side.bytes);
    }

    private ArrowSchema schema(Side side) throws IOException {
        current = side;
        ArrowSchema schema = Models.of(side.input);
        side.input.throwIfDamaged();
        return schema;
    }

    private boolean next(Side side) throws IOException {
        current = side;
        boolean isMessage = side.input.next();
        if (!isMessage) {
            side.input.throwIfDamaged();
        }
        return isMessage;
    }

    /// Compares all messages in order, and the footers.
    private List<BytesDifference> differences(Side a, Side b) throws IOException {
        List<BytesDifference> found = new ArrayList<>();
        boolean inA = next(a);
        boolean inB = next(b);
        for (int i = 0; inA || inB; i++) {
            current = null;
            String kind = MessageHeader.NAMES.name((inA ? a : b).input.message.headerType());
            BytesDifference.add(
                    found, i, kind, inA ? a.metadata() : null, inB ? b.metadata() : null);
            inA = inA && next(a);
            inB = inB && next(b);
        }
        current = null;
        BytesDifference.add(found, Finding.NO_MESSAGE, "Footer", a.footer(), b.footer());
        return found;
    }

    private List<SchemaChange> changes(Side a, Side b) throws IOException {
        ArrowSchema before = schema(a);
        ArrowSchema after = schema(b);
        current = null;
        return before.diff(after);
    }

    /// Prints the differences.
    ///
    /// @return whether there is no difference
    private <T> boolean print(
            List<T> found, String list, JsonOutput.Part<T> fields, PrintWriter out)
            throws IOException {
        if (!json) {
            found.forEach(each -> out.println(Escaper.text(each.toString())));
            return found.isEmpty();
        }
        try (JsonGenerator generator = object(out)) {
            generator.writeBooleanField("same", found.isEmpty());
            JsonOutput.objects(generator, list, found, fields);
        }
        return found.isEmpty();
    }

    /// Prints the fault of an invalid input, with `same` null.
    private void fault(InvalidInput fault, PrintWriter out) throws IOException {
        try (JsonGenerator generator = object(out)) {
            generator.writeNullField("same");
            generator.writeStringField("invalid", current.id);
            JsonOutput.fault(generator, fault);
        } catch (OutputClosed e) {
            throw e.after(Failures.INVALID);
        }
    }

    private JsonGenerator object(PrintWriter out) throws IOException {
        JsonGenerator generator = JsonOutput.line(out);
        generator.writeStartObject();
        generator.writeStringField("a", Links.shown(first));
        generator.writeStringField("b", Links.shown(second));
        return generator;
    }
}
