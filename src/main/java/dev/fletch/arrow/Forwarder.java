// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.batch.BatchLayout;
import dev.fletch.convert.internal.ClearedBatches;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.DictionaryNeeds;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Writes batches of a [BatchReader] as a stream, with some of their columns. Buffers are neither
/// decoded nor decompressed, unless unused bytes are cleared: see [#clearingUnused].
///
/// ```java
/// try (var in = Arrow.open(source, options); var out = Arrow.forward(in, target, "size", "price")) {
///     while (in.nextHeader()) {
///         out.write();
///     }
///     out.finish();
/// }
/// ```
///
/// Dictionaries that the columns need are written when the reader reads them. What is written is
/// checked as the reader's options say; indices from one dictionary into another with the batch
/// behind them, or at the end.
///
/// A reader has one forwarder at most.
///
/// **Errors.** Those of the reader. [#close] without [#finish] is an [IllegalStateException].
///
/// **Threads.** Belongs to the thread of its reader.
public final class Forwarder implements AutoCloseable {
    private final MessageWriter out;
    private final BatchReader from;
    private final List<String> columns;
    // Null before the first batch.
    private BatchProjector projector;
    private final SegmentList parts = new SegmentList();
    // Null if unused bytes are sent. Else, the written message and its layout.
    private ClearedBatches cleared;
    private final Message written = new Message();
    private BatchLayout layout;

    // The dictionaries of the columns that were written.
    private final DictionaryOrder order = new DictionaryOrder(FletchException.errors(null));
    private final DictionaryNeeds needs = new DictionaryNeeds(order);
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();

    Forwarder(MessageWriter out, BatchReader from, List<String> columns) throws IOException {
        this.out = out.set(to -> to.missingDictionaries(true)); // see #requireDictionaries
        this.from = from;
        this.columns = columns;
        BatchSequence sequence = from.sequence;
        sequence.request(columns);
        try {
            out.write(
                    projector(sequence.compile(columns))
                            .schemaMessage(
                                    sequence.schema(), sequence.version(), from.options.limits()));
        } catch (FletchException e) {
            throw sequence.inSchema(e);
        }
        from.forward(this::forward);
    }

    private BatchProjector projector(BatchLayout all) {
        return columns.isEmpty()
                ? new BatchProjector(all)
                : BatchProjector.of(all, columns.toArray(String[]::new));
    }

    /// Sends, from now on, bodies in which bytes that no value uses are 0: see
    /// [dev.fletch.batch.UnusedBytes]. The reader must verify values: see
    /// [dev.fletch.ipc.ReadOptions.Level#VALUES]. Compressed buffers are decompressed, cleared, and
    /// compressed again by the libraries of [dev.fletch.compression.LibraryDecompressor]. The limit
    /// of the memory is that of decompressed bytes, in the reader's options.
    ///
    /// @return this
    /// @throws IllegalStateException if the reader does not verify values
    public Forwarder clearingUnused() {
        if (!from.options.checks(ReadOptions.Level.VALUES)) {
            throw new IllegalStateException("unused bytes are cleared only if values are verified");
        }
        cleared = new ClearedBatches(from.options);
        return this;
    }

    private void forward() throws IOException {
        if (projector == null) {
            projector = projector(from.sequence.layout());
            layout = projector.layout().alone();
            needs.begin(projector.layout());
        }
        int length;
        MemorySegment other = null;
        try {
            length = projector.write(from.source.message);
            if (length != 0) {
                requireDictionaries();
            }
            projector.body(from.source.memory, from.source.bodyAt, parts);
            if (cleared != null && length != 0) {
                written.wrap(projector.written(), 0, length);
                other = cleared.clear(layout, written, parts);
            }
        } catch (FletchException e) {
            throw from.sequence.placed(e);
        }
        if (other != null) {
            out.write(other, parts);
        } else if (length != 0) {
            out.write(projector.written(), 0, length, parts);
        }
    }

    /// Checks, in place of the writer, that dictionaries are there: with the place in the input.
    private void requireDictionaries() {
        if (from.source.message.header(dictionary)) {
            order.add(dictionary, 0);
            needs.add(dictionary);
        } else if (from.source.message.header(batch)) {
            needs.check(batch);
        }
    }

    /// Writes the reader's batch, after loading it.
    ///
    /// @throws FletchException also if a dictionary that its values need was not read, at any level
    /// @throws IllegalStateException if there is no batch
    public void write() throws IOException {
        from.load();
        forward();
    }

    /// Writes the end of the stream.
    public void finish() throws IOException {
        out.finish();
    }

    /// Closes the output.
    ///
    /// @throws IllegalStateException if [#finish] was not called
    @Override
    public void close() throws IOException {
        out.close();
    }
}
