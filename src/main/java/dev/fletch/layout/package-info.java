// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Which nodes and buffers of a batch belong to which column.
///
/// A schema is compiled once into a [dev.fletch.layout.BatchLayout]; a
/// [dev.fletch.layout.BatchCursor] then finds any column's parts in any batch without looking at
/// the others. For schemas that are too wide to be compiled for the sake of a few columns, a
/// [dev.fletch.layout.ColumnScan] finds one column by reading little.
///
/// **Belongs here**: where a column's bytes are.
///
/// **Does not**: the values in the buffers, and whether metadata means something, which is for
/// [dev.fletch.semantics].
///
/// **Threads.** Layouts and options may be shared; cursors and scans belong to one thread at a time.
package dev.fletch.layout;
