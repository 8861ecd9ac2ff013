// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Links;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.input.ReadFailure;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.HttpOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapTotals;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.schema.ArrowSchema;

import java.io.IOException;
import java.lang.ScopedValue.CallableOp;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Summarizes files, each with one call, from their headers alone: rows, batches, column sums,
/// schema and faults. Accepts all inputs of the `fletch` command; of damaged ones, it reads what is
/// complete.
///
/// **Errors.** Invalid and unreadable files do not throw: [FileSummary#fault] has the reason. Only
/// errors of the JVM, such as [OutOfMemoryError], and exceptions of a [RangeSource] other than
/// [IOException] pass through.
///
/// **Threads.** Thread-safe. Caches a limited number of schemas, so that further files with the
/// same schema take less time.
public final class FileScan {
    /// Maximum number of schemas cached as text; then all are dropped.
    private static final int MOST_SCHEMAS = 64;

    /// Permits schemas that break rules.
    private static final Rule[] ANY_RULE = MeaningRule.values();

    private record Described(String text, String digest) {}

    private final ReadOptions options;
    private final Map<ArrowSchema, Described> described = new ConcurrentHashMap<>();

    /// Creates a scan within [Limits#DEFAULT].
    public FileScan() {
        this(Limits.DEFAULT);
    }

    /// Creates a scan.
    ///
    /// @param limits of each file
    public FileScan(Limits limits) {
        options = ReadOptions.DEFAULT.withLimits(limits).withKnownSchemas(new KnownSchemas());
    }

    /// Scans a file.
    ///
    /// @param name a path, a link (`https`; `http` only on this machine), or `-` for standard input
    public FileSummary of(String name) {
        return scan(
                Links.shown(name),
                () ->
                        InputBytes.open(
                                name,
                                Need.HEADERS,
                                HttpOptions.DEFAULT,
                                options.limits(),
                                () -> {}));
    }

    /// Scans an object.
    ///
    /// @param source closed before this method returns
    public FileSummary of(RangeSource source) {
        return scan(
                source.name(),
                () ->
                        InputBytes.open(
                                source, Need.HEADERS, RangeOptions.DEFAULT, options.limits()));
    }

    private FileSummary scan(String name, CallableOp<InputBytes, IOException> opening) {
        Reading reading = null;
        FileFault fault;
        try (InputBytes bytes = opening.call()) {
            reading = new Reading(Input.of(bytes, options));
            Fault found = reading.run();
            fault = found == null ? null : FileFault.of(found);
        } catch (IOException e) {
            fault = FileFault.unreadable(ReadFailure.text(e));
        } catch (RuntimeException | InternalError e) {
            Fault invalid = InputFaults.of(e, reading == null ? null : reading.input);
            String text = ReadFailure.text(e);
            if (invalid == null && text == null) {
                throw e;
            }
            fault = invalid == null ? FileFault.unreadable(text) : FileFault.of(invalid);
        }
        return reading == null ? FileSummary.of(name, fault) : summary(name, reading, fault);
    }

    /// Reads an input, and keeps its first schema: the footer's, if there is one.
    private static final class Reading {
        final Input input;
        final MapWalk walk;
        // Null if it was not read.
        ArrowSchema schema;
        // Known after the last message.
        long size;
        long incompleteRows = -1;
        private boolean hasSchema;
        private Fault schemaFault;

        Reading(Input input) {
            this.input = input;
            this.walk = new MapWalk(input, true);
        }

        /// @return the fault; null if there is none
        Fault run() throws IOException {
            if (input.hasSchemaApart()) {
                schema(input.schema());
            }
            Schema header = new Schema();
            RecordBatch batch = new RecordBatch();
            walk.run(
                    _ -> {
                        if (!hasSchema && input.message.header(header)) {
                            schema(header);
                        }
                    });
            size = input.size();
            if (input.hasIncomplete() && input.message.header(batch)) {
                incompleteRows = batch.length();
            }
            Fault fault = walk.fault() == null ? schemaFault : walk.fault();
            String behind = fault == null ? "" : input.behindMarker();
            return behind.isEmpty() ? fault : fault.followedBy("; " + Input.BEHIND_MARKER + behind);
        }

        private void schema(Schema found) {
            hasSchema = true;
            try {
                schema = Models.of(input, found);
            } catch (FletchException e) {
                schemaFault = InputFaults.of(e, input);
            }
        }
    }

    private FileSummary summary(String name, Reading reading, FileFault fault) {
        Described schema =
                reading.schema == null ? new Described(null, null) : described(reading.schema);
        MapTotals totals = reading.walk.totals();
        return new FileSummary(
                name,
                reading.input.form().id(),
                reading.size,
                totals.rows(),
                totals.batches(),
                totals.dictionaryBatches(),
                reading.input.expectedBatches(),
                reading.input.nextStream(),
                reading.incompleteRows,
                totals.columns().stream().map(FileScan::column).toList(),
                schema.text,
                schema.digest,
                fault);
    }

    private static ColumnSummary column(FieldTotals.Sums sums) {
        return new ColumnSummary(
                sums.layout().nameString(sums.field()),
                sums.type(),
                sums.rows(),
                sums.nulls(),
                sums.bytes(),
                sums.uncompressed());
    }

    private Described described(ArrowSchema schema) {
        Described known = described.get(schema);
        if (known == null) {
            known = new Described(schema.toParquet(ANY_RULE), schema.digest(true));
            if (described.size() >= MOST_SCHEMAS) {
                described.clear();
            }
            described.put(schema, known);
        }
        return known;
    }
}
