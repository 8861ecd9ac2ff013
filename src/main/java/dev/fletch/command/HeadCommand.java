// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.Fault;
import dev.fletch.command.io.ColumnsOption;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.Usage;
import dev.fletch.command.text.Terminal;
import dev.fletch.command.text.TextTable;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputFaults;
import dev.fletch.scan.internal.RowWalk;
import dev.fletch.scan.internal.ValueWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;

/// `fletch head`: the values of the first rows.
@Command(
        name = "head",
        description = {
            "Prints the first rows as values.",
            "Resolves dictionaries. Prints nested values as JSON, binary as hexadecimal."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch head trades.arrow",
            "  fletch head --rows 3 --columns symbol,price trades.arrow",
            "  fletch head --rows 1000 --json trades.arrow | jq .price",
            "%nWithout --json, a cell has at most 40 characters. A value that cannot be read is",
            "printed as ! with the code of the rule that it breaks, as 'verify --values' says",
            "it. Of damaged input, prints the rows before the damage. Of a link, reads only",
            "the columns and batches that are printed."
        })
final class HeadCommand extends InputCommand {
    private static final int USUAL_ROWS = 10;

    // In columns of a terminal.
    private static final int CELL_WIDTH = 40;

    // Of a value before it is cut to the width: escapes take more characters than they show.
    private static final int CELL_CHARS = 4 * CELL_WIDTH;

    // Of a value in JSON.
    private static final int JSON_CHARS = 1 << 20;

    // Rows that are printed together, after which the columns of the table have their widths.
    private static final int BLOCK_ROWS = 100;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Print the first N rows. Default: 10.")
    private long rows = USUAL_ROWS;

    @Mixin private ColumnsOption columns = new ColumnsOption();

    @Option(
            names = "--json",
            description = {
                "Print one JSON object per row, each on its own line,",
                "with the columns as keys. A value of more than a",
                "million characters is cut."
            })
    private boolean json;

    private List<String> paths = List.of();

    @Override
    protected void check(Usage usage) {
        paths = Objects.requireNonNullElse(columns.paths(usage), paths);
    }

    /// Rows have no place for a fault: it is printed on standard error.
    @Override
    protected boolean answersInJson() {
        return false;
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        if (input.form() == Form.FLATBUFFER && input.hasSchemaApart()) {
            input.next(); // there is no message
            return input.fault();
        }
        RowWalk walk = new RowWalk(input, paths);
        begin(walk);
        Fault fault = null;
        try {
            if (json) {
                json(input, walk, out);
            } else {
                heading(name, input, out);
                text(input, walk, out);
            }
            while (!input.damages().isEmpty() && input.next()) {} // to say how much is complete
            fault = input.fault();
        } catch (RuntimeException e) {
            fault = input.caused(InputFaults.required(e, input));
        }
        Fault bad = walk.fault();
        return bad == null ? fault : fault == null ? bad : bad.and(fault);
    }

    private static void begin(RowWalk walk) throws IOException {
        try {
            walk.begin();
        } catch (IllegalArgumentException e) { // or columns that do not fit together
            throw Failures.wrongOption("--columns", e);
        }
    }

    // ---- for a program

    private void json(Input input, RowWalk walk, PrintWriter out) throws IOException {
        List<String> keys =
                ValueWriter.keys(walk.columns().stream().map(ArrowField::name).toList());
        for (long row = 0; row < rows && walk.next(); row++) {
            out.print('{');
            for (int column = 0; column < keys.size(); column++) {
                out.print(column == 0 ? "" : ", ");
                out.print(keys.get(column));
                out.print(": ");
                out.print(walk.value(column, JSON_CHARS, false));
            }
            out.println('}');
            if (input.isLive()) {
                out.flush();
            }
        }
    }

    // ---- for a person

    private void text(Input input, RowWalk walk, PrintWriter out) throws IOException {
        List<ArrowField> fields = walk.columns();
        TextTable table = new TextTable(out);
        for (ArrowField each : fields) {
            table.column(cut(Escaper.name(each.name())), 0, isNumber(each));
        }
        table.fitFirst(Terminal.outputWidth()).titles();
        table.row(fields.stream().map(each -> cut(type(each))).toArray());
        long printed = 0;
        try {
            while (printed < rows && walk.next()) {
                Object[] cells = new Object[fields.size()];
                for (int column = 0; column < cells.length; column++) {
                    cells[column] = cut(walk.value(column, CELL_CHARS, true));
                }
                table.row(cells);
                if (++printed % BLOCK_ROWS == 0 || input.isLive()) {
                    table.print();
                    out.flush();
                }
            }
        } finally {
            table.print();
        }
        if (table.leftOut() > 0) {
            out.println(
                    "… more columns: " + table.leftOut() + "; --columns chooses, --json has all");
        }
        if (fields.isEmpty()) {
            out.println("no columns");
        } else if (printed == 0 && rows > 0 && input.damages().isEmpty()) {
            out.println("no rows");
        } else if (printed == rows && walk.rowsLeft() > 0) {
            out.println("… more rows: --rows prints them");
        } else if (printed == rows && input.batches() < input.expectedBatches()) {
            out.println("… more batches: --rows prints their rows");
        }
    }

    private static boolean isNumber(ArrowField field) {
        return switch (field.type()) {
            case ArrowType.Int _, ArrowType.FloatingPoint _, ArrowType.Decimal _ -> true;
            default -> false;
        };
    }

    private static String type(ArrowField field) {
        return field.metadata()
                .get(ExtensionType.NAME_KEY)
                .map(Escaper::name)
                .orElseGet(() -> field.type().text());
    }

    private static String cut(String text) {
        return Terminal.shortened(text, CELL_WIDTH);
    }
}
