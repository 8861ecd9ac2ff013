// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Says what is checked in an input, and what is wrong with it: checks, limits, rules, faults and
/// exceptions, shared by all packages.
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
/// **Threads.** Checks, limits, rules and faults never change and may be shared; a monitor of work
/// belongs to one input.
package dev.fletch;
