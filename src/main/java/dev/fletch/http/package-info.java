// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads ranges of what a server has behind a link, with the JDK's client. Needs the module `java.net.http`.
///
/// ```java
/// try (RangedFile file = RangedFile.open(HttpRangeSource.of("https://example.org/trades.arrow"))) {
///     file.recordBatch(3, frame, message);
/// }
/// ```
///
/// **Belongs here**: requests, retries, redirects, and the proof that all answers are of the same version.
///
/// **Does not**: which ranges to request, which is for [dev.fletch.range].
///
/// **Threads.** All may be shared.
package dev.fletch.http;
