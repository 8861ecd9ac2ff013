// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads Arrow files that are elsewhere by ranges of bytes: the footer, headers, and the columns
/// that are requested.
///
/// ```java
/// try (var file = RangedFile.open(RangeSource.open(path))) {
///     file.recordBatch(1, frame, message); // reads the footer, then this header alone
///     System.out.println(message.bodyLength() + " bytes");
/// }
/// ```
///
/// A [dev.fletch.range.RangeSource] is a local file, a channel, a link ([dev.fletch.http]) or a
/// store of your own. Requests of neighbouring ranges are merged, several run at a time, and sizes
/// have limits: [dev.fletch.range.RangeOptions]. Footers and messages get the checks of
/// [dev.fletch.ipc.FileIndex].
///
/// Pages in the sources: `docs/how-to/remote.md`.
///
/// **Threads.** Sources and options may be shared; all else belongs to one thread at a time.
package dev.fletch.range;
