// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Byte order of the values in message bodies; metadata is always little-endian.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Schema`: [#LITTLE].
///
/// Source: `format/Schema.fbs`, enum `Endianness`.
public final class Endianness {
    /// Least significant byte first.
    public static final int LITTLE = 0;

    /// Most significant byte first.
    public static final int BIG = 1;

    static final IdNames NAMES = new IdNames("Endianness", "Little", "Big");

    private Endianness() {}

    /// Tells whether this version of the format declares a value. A newer file may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(int value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/Schema.fbs` spells it. A value that is not known keeps its number,
    /// since a newer file may hold it. Allocates for an unknown value only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `Endianness(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
