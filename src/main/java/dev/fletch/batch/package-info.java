// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the nodes and buffers of each column in a batch, reads the column's values, and builds
/// batches.
///
/// ```java
/// var layout = BatchLayout.compile(schema, message.version());
/// int size = layout.field("size");
/// cursor.bind(layout, message).body(body); // for each batch
/// cursor.values(size, ValueType.INT64, values);
/// ```
///
/// A [dev.fletch.batch.BatchLayout] is compiled from a schema once. A
/// [dev.fletch.batch.BatchCursor] then shows any field's node and buffers in any batch without
/// reading the others. If a schema has very many columns and few of them are needed, it has only
/// these: see [dev.fletch.batch.Columns].
///
/// Values are read from a slice that was checked once: see [dev.fletch.batch.ValueType].
/// [dev.fletch.batch.ColumnValues] reads one value after the other, also texts, views, and values
/// of [dev.fletch.batch.Dictionaries]. Buffers are not decompressed here, and units and scales
/// stay in the schema.
///
/// Pages in the sources: `docs/how-to/read-columns.md`, `docs/how-to/wide-files.md`,
/// `docs/concepts/layouts.md`.
///
/// **Threads.** Layouts and options may be shared; cursors belong to one thread at a time.
package dev.fletch.batch;
