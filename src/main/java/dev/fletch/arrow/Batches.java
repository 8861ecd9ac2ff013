// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.arrow.internal.Source;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.KeyValue;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.verify.internal.BatchValues;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A schema, its columns, and one batch at a time: what the readers of all inputs have in common.
///
/// **Columns** are requested by path before the first batch. Only they are laid out, read,
/// decompressed, checked and bound. If none is requested, only headers are read; at [Level#VALUES],
/// everything is read and checked. Dictionary batches of other columns are passed, but one of no
/// field is refused, except at [Level#TOUCHED] in a file.
///
/// **Errors.** A [FletchException] if the input is invalid, with the rule, the offset in the input,
/// and in a stream the index of the message. Other readers accept deviations from the format; so
/// does this, except for [ReadOptions#refused]. The first exception of a method that reads ends the
/// reader: later calls throw an [IllegalStateException], as misuse does.
///
/// **Lifetime and threads.** Columns, cursor and slices that they bind are valid until the next
/// batch. Belongs to one thread at a time.
public abstract sealed class Batches permits BatchReader, BatchReceiver {
    /// Receives the dictionary batches of a reader whose batches are forwarded.
    interface Forwarding {
        void dictionary() throws IOException;
    }

    final Source source;
    final ReadOptions options;
    final BatchSequence sequence;
    private final RecordBatch batch = new RecordBatch();
    private final KeyValue pair = new KeyValue();
    private ArrowSchema model;
    private final List<Column> columns = new ArrayList<>();
    private Forwarding forwarding;
    // The columns after the first batch.
    private Column[] bound = {};
    // Null before a batch is compressed.
    private DecompressedBuffers buffers;
    private DecompressedBuffers dictionaryBuffers;
    // Also while an operation runs.
    private boolean hasFailed;
    // Whether columns have values, of this batch or the one before.
    private boolean areBound;

    Batches(Source source, ReadOptions options) {
        this.source = source;
        this.options = options;
        sequence = new BatchSequence(source, options, new Use());
    }

    private final class Use implements BatchSequence.User {
        @Override
        public void place(BatchLayout layout) {
            if (bound.length != columns.size()) {
                bound = columns.toArray(Column[]::new);
            }
            for (Column column : bound) {
                column.place(layout, layout.field(column.path()));
            }
        }

        @Override
        public BufferSource buffers(BatchCursor cursor) {
            if (!cursor.isCompressed()) {
                return null;
            }
            buffers = buffers == null ? LibraryDecompressor.buffers(options) : buffers;
            return buffers;
        }

        @Override
        public BufferSource dictionaryBuffers() {
            if (dictionaryBuffers == null) {
                dictionaryBuffers = LibraryDecompressor.buffers(options);
            }
            return dictionaryBuffers;
        }

        @Override
        public void define() throws IOException {
            if (forwarding != null) {
                forwarding.dictionary();
            }
        }

        @Override
        public void leave() {
            if (buffers != null) {
                buffers.release();
            }
        }
    }

    // ---- schema and columns

    /// {@return the schema; null if a receiver has none yet}
    ///
    /// @throws FletchException if it breaks a rule of the format
    public final ArrowSchema schema() {
        if (model == null && sequence.schema() != null) {
            try {
                model = ArrowSchema.of(sequence.knownSchema(), sequence.schema(), options.limits());
            } catch (FletchException e) {
                throw sequence.named(sequence.inSchema(e));
            }
        }
        return model;
    }

    /// Requests a column, or a field below one.
    ///
    /// @param path its name, or names joined by dots: see [BatchLayout#field]
    /// @return the column, which has the values of each batch that is loaded
    /// @throws FletchException if there is no such column; in a receiver, with the schema; of the
    ///     65th column on, with the first batch
    /// @throws IllegalStateException after the first batch
    public final Column column(String path) {
        sequence.request(List.of(path));
        Column column = new Column(path);
        columns.add(column);
        return column;
    }

    final void forward(Forwarding to) {
        if (forwarding != null) {
            throw new IllegalStateException("batches are forwarded already");
        }
        forwarding = to;
    }

    // ---- the batch

    /// {@return number of rows of the batch; 0 before the first and after the last}
    public final long rowCount() {
        return sequence.hasBatch() && source.message.header(batch) ? batch.length() : 0;
    }

    /// {@return a value of the batch's custom metadata, as a new string; null if there is none}
    public final String metadata(String key) {
        int count = sequence.hasBatch() ? source.whole.customMetadataCount() : 0;
        for (int i = 0; i < count; i++) {
            if (source.whole.customMetadata(i, pair).keyEquals(key)) {
                return pair.valueString();
            }
        }
        return null;
    }

    /// {@return the numbers of the batch's nodes and buffers, and after it is loaded its bytes: of
    /// the requested columns, or of all if none is requested; always the same object}
    ///
    /// @throws IllegalStateException if there is no batch
    public final BatchCursor cursor() {
        requireBatch();
        try {
            return sequence.cursor();
        } catch (FletchException e) {
            throw sequence.named(sequence.placed(e));
        }
    }

    /// Reads the body of a batch of which only the header was read, and decompresses nothing.
    ///
    /// @return number of bytes that the buffers of the requested columns, or of all if none is
    ///     requested, have when they are decompressed, as their prefixes claim. [#load] needs as
    ///     much memory, and refuses a batch with wrong claims
    /// @throws IllegalStateException if there is no batch
    public long loadedBytes() throws IOException {
        requireBatch();
        start();
        try {
            sequence.readBody();
            long bytes = BatchValues.bytes(sequence.cursor());
            succeed(true);
            return bytes;
        } catch (FletchException e) {
            throw sequence.named(sequence.placed(e));
        } finally {
            end();
        }
    }

    /// Loads a batch of which only the header was read: reads its body, checks its values, and
    /// binds the columns.
    ///
    /// @throws IllegalStateException if there is no batch
    public void load() throws IOException {
        requireBatch();
        start();
        try {
            loadBatch();
            succeed(true);
        } catch (FletchException e) {
            throw sequence.named(e);
        } finally {
            end();
        }
    }

    /// {@return the dictionaries of the requested columns, as far as they were read; null if there
    /// are none}
    public final Dictionaries dictionaries() {
        return sequence.dictionaries();
    }

    // ---- operations, whose first failure ends the reader

    final void start() {
        if (hasFailed) {
            throw new IllegalStateException(
                    "reader has failed before: message=" + sequence.number());
        }
        hasFailed = true;
    }

    final boolean succeed(boolean result) {
        hasFailed = false;
        return result;
    }

    /// After a failure, no values of it or of a batch before can be read.
    final void end() {
        if (hasFailed) {
            sequence.leave();
            unbind();
        }
    }

    /// Whether bodies are read.
    final boolean needsBody() {
        return bound.length > 0 || sequence.checksValues();
    }

    /// Takes the values of the batch before from the columns.
    final void unbind() {
        if (areBound) {
            for (Column column : bound) {
                column.unbind();
            }
            areBound = false;
        }
    }

    /// Reads the body, checks the values, and binds the columns, unless it was done.
    final void loadBatch() throws IOException {
        areBound = true;
        try {
            if (sequence.load()) {
                for (Column column : bound) {
                    column.bind(sequence.cursor(), sequence.dictionaries());
                }
            }
        } catch (FletchException e) {
            throw sequence.placed(e);
        }
    }

    final void requireBatch() {
        if (!sequence.hasBatch()) {
            throw new IllegalStateException("no batch was read");
        }
    }
}
