// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Decompresses buffers by optional libraries, which a program adds to its dependencies.
///
/// ```java
/// var buffers = new DecompressedBuffers(new LibraryDecompressor(), 1L << 30); // at most 1 GiB
/// cursor.source(buffers);
/// // for each batch: bind it, read values, and then
/// buffers.release();
/// ```
///
/// [dev.fletch.compression.LibraryDecompressor] says which. A
/// [dev.fletch.batch.DecompressedBuffers] calls it when values are read.
///
/// Pages in the sources: `docs/how-to/read-columns.md`.
///
/// **Threads.** A decompressor may be used by several threads at once.
package dev.fletch.compression;
