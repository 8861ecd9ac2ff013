// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.format.CompressionType;

/// A buffer of a compressed batch, and the uncompressed length that its prefix claims.
///
/// ```text
///   0   i64  uncompressed length in bytes; -1 if the following bytes are not compressed
///   8        the bytes, compressed
/// ```
///
/// A buffer of length 0 has no prefix.
///
/// Source: `format/Message.fbs`, enum `BodyCompressionMethod`; the formats of LZ4 frames and
/// blocks, and of Zstandard.
public final class CompressedBuffer {
    /// Size of the prefix.
    public static final int PREFIX_BYTES = Long.BYTES;

    /// The prefix of bytes that are not compressed.
    public static final long STORED = -1;

    // A length byte of LZ4 stands for at most 255 bytes. A block of Zstandard has at least 4 bytes,
    // and at most 128 KiB when decompressed.
    private static final long LZ4_RATIO = 1 << 8;
    private static final long ZSTD_RATIO = 1 << 15;

    private CompressedBuffer() {}

    /// {@return the maximum uncompressed length that a codec can store in a buffer: no reader can
    /// decompress more, so a larger claim must not make it allocate memory; [Long#MAX_VALUE] for an
    /// unknown codec}
    ///
    /// @param codec one of [CompressionType], or any other number
    /// @param length of the buffer with its prefix, at least 8
    public static long limit(int codec, long length) {
        if (!CompressionType.NAMES.isKnown(codec)) {
            return Long.MAX_VALUE;
        }
        long ratio = codec == CompressionType.LZ4_FRAME ? LZ4_RATIO : ZSTD_RATIO;
        long bytes = length - PREFIX_BYTES;
        return bytes > Long.MAX_VALUE / ratio ? Long.MAX_VALUE : bytes * ratio;
    }

    /// {@return whether a prefix is [#STORED], or a length from 0 to [#limit]}
    ///
    /// @param claim the prefix
    /// @param codec one of [CompressionType], or any other number
    /// @param length of the buffer with its prefix, at least 8
    public static boolean isPossible(long claim, int codec, long length) {
        return claim >= STORED && claim <= limit(codec, length);
    }
}
