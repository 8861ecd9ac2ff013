// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

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

    static final IdNames NAMES = new IdNames("CompressionType", "LZ4_FRAME", "ZSTD");

    private CompressionType() {}

    /// Tells whether this version of the format declares a value. A newer file may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(int value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/Message.fbs` spells it. A value that is not known keeps its number,
    /// since a newer file may hold it. Allocates for an unknown value only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `CompressionType(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
