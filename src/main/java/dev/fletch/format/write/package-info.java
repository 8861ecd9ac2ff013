// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes Arrow's metadata: an encoder for each table, writers of whole messages and footers in the
/// order of their producers, and a template for record batches.
///
/// ```java
/// var template = RecordBatchTemplate.of(order, MetadataVersion.V5, 1, 2, 0);
/// var header = MemorySegment.ofArray(new byte[template.maxLength()]); // for each batch
/// out.write(header, 0, template.write(header, 0, 3, layout, null), layout.body());
/// ```
///
/// The encoders add a table's fields in one order. To write another order, call the methods `add…`
/// of [dev.fletch.flatbuf.write.FlatBufferWriter] with the slots and defaults of the flyweights.
/// Frames, streams and files are in `dev.fletch.ipc`.
///
/// Pages in the sources: `docs/how-to/write.md`, `docs/concepts/byte-agreement.md`.
///
/// **Threads.** Static methods and enums may be used by any thread; all else belongs to one at a
/// time.
package dev.fletch.format.write;
