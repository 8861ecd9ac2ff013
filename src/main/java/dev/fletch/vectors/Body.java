// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.range.ByteRange;

import org.apache.arrow.memory.ArrowBuf;

import java.io.IOException;
import java.util.List;

/// The body of one batch, as a source of buffers.
interface Body extends AutoCloseable {
    /// {@return length in bytes (Message.fbs, `bodyLength`)}
    long length();

    /// Prepares ranges for [#buffer].
    ///
    /// @param needed all ranges to be passed to [#buffer], inside the body
    void prepare(List<ByteRange> needed) throws IOException;

    /// {@return a range as a buffer that the caller closes}
    ///
    /// @param range one of the prepared ranges
    ArrowBuf buffer(ByteRange range);

    /// Slices off the excess capacity of an allocation, so that arrow-java's bounds checks use the exact
    /// length.
    ///
    /// @param buffer owned by the returned slice
    /// @param length at most that of the buffer
    /// @return the first `length` bytes
    static ArrowBuf exactly(ArrowBuf buffer, long length) {
        return buffer.slice(0, length);
    }

    @Override
    void close();
}
