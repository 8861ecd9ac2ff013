// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.diff;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.LinkOptions;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Usage;
import dev.fletch.format.FrameKind;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Links;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

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
            "Exit status 1: there is a difference, or an input is invalid. Invalid inputs",
            "are compared as far as they can be read, and reported on standard error; in",
            "JSON, 'same' is then null."
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

    @Mixin private LinkOptions links = new LinkOptions();

    @Spec private CommandSpec spec;

    // The input being read, to name it in an error; null while both are compared.
    private Side current;
    // Number of messages compared, with --bytes.
    private int compared;

    /// One of the two inputs.
    private static final class Side implements AutoCloseable {
        /// The key in JSON: `a` or `b`.
        private final String id;

        private final String name;
        private InputBytes bytes;
        // Null if it is no Arrow IPC.
        private Input input;
        private ArrowSchema schema;
        private boolean hasMessage;
        // Null if it is valid, as far as it was read.
        private Fault fault;

        Side(String id, String name) {
            this.id = id;
            this.name = name;
        }

        /// Index of the current message; the largest number if there is none.
        int index() {
            return hasMessage ? input.index() : Integer.MAX_VALUE;
        }

        /// Whether the input ends before a message, and does not only lack it because of damage.
        boolean endsBefore(int index) {
            if (hasMessage || input == null) {
                return false;
            }
            if (input.hasFooter()) {
                return index >= input.file().messageCount();
            }
            // A file without its end may have lost messages, unless there is a marker after them.
            boolean isAll = fault == null || input.frame().kind() == FrameKind.END_OF_STREAM;
            return isAll && input.endsCleanly();
        }

        /// Whether a file's footer is damaged.
        boolean lacksFooter() {
            return input == null || input.form() == Form.FILE && !input.hasFooter();
        }

        String kind() {
            return MessageHeader.NAMES.name(input.message.headerType());
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

        @Override
        public void close() throws IOException {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        new Usage(spec).inputs(List.of(first, second));
        OutputFile.refuseStandardOutput(first);
        OutputFile.refuseStandardOutput(second);
        try (Side a = new Side("a", first);
                Side b = new Side("b", second)) {
            read(a, () -> open(a));
            read(b, () -> open(b));
            return bytes
                    ? print(differences(a, b), "differences", (to, each) -> each.write(to), a, b)
                    : print(changes(a, b), "changes", JsonOutput::change, a, b);
        } catch (OutputClosed e) {
            throw e;
        } catch (Exception | VirtualMachineError e) {
            return failed(e);
        }
    }

    /// Handles a failure that is not caused by an input's bytes.
    private int failed(Throwable failure) throws Exception {
        if (current == null && failure instanceof Exception bug) {
            throw bug;
        }
        if (json) {
            try (JsonGenerator generator = object(null)) {
                String id = current == null ? null : current.id;
                JsonOutput.objects(
                        generator,
                        "faults",
                        List.of(failure),
                        (to, each) -> {
                            to.writeStringField("input", id);
                            JsonOutput.failure(to, each);
                        });
            } catch (OutputClosed e) {
                throw e.after(Failures.USAGE_OR_IO);
            }
        }
        out().flush();
        // A mapped file may be truncated while both are compared.
        String name =
                current == null ? Links.shown(first) + " or " + Links.shown(second) : current.name;
        return Failures.input(name, failure, spec.commandLine().getErr());
    }

    /// Something that reads an input.
    private interface Step {
        void run() throws IOException;
    }

    /// Runs a step. If the input's bytes are invalid, records it.
    private void read(Side side, Step step) throws IOException {
        current = side;
        try {
            step.run();
            side.fault = side.input.fault();
        } catch (RuntimeException e) {
            side.fault = InputFaults.required(e, side.input);
        }
        current = null;
    }

    private void open(Side side) throws IOException {
        Need need = bytes ? Need.HEADERS : Need.SCHEMA;
        side.bytes = InputBytes.open(side.name, need, links.http(), () -> {});
        if (bytes) {
            side.bytes.keep(); // metadata of both is compared in memory
        }
        side.input = Input.of(side.bytes);
    }

    private void next(Side side) throws IOException {
        side.hasMessage = false;
        if (side.input != null) {
            read(side, () -> side.hasMessage = side.input.next());
        }
    }

    /// Compares all messages that both inputs have, in order, and the footers. A message that one
    /// input has is a difference, unless the other is damaged there.
    private List<BytesDifference> differences(Side a, Side b) throws IOException {
        List<BytesDifference> differences = new ArrayList<>();
        next(a);
        next(b);
        while (a.hasMessage || b.hasMessage) {
            int index = Math.min(a.index(), b.index());
            boolean inA = a.index() == index;
            boolean inB = b.index() == index;
            if (inA && inB || (inA ? b : a).endsBefore(index)) {
                String kind = (inA ? a : b).kind();
                var inFirst = inA ? a.metadata() : null;
                BytesDifference.add(differences, index, kind, inFirst, inB ? b.metadata() : null);
            }
            compared += inA && inB ? 1 : 0;
            if (inA) {
                next(a);
            }
            if (inB) {
                next(b);
            }
        }
        if (!a.lacksFooter() && !b.lacksFooter()) {
            BytesDifference.add(differences, Fault.NO_MESSAGE, "Footer", a.footer(), b.footer());
        }
        return differences;
    }

    /// @return null if a schema cannot be read
    private List<SchemaChange> changes(Side a, Side b) throws IOException {
        for (Side each : List.of(a, b)) {
            if (each.input != null) {
                read(
                        each,
                        () -> {
                            each.schema = Models.shown(each.input);
                            InputCommand.readOn(each.input, out());
                        });
            }
        }
        return a.schema == null || b.schema == null ? null : a.schema.diff(b.schema);
    }

    /// Prints the differences, and the faults of the inputs.
    ///
    /// @param found null if the inputs cannot be compared
    /// @return the exit status
    private <T> int print(List<T> found, String list, JsonOutput.Part<T> fields, Side a, Side b)
            throws IOException {
        List<Side> invalid = Stream.of(a, b).filter(each -> each.fault != null).toList();
        int status = invalid.isEmpty() && found.isEmpty() ? 0 : Failures.INVALID;
        try {
            if (json) {
                json(found, list, fields, invalid);
            } else if (found != null) {
                found.forEach(each -> out().println(Escaper.text(each.toString())));
            }
            out().flush();
        } catch (OutputClosed e) {
            throw e.after(status);
        }
        String more = bytes ? "; comparison is incomplete: messages compared=" + compared : "";
        for (Side each : invalid) {
            Failures.input(each.name, each.fault.followedBy(more), spec.commandLine().getErr());
        }
        return status;
    }

    private <T> void json(List<T> found, String list, JsonOutput.Part<T> fields, List<Side> invalid)
            throws IOException {
        try (JsonGenerator generator = object(invalid.isEmpty() ? found.isEmpty() : null)) {
            JsonOutput.objects(generator, list, found, fields);
            if (!invalid.isEmpty()) {
                if (bytes) {
                    generator.writeNumberField("compared", compared);
                }
                generator.writeStringField("invalid", invalid.getFirst().id);
                JsonOutput.fault(generator, invalid.getFirst().fault);
                JsonOutput.objects(
                        generator,
                        "faults",
                        invalid,
                        (to, each) -> {
                            to.writeStringField("input", each.id);
                            JsonOutput.fault(to, each.fault);
                        });
            }
        }
    }

    /// @param isSame null if an input is invalid or cannot be read
    private JsonGenerator object(Boolean isSame) throws IOException {
        JsonGenerator generator = JsonOutput.line(out());
        generator.writeStartObject();
        generator.writeStringField("a", Links.shown(first));
        generator.writeStringField("b", Links.shown(second));
        generator.writeObjectField("same", isSame);
        return generator;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
