// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.arrow.internal.Source;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.wire.Closing;

import java.io.IOException;
import java.util.Objects;

/// The batches of a file or stream, in order; those of a file also by number.
///
/// ```java
/// try (var reader = Arrow.open(path)) {
///     var size = reader.column("size");
///     while (reader.next()) {
///         for (long row = 0; row < size.length(); row++) {
///             sum += size.isNull(row) ? 0 : size.int64(row);
///         }
///     }
/// }
/// ```
///
/// Columns, errors and threads: see [Batches].
///
/// **Allocation.** The first batches allocate, then only dictionaries, compressed batches and those
/// of a link.
public final class BatchReader extends Batches implements AutoCloseable {
    BatchReader(Source source, ReadOptions options) throws IOException {
        super(source, options);
        Closing.onFailure(source::close, this::readSchema);
    }

    private boolean readSchema() throws IOException {
        sequence.open();
        return true;
    }

    /// Reads the next batch. Its body is read if a column was requested, or values are checked.
    ///
    /// @return false after the last one
    public boolean next() throws IOException {
        return next(true);
    }

    /// Reads the header of the next batch: number of rows and metadata. Its body is skipped, unless
    /// [#load()] is called.
    ///
    /// @return false after the last one
    public boolean nextHeader() throws IOException {
        return next(false);
    }

    private boolean next(boolean isLoaded) throws IOException {
        start();
        try {
            boolean isThere = sequence.advance();
            if (isThere && isLoaded && needsBody()) {
                loadBatch();
            } else {
                unbind();
            }
            return succeed(isThere);
        } catch (FletchException e) {
            throw sequence.named(e);
        } finally {
            end();
        }
    }

    /// {@return number of batches of a file; -1 of a stream}
    public int batchCount() {
        return source.blocks.batches();
    }

    /// Loads a batch of a file. [#next] then loads the batch after it.
    ///
    /// @param batch its number, from 0
    /// @throws IndexOutOfBoundsException if there is no such batch; always for a stream
    public void load(int batch) throws IOException {
        Objects.checkIndex(batch, Math.max(0, source.blocks.batches()));
        start();
        try {
            sequence.select(batch);
            sequence.advance();
            loadBatch();
            succeed(true);
        } catch (FletchException e) {
            throw sequence.named(e);
        } finally {
            end();
        }
    }

    /// Closes the input. Does nothing the second time.
    @Override
    public void close() throws IOException {
        source.close();
    }
}
