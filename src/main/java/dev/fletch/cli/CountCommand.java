// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.io.InputCommand;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.text.Version;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.Locale;

/// `fletch count`: the sum of the rows, from the headers of the record batches. The values of a
/// dictionary batch are no rows.
@Command(
        name = "count",
        description = "Counts rows, from the headers of the record batches alone.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footerHeading = "%nExample:%n",
        footer = {"  fletch count *.arrow"})
final class CountCommand extends InputCommand {
    private static final int ROWS_WIDTH = 15;
    private static final int BATCHES_WIDTH = 9;

    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    private final RecordBatch batch = new RecordBatch();
    private boolean isHeaded;
    // Each of several files may have nearly 2^63.
    private BigInteger totalRows = BigInteger.ZERO;
    private long totalBatches;

    CountCommand() {}

    @Override
    protected boolean answersInJson() {
        return json;
    }

    @Override
    protected void show(String name, Input input, PrintWriter out) throws IOException {
        long rows = 0;
        long batches = 0;
        boolean isEmpty = input.container() == ArrowContainer.STREAM;
        while (input.next()) {
            isEmpty = false;
            if (input.message.headerType() == MessageHeader.RECORD_BATCH) {
                rows = add(rows, input);
                batches++;
            }
        }
        input.throwIfDamaged();
        if (isEmpty) {
            throw new InvalidInput(input.frame().offset(), "there is no message");
        }
        if (json) {
            json(name, input.container(), batches, rows, out);
            return;
        }
        if (!isHeaded) {
            row("rows", "batches", "file", out);
            isHeaded = true;
        }
        row("" + rows, "" + batches, Escaper.text(InputBytes.title(name)), out);
        totalRows = totalRows.add(BigInteger.valueOf(rows));
        totalBatches += batches;
    }

    private long add(long sum, Input input) {
        long offset = input.frame().offset();
        if (!input.message.header(batch)) {
            throw new InvalidInput(offset, "record batch has no header");
        }
        long rows = batch.length();
        if (rows < 0) {
            throw new InvalidInput(offset, "record batch has a negative length: length=" + rows);
        }
        if (rows > Long.MAX_VALUE - sum) {
            throw new InvalidInput(
                    offset, "sum of rows is above 2^63 - 1: sum=" + sum + ", rows=" + rows);
        }
        return sum + rows;
    }

    @Override
    protected void finish(PrintWriter out) {
        if (hasSeveral() && isHeaded) {
            row("" + totalRows, "" + totalBatches, "total", out);
        }
    }

    private static void row(String rows, String batches, String file, PrintWriter out) {
        out.println(
                String.format(
                        Locale.ROOT,
                        "%" + ROWS_WIDTH + "s%" + BATCHES_WIDTH + "s  %s",
                        rows,
                        batches,
                        file));
    }

    private void json(
            String name, ArrowContainer container, long batches, long rows, PrintWriter out)
            throws IOException {
        try (JsonGenerator generator = answer(name, out)) {
            boolean isFile = container == ArrowContainer.FILE;
            generator.writeStringField("container", isFile ? "file" : "stream");
            generator.writeNumberField("batches", batches);
            generator.writeNumberField("rows", rows);
            generator.writeEndObject();
        }
        out.println();
    }
}
