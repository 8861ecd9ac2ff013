// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import dev.fletch.Rule;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.input.FieldTotals;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.input.MapWalk;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.input.ReadFailure;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.model.ArrowSchema;
import dev.fletch.range.RangeSource;
import dev.fletch.semantics.SemanticRules;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds out what files hold, each by one call, from their headers alone. Files, streams and flatbuffers in all forms that
/// the `fletch` command reads; damaged ones as far as their messages are complete.
///
/// **Errors.** None is thrown: what is wrong with a file, or why it could not be read, is in its summary. Only
/// errors of the JVM, such as too little memory, pass through.
///
/// **Threads.** One scan may be used by any number of threads. It keeps the schemas that it has seen, within
/// limits, so that the next file with the same schema costs less.
public final class FileScan {
    /// What is found out of each file.
    public enum Detail {
        /// Rows and batches.
        ROWS,

        /// The schema, and its digest.
        SCHEMA,

        /// Rows and batches, the columns and their sums.
        COLUMNS
    }

    /// Schemas that are kept as text, also where custom metadata makes them all different.
    private static final int MOST_SCHEMAS = 64;

    /// A schema that was read is shown, also if it breaks rules.
    private static final Set<Rule> ANY_RULE = Set.copyOf(SemanticRules.all());

    private record Described(String text, String digest) {}

    private final Set<Detail> details;
    private final boolean isWalking;
    private final Need need;
    private final ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas());
    private final Map<ArrowSchema, Described> described =
            new LinkedHashMap<>(MOST_SCHEMAS, 1, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ArrowSchema, Described> eldest) {
                    return size() > MOST_SCHEMAS;
                }
            };

    /// Creates a scan that finds out everything.
    public FileScan() {
        this(EnumSet.allOf(Detail.class));
    }

    /// Creates a scan.
    ///
    /// @param details what to find out; of a remote file no more is read than that needs
    public FileScan(Set<Detail> details) {
        this.details = Set.copyOf(details);
        isWalking = details.contains(Detail.ROWS) || details.contains(Detail.COLUMNS);
        need = isWalking ? Need.HEADERS : Need.SCHEMA;
    }

    /// Scans a file.
    ///
    /// @param name a path, a link (`https`; `http` only on this machine), or `-` for standard input
    /// @return what it holds
    public FileSummary of(String name) {
        return scan(Links.shown(name), () -> InputBytes.open(name, need, (_, _) -> {}));
    }

    /// Scans an object.
    ///
    /// @param source closed when this returns
    /// @return what it holds
    public FileSummary of(RangeSource source) {
        return scan(source.name(), () -> InputBytes.open(source, need, (_, _) -> {}));
    }

    private interface Opening {
        InputBytes open() throws IOException;
    }

    private FileSummary scan(String name, Opening opening) {
        File file = new File(name);
        try (InputBytes bytes = opening.open()) {
            file.read(bytes);
        } catch (IOException e) {
            file.fault = new FileFault(FileFault.Kind.UNREADABLE, -1, ReadFailure.text(e));
        } catch (RuntimeException | InternalError e) {
            String text = ReadFailure.text(e);
            InvalidInput invalid =
                    e instanceof RuntimeException failure
                            ? InvalidInput.of(failure, file.input)
                            : null;
            if (invalid == null && text == null) {
                throw e;
            }
            file.fault =
                    invalid == null
                            ? new FileFault(FileFault.Kind.UNREADABLE, -1, text)
                            : new FileFault(
                                    FileFault.Kind.INVALID, invalid.offset(), invalid.getMessage());
        }
        return file.summary();
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
        synchronized (described) {
            return described.computeIfAbsent(schema, FileScan::describe);
        }
    }

    private static Described describe(ArrowSchema schema) {
        FlatBufferWriter message = FlatBufferWriter.growing(EmissionOrder.ARROW_CPP.dialect());
        schema.writeMessage(EmissionOrder.ARROW_CPP, message, ANY_RULE);
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, framed)) {
            writer.write(message.segment());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory takes it
        }
        String text = Base64.getEncoder().encodeToString(framed.toByteArray());
        return new Described(text, schema.digest(true));
    }

    /// The file that is being scanned.
    private final class File {
        private final String name;
        private final RecordBatch batch = new RecordBatch();
        private final Schema header = new Schema();
        private Input input;
        private long size;
        private long rows;
        private long dictionaryBatches;
        private List<ColumnSummary> columns = List.of();
        private Described schema;
        private FileFault fault;

        File(String name) {
            this.name = name;
        }

        void read(InputBytes bytes) throws IOException {
            input = Input.of(bytes, options);
            if (input.hasSchemaApart()) {
                schema(input.schema());
            }
            if (!isWalking) {
                if (!input.hasSchemaApart()) {
                    schema(input.schema());
                }
                return;
            }
            InvalidInput found;
            if (details.contains(Detail.COLUMNS)) {
                MapWalk walk = new MapWalk(input, true);
                found = walk.run(_ -> count());
                columns = walk.totals().columns().stream().map(FileScan::column).toList();
            } else {
                while (input.next()) {
                    count();
                }
                found = input.fault();
            }
            size = input.size();
            if (found != null) {
                take(found);
            }
        }

        /// The first fault is the one that is told.
        private void take(InvalidInput found) {
            if (fault == null) {
                fault = new FileFault(FileFault.Kind.INVALID, found.offset(), found.getMessage());
            }
        }

        private void schema(Schema bound) {
            if (details.contains(Detail.SCHEMA) && schema == null) {
                try {
                    schema = described(Models.of(input, bound));
                } catch (InvalidInput e) {
                    take(e);
                }
            }
        }

        private void count() {
            int kind = input.message.headerType();
            if (kind == MessageHeader.SCHEMA && input.message.header(header)) {
                schema(header);
            } else if (kind == MessageHeader.DICTIONARY_BATCH) {
                dictionaryBatches++;
            }
            if (kind != MessageHeader.RECORD_BATCH) {
                return;
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

        FileSummary summary() {
            boolean isOpen = input != null;
            return new FileSummary(
                    name,
                    isOpen ? input.form().id() : null,
                    size,
                    rows,
                    isOpen ? input.batches() : 0,
                    dictionaryBatches,
                    isOpen ? input.expectedBatches() : -1,
                    isOpen && input.hasIncomplete() ? incomplete() : null,
                    columns,
                    schema == null ? null : schema.text,
                    schema == null ? null : schema.digest,
                    fault);
        }

        private FileSummary.Incomplete incomplete() {
            return new FileSummary.Incomplete(
                    input.index(),
                    input.frame().offset(),
                    MessageHeader.NAMES.name(input.message.headerType()),
                    input.frame().bodyLength(),
                    input.message.header(batch) ? batch.length() : -1);
        }
    }
}
