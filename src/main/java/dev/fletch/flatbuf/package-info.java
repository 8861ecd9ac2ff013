// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers itself, with nothing of Arrow in it: tables, structs, strings and vectors over memory
/// that the caller owns, the writer, and the engine of the verifier.
///
/// **Belongs here:** the wire format, its bounds and its alignment; what any schema would need;
/// [FlatBufferWriter][dev.fletch.flatbuf.FlatBufferWriter] with the official builders' bytes;
/// [Fault][dev.fletch.flatbuf.Fault] and the limits of a verification.
///
/// **Does not:** names of Arrow's tables and fields, their ids and defaults, framing, text for
/// people beyond one line, files and channels.
///
/// Hot: nothing is allocated after set-up, unless a method's name or page says so.
package dev.fletch.flatbuf;
