// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Which nodes and buffers of a batch belong to which column.
///
/// A schema is compiled once into a [dev.fletch.layout.BatchLayout]; a
/// [dev.fletch.layout.BatchCursor] then finds any column's parts in any batch without looking at
/// the others. For schemas that are too wide to be compiled for the sake of a few columns, a
/// [dev.fletch.layout.ColumnScan] finds one column by reading little, and a
/// [dev.fletch.layout.ColumnIndex] by reading next to nothing.
///
/// **Belongs here:** how many nodes and buffers a type has and in which order they come; whether
/// metadata makes sense beyond being well-formed
/// ([MeaningVerifier][dev.fletch.layout.MeaningVerifier]).
///
/// **Does not:** what is in a buffer: offsets, validity bits, values. Nothing here touches a body.
///
/// Compiling a schema allocates; cursors, scans and lookups do not.
package dev.fletch.layout;
