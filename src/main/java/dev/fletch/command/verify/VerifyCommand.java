// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.check.CheckOptions;
import dev.fletch.check.Finding;
import dev.fletch.check.internal.InputCheck;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.FilesCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.format.Endianness;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Need;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// `fletch verify`: all faults of metadata, framing and file structure.
@Command(
        name = "verify",
        description = {
            "Verifies messages, footer and file structure.",
            "Reports errors: no reader can trust the input; deviations: the format forbids",
            "it, but other readers accept it; notes: valid but unusual."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch verify trades.arrow",
            "  fletch verify --strict --json *.arrow | jq 'select(.ok | not)'",
            "  fletch verify --fail-on deviation --allow bytes-behind-end trades.arrow",
            "%nPrints one line per finding, at most 100,000 per input, then 'more-faults';",
            "without errors, one line with 'ok'. Exit status 1: there are errors. Bodies are",
            "not read; --strict reads only the uncompressed sizes of compressed buffers."
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
                "are aligned; buffers are in order and large enough",
                "for their values; features are known; uncompressed",
                "sizes of compressed buffers are valid (for a piped",
                "stream, in bodies up to 64 MiB)."
            })
    private boolean strict;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            description = {
                "Also exit with status 1 on deviations, or on",
                "deviations and notes: 'deviation' or 'note'.",
                "Changes only the status."
            })
    private Severity failOn = Severity.ERROR;

    @Option(
            names = "--allow",
            paramLabel = "CODE",
            split = ",",
            converter = RuleCodes.class,
            description = {
                "Ignore findings with this code in the exit status.",
                "Changes only the status. Can be repeated."
            })
    private Set<Rule> allowed = Set.of();

    @Option(
            names = "--read-bodies",
            description = {
                "For a link, also read the uncompressed sizes at",
                "the start of compressed buffers, in the bodies."
            })
    private boolean readsBodies;

    @Option(names = "--json", description = "Print one JSON object per file, each on its own line.")
    private boolean json;

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected Need need() {
        return Need.ALL_BUT_BODIES;
    }

    @Override
    protected int show(String name, InputBytes bytes, InputOutput out) throws IOException {
        if (readsBodies) {
            bytes.loadPrefixes();
        }
        String title = Escaper.text(InputBytes.title(name)) + ": ";
        boolean isSkipping = strict && !bytes.hasPrefixes();
        List<Finding> found = new ArrayList<>();
        // Text is printed at once; JSON findings follow the counts.
        InputCheck check =
                new InputCheck(
                        strict ? CheckOptions.STRICT : CheckOptions.DEFAULT,
                        json ? found::add : each -> out.println(title + Escaper.text(each.line())));
        try {
            check.run(bytes);
            if (json) {
                json(name, check, isSkipping, found, out);
            } else if (check.isOk()) {
                out.println(title + ok(check) + (isSkipping ? SKIPPED : ""));
            }
        } catch (OutputClosed e) {
            throw e.after(status(check));
        }
        return status(check);
    }

    private int status(InputCheck check) {
        boolean fails =
                check.findings().rules().stream()
                        .filter(each -> !allowed.contains(each))
                        .anyMatch(each -> each.severity().compareTo(failOn) <= 0);
        return fails ? Failures.INVALID : 0;
    }

    private static String ok(InputCheck check) {
        String counts =
                String.format(
                        Locale.ROOT,
                        "ok: %s, messages=%d, dictionaryBatches=%d, recordBatches=%d",
                        check.form().id(),
                        check.messages(),
                        check.dictionaryBatches(),
                        check.recordBatches());
        StringBuilder line = new StringBuilder(counts);
        int endianness = check.endianness();
        if (endianness != Endianness.LITTLE) {
            line.append(", endianness=").append(Endianness.NAMES.name(endianness));
        }
        append(line, ", deviations=", check.findings().count(Severity.DEVIATION));
        append(line, ", notes=", check.findings().count(Severity.NOTE));
        return line.toString();
    }

    private static void append(StringBuilder line, String name, int count) {
        if (count > 0) {
            line.append(name).append(count);
        }
    }

    /// @param isSkipping whether uncompressed sizes are not checked
    private static void json(
            String name, InputCheck check, boolean isSkipping, List<Finding> found, PrintWriter out)
            throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, out)) {
            generator.writeStringField(
                    "container", check.form() == null ? null : check.form().id());
            generator.writeNumberField("messages", check.messages());
            generator.writeNumberField("dictionaryBatches", check.dictionaryBatches());
            generator.writeNumberField("recordBatches", check.recordBatches());
            generator.writeStringField("endianness", Endianness.NAMES.name(check.endianness()));
            generator.writeBooleanField("ok", check.isOk());
            if (isSkipping) {
                generator.writeBooleanField("sizesInBodiesChecked", false);
            }
            JsonOutput.faults(generator, found);
        }
    }
}
