// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers, with nothing of Arrow in it: views of tables, vectors and strings over memory that the
/// caller owns, and the options and faults of verification.
///
/// **Belongs here**: what holds for any FlatBuffers schema. Flyweights of other tables extend
/// [dev.fletch.flatbuf.Table], for tables of up to eight fields, which is all that Arrow has. The
/// writer is in [dev.fletch.flatbuf.write].
///
/// **Does not**: names, ids and rules of Arrow, files, and anything that reads without being asked.
///
/// **Threads.** Options never change and may be shared, and static methods may be called by any thread;
/// all else belongs to one thread at a time: see [dev.fletch.flatbuf.Flyweight].
package dev.fletch.flatbuf;
