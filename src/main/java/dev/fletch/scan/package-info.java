// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Summarizes files from their headers, for tools that process thousands of files:
///
/// ```java
/// FileScan scan = new FileScan();
/// FileSummary summary = scan.of("https://example.org/trades.arrow");
/// long rows = summary.rows();
/// ```
package dev.fletch.scan;
