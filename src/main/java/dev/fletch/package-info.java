// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Rules, faults and exceptions: what all layers report of invalid bytes.
///
/// ```java
/// try (var file = ArrowFile.open(path)) {
///     System.out.println(file.recordBatchCount() + " batches");
/// } catch (FletchException e) { // not an Arrow file, or damaged
///     System.out.println(e.rule().id() + " at " + e.offset() + ": " + e.getMessage());
/// }
/// ```
///
/// Each broken [dev.fletch.Rule] has a stable id, a severity and a description. Each layer declares
/// its own rules.
///
/// Pages in the sources: `docs/reference/faults.md` lists all rules, `docs/how-to/verify.md`
/// reports faults.
///
/// **Threads.** Rules and exceptions never change; a fault belongs to its verifier.
package dev.fletch;
