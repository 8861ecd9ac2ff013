// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// What a buffer is for in the layout of its field.
///
/// Source: the chapter "Buffer Listing for Each Layout" of Arrow's columnar format.
public enum BufferRole {
    /// One bit per value: whether it is not null. May have no bytes where nothing is null.
    VALIDITY("validity"),
    /// Where each value begins in what follows: of lists and of variable-length bytes the end too;
    /// of a dense union, the place in the child.
    OFFSETS("offsets"),
    /// How long each list of a list view is.
    SIZES("sizes"),
    /// Which child each value of a union is in.
    TYPE_IDS("typeIds"),
    /// 16 bytes for each value: its length, and the bytes themselves or where they are.
    VIEWS("views"),
    /// The values themselves; indexes of a field that is encoded by a dictionary.
    DATA("data"),
    /// Bytes that views point to. A field has as many as the batch says.
    VARIADIC("variadic");

    private final String text;

    BufferRole(String text) {
        this.text = text;
    }

    /// {@return the name as JSON has it, such as `typeIds`}
    public String text() {
        return text;
    }
}
