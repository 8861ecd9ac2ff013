// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

/// A flyweight over the parameters of a type. Each type with parameters has a subclass.
///
/// `type` of a [Field], a [Tensor] or a [SparseTensor] binds it if it is the flyweight of their
/// type.
///
/// Source: `format/Schema.fbs`, union `Type`.
public abstract sealed class TypeTable extends Table
        permits Date,
                Decimal,
                Duration,
                FixedSizeBinary,
                FixedSizeList,
                FloatingPoint,
                Int,
                Interval,
                Map,
                Time,
                Timestamp,
                Union {
    /// The type, one of [dev.fletch.format.ids.Type].
    final int type;

    TypeTable(int type) {
        this.type = type;
    }
}
