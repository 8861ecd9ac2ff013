// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.FilesCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Usage;
import dev.fletch.command.text.Terminal;
import dev.fletch.format.Verifier;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Need;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;

/// `fletch annotate`: the meaning of each byte of the metadata, and its faults.
@Command(
        name = "annotate",
        description = {
            "Shows the meaning of every byte of the metadata, with the faults in place.",
            "Continues after damage. Does not read bodies."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch annotate trades.arrow",
            "  fletch annotate --html trades.html trades.arrow",
            "  fletch annotate --root footer footer.bin",
            "  fletch annotate --at 4711 trades.arrow",
            "%nAn input is a file, a stream, one message, a flatbuffer, or base64 of one of",
            "these; the first line shows which was detected. Offsets count from the start of",
            "the input, offsets with + from the start of the flatbuffer. Faults are those of",
            "'fletch verify'. Piped input is read to its end first."
        })
public final class AnnotateCommand extends FilesCommand {
    /// The root tables of a flatbuffer.
    enum Root {
        MESSAGE,
        FOOTER,
        SCHEMA
    }

    @Option(
            names = "--root",
            paramLabel = "ROOT",
            description = {
                "Read the input as a flatbuffer with this root table:",
                "message, footer or schema. Default: detected."
            })
    private Root root;

    @Mixin private AtOption at = new AtOption();

    @Option(
            names = "--message",
            paramLabel = "INDEX",
            description = {"Show only this message, by its index in 'fletch ls'."})
    private Integer message;

    @Mixin private JsonOption json = new JsonOption();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = {
                "Write an HTML page that shows the bytes beside their",
                "meaning; - is standard output."
            })
    private Path html;

    @Mixin private OutputFile.ForceOption force = new OutputFile.ForceOption();

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = {
                "auto (default), always or never. auto: on a terminal,",
                "unless NO_COLOR is set."
            })
    private Terminal.Color color = Terminal.Color.AUTO;

    @Override
    protected void check(Usage usage) {
        checkPage(html, usage);
        usage.excludes("--at", "--html", "--message");
    }

    @Override
    protected Need need() {
        return Need.ALL_BUT_BODIES;
    }

    @Override
    protected int show(String name, InputBytes bytes, InputOutput out) throws IOException {
        if (bytes.refusal() != null) {
            Fault fault = InputFaults.required(bytes.refusal(), null);
            throw FletchException.inInput(fault, bytes.refusal());
        }
        bytes.keep();
        Verifier.Root forced = root == null ? null : Verifier.Root.valueOf(root.name());
        DetectedInput input = AnnotateInput.of(bytes.memory(), forced);
        AnnotateFaults faults = AnnotateFaults.of(input, bytes.isSearchable());
        Selection chosen = new Selection(at.offset(), message);
        if (html != null) {
            new OutputFile(html, "page")
                    .writePage(
                            "annotate",
                            force.isGiven(),
                            name,
                            out,
                            err(),
                            data ->
                                    new AnnotatePage(data, input.memory())
                                            .write(InputBytes.title(name), input, faults, chosen));
        } else if (json.isGiven()) {
            try (JsonGenerator object = JsonOutput.line(out)) {
                new AnnotateJson(object).write(name, input, faults, chosen);
            }
        } else {
            heading(name, out);
            try {
                int width = at.offset() != null ? Terminal.UNLIMITED : Terminal.outputWidth();
                new AnnotateText(input, out, Terminal.isColored(color), width)
                        .write(faults, chosen);
            } catch (OutputClosed e) {
                throw e.after(faults.hasErrors() ? Failures.INVALID : 0);
            }
        }
        return faults.hasErrors() ? Failures.INVALID : 0;
    }
}
