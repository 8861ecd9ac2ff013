// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.arrow.internal.Source;
import dev.fletch.batch.BatchCursor;
import dev.fletch.remote.internal.ByteRange;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/// The body of a message, as vectors need it: in memory that their buffers refer to, or copied.
abstract class VectorBody {
    private final BufferAllocator allocator;
    // Null if the batch is not compressed.
    private VectorCodec codec;
    private BatchCursor verified;

    VectorBody(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    /// Sets what decompresses the buffers of the message; null for none.
    ///
    /// @param by bound to the batch, with buffers that were decompressed to verify them; null if
    ///     only the codec decompresses
    void decompress(VectorCodec decompressor, BatchCursor by) {
        codec = decompressor;
        verified = by;
    }

    BatchCursor verified() {
        return verified;
    }

    VectorCodec codec() {
        return codec;
    }

    boolean isCompressed() {
        return codec != null || verified != null;
    }

    /// Sets the ranges that [#buffer] is called for, before the body is read.
    void need(List<ByteRange> ranges) {}

    /// {@return a range as a buffer that the caller closes, after the body was read}
    abstract ArrowBuf buffer(ByteRange range);

    /// {@return what keeps the ranges, which the caller closes}
    List<ArrowBuf> retained() {
        return List.of();
    }

    /// Leaves the message.
    void leave() {}

    /// {@return a body whose buffers refer to the memory of a source}
    static VectorBody in(Mapping mapping, Source source, BufferAllocator allocator) {
        return new VectorBody(allocator) {
            @Override
            ArrowBuf buffer(ByteRange range) {
                long position = source.bodyAt + range.offset();
                return mapping.buffer(allocator, source.memory.asSlice(position, range.length()));
            }
        };
    }
}
