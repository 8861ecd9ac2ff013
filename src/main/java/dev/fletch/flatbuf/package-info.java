// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers itself, with nothing of Arrow in it: views of tables, vectors and strings over memory
/// that the caller owns, a writer that gives the bytes of the official builders, and a verifier that
/// makes the decisions of the official one.
///
/// **Belongs here**: what holds for any FlatBuffers schema. Only this package knows the wire format,
/// down to the last byte; flyweights of other tables extend [dev.fletch.flatbuf.Table], and their
/// rules go to a [dev.fletch.flatbuf.VerifierEngine]. Both take tables of up to eight fields, which is
/// all that Arrow has.
///
/// **Does not**: names, ids and rules of Arrow, files, and anything that reads without being asked.
///
/// **Threads.** Options and rule sets never change and may be shared, and static methods may be called
/// by any thread; all else belongs to one thread at a time: see [dev.fletch.flatbuf.Flyweight].
package dev.fletch.flatbuf;
