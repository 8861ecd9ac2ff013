// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.cli.io.OutputFile;
import dev.fletch.cli.text.Version;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `fletch map`: which bytes belong to which column of which batch.
@Command(
        name = "map",
        description = {
            "Shows which bytes belong to which column of which batch.",
            "All others are told by what they are for. Only headers are read."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch map trades.arrow",
            "  fletch map --html trades.html trades.arrow",
            "%n'message' is the index that 'fletch ls' shows; offsets count from the input's",
            "first byte. Behind a buffer, what fills up to a multiple of 64 bytes is padding,",
            "behind a message to one of 8; other bytes that nothing leads to are",
            "unreferenced."
        })
public final class MapCommand extends InputCommand {
    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    @Option(names = "--totals", description = "Print the totals without the table.")
    private boolean onlyTotals;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = {
                "Write a page with a drawing of the input to scale,",
                "and print the totals; - is standard output, which",
                "then gets nothing else."
            })
    private Path html;

    MapCommand() {}

    @Override
    protected void checkUsage() {
        String conflict = null;
        if (json && onlyTotals) {
            conflict = "--totals and --json exclude each other: JSON has both";
        } else if (html != null && hasSeveral()) {
            conflict = "--html draws one input";
        } else if (html != null && json) {
            conflict = "--html and --json exclude each other";
        }
        if (conflict != null) {
            throw new ParameterException(spec().commandLine(), conflict);
        }
    }

    private boolean isPageOnOutput() {
        return html != null && new OutputFile(html, "page").isStandardOutput();
    }

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, PrintWriter out) throws IOException {
        List<MapSink> sinks = new ArrayList<>();
        if (json) {
            json(name, input, sinks, out);
            return;
        }
        if (!isPageOnOutput()) {
            heading(name, out);
            sinks.add(new MapText(out, input, !onlyTotals && html == null));
        }
        run(name, input, sinks, out);
    }

    private void json(String name, Input input, List<MapSink> sinks, PrintWriter out)
            throws IOException {
        try (MapJson object = new MapJson(answer(name, out), out)) {
            sinks.add(object);
            try {
                run(name, input, sinks, out);
            } catch (OutputClosed e) {
                throw e;
            } catch (RuntimeException e) {
                InvalidInput fault = InvalidInput.of(e, input);
                if (fault == null) {
                    throw e;
                }
                object.fault(fault);
                throw fault;
            }
        }
    }

    private void run(String name, Input input, List<MapSink> sinks, PrintWriter out)
            throws IOException {
        if (html == null) {
            new MapWalk(input, sinks).run();
        } else {
            PrintWriter err = spec().commandLine().getErr();
            new OutputFile(html, "page")
                    .writePage(
                            name,
                            out,
                            err,
                            writer -> {
                                MapPage page = new MapPage(name, writer);
                                sinks.add(page);
                                new MapWalk(input, sinks).run();
                                return page.isWhole();
                            });
        }
    }
}
