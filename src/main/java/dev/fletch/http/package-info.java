// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads byte ranges over HTTP, with the JDK's client. Needs the module `java.net.http`.
///
/// ```java
/// try (RangedFile file = RangedFile.open(HttpRangeSource.of("https://example.org/trades.arrow"))) {
///     file.recordBatch(3, frame, message);
/// }
/// ```
///
/// **In this package**: requests, retries, redirects, and checks that all responses have the same version of
/// the object.
///
/// **Not in this package**: the choice of ranges: see [dev.fletch.range].
///
/// **Threads.** All public classes are thread-safe.
package dev.fletch.http;
