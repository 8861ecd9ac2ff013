// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.format.FieldWalk;
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

    /// Checks a field.
    ///
    /// @param depth number of its ancestors
    /// @param fields number of fields before it
    /// @return the broken rule; null if there is none
    public Rule broken(int depth, long fields) {
        return broken(depth, maxDepth, fields, maxFields);
    }

    private static Rule broken(int depth, int maxDepth, long fields, long maxFields) {
        if (depth >= maxDepth) {
            return LayoutRules.SCHEMA_TOO_DEEP;
        }
        return fields >= maxFields ? LayoutRules.TOO_MANY_FIELDS : null;
    }

    /// Checks the current field of a walk.
    ///
    /// @param fields number of fields before it
    /// @throws LayoutException if it is too deep, or one too many
    static void check(FieldWalk walk, int maxDepth, long fields, long maxFields) {
        final Rule broken = broken(walk.depth(), maxDepth, fields, maxFields);
        if (broken != null) {
            final long limit = walk.depth() >= maxDepth ? maxDepth : maxFields;
            throw LayoutException.of(broken, "column", walk.column(), "limit", limit);
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
