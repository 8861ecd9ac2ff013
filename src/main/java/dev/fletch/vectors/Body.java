// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.remote.internal.ByteRange;

import org.apache.arrow.memory.ArrowBuf;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The body of one batch, as a source of buffers.
abstract class Body implements AutoCloseable {
    private final BatchPlace place;
    private final long length;

    /// @param place where the batch is in the input
    /// @param length in bytes (Message.fbs, `bodyLength`)
    Body(BatchPlace place, long length) {
        this.place = place;
        this.length = length;
    }

    final BatchPlace place() {
        return place;
    }

    final long length() {
        return length;
    }

    /// Prepares ranges for [#buffer].
    ///
    /// @param needed all ranges to be passed to [#buffer], inside the body
    abstract void prepare(List<ByteRange> needed) throws IOException;

    /// {@return a range as a buffer that the caller closes}
    ///
    /// @param range one of the prepared ranges
    abstract ArrowBuf buffer(ByteRange range);

    /// {@return a range in mapped memory that [#buffer] refers to; null if it is copied}
    ///
    /// @param range one of the prepared ranges
    abstract MemorySegment memory(ByteRange range);

    @Override
    public abstract void close();
}
