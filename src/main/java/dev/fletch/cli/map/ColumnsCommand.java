// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InputOutput;
import dev.fletch.cli.text.Version;
import dev.fletch.input.Input;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.MapWalk;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;

/// `fletch columns`: a line per column, with its sums over all batches.
@Command(
        name = "columns",
        description = "Lists the columns: type, rows, nulls, bytes, codec, share of the input.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch columns trades.arrow",
            "  fletch columns --sort bytes --top 10 trades.arrow",
            "  fletch columns --depth 2 --json trades.arrow",
            "%n'bytes' are those of a column's buffers in all record batches, with those of",
            "its children, without padding. 'uncompressed' is their size once decompressed;",
            "'-' for compressed input from a pipe or a link, whose bodies are not read.",
            "'dictionary' is the size of the dictionaries that encode a column, on top of its",
            "own bytes."
        })
public final class ColumnsCommand extends InputCommand {
    @Option(
            names = "--read-bodies",
            description = {
                "Of a link, also read the sizes in front of",
                "compressed buffers, which are in the bodies."
            })
    private boolean readsBodies;

    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Also list children, down to N levels below the columns.")
    private int depth;

    @Mixin private ColumnOrder order = new ColumnOrder();

    public ColumnsCommand() {}

    @Override
    protected void checkUsage() {
        if (depth < 0) {
            throw usage("--depth is negative: " + depth);
        }
    }

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, InputOutput out) throws IOException {
        if (readsBodies) {
            input.loadPrefixes();
        }
        MapWalk walk = new MapWalk(input, true);
        InvalidInput fault = walk.run(_ -> {});
        if (fault == null || walk.plan() != null) {
            ColumnsListing listing = new ColumnsListing(walk.totals(), depth, order);
            if (json) {
                listing.json(name, input, fault, out);
            } else {
                heading(name, out);
                listing.text(out);
            }
        }
        if (fault != null) {
            throw fault;
        }
    }
}
