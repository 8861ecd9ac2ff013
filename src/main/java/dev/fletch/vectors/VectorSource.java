// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.remote.internal.ByteRange;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongPredicate;

/// The messages of a [VectorReader], and the body of the one that is loaded. By default those of a
/// stream.
abstract class VectorSource implements Closeable {
    /// Number of record batches of a stream.
    static final int UNKNOWN = -1;

    final EncapsulatedMessage frame;
    final Message message = new Message();

    /// Where the message is in the input.
    BatchPlace place;

    /// Whether a field of the schema has a dictionary, by its id.
    LongPredicate dictionaries;

    VectorSource(EncapsulatedMessage frame) {
        this.frame = frame;
    }

    /// Loads the next record batch, of a stream with the dictionary batches before it, or a
    /// dictionary batch of a file.
    ///
    /// @return false at the end
    abstract boolean next(VectorReader into) throws IOException;

    /// {@return number of record batches; [#UNKNOWN] for a stream}
    int batchCount() {
        return UNKNOWN;
    }

    /// {@return whether buffers are copied into the allocator's memory}
    boolean isCopying() {
        return true;
    }

    /// Makes a record batch the next one.
    void select(int batch) {
        throw new IllegalStateException("batches of a stream come in their order: batch=" + batch);
    }

    /// {@return another reader of the same file}
    VectorReader share(ColumnPlan plan, BufferAllocator allocator, VectorOptions options) {
        throw new IllegalStateException("a stream has one reader");
    }

    // ---- the body of the message

    /// Prepares ranges for [#buffer].
    ///
    /// @param needed all ranges to be passed to [#buffer], inside the body
    abstract void prepare(List<ByteRange> needed) throws IOException;

    /// {@return a prepared range as a buffer that the caller closes}
    abstract ArrowBuf buffer(ByteRange range);

    /// {@return a range in mapped memory that [#buffer] refers to; null if it is copied}
    abstract MemorySegment memory(ByteRange range);

    /// Leaves the body.
    void leave() {}
}
