// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reports what the verification of a complete file or stream has found.
///
/// ```java
/// var report =
///         Arrow.verify(
///                 Path.of(args[0]), options, fault -> System.out.println(fault.toJson()));
/// System.out.println(
///         report.completeBatches() + " complete batches, " + report.errors() + " errors");
/// ```
///
/// [dev.fletch.arrow.Arrow#verify] checks any input, as [dev.fletch.ipc.ReadOptions] say.
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/concepts/verification.md`,
/// `docs/reference/faults.md`.
///
/// **Threads.** A report is immutable.
package dev.fletch.verify;
