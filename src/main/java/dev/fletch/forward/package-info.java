// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Forwards batches with a part of their columns, without reading values.
///
/// ```java
/// var projection = Projection.of(layout, "symbol", "price");
/// var projector = new BatchProjector(projection);
/// ```
///
/// A [dev.fletch.forward.Projection] names the columns. A [dev.fletch.forward.BatchProjector]
/// writes the header of each batch anew, and lists the ranges of the body to send.
///
/// Pages in the sources: `docs/how-to/forward.md`.
///
/// **Threads.** A projection may be shared; a projector belongs to one thread at a time.
package dev.fletch.forward;
