// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads Arrow files that are elsewhere by ranges of bytes: the footer, headers, and the columns that are
/// asked for.
///
/// ```java
/// RangeSource source = RangeSource.open(path); // or an HttpRangeSource
/// try (RangedFile file = RangedFile.open(source)) {
///     file.recordBatch(3, frame, message);
/// }
/// ```
///
/// **Belongs here**: sources of ranges, which ranges are needed, requests that are merged and come several at
/// a time, and their limits.
///
/// **Does not**: protocols, such as [dev.fletch.http], and the checks of footers and messages, which are those
/// of [dev.fletch.ipc.FileIndex].
///
/// **Threads.** Sources and options may be shared; all else belongs to one thread at a time.
package dev.fletch.range;
