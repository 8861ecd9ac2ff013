// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Which nodes and buffers of a batch belong to which column, and the column's values.
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
/// A schema is compiled once into a [dev.fletch.layout.BatchLayout]; a
/// [dev.fletch.layout.BatchCursor] then finds any column's parts in any batch without looking at
/// the others. For schemas that are too wide to be compiled for the sake of a few columns, a
/// [dev.fletch.layout.ColumnScan] finds one column by reading little.
///
/// Numbers are read from the array of a column's values, checked once: see
/// [dev.fletch.layout.ValueType]. [dev.fletch.layout.ColumnValues] reads one value after the other, also
/// text, views, and values of [dev.fletch.layout.Dictionaries].
///
/// **Belongs here**: where a column's bytes are, and how its values are stored.
///
/// **Does not**: decompression, what values mean, such as units and scales, and whether metadata
/// means something, which is for [dev.fletch.semantics].
///
/// **Threads.** Layouts and options may be shared; cursors and scans belong to one thread at a time.
package dev.fletch.layout;
