// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.format.BodyCompression;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.CompressionType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;

/// Decompresses the buffers of a batch with an arrow-java codec.
final class Decompressor {
    private static final int PREFIX_BYTES = Long.BYTES;

    /// The prefix of a buffer that is not compressed.
    private static final long STORED = -1;

    // Maximum expansion of one compressed byte, so that a large prefix alone allocates nothing: an
    // LZ4 length byte adds 255; a block of Zstandard has at least 4 bytes and at most 128 KiB.
    private static final long LZ4_RATIO = 1 << 8;
    private static final long ZSTD_RATIO = 1 << 15;

    private final CompressionCodec codec;
    private final long ratio;

    /// @param codecs null for arrow-java's default factory
    Decompressor(BodyCompression compression, CompressionCodec.Factory codecs) {
        final int id = compression.codec();
        final boolean isKnown =
                CompressionType.NAMES.isKnown(id)
                        && compression.method() == BodyCompressionMethod.BUFFER;
        if (!isKnown) {
            throw VectorException.of(
                    VectorRules.UNSUPPORTED, "codec=%d, method=%d", id, compression.method());
        }
        ratio = id == CompressionType.LZ4_FRAME ? LZ4_RATIO : ZSTD_RATIO;
        final CompressionCodec.Factory factory =
                codecs == null ? CompressionCodec.Factory.INSTANCE : codecs;
        try {
            codec = factory.createCodec(CodecType.fromCompressionType((byte) id));
        } catch (RuntimeException e) {
            throw VectorException.causedBy(
                    e,
                    VectorRules.UNSUPPORTED,
                    "codec=%s, %s",
                    CompressionType.NAMES.name(id),
                    e.getMessage());
        }
    }

    /// Decompresses a buffer.
    ///
    /// @param compressed not empty; closed by this method
    /// @param column for errors
    /// @param index of the buffer among those of its field, for errors
    /// @return a new buffer
    ArrowBuf decompress(ArrowBuf compressed, String column, int index, BufferAllocator allocator) {
        try {
            requirePrefix(compressed, column, index);
            return codec.decompress(allocator, compressed);
        } catch (VectorException | OutOfMemoryException e) {
            compressed.close();
            throw e;
        } catch (RuntimeException e) {
            compressed.close();
            throw VectorException.causedBy(
                    e,
                    VectorRules.DECOMPRESSION,
                    "column=%s, buffer=%d, %s",
                    column,
                    index,
                    e.getMessage());
        }
    }

    private void requirePrefix(ArrowBuf compressed, String column, int index) {
        final long length = compressed.capacity();
        final long claim = length < PREFIX_BYTES ? Long.MIN_VALUE : compressed.getLong(0);
        final long most = ratio * (length - PREFIX_BYTES);
        if (claim < STORED || claim > most) {
            throw VectorException.of(
                    VectorRules.DECOMPRESSION,
                    "column=%s, buffer=%d, length=%d%s",
                    column,
                    index,
                    length,
                    claim == Long.MIN_VALUE ? "" : ", uncompressed=" + claim + ", limit=" + most);
        }
    }
}
