// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What files hold, from their headers alone, for tools that go through thousands of them:
///
/// ```java
/// FileScan scan = new FileScan();
/// FileSummary summary = scan.of("https://example.org/trades.arrow");
/// long rows = summary.rows();
/// ```
package dev.fletch.scan;
