// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.model.ArrowSchema;

import java.io.IOException;

/// Reads schema, counts and column sums of an input from its headers.
public final class InputScan {
    private final Input input;
    private final RecordBatch batch = new RecordBatch();
    private final Schema header = new Schema();
    private long rows;
    private boolean readsSchema;
    private ArrowSchema schema;
    private InvalidInput schemaFault;
    private MapTotals totals = new MapTotals();

    /// @param input before its first message
    public InputScan(Input input) {
        this.input = input;
    }

    /// Reads only the schema.
    ///
    /// @throws InvalidInput if it is absent, or breaks a rule of the Arrow format
    public InputScan readSchema() throws IOException {
        schema = Models.of(input);
        return this;
    }

    /// Counts rows and batches, through the last complete message.
    ///
    /// @throws InvalidInput if a record batch has no valid number of rows
    public InputScan countRows() throws IOException {
        while (input.next()) {
            if (input.message.headerType() == MessageHeader.RECORD_BATCH) {
                add();
            }
        }
        return this;
    }

    /// Reads the schema, and counts rows, batches and the bytes of columns in [#totals].
    ///
    /// @return the fault; null if there is none
    public InvalidInput readAll() throws IOException {
        readsSchema = true;
        if (input.hasSchemaApart()) {
            model(input.schema());
        }
        MapWalk walk = new MapWalk(input, true);
        totals = walk.totals();
        InvalidInput fault = walk.run(_ -> takeSchema());
        return fault == null ? schemaFault : fault;
    }

    private void takeSchema() {
        if (input.message.headerType() == MessageHeader.SCHEMA && input.message.header(header)) {
            model(header);
        }
    }

    private void add() {
        long offset = input.frame().offset();
        if (!input.message.header(batch)) {
            throw new InvalidInput(offset, "record batch has no header");
        }
        long more = batch.length();
        if (more < 0) {
            throw new InvalidInput(offset, "record batch has a negative length: length=" + more);
        }
        if (more > Long.MAX_VALUE - rows) {
            throw new InvalidInput(
                    offset, "sum of rows is above 2^63 - 1: sum=" + rows + ", rows=" + more);
        }
        rows += more;
    }

    /// Keeps the first schema: the footer's, if there is one.
    private void model(Schema bound) {
        if (readsSchema) {
            readsSchema = false;
            try {
                schema = Models.of(input, bound);
            } catch (InvalidInput e) {
                schemaFault = e;
            }
        }
    }

    /// Rows of the record batches that [#countRows] has counted.
    public long rows() {
        return rows;
    }

    /// The schema; null if it was not read.
    public ArrowSchema schema() {
        return schema;
    }

    /// The counts and the sums of the columns of [#readAll]; zeros before.
    public MapTotals totals() {
        return totals;
    }
}
