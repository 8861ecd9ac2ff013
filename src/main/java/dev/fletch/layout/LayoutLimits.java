// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.SchemaSize;

/// Limits for untrusted schemas, in addition to that of [SchemaSize], which depends on the schema's bytes.
///
/// @param maxDepth maximum levels of fields, a column being level 1; positive
/// @param maxFields maximum number of fields, those of dictionary values included; positive
public record LayoutLimits(int maxDepth, int maxFields) {
    /// 128 levels, more than Arrow's own readers accept, and 67 million fields.
    public static final LayoutLimits DEFAULT = new LayoutLimits(128, 1 << 26);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a limit is not positive
    public LayoutLimits {
        if (maxDepth < 1 || maxFields < 1) {
            throw new IllegalArgumentException(
                    "limit is not positive: maxDepth=" + maxDepth + ", maxFields=" + maxFields);
        }
    }

    /// The maximum number of fields that a scan passes in a schema's buffer: [#maxFields], or
    /// [SchemaSize#maxFields] if that is less.
    ///
    /// @param bytes size of the schema's buffer
    int fieldsIn(long bytes) {
        return (int) Math.min(maxFields, SchemaSize.maxFields(bytes));
    }
}
