// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// Limits for untrusted schemas.
///
/// Independent of these limits, a schema has at most 65,536 fields plus one for every four bytes of its
/// buffer: otherwise shared tables could expand a few bytes to any number of fields.
///
/// @param maxDepth maximum levels of fields, a column being level 1; positive
/// @param maxFields maximum number of fields, those of dictionary values included; positive
public record LayoutLimits(int maxDepth, int maxFields) {
    /// 128 levels, more than Arrow's own readers accept, and 67 million fields.
    public static final LayoutLimits DEFAULT = new LayoutLimits(128, 1 << 26);

    private static final int SHARED_FIELDS = 1 << 16;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a limit is not positive
    public LayoutLimits {
        if (maxDepth < 1 || maxFields < 1) {
            throw new IllegalArgumentException(
                    "limit is not positive: maxDepth=" + maxDepth + ", maxFields=" + maxFields);
        }
    }

    /// Returns the maximum number of fields of a schema in a buffer of a size.
    ///
    /// @param bytes size of the schema's buffer
    /// @return the maximum number of fields
    public int fieldsIn(long bytes) {
        return (int) Math.min(maxFields, SHARED_FIELDS + (bytes >> 2));
    }
}
