// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.convert;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Failures;
import dev.fletch.cli.io.JsonOutput;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.cli.io.OutputFile;
import dev.fletch.convert.Conversion;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// `fletch convert`: writes an input as a file or stream.
@Command(
        name = "convert",
        description = {
            "Writes the batches of an input as a valid file or stream.",
            "Repairs old framing, a missing schema message, and a lost or damaged footer."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch convert trades.arrow trades.arrows",
            "  producer | fletch convert - trades.arrow",
            "  fletch convert --salvage broken.arrow saved.arrow",
            "%nCopies bodies unchanged. Writes OUT completely or, if it is a regular file, not",
            "at all. Stores piped input in a temporary file. Exit status 1: the input is",
            "damaged; nothing was written or, with --salvage, something was left out."
        })
public final class ConvertCommand implements Callable<Integer> {
    private static final String STREAM_SUFFIX = ".arrows";

    /// The kinds of output.
    enum Target {
        FILE,
        STREAM;

        /// The value on the command line.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            index = "0",
            paramLabel = "IN",
            description = "File or stream to read; - is standard input.")
    private String in;

    @Parameters(
            index = "1",
            paramLabel = "OUT",
            description = "File or stream to write; - is standard output.")
    private Path out;

    @Option(
            names = "--to",
            paramLabel = "TARGET",
            description = {
                "file or stream. Default: stream if OUT is - or ends in",
                ".arrows, else file."
            })
    private Target to;

    @Option(
            names = "--salvage",
            description = {
                "Convert the complete batches of a truncated or damaged",
                "input, and report what is left out."
            })
    private boolean salvages;

    @Option(names = "--force", description = "Overwrite OUT if it exists.")
    private boolean force;

    @Option(names = "--json", description = "Print one JSON object with the result.")
    private boolean json;

    @Spec private CommandSpec spec;

    private Target target;

    @Override
    public Integer call() {
        OutputFile file = new OutputFile(out, "output");
        if (json && file.isStandardOutput()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--json and OUT - cannot be combined: both use standard output");
        }
        boolean isStream = file.isStandardOutput() || out.toString().endsWith(STREAM_SUFFIX);
        target = to != null ? to : isStream ? Target.STREAM : Target.FILE;
        PrintWriter err = spec.commandLine().getErr();
        Input input = null;
        try (InputBytes bytes = InputBytes.open(in, Need.ALL, () -> {})) {
            bytes.keep();
            input = Input.of(bytes);
            ArrowContainer container = ArrowContainer.valueOf(target.name());
            Conversion conversion = new Conversion(input, container, salvages);
            conversion.find();
            file.refuseInput(in);
            file.writeNamed(force, conversion::write);
            conversion.notes().forEach(each -> Failures.note(in, each, err));
            if (json) {
                print(conversion, null);
            }
            return leftOut(conversion, err);
        } catch (OutputClosed e) {
            throw e;
        } catch (Throwable e) {
            InvalidInput invalid = InvalidInput.of(e, input);
            if (json && invalid != null) {
                print(null, invalid);
            }
            return Failures.input(in, invalid == null ? e : invalid, err);
        }
    }

    /// Reports what was left out.
    ///
    /// @return the exit status
    private int leftOut(Conversion conversion, PrintWriter err) {
        List<InvalidInput> leftOut = conversion.leftOut();
        leftOut.forEach(each -> Failures.input(in, each, err));
        int more = conversion.leftOutCount() - leftOut.size();
        if (more > 0) {
            Failures.note(in, "more parts are left out: count=" + more, err);
        }
        return leftOut.isEmpty() ? 0 : Failures.INVALID;
    }

    /// Prints the result as JSON.
    ///
    /// @param conversion null if nothing was written
    /// @param fault why nothing was written; or null
    private void print(Conversion conversion, InvalidInput fault) {
        PrintWriter writer = spec.commandLine().getOut();
        try (JsonGenerator generator = JsonOutput.object(Links.shown(in), writer)) {
            generator.writeStringField("out", out.toString());
            generator.writeStringField("to", target.toString());
            if (conversion != null) {
                generator.writeNumberField("batches", conversion.batches());
                generator.writeNumberField("rows", conversion.rows());
                JsonOutput.array(
                        generator, "notes", conversion.notes(), JsonGenerator::writeString);
                List<InvalidInput> leftOut = conversion.leftOut();
                JsonOutput.fault(generator, leftOut.isEmpty() ? null : leftOut.getFirst());
                JsonOutput.objects(generator, "leftOut", leftOut, JsonOutput::place);
                generator.writeNumberField("leftOutCount", conversion.leftOutCount());
            }
            JsonOutput.fault(generator, fault);
        } catch (IOException e) {
            throw new OutputClosed(e);
        }
    }
}
