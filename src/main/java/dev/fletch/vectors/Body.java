// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.range.ByteRange;

import org.apache.arrow.memory.ArrowBuf;

import java.io.IOException;
import java.util.List;

/// The body of one batch, from which buffers are taken.
interface Body extends AutoCloseable {
    /// {@return number of its bytes, as the message says}
    long length();

    /// Gets ready to hand out buffers.
    ///
    /// @param needed all that [#buffer] will be asked for; each is inside the body
    void prepare(List<ByteRange> needed) throws IOException;

    /// {@return some of its bytes, as a buffer that the caller closes}
    ///
    /// @param range one of those that this was prepared for
    ArrowBuf buffer(ByteRange range);

    /// Cuts what an allocator has rounded up, so that reading behind the bytes is out of bounds.
    ///
    /// @param buffer closed by the caller of this, or by what this returns
    /// @param length at most that of the buffer
    /// @return the first bytes, with the reference of `buffer`
    static ArrowBuf exactly(ArrowBuf buffer, long length) {
        return buffer.slice(0, length);
    }

    @Override
    void close();
}
