// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InputOutput;
import dev.fletch.cli.io.Json;
import dev.fletch.cli.text.Table;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

    @Option(names = "--json", description = "Print one JSON object per file, each on its own line.")
    private boolean json;

    // Updated in the order of the inputs.
    private boolean isHeaded;
    private boolean hasDamaged;
    // One file may have nearly 2^63 rows, so a sum of files may overflow a long.
    private BigInteger totalRows = BigInteger.ZERO;
    private long totalBatches;

    CountCommand() {}

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, InputOutput out) throws IOException {
        long rows = rows(input);
        if (json) {
            json(name, input, rows, out);
        } else if (!input.isEmpty() || input.hasFooter()) {
            text(name, input, rows, out);
        }
        input.throwIfDamaged();
    }

    /// Adds the rows of all complete record batches.
    ///
    /// @throws InvalidInput if a record batch has no valid number of rows
    private static long rows(Input input) throws IOException {
        RecordBatch batch = new RecordBatch();
        long rows = 0;
        while (input.next()) {
            if (input.message.headerType() != MessageHeader.RECORD_BATCH) {
                continue;
            }
            long offset = input.frame().offset();
            if (!input.message.header(batch)) {
                throw new InvalidInput(offset, "record batch has no header");
            }
            long more = batch.length();
            if (more < 0) {
                throw new InvalidInput(
                        offset, "record batch has a negative length: length=" + more);
            }
            if (more > Long.MAX_VALUE - rows) {
                throw new InvalidInput(
                        offset, "sum of rows is above 2^63 - 1: sum=" + rows + ", rows=" + more);
            }
            rows += more;
        }
        return rows;
    }

    private void text(String name, Input input, long rows, InputOutput out) {
        long batches = input.batches();
        boolean isDamaged = input.fault() != null;
        out.before(target -> add(rows, batches, isDamaged, target));
        String title = Escaper.text(InputBytes.title(name));
        table(out).line(rows, batches, isDamaged ? title + INCOMPLETE : title);
    }

    /// Adds an input to the total. Prints the column titles before the first one.
    private void add(long rows, long batches, boolean isDamaged, PrintWriter out) {
        if (!isHeaded) {
            table(out).titles().print();
            isHeaded = true;
        }
        hasDamaged |= isDamaged;
        totalRows = totalRows.add(BigInteger.valueOf(rows));
        totalBatches += batches;
    }

    @Override
    protected int finish(PrintWriter out) {
        if (hasSeveral() && isHeaded) {
            String title = hasDamaged ? "total" + INCOMPLETE : "total";
            table(out).line(totalRows, totalBatches, title);
        }
        return 0;
    }

    private static Table table(PrintWriter out) {
        return new Table(out)
                .right("rows", ROWS_WIDTH)
                .right("batches", BATCHES_WIDTH)
                .left("file", 0);
    }

    private void json(String name, Input input, long rows, PrintWriter out) throws IOException {
        try (JsonGenerator generator = Json.object(name, out)) {
            generator.writeStringField("container", input.form().id());
            generator.writeNumberField("batches", input.batches());
            generator.writeNumberField("rows", rows);
            Json.end(generator, input.fault(), input);
        }
    }
}
