// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Layout of a union column.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Union`: [#SPARSE].
///
/// Source: `format/Schema.fbs`, enum `UnionMode`.
public final class UnionMode {
    /// Every child has as many values as the union.
    public static final int SPARSE = 0;

    /// Each value has an offset into its child.
    public static final int DENSE = 1;

    public static final EnumNames NAMES = new EnumNames("UnionMode", "Sparse", "Dense");

    private UnionMode() {}
}
