// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import java.util.List;

/// A field of a schema to write: see [MetadataEdit#choose].
///
/// Source: `format/Schema.fbs`, `Schema.fields` and `Field.children`.
///
/// @param index of the field among the schema's columns, or among its parent's children
/// @param children the children to write, in this order; null for all, as they are
public record ChosenField(int index, List<ChosenField> children) {
    /// Copies the list.
    public ChosenField {
        children = children == null ? null : List.copyOf(children);
    }
}
