// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

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

    /// Stands for a prefix that no writer writes: see [#uncompressedLength].
    public static final long IMPOSSIBLE = -2;

    // A length byte of LZ4 stands for at most 255 bytes. A block of Zstandard has at least 4 bytes,
    // and at most 128 KiB when decompressed.
    private static final long LZ4_RATIO = 1 << 8;
    private static final long ZSTD_RATIO = 1 << 15;

    // An LZ4 frame: magic, flags and the largest size of a block; then, as the flags say, the size
    // of the content and the id of a dictionary; a checksum of these. Each block has its length
    // before it, and may have a checksum behind it. A length of 0 ends the blocks.
    private static final int LZ4_MAGIC = 0x184D2204;
    private static final int LZ4_LEAST_HEAD = 7;
    private static final int LZ4_BLOCK_CHECKSUM = 1 << 4;
    private static final int LZ4_CONTENT_SIZE = 1 << 3;
    private static final int LZ4_CONTENT_CHECKSUM = 1 << 2;
    private static final int LZ4_DICTIONARY = 1;

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

    /// Requires that LZ4 bytes are one frame, as the format says: libraries ignore frames before
    /// it, and bytes behind it. Bytes that end inside the frame are left to the library. Zstandard
    /// may have several frames.
    ///
    /// @param codec one of [CompressionType], or any other number
    /// @param bytes without the prefix
    /// @throws IllegalArgumentException if bytes are before or behind the frame
    public static void requireOneFrame(int codec, MemorySegment bytes) {
        long size = bytes.byteSize();
        if (codec != CompressionType.LZ4_FRAME || size < LZ4_LEAST_HEAD) {
            return;
        }
        if (Wire.int32(bytes, 0) != LZ4_MAGIC) {
            throw new IllegalArgumentException("bytes do not begin with an LZ4 frame");
        }
        int flags = Wire.int8(bytes, Integer.BYTES);
        int checksum = (flags & LZ4_BLOCK_CHECKSUM) != 0 ? Integer.BYTES : 0;
        long position = LZ4_LEAST_HEAD;
        position += (flags & LZ4_CONTENT_SIZE) != 0 ? Long.BYTES : 0;
        position += (flags & LZ4_DICTIONARY) != 0 ? Integer.BYTES : 0;
        int block = 1;
        while (block != 0 && position <= size - Integer.BYTES) {
            block =
                    Wire.int32(bytes, position)
                            & Integer.MAX_VALUE; // the first bit: not compressed
            position += Integer.BYTES + (block == 0 ? 0 : (long) block + checksum);
        }
        position += (flags & LZ4_CONTENT_CHECKSUM) != 0 ? Integer.BYTES : 0;
        if (block == 0 && position < size) {
            throw new IllegalArgumentException(
                    "bytes are behind the LZ4 frame: frame=" + position + ", bytes=" + size);
        }
    }

    /// Reads the prefix of a buffer.
    ///
    /// @param start bound to the buffer, or to its first 8 bytes
    /// @param codec one of [CompressionType], or any other number
    /// @param length of the buffer with its prefix, at least 1
    /// @return the uncompressed length, at most the [#limit]; [#STORED] if the bytes behind the
    ///     prefix are not compressed, also if there are none, before which arrow-java writes 0;
    ///     [#IMPOSSIBLE] if the buffer is too short for a prefix, or has another number there:
    ///     [BufferRange#prefix] says why
    public static long uncompressedLength(ByteSlice start, int codec, long length) {
        if (length < PREFIX_BYTES) {
            return IMPOSSIBLE;
        }
        long claim = start.int64(0);
        if (claim < STORED || claim > limit(codec, length)) {
            return IMPOSSIBLE;
        }
        return length == PREFIX_BYTES ? STORED : claim;
    }

    /// {@return the bytes of a buffer behind their prefix}
    ///
    /// @param length uncompressed, or [#STORED]
    public static byte[] withPrefix(long length, byte[] bytes) {
        byte[] all = new byte[PREFIX_BYTES + bytes.length];
        Wire.setInt64(all, null, 0, length);
        System.arraycopy(bytes, 0, all, PREFIX_BYTES, bytes.length);
        return all;
    }
}
