// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Objects;

/// How much of a schema is read before it is refused.
///
/// Tables and texts of a FlatBuffer may be shared: where each field has the same child twice, a few
/// hundred bytes stand for more fields than any memory holds. So what is read is counted.
///
/// @param depth nested fields, the column included: 1 to [#MAX_DEPTH]
/// @param tables fields, and pairs of metadata, in all
/// @param textBytes length of all names, keys, values and time zones together, in bytes
public record SchemaLimits(int depth, int tables, long textBytes) {
    /// The deepest that a schema may be nested, however it is made: comparing, printing and writing
    /// go down by recursion.
    public static final int MAX_DEPTH = 256;

    /// What [ArrowSchema] reads by: 64 levels as in Arrow's own readers, a million tables, 64 MiB
    /// of text.
    public static final SchemaLimits DEFAULT = new SchemaLimits(64, 1_000_000, 64L << 20);

    /// Checks the limits.
    ///
    /// @throws IndexOutOfBoundsException if one is negative, or the depth is out of its range
    public SchemaLimits {
        Objects.checkFromToIndex(1, depth, MAX_DEPTH);
        Objects.checkFromToIndex(0, tables, Integer.MAX_VALUE);
        Objects.checkFromToIndex(0L, textBytes, Long.MAX_VALUE);
    }

    /// These limits with another depth.
    ///
    /// @param newDepth nested fields, the column included
    /// @return new limits
    /// @throws IndexOutOfBoundsException if it is not from 1 to [#MAX_DEPTH]
    public SchemaLimits withDepth(int newDepth) {
        return new SchemaLimits(newDepth, tables, textBytes);
    }

    /// These limits with another number of tables.
    ///
    /// @param newTables fields, and pairs of metadata, in all
    /// @return new limits
    /// @throws IndexOutOfBoundsException if it is negative
    public SchemaLimits withTables(int newTables) {
        return new SchemaLimits(depth, newTables, textBytes);
    }

    /// These limits with another length of texts.
    ///
    /// @param newTextBytes all texts together, in bytes
    /// @return new limits
    /// @throws IndexOutOfBoundsException if it is negative
    public SchemaLimits withTextBytes(long newTextBytes) {
        return new SchemaLimits(depth, tables, newTextBytes);
    }
}
