// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TableScan;

/// Looks for a column of a schema and weighs those before it, as [FieldWalk#pass] does, as far as
/// they are usual: the fastest way past many columns.
///
/// Not usual, and so left to [FieldWalk], are columns without a name, those that are encoded by a
/// dictionary or have a field below them that is, deep nesting, types whose weight takes more than
/// their number, and all that is damaged.
///
/// Lifetime and threads: see [TableScan].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldScan extends TableScan {
    /// Creates a scan of nothing.
    public FieldScan() {
        super(FieldShape.SHAPE);
    }

    /// Binds to the columns of a schema.
    ///
    /// @param schema bound to a schema; it is not needed any more afterwards, but its root is
    /// @return this
    /// @throws IllegalStateException if `schema` is not bound, or out of date
    public FieldScan wrap(Schema schema) {
        wrap(schema, schema.fieldsAt(), schema.fieldsCount());
        return this;
    }
}
