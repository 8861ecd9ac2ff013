// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Features that a stream or file uses, and that its reader may need. Each is one element of
/// `Schema.features`, not a bit of a mask.
///
/// Stored as signed 64-bit numbers (`long`). There is no default: no scalar field has this type. An
/// absent vector states nothing about the data.
///
/// Source: `format/Schema.fbs`, enum `Feature`.
public final class Feature {
    /// Reserved; has no meaning.
    public static final long UNUSED = 0L;

    /// A dictionary batch may replace an earlier one of the same id.
    public static final long DICTIONARY_REPLACEMENT = 1L;

    /// Bodies of record batches may be compressed.
    public static final long COMPRESSED_BODY = 2L;

    public static final EnumNames NAMES =
            new EnumNames("Feature", "UNUSED", "DICTIONARY_REPLACEMENT", "COMPRESSED_BODY");

    private Feature() {}
}
