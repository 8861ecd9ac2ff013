// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Objects;

/// Limits of the size of a schema as values. A larger schema is rejected while it is read. A schema
/// that shares its parts is also limited by its bytes: see [dev.fletch.format.SchemaSize].
///
/// @param depth maximum levels of fields, the column included: 1 to [#MAX_DEPTH]
/// @param tables maximum number of fields and metadata entries
/// @param textBytes maximum total length of names, keys, values and time zones in bytes
public record SchemaLimits(int depth, int tables, long textBytes) {
    /// Maximum of [#depth()]: comparing, printing and writing are recursive.
    public static final int MAX_DEPTH = 512;

    /// 128 levels, as many as [dev.fletch.layout.LayoutLimits#DEFAULT]; a million tables, as many as
    /// the official verifiers accept; 256 MiB of text.
    public static final SchemaLimits DEFAULT = new SchemaLimits(128, 1_000_000, 256L << 20);

    /// Checks the limits.
    ///
    /// @throws IndexOutOfBoundsException if one is negative, or the depth is out of its range
    public SchemaLimits {
        Objects.checkFromToIndex(1, depth, MAX_DEPTH);
        Objects.checkFromToIndex(0, tables, Integer.MAX_VALUE);
        Objects.checkFromToIndex(0L, textBytes, Long.MAX_VALUE);
    }
}
