// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Forwards batches with some of their columns, without reading values.
///
/// ```java
/// var projector = BatchProjector.of(layout, "symbol", "price");
/// ```
///
/// A [dev.fletch.forward.BatchProjector] writes the schema and a new header for each batch, and
/// lists the ranges of the body to send.
///
/// Pages in the sources: `docs/how-to/forward.md`.
///
/// **Threads.** A projector belongs to one thread at a time.
package dev.fletch.forward;
