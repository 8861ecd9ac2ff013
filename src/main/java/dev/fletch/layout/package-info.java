// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Which nodes and buffers of a batch belong to which column, and whether metadata means something.
///
/// A schema is compiled once into a [dev.fletch.layout.BatchLayout]; a
/// [dev.fletch.layout.BatchCursor] then finds any column's parts in any batch without looking at
/// the others. For schemas that are too wide to be compiled for the sake of a few columns, a
/// [dev.fletch.layout.ColumnScan] finds one column by reading little. The
/// [dev.fletch.layout.MeaningVerifier] checks what the format demands beyond a sound structure.
///
/// **Belongs here**: all that follows from a schema for its batches.
///
/// **Does not**: the values in the buffers. Where a column's bytes are is told; what they say is not.
///
/// **Threads.** Layouts and options may be shared; cursors, scans and verifiers belong to one thread at
/// a time.
package dev.fletch.layout;
