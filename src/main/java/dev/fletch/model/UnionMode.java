// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// How a union's values are laid out.
///
/// Source: `format/Schema.fbs`, enum `UnionMode`.
public enum UnionMode {
    /// Each child has as many values as the union.
    SPARSE(dev.fletch.format.UnionMode.SPARSE),

    /// Each child has its own values only, and offsets lead to them.
    DENSE(dev.fletch.format.UnionMode.DENSE);

    private final int id;

    UnionMode(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.UnionMode]}
    public int id() {
        return id;
    }
}
