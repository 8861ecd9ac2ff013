// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers itself, with nothing of Arrow in it: views of tables, vectors and strings over memory
/// that the caller owns, a writer with the bytes of the official builders, and a verifier with the
/// decisions of the official one.
///
/// **Belongs here**: what holds for any FlatBuffers schema. The wire format is known by this package
/// alone, down to the last byte; whoever builds flyweights of other tables extends
/// [dev.fletch.flatbuf.Table] and hands its rules to a [dev.fletch.flatbuf.VerifierEngine].
///
/// **Does not**: names, ids and rules of Arrow, files, and anything that reads without being asked.
///
/// **Threads.** Options and rule sets never change and may be shared; all else belongs to one thread
/// at a time: see [dev.fletch.flatbuf.Flyweight].
package dev.fletch.flatbuf;
