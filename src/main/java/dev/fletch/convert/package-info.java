// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Files from streams, streams from files, and the complete batches of damaged ones.
///
/// ```java
/// var report = new Converter(options).convert(Path.of(args[0]), out);
/// ```
///
/// Pages in the sources: `docs/how-to/salvage.md`.
package dev.fletch.convert;
