// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TableScan;

/// Looks for a column of a schema and adds up the weights of those before it, as [FieldWalk#pass]
/// does: the fastest way past many columns, as long as these are usual.
///
/// Not usual, and so left to [FieldWalk], are columns without a name, columns that are
/// dictionary-encoded or have such a field below them, deep nesting, types whose number alone does not
/// tell their weight, and whatever is damaged.
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
    /// @param schema bound to a schema, whose root must not wrap again while this is used
    /// @return this
    /// @throws IllegalStateException if `schema` is not bound, or out of date
    public FieldScan wrap(Schema schema) {
        wrap(schema, schema.fieldsAt(), schema.fieldsCount());
        return this;
    }
}
