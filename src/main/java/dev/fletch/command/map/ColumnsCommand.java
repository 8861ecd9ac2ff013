// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.Fault;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.text.Terminal;
import dev.fletch.input.Input;
import dev.fletch.scan.internal.MapWalk;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;

/// `fletch columns`: one line per column, with its sums over all batches.
@Command(
        name = "columns",
        description = "Lists the columns: type, rows, nulls, bytes, codec, share of the input.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch columns trades.arrow",
            "  fletch columns --sort bytes --top 10 trades.arrow",
            "  fletch columns --depth 2 --json trades.arrow",
            "%n'bytes' is the size of a column's buffers and of its children's, in all record",
            "batches, without padding. 'uncompressed' is their decompressed size, or '-' for",
            "compressed input from a pipe or link, whose bodies are not read. 'dictionary' is",
            "the size of the column's dictionaries, which 'bytes' does not include."
        })
public final class ColumnsCommand extends InputCommand {
    @Mixin private PrefixOption prefixes = new PrefixOption();

    @Mixin private JsonOption json = new JsonOption();

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Also list children, up to N levels below the columns.")
    private int depth;

    @Mixin private ColumnOrder order = new ColumnOrder();

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        prefixes.load(input.bytes());
        MapWalk walk = new MapWalk(input, true);
        walk.run(_ -> {});
        Fault fault = walk.fault();
        if (!walk.hasNothing()) {
            ColumnsListing listing = new ColumnsListing(walk.totals(), depth, order);
            if (json.isGiven()) {
                listing.json(name, input, fault, out);
            } else {
                heading(name, input, out);
                listing.text(out, Terminal.outputWidth());
            }
        }
        return fault;
    }
}
