// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.CompressedBuffer;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Decompresses the buffers of a batch with an arrow-java codec.
final class Decompressor {
    private final CompressionCodec codec;
    private final int id;

    /// @param codecs null for arrow-java's default factory
    Decompressor(BatchCodec of, CompressionCodec.Factory codecs) {
        of.check(FletchException::raise);
        id = of.codec();
        boolean isKnown =
                CompressionType.NAMES.isKnown(id) && of.method() == BodyCompressionMethod.BUFFER;
        if (!isKnown) {
            throw VectorErrors.unsupported("codec=%d, method=%d", id, of.method());
        }
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
    /// @param compressed not empty; closed by this method
    /// @param column for errors
    /// @param buffer its place in the batch, for errors
    /// @param place of the batch, for errors
    /// @return a new buffer
    ArrowBuf decompress(
            ArrowBuf compressed,
            String column,
            BatchBuffer buffer,
            BatchPlace place,
            BufferAllocator allocator) {
        try {
            requireSound(compressed, column, buffer);
            return withoutExcess(codec.decompress(allocator, compressed), allocator);
        } catch (FletchException | OutOfMemoryException e) {
            compressed.close();
            throw e;
        } catch (RuntimeException e) {
            compressed.close();
            String details = "column=" + column + ", buffer=" + buffer.index();
            throw VectorErrors.inBody(
                    place, 0, e, MeaningRule.DECOMPRESSION, details + ", " + e.getMessage());
        }
    }

    /// {@return where the bytes of a buffer are in the body}
    ///
    /// @param fetched the buffer with its prefix; not empty
    static BufferOrigin origin(ArrowBuf fetched, BatchBuffer buffer) {
        boolean isStored =
                fetched.capacity() >= CompressedBuffer.PREFIX_BYTES
                        && fetched.getLong(0) == CompressedBuffer.STORED;
        long offset = buffer.range().offset();
        return isStored
                ? new BufferOrigin(offset + CompressedBuffer.PREFIX_BYTES, false)
                : new BufferOrigin(offset, true);
    }

    /// Removes the capacity that an allocator adds. arrow-js claims lengths that are too small, which
    /// arrow-java's codec for LZ4 does not mind: then the capacity is another one.
    private static ArrowBuf withoutExcess(ArrowBuf found, BufferAllocator allocator) {
        long length = found.writerIndex();
        boolean isLength =
                length > 0
                        && found.capacity() == allocator.getRoundingPolicy().getRoundedSize(length);
        return isLength ? found.slice(0, length) : found;
    }

    /// Checks the prefix, and the bytes that codecs ignore.
    private void requireSound(ArrowBuf compressed, String column, BatchBuffer buffer) {
        long bytes = compressed.capacity();
        BufferRange range = new BufferRange(FletchException.errors(column), false);
        range.check(buffer.position(), 0, bytes, bytes, "buffers", buffer.index());
        range.prefix();
        long claim = compressed.getLong(0);
        range.uncompressedLength(claim, id);
        if (claim != CompressedBuffer.STORED && bytes <= Integer.MAX_VALUE) { // else it is refused
            int length = (int) bytes - CompressedBuffer.PREFIX_BYTES;
            ByteBuffer content = compressed.nioBuffer(CompressedBuffer.PREFIX_BYTES, length);
            CompressedBuffer.requireOneFrame(id, MemorySegment.ofBuffer(content));
        }
    }
}
