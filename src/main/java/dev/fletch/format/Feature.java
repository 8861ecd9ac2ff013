// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Features of the format that a stream or file uses, so that its reader may need them. Each is one
/// element of `Schema.features`, not a bit of a mask.
///
/// Stored as signed 64-bit numbers (`long`). No field has this type as a scalar, so there is no
/// default; an absent vector says nothing about the data.
///
/// Source: `format/Schema.fbs`, enum `Feature`.
public final class Feature {
    /// Reserved; says nothing.
    public static final long UNUSED = 0L;

    /// A dictionary batch may replace an earlier one of the same id.
    public static final long DICTIONARY_REPLACEMENT = 1L;

    /// Bodies of record batches may be compressed.
    public static final long COMPRESSED_BODY = 2L;

    static final IdNames NAMES =
            new IdNames("Feature", "UNUSED", "DICTIONARY_REPLACEMENT", "COMPRESSED_BODY");

    private Feature() {}

    /// Tells whether this version of the format declares a value. A newer file may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(long value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/Schema.fbs` spells it. A value that is not known keeps its number,
    /// since a newer file may hold it. Allocates for an unknown value only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `Feature(42)`
    public static String name(long value) {
        return NAMES.name(value);
    }
}
