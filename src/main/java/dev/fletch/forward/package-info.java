// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Forwards batches with a part of their columns, without reading values.
///
/// A [dev.fletch.forward.Projection] names the columns. A [dev.fletch.forward.BatchProjector] writes
/// the header of each batch anew, and lists the ranges of the body to send.
///
/// Page in the sources: `docs/how-to/forward.md`.
package dev.fletch.forward;
