// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Summarizes what files hold, from their headers alone, for tools that read thousands of files.
///
/// ```java
/// var scan = new FileScan(); // for any number of threads
/// FileSummary summary = scan.of(nameOrLink);
/// System.out.println(summary.rows() + " rows, fault: " + summary.fault());
/// ```
///
/// A [dev.fletch.scan.FileSummary] is a plain, serializable value: rows, batches, columns with
/// their bytes and nulls, the schema, and the fault of an invalid file. An invalid file is no
/// exception.
///
/// Pages in the sources: `docs/how-to/remote.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.scan;
