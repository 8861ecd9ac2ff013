// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Finds a column's field nodes and buffers in a record batch, and reads its values.
///
/// ```java
/// var layout = BatchLayout.of(file);
/// for (int i = 0; i < file.recordBatchCount(); i++) {
///     cursor.bind(layout, file, i).column("price").float64Values(prices);
///     boolean hasNulls = cursor.validity(valid);
///     for (long row = 0; row < cursor.length(); row++) {
///         sum += hasNulls && !valid.bit(row) ? 0 : prices.float64At(row);
///     }
/// }
/// ```
///
/// [dev.fletch.layout.BatchLayout] is compiled once per schema; [dev.fletch.layout.BatchCursor] then finds a
/// column's parts in any batch, in constant time. To read few columns of a very wide schema,
/// [dev.fletch.layout.ColumnScan] finds a column without compiling the schema.
///
/// The cursor returns fixed-width values as an array, checked once: see [dev.fletch.layout.ValueType].
/// [dev.fletch.layout.ColumnValues] reads single values, also of variable width, of views and of
/// [dev.fletch.layout.Dictionaries].
///
/// **In this package**: the location of a column's bytes, and the storage of its values.
///
/// **Not in this package**: decompression, units and scales, and rules on metadata content: see
/// [dev.fletch.semantics].
///
/// **Threads.** Threads may share a [dev.fletch.layout.BatchLayout] and limits; all other objects belong to
/// one thread at a time.
package dev.fletch.layout;
