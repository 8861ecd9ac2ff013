// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.forward.Projection;
import dev.fletch.ipc.MessageWriter;

import java.io.IOException;
import java.util.List;

/// Writes batches of a [BatchReader] as a stream, with some of their columns. Buffers are neither
/// decoded nor decompressed.
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
/// Dictionaries that the columns need are written when the reader reads them. What is written is checked
/// as the reader's options say.
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

    Forwarder(MessageWriter out, BatchReader from, List<String> columns) throws IOException {
        this.out = out;
        this.from = from;
        this.columns = columns;
        from.request(columns);
        out.write(from.schemaMessage(projection(from.compile(columns))));
        from.forward(this::forward);
    }

    private Projection projection(BatchLayout layout) {
        return columns.isEmpty()
                ? Projection.of(layout)
                : Projection.of(layout, columns.toArray(String[]::new));
    }

    private void forward() throws IOException {
        if (projector == null) {
            projector = new BatchProjector(projection(from.layout()));
        }
        int length;
        try {
            length = projector.write(from.message);
        } catch (FletchException e) {
            throw from.placed(e);
        }
        if (length != 0) {
            var body = projector.body(from.source.memory, from.source.bodyAt, parts);
            out.write(projector.written(), 0, length, body);
        }
    }

    /// Writes the reader's batch, after loading it.
    ///
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
