// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Which parts of a body are compressed, each on its own.
///
/// Stored as a signed 8-bit number (`byte`). Absent in `BodyCompression`: [#BUFFER].
///
/// Source: `format/Message.fbs`, enum `BodyCompressionMethod`.
public final class BodyCompressionMethod {
    /// Each buffer, with its uncompressed length before it.
    public static final int BUFFER = 0;

    /// The names that the declaration gives the values.
    public static final EnumNames NAMES = new EnumNames("BodyCompressionMethod", "BUFFER");

    private BodyCompressionMethod() {}
}
