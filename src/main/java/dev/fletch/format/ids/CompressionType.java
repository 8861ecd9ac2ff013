// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Codec of compressed buffers.
///
/// Stored as a signed 8-bit number (`byte`). Absent in `BodyCompression`: [#LZ4_FRAME].
///
/// Source: `format/Message.fbs`, enum `CompressionType`.
public final class CompressionType {
    /// LZ4 in its frame format.
    public static final int LZ4_FRAME = 0;

    /// Zstandard.
    public static final int ZSTD = 1;

    public static final EnumNames NAMES = new EnumNames("CompressionType", "LZ4_FRAME", "ZSTD");

    private CompressionType() {}
}
