// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads remote Arrow files by byte ranges: the footer, headers of messages, and buffers of chosen columns.
///
/// ```java
/// RangeSource source = RangeSource.open(path); // or an HttpRangeSource
/// try (RangedFile file = RangedFile.open(source)) {
///     file.recordBatch(3, frame, message);
/// }
/// ```
///
/// **In this package**: sources of ranges, the choice of ranges, merged and concurrent requests, limits.
///
/// **Not in this package**: protocols (see [dev.fletch.http]); checks of footers and messages (see
/// [dev.fletch.ipc.FileIndex]).
///
/// **Threads.** Threads may share sources and options; all other objects belong to one thread at a time.
package dev.fletch.range;
