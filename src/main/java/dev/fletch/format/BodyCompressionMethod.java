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

    static final IdNames NAMES = new IdNames("BodyCompressionMethod", "BUFFER");

    private BodyCompressionMethod() {}

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
    /// @return the name of `value`, or its number such as `BodyCompressionMethod(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
