// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.internal.CompressedBuffer;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Decompresses the buffers of a batch with an arrow-java codec.
final class VectorCodec {
    private final CompressionCodec codec;
    private final int id;
    private final BufferAllocator allocator;

    /// @param of checked
    /// @param codecs null for arrow-java's default factory
    VectorCodec(BatchCodec of, CompressionCodec.Factory codecs, BufferAllocator allocator) {
        id = of.codec();
        this.allocator = allocator;
        CompressionCodec.Factory factory =
                codecs == null ? CompressionCodec.Factory.INSTANCE : codecs;
        try {
            codec = factory.createCodec(CodecType.fromCompressionType((byte) id));
        } catch (RuntimeException e) {
            throw VectorErrors.unsupportedBy(
                    e, "codec=%s, %s", CompressionType.NAMES.name(id), e.getMessage());
        }
    }

    /// Decompresses a buffer.
    ///
    /// @param compressed with its prefix, and compressed bytes; closed by this method
    /// @param column for errors
    /// @param index of the buffer in the batch, for errors
    /// @param position of its numbers in the memory of the metadata, for errors
    /// @return a new buffer
    ArrowBuf decompress(ArrowBuf compressed, String column, int index, long position) {
        try {
            requireOneFrame(compressed);
            return withoutExcess(codec.decompress(allocator, compressed));
        } catch (FletchException | OutOfMemoryException e) {
            compressed.close();
            throw e;
        } catch (RuntimeException e) {
            compressed.close();
            String details = "column=" + column + ", buffer=" + index + ", " + e.getMessage();
            Fault fault = Fault.of(MeaningRule.DECOMPRESSION, position, 0).because(details);
            throw FletchException.of(fault, e);
        }
    }

    /// Removes the capacity that an allocator adds. arrow-js claims lengths that are too small,
    /// which arrow-java's codec for LZ4 does not mind: then the capacity is another one.
    private ArrowBuf withoutExcess(ArrowBuf buffer) {
        long length = buffer.writerIndex();
        boolean isLength =
                length > 0
                        && buffer.capacity()
                                == allocator.getRoundingPolicy().getRoundedSize(length);
        return isLength ? buffer.slice(0, length) : buffer;
    }

    /// Checks the bytes that codecs ignore.
    private void requireOneFrame(ArrowBuf compressed) {
        long bytes = compressed.capacity();
        if (bytes <= Integer.MAX_VALUE) { // else it is refused
            int length = (int) bytes - CompressedBuffer.PREFIX_BYTES;
            ByteBuffer content = compressed.nioBuffer(CompressedBuffer.PREFIX_BYTES, length);
            CompressedBuffer.requireOneFrame(id, MemorySegment.ofBuffer(content));
        }
    }
}
