// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes FlatBuffers with the bytes of the official builders, in memory of the caller.
///
/// ```java
/// var writer = new FlatBufferWriter();
/// int name = writer.createString("price");
/// writer.startTable();
/// writer.addOffset(0, name); // slot 0
/// writer.addNumber(1, Integer.BYTES, 7, 0); // slot 1: the value 7, the default 0
/// writer.finish(writer.endTable());
/// ```
///
/// It writes strings, vectors, tables and vtables of any FlatBuffers schema. Arrow's tables are in
/// [dev.fletch.format.write].
///
/// Pages in the sources: `docs/concepts/byte-agreement.md` says whose bytes are written,
/// `docs/how-to/write.md` writes a file.
///
/// **Threads.** A writer belongs to one thread at a time.
package dev.fletch.flatbuf.write;
