// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

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

    public static final EnumNames NAMES = new EnumNames("Endianness", "Little", "Big");

    private Endianness() {}
}
