// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes Arrow's metadata: an encoder for each table, writers of complete messages and footers in
/// the order of their producers, and a template for record batches.
///
/// The encoders add a table's fields in a fixed order. For another order, call the `add…` methods
/// of [dev.fletch.flatbuf.write.FlatBufferWriter] with the slots and defaults of the flyweights.
///
/// **Belongs here**: the output of the official producers for the declarations, byte for byte.
///
/// **Does not**: framing, streams and files (`ipc`).
///
/// **Threads.** Static methods and enums are thread-safe; other objects belong to one thread.
package dev.fletch.format.write;
