// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes FlatBuffers with the bytes of the official builders, in memory of the caller.
///
/// **Belongs here**: strings, vectors, tables and vtables of any FlatBuffers schema.
///
/// **Does not**: Arrow's tables, which are in [dev.fletch.format.write].
///
/// **Threads.** A writer belongs to one thread at a time.
package dev.fletch.flatbuf.write;
