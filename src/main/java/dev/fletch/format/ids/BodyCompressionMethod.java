// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// The parts of a body that are compressed separately.
///
/// Stored as a signed 8-bit number (`byte`). Absent in `BodyCompression`: [#BUFFER].
///
/// Source: `format/Message.fbs`, enum `BodyCompressionMethod`.
public final class BodyCompressionMethod {
    /// Each buffer, prefixed with its uncompressed length as a 64-bit number.
    public static final int BUFFER = 0;

    public static final EnumNames NAMES = new EnumNames("BodyCompressionMethod", "BUFFER");

    private BodyCompressionMethod() {}
}
