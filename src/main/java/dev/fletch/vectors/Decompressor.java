// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.BatchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.CompressionType;
import dev.fletch.format.rules.BufferRange;
import dev.fletch.format.rules.CompressedBuffer;

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
        of.check(BatchException::raise);
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
    /// @param index of the buffer in the batch, for errors
    /// @return a new buffer
    ArrowBuf decompress(ArrowBuf compressed, String column, int index, BufferAllocator allocator) {
        try {
            requireSound(compressed, column, index);
            return withoutExcess(codec.decompress(allocator, compressed), allocator);
        } catch (BatchException | OutOfMemoryException e) {
            compressed.close();
            throw e;
        } catch (RuntimeException e) {
            compressed.close();
            throw VectorErrors.causedBy(
                    e,
                    MeaningRule.DECOMPRESSION,
                    "column=%s, buffer=%d, %s",
                    column,
                    index,
                    e.getMessage());
        }
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
    private void requireSound(ArrowBuf compressed, String column, int index) {
        long bytes = compressed.capacity();
        BufferRange range = new BufferRange(BatchException.errors(column), false);
        range.check(BatchException.NO_OFFSET, 0, bytes, bytes, "buffers", index);
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
