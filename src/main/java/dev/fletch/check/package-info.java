// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// All faults of a complete file or stream: frames, structure, meaning, and the file around the
/// messages.
///
/// ```java
/// var verifier = new ContainerVerifier(options); // keep it: threads may share it
/// var report = verifier.verify(Path.of(args[0]), fault -> System.out.println(fault.toJson()));
/// ```
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/reference/faults.md`.
package dev.fletch.check;
