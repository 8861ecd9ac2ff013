// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// How files and streams are converted, and what was written: options, report and error of
/// [dev.fletch.arrow.Arrow#convert].
///
/// ```java
/// var options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE).salvaging();
/// ```
///
/// Pages in the sources: `docs/how-to/salvage.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.convert;
