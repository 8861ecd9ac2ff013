// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads and writes Arrow's framing around the metadata: encapsulated messages, streams and files.
///
/// ```java
/// try (var reader = MessageReader.of(channel, ReadOptions.DEFAULT)) {
///     while (reader.next(message) == FrameKind.MESSAGE) {
///         if (message.header(batch)) {
///             rows += batch.length(); // the body is skipped
///         }
///     }
/// }
/// ```
///
/// Prefixes, magic, footers and blocks; mapped files ([dev.fletch.ipc.ArrowFile]), channels
/// ([dev.fletch.ipc.MessageReader]) and buffers as they arrive ([dev.fletch.ipc.MessageDecoder]).
/// Metadata is verified when it is opened. Every fault has a name and an offset in the file or
/// stream: see [dev.fletch.FrameRule] and [dev.fletch.FileRule]. Bodies are skipped, sliced or
/// handed through; they are neither read nor decompressed.
///
/// Pages in the sources: `docs/how-to/streams.md`, `docs/how-to/read-columns.md`,
/// `docs/concepts/recognition.md`.
///
/// **Threads.** [dev.fletch.ipc.ReadOptions] may be shared, and so may the memory of a file; all
/// else belongs to one thread at a time: see [dev.fletch.ipc.ArrowFile].
package dev.fletch.ipc;
