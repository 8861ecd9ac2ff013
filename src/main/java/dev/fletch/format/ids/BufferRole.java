// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// The role of a buffer in its field's physical layout.
///
/// Source: Columnar format, "Buffer Listing for Each Layout".
public enum BufferRole {
    /// Validity bitmap: one bit per value, set if the value is not null. May have 0 bytes if no
    /// value is null.
    VALIDITY("validity"),
    /// Offsets of values: in the data buffer for variable-size binary, in the child for lists, list
    /// views and dense unions. Variable-size binary and lists have one more offset than values.
    OFFSETS("offsets"),
    /// Number of elements of each list of a list view.
    SIZES("sizes"),
    /// The type id of each value of a union, which selects the child.
    TYPE_IDS("typeIds"),
    /// One view of 16 bytes per value: length, and either the bytes or a prefix, buffer index and
    /// offset.
    VIEWS("views"),
    /// The values; for a dictionary-encoded field, the indices.
    DATA("data"),
    /// Bytes that views refer to. `variadicBufferCounts` of the batch has their number per field.
    VARIADIC("variadic");

    private final String text;

    BufferRole(String text) {
        this.text = text;
    }

    /// {@return the name in JSON output, such as `typeIds`}
    public String text() {
        return text;
    }
}
