// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads byte ranges of a file behind a link, with the JDK's client. Needs the module
/// `java.net.http`.
///
/// ```java
/// try (var file = RangedFile.open(HttpRangeSource.of(args[0]))) {
///     file.requestRecordBatches(0, file.recordBatchCount()); // several at once
///     for (int i = 0; i < file.recordBatchCount(); i++) {
///         file.recordBatch(i, frame, message);
///         message.header(batch);
///         System.out.println(batch.length() + " rows");
///     }
/// }
/// ```
///
/// A [dev.fletch.http.HttpRangeSource] sends requests, retries, follows redirects, and checks that
/// all answers are of the same version of the file. [dev.fletch.range] decides which ranges to
/// request.
///
/// Pages in the sources: `docs/how-to/remote.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.http;
