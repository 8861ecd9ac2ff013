// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers, independent of Arrow: views of tables, vectors and strings over the caller's
/// memory, and the options and rules of verification.
///
/// **Belongs here**: code for any FlatBuffers schema. Flyweights of specific tables extend
/// [dev.fletch.flatbuf.Table], which supports up to eight fields, enough for Arrow. The writer is
/// in [dev.fletch.flatbuf.write].
///
/// **Does not**: names, ids and rules of Arrow, and files.
///
/// **Threads.** Options are immutable, and static methods are thread-safe; all other objects belong
/// to one thread at a time: see [dev.fletch.flatbuf.Flyweight].
package dev.fletch.flatbuf;
