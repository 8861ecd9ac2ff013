// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes Arrow's metadata: an encoder for each table, writers of whole messages and footers in the
/// order of their producers, and a template for record batches.
///
/// The encoders add a table's fields in one order. To write another order, call the methods `add…` of
/// [dev.fletch.flatbuf.write.FlatBufferWriter] with the slots and the defaults that the flyweights have.
///
/// **Belongs here**: what the official producers make of the declarations, byte for byte.
///
/// **Does not**: frames, streams and files, which are for `ipc`.
///
/// **Threads.** Static methods and enums may be used by any thread; all else belongs to one at a
/// time.
package dev.fletch.format.write;
