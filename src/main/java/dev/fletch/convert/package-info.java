// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Sets how [dev.fletch.arrow.Arrow#convert] writes an input as a file or stream, and reports what
/// it has written and left out.
///
/// ```java
/// var options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE).salvaging();
/// ```
///
/// Pages in the sources: `docs/how-to/salvage.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.convert;
