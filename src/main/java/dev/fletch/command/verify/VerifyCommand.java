// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.FilesCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.text.Numbers;
import dev.fletch.format.ids.Endianness;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Need;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.internal.InputCheck;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `fletch verify`: all faults of metadata, framing and file structure, and of values if wanted.
@Command(
        name = "verify",
        description = {
            "Verifies messages, footer and file structure; with --values also the bodies.",
            "Reports errors: no reader can trust the input; deviations: the format forbids",
            "it, but other readers accept it; notes: valid but unusual."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch verify trades.arrow",
            "  fletch verify --strict --json *.arrow | jq 'select(.ok | not)'",
            "  fletch verify --fail-on deviation --allow bytes-behind-end trades.arrow",
            "%nPrints one line per finding, by offset; of those of one rule in a column of a",
            "batch, one line with their number. At most 100,000 per input, then",
            "'more-faults'; --json prints each. Without errors, one line with 'ok'; with",
            "errors outside of values, one with the number of complete record batches.",
            "Exit status 1: there are errors. Without --values, bodies are not read;",
            "--strict reads only the uncompressed sizes of compressed buffers."
        })
public final class VerifyCommand extends FilesCommand {
    private static final String SKIPPED =
            "; uncompressed sizes were not checked: --read-bodies checks them";

    @Option(
            names = "--strict",
            description = {
                "Check more than the official verifier does:",
                "unions have tag and value; tables and vtables",
                "match their sizes; no offset is 0; vector elements",
                "are aligned; buffers are in order; features are",
                "known; uncompressed sizes of compressed buffers are",
                "valid and large enough (for a piped stream, in",
                "bodies up to 64 MiB)."
            })
    private boolean strict;

    @Option(
            names = "--values",
            description = {
                "Also check the values in the bodies: offsets, views,",
                "text, type ids, run ends, dictionary indices, null",
                "counts, decimals, times and dates, and the sizes of",
                "compressed buffers as --strict does. Decompresses",
                "values, up to 1 GiB per field. What cannot be",
                "checked, such as big-endian values, is a note",
                "'values-unchecked'. Reads a link or pipe completely."
            })
    private boolean values;

    @Option(
            names = "--column",
            paramLabel = "PATH",
            description = {
                "Check only the values of this column or field, such",
                "as 'price' or 'place.city', with its children. Can be",
                "repeated; implies --values."
            })
    private List<String> columns = List.of();

    @Option(
            names = "--unused",
            description = {
                "Note bytes that are not 0, but that no value uses,",
                "or no table of the metadata, or no message of a file:",
                "they may be left from other data. In bodies only of",
                "batches without errors. Implies --values; --fail-on",
                "note makes it a gate."
            })
    private boolean unused;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            description = {
                "error (default): exit with status 1 on errors;",
                "deviation: also on deviations;",
                "note: also on deviations and notes.",
                "Changes only the status."
            })
    private Severity failOn = Severity.ERROR;

    @Option(
            names = "--allow",
            paramLabel = "CODE",
            split = ",",
            description = {
                "Ignore findings with this code in the exit status.",
                "Changes only the status. Can be repeated."
            })
    private Set<Rule> allowed = Set.of();

    @Mixin private PrefixOption prefixes = new PrefixOption();

    @Mixin private JsonOption json = new JsonOption();

    @Override
    protected Need need() {
        return InputCheck.need(options());
    }

    private boolean checksValues() {
        return values || unused || !columns.isEmpty();
    }

    private ReadOptions options() {
        ReadOptions options =
                checksValues()
                        ? ReadOptions.VERIFY
                                .withLevel(Level.VALUES)
                                .with(Check.UNCOMPRESSED_SIZES, true)
                        : ReadOptions.VERIFY;
        options = strict ? options.withChecks(Checks.STRICT.enabled()) : options;
        return options.with(Check.UNUSED_BYTES, unused);
    }

    @Override
    protected int show(String name, InputBytes bytes, InputOutput out) throws IOException {
        prefixes.load(bytes);
        String title = Escaper.text(InputBytes.title(name)) + ": ";
        boolean isSkipping = strict && !bytes.hasPrefixes();
        List<Fault> faults = new ArrayList<>();
        InputCheck check = new InputCheck(options(), columns, faults::add);
        try {
            check.run(bytes);
            requireColumns(faults);
            CheckReport report = check.report();
            if (json.isGiven()) {
                json(name, check, isSkipping, faults, out);
                return status(check);
            }
            FaultLines.of(faults).forEach(each -> out.println(title + Escaper.text(each)));
            String last =
                    report.isOk() ? ok(report) + (isSkipping ? SKIPPED : "") : check.complete();
            if (!last.isEmpty()) {
                out.println(title + last);
            }
        } catch (OutputClosed e) {
            throw e.after(status(check));
        }
        return status(check);
    }

    private static void requireColumns(List<Fault> faults) throws IOException {
        for (Fault each : faults) {
            if (each.rule() == MeaningRule.NO_COLUMN) {
                throw Failures.wrongOption("--column", FletchException.of(each));
            }
        }
    }

    private int status(InputCheck check) {
        boolean fails =
                check.faults().rules().stream()
                        .filter(each -> !allowed.contains(each))
                        .anyMatch(each -> each.severity().compareTo(failOn) <= 0);
        return fails ? Failures.INVALID : 0;
    }

    private static String ok(CheckReport report) {
        long unchecked = report.uncheckedFields();
        StringBuilder line = new StringBuilder("ok");
        if (unchecked > 0) {
            line.append(", but not checked: values of ");
            line.append(Numbers.count(unchecked, "field", "fields"));
        }
        line.append(": ").append(report.container());
        line.append(", messages=").append(report.messages());
        line.append(", dictionaryBatches=").append(report.dictionaryBatches());
        line.append(", recordBatches=").append(report.recordBatches());
        int endianness = report.endianness();
        if (endianness != Endianness.LITTLE) {
            line.append(", endianness=").append(Endianness.NAMES.name(endianness));
        }
        append(line, ", uncheckedFields=", unchecked);
        append(line, ", deviations=", report.deviations());
        append(line, ", notes=", report.notes());
        return line.toString();
    }

    private static void append(StringBuilder line, String name, long count) {
        if (count > 0) {
            line.append(name).append(count);
        }
    }

    /// @param isSkipping whether uncompressed sizes are not checked
    private void json(
            String name, InputCheck check, boolean isSkipping, List<Fault> faults, PrintWriter out)
            throws IOException {
        CheckReport report = check.report();
        try (JsonGenerator generator = JsonOutput.object(name, out)) {
            generator.writeStringField("container", report.container());
            generator.writeNumberField("messages", report.messages());
            generator.writeNumberField("dictionaryBatches", report.dictionaryBatches());
            generator.writeNumberField("recordBatches", report.recordBatches());
            JsonOutput.complete(generator, check);
            generator.writeStringField("endianness", Endianness.NAMES.name(report.endianness()));
            generator.writeBooleanField("ok", report.isOk());
            if (isSkipping) {
                generator.writeBooleanField("sizesInBodiesChecked", false);
            }
            if (checksValues()) {
                generator.writeNumberField("uncheckedFields", report.uncheckedFields());
            }
            JsonOutput.faults(generator, faults);
        }
    }
}
