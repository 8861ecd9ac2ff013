// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads remote Arrow files by ranges of bytes: the footer, headers, and the columns that are
/// requested.
///
/// ```java
/// try (var reader = Arrow.open(RangeSource.http(args[0]), ReadOptions.DEFAULT)) {
///     while (reader.nextHeader()) {
///         System.out.println(reader.rowCount() + " rows");
///     }
/// }
/// ```
///
/// A [dev.fletch.remote.RangeSource] is a local file, a channel, a link or a store of
/// your own. Requests of neighbouring ranges
/// are merged, several run at a time, and sizes have limits. Footers and messages get the checks of
/// [dev.fletch.ipc.FileIndex].
///
/// Only links need the module `java.net.http`. Their source sends requests, retries, follows
/// redirects, and checks that all answers are of the same version of the file.
///
/// Pages in the sources: `docs/how-to/remote.md`.
///
/// **Threads.** Sources and options may be shared; all else belongs to one thread at a time.
package dev.fletch.remote;
