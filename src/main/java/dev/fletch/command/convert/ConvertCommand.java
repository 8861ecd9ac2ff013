// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.command.io.ColumnsOption;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.LinkOptions;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Progress;
import dev.fletch.command.io.Usage;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.input.ChosenPaths;
import dev.fletch.input.FileSuffixes;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Links;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
            "  fletch convert --columns symbol,price trades.arrow prices.arrow",
            "%nCopies bodies unchanged, except with --clear-unused. Writes OUT completely or,",
            "if it is a regular file, not at all. Stores piped input in a temporary file.",
            "Then one line on standard error says what was written, unless --json does. Exit",
            "status 1: the input is damaged; nothing was written or, with --salvage,",
            "something was left out."
        })
public final class ConvertCommand implements Callable<Integer> {
    // The most columns to name.
    private static final int MOST_NAMED = 20;
    private static final Pattern JSON = Pattern.compile("\\s*\\{\\s*(\"|$)");

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
                "file or stream. Default: by the suffix of OUT, file for",
                FileSuffixes.FILES + ";",
                "stream for " + FileSuffixes.STREAMS,
                "and if OUT is -; else the form of IN. Required if OUT",
                "ends like another format, such as .parquet or .gz."
            })
    private ArrowContainer to;

    @Option(
            names = "--salvage",
            description = {
                "Convert the complete batches of a truncated or damaged",
                "input, and report what is left out. With --columns,",
                "those in which these columns are sound."
            })
    private boolean salvages;

    @Option(
            names = "--keep-doubtful",
            description = {
                "With --salvage, also convert messages that are followed",
                "by bytes that belong to nothing. These may have been",
                "inserted into the message: then its values are wrong."
            })
    private boolean keepsDoubtful;

    @Option(
            names = "--values",
            description = {
                "Also check the values, as 'verify --values' does: a",
                "batch in which one is wrong is damaged. With --columns,",
                "only these are checked."
            })
    private boolean values;

    @Option(
            names = "--clear-unused",
            description = {
                "Set the bytes of bodies to 0 that no value uses, which",
                "may be left from other data; write metadata anew.",
                "Keeps all values, also those of dictionaries that no",
                "index uses. Implies --values."
            })
    private boolean clearsUnused;

    @Option(
            names = "--sound-columns",
            description = {
                "With --salvage: leave out columns with errors, and",
                "write the others of all batches. Errors of values",
                "count with --values."
            })
    private boolean soundColumns;

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description = {
                "If IN has lost its schema, take it from this file or",
                "stream, its base64, or integration JSON. Its columns",
                "must fit the nodes and buffers of the batches."
            })
    private String schema;

    @Mixin private ColumnsOption columns = new ColumnsOption();

    @Mixin private OutputFile.ForceOption force = new OutputFile.ForceOption();

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not print the line that says what was written.")
    private boolean quiet;

    @Option(names = "--json", description = "Print one JSON object with the result.")
    private boolean json;

    @Mixin private LinkOptions links = new LinkOptions();

    @Spec private CommandSpec spec;

    private OutputFile file;
    // The input being read, to name it in an error.
    private String current;
    // Null until the form of the input is needed and known.
    private ArrowContainer target;

    @Override
    public Integer call() throws IOException {
        file = new OutputFile(out, "output");
        Usage usage = new Usage(spec);
        usage.refuse(
                json && file.isStandardOutput(),
                "--json and OUT - cannot be combined: both use standard output");
        usage.output(file);
        usage.requires("--keep-doubtful", "--salvage");
        usage.requires("--sound-columns", "--salvage");
        ConvertOptions options = options(columns.paths(usage));
        target = chosen(usage);
        List<String> inputs = schema == null ? List.of(in) : List.of(in, schema);
        usage.inputs(inputs);
        for (String each : json ? inputs : List.<String>of()) {
            OutputFile.refuseStandardOutput(each);
        }
        PrintWriter err = spec.commandLine().getErr();
        current = in;
        Input input = null;
        Conversion conversion = null;
        Progress.at(in, 0, 1);
        try (InputBytes bytes =
                InputBytes.open(in, Conversion.need(options), links.http(), () -> {})) {
            input = Conversion.open(bytes, options);
            target = target == null ? input.container() : target;
            options = options.withTarget(target);
            if (schema != null) {
                current = schema;
                options = options.withSchema(otherSchema());
                current = in;
            }
            conversion = new Conversion(input, options);
            find(conversion);
            for (String each : inputs.reversed()) {
                current = each; // at last the input
                file.refuseInput(each);
            }
            file.writeNamed(force.isGiven(), conversion::write);
            String title = InputBytes.title(in);
            conversion.damage().all().forEach(each -> Failures.input(in, each, err));
            conversion.damage().otherNotes().forEach(each -> Failures.note(title, each, err));
            ConversionReport report = conversion.report();
            if (json) {
                print(report, conversion.damage().all(), null);
            }
            int status = leftOut(report, err);
            if (!json && !quiet) {
                Failures.note(file.title(), written(report), err);
            }
            return status;
        } catch (OutputClosed | ParameterException e) {
            throw e;
        } catch (Throwable e) {
            Fault invalid = InputFaults.of(e, current == schema ? null : input);
            Throwable failure =
                    invalid == null
                            ? e
                            : FletchException.inInput(invalid.followedBy(remedy(conversion)), e);
            if (json) {
                print(null, List.of(), failure);
            }
            return Failures.input(current, failure, err);
        }
    }

    /// The option that converts the rest of an input; empty if none does.
    private static String remedy(Conversion conversion) {
        return switch (conversion == null ? null : conversion.damage().remedy()) {
            case SALVAGE -> "; --salvage converts the complete batches";
            case SCHEMA -> "; --schema takes it from a file";
            case null -> "";
        };
    }

    private boolean checksValues() {
        return values || clearsUnused;
    }

    private ConvertOptions options(List<String> paths) {
        ConvertOptions options = ConvertOptions.DEFAULT;
        options = salvages ? options.salvaging() : options;
        options = soundColumns ? options.salvagingColumns() : options;
        options = keepsDoubtful ? options.keepingDoubtful() : options;
        options = paths == null ? options : options.withColumns(paths.toArray(String[]::new));
        options = clearsUnused ? options.clearingUnused() : options;
        return checksValues()
                ? options.withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES))
                : options;
    }

    private void find(Conversion conversion) throws IOException {
        try {
            conversion.find();
        } catch (ChosenPaths.WrongColumns e) {
            throw Failures.wrongOption("--columns", e);
        }
    }

    /// Reads the schema of `--schema`.
    private ArrowSchema otherSchema() throws IOException {
        Input input = null;
        try (InputBytes bytes = InputBytes.open(schema, Need.SCHEMA, links.http(), () -> {})) {
            bytes.keep();
            if (isJson(bytes.leading())) {
                return Models.ofJson(bytes.stream());
            }
            input = Input.of(bytes);
            return Models.of(input);
        } catch (RuntimeException e) {
            throw FletchException.inInput(InputFaults.required(e, input), e);
        }
    }

    /// Whether bytes begin like a JSON object with a key.
    private static boolean isJson(byte[] leading) {
        return JSON.matcher(new String(leading, StandardCharsets.ISO_8859_1)).lookingAt();
    }

    /// Reports how much was left out, and which columns have no errors.
    ///
    /// @return the exit status
    private int leftOut(ConversionReport report, PrintWriter err) {
        List<Fault> leftOut = report.leftOut();
        long more = report.leftOutCount() - leftOut.size();
        if (more > 0) {
            Failures.note(InputBytes.title(in), "more parts are left out: count=" + more, err);
        }
        List<String> sound = report.soundColumns();
        if (!sound.isEmpty() && !soundColumns) {
            Failures.note(InputBytes.title(in), sound(sound), err);
        }
        return leftOut.isEmpty() ? 0 : Failures.INVALID;
    }

    private static String sound(List<String> columns) {
        int more = Math.max(0, columns.size() - MOST_NAMED);
        return "columns without errors: "
                + columns.stream()
                        .limit(MOST_NAMED)
                        .map(Escaper::end)
                        .collect(Collectors.joining(","))
                + (more > 0 ? " and " + more + " more" : "")
                + "; --sound-columns writes these of all batches";
    }

    /// What `--to` or the output's name asks for; null if it is the form of the input.
    private ArrowContainer chosen(Usage usage) {
        if (to != null) {
            return to;
        }
        String other = FileSuffixes.other(out);
        if (other != null) {
            throw usage.wrong(
                    Escaper.text(
                            file.title()
                                    + ": "
                                    + other
                                    + " stands for another format: only Arrow"
                                    + " is written; --to=file or --to=stream writes it all the"
                                    + " same"));
        }
        return file.isStandardOutput() ? ArrowContainer.STREAM : FileSuffixes.container(out);
    }

    private String written(ConversionReport report) {
        return String.format(
                Locale.ROOT,
                "%s written: batches=%d, rows=%d%s",
                name(target),
                report.batches(),
                report.rows(),
                salvages && !checksValues()
                        ? "; values were not checked: --values checks them"
                        : "");
    }

    private static String name(ArrowContainer container) {
        return container == null ? null : container.name().toLowerCase(Locale.ROOT);
    }

    /// Prints the result as JSON.
    ///
    /// @param report null if nothing was written
    /// @param failure why nothing was written; or null
    private void print(ConversionReport report, List<Fault> damages, Throwable failure) {
        PrintWriter writer = spec.commandLine().getOut();
        try (JsonGenerator generator = JsonOutput.object(Links.shown(in), writer)) {
            generator.writeStringField("out", Links.shown(out.toString()));
            generator.writeStringField("to", name(target));
            if (report != null) {
                generator.writeNumberField("batches", report.batches());
                generator.writeNumberField("rows", report.rows());
                generator.writeBooleanField("valuesChecked", checksValues());
                JsonOutput.array(generator, "notes", report.notes(), JsonGenerator::writeString);
                if (!damages.isEmpty()) {
                    JsonOutput.objects(generator, "damages", damages, JsonOutput::place);
                }
                List<Fault> leftOut = report.leftOut();
                JsonOutput.fault(generator, leftOut.isEmpty() ? null : leftOut.getFirst());
                JsonOutput.objects(generator, "leftOut", leftOut, JsonOutput::place);
                generator.writeNumberField("leftOutCount", report.leftOutCount());
                List<String> sound = report.soundColumns();
                JsonOutput.array(generator, "soundColumns", sound, JsonGenerator::writeString);
            }
            if (failure != null && current == schema) {
                generator.writeStringField("schema", Links.shown(schema));
            }
            JsonOutput.failure(generator, failure);
        } catch (IOException e) {
            throw new OutputClosed(e);
        }
    }
}
