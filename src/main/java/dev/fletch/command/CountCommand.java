// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.TextTable;
import dev.fletch.input.Input;
import dev.fletch.scan.internal.BatchBinding;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigInteger;

/// `fletch count`: the sum of the rows of all record batches. Dictionary batches do not count.
@Command(
        name = "count",
        description = "Counts rows. Reads only the headers of the record batches.",
        footerHeading = "%nExample:%n",
        footer = {
            "  fletch count *.arrow",
            "%nFor a damaged input, counts the complete batches and exits with status 1."
        })
final class CountCommand extends InputCommand {
    private static final int ROWS_WIDTH = 15;
    private static final int BATCHES_WIDTH = 7;
    private static final String INCOMPLETE = " (incomplete)";
    private static final String DAMAGED = " (damaged)"; // all batches are there

    @Mixin private JsonOption json = new JsonOption();

    // Updated in the order of the inputs.
    private boolean isHeaded;
    private String worst = "";
    // One file may have nearly 2^63 rows, so a sum of files may overflow a long.
    private BigInteger totalRows = BigInteger.ZERO;
    private long totalBatches;

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        new BatchBinding(input, false, false).each(() -> {}); // the input counts
        if (json.isGiven()) {
            json(name, input, out);
        } else if (!input.isEmpty() || input.hasFooter()) {
            text(title(name, input), input, out);
        }
        return input.fault();
    }

    private void text(String title, Input input, InputOutput out) {
        String state = input.fault() == null ? "" : input.lacksBatches() ? INCOMPLETE : DAMAGED;
        out.before(target -> add(input.rows(), input.batches(), state, target));
        table(out).line(input.rows(), input.batches(), Escaper.text(title) + state);
    }

    /// Adds an input to the total. Prints the column titles before the first one.
    private void add(long rows, long batches, String state, PrintWriter out) {
        if (!isHeaded) {
            table(out).titles().print();
            isHeaded = true;
        }
        worst = worst.equals(INCOMPLETE) || state.isEmpty() ? worst : state;
        totalRows = totalRows.add(BigInteger.valueOf(rows));
        totalBatches += batches;
    }

    @Override
    protected int finish(PrintWriter out) {
        if ((hasSeveral() || readsAllStreams()) && isHeaded) {
            table(out).line(totalRows, totalBatches, "total" + worst);
        }
        return 0;
    }

    private static TextTable table(PrintWriter out) {
        return new TextTable(out)
                .right("rows", ROWS_WIDTH)
                .right("batches", BATCHES_WIDTH)
                .left("file", 0);
    }

    private void json(String name, Input input, PrintWriter out) throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
            generator.writeStringField("container", input.form().id());
            generator.writeNumberField("batches", input.batches());
            generator.writeNumberField("rows", input.rows());
            JsonOutput.end(generator, input.fault(), input);
        }
    }
}
