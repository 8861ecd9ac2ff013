// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Opens, reads, verifies, converts, forwards and writes Arrow files and streams. Most programs
/// need only this package.
///
/// ```java
/// try (var reader = Arrow.open(Path.of(args[0]))) {
///     var size = reader.column(args[1]);
///     while (reader.next()) {
///         for (long row = 0; row < size.length(); row++) {
///             sum += size.isNull(row) ? 0 : size.int64(row);
///         }
///     }
/// }
/// ```
///
/// [dev.fletch.arrow.Arrow] opens a path, memory, a channel, a stream, or ranges of bytes. Columns
/// are requested by path; only they are laid out, read, decompressed and checked, as
/// [dev.fletch.ipc.ReadOptions] say.
///
/// **Errors.** A [dev.fletch.FletchException] says what is wrong with the bytes and where; an
/// [java.io.IOException] is one of the source or target.
///
/// Pages in the sources: `docs/how-to/read-columns.md`, `docs/how-to/verify.md`,
/// `docs/how-to/write.md`, `docs/how-to/forward.md`, `docs/how-to/salvage.md`.
///
/// **Threads.** A reader or writer belongs to one thread at a time; options may be shared.
package dev.fletch.arrow;
