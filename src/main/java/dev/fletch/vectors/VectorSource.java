// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import org.apache.arrow.memory.BufferAllocator;

import java.io.Closeable;
import java.io.IOException;

/// The messages of a [VectorReader]. By default those of a stream.
interface VectorSource extends Closeable {
    /// Loads the next record batch, of a stream with the dictionary batches before it, or a dictionary
    /// batch of a file.
    ///
    /// @return false at the end
    boolean next(VectorReader into) throws IOException;

    /// {@return number of record batches; -1 for a stream}
    default int batchCount() {
        return -1;
    }

    /// {@return whether buffers are copied into the allocator's memory}
    default boolean isCopying() {
        return true;
    }

    /// Makes a record batch the next one.
    default void select(int batch) {
        throw new IllegalStateException("batches of a stream come in their order: batch=" + batch);
    }

    /// {@return another reader of the same file}
    default VectorReader share(ColumnPlan plan, BufferAllocator allocator, VectorOptions options) {
        throw new IllegalStateException("a stream has one reader");
    }
}
