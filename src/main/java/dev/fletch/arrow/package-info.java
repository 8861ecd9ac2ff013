// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Verifies and converts any input: a path, memory, a stream, or ranges of bytes.
///
/// ```java
/// var verifier = new ContainerVerifier(options); // keep it: threads may share it
/// var report = verifier.verify(Path.of(args[0]), fault -> System.out.println(fault.toJson()));
/// ```
///
/// [dev.fletch.ipc.ReadOptions] and [dev.fletch.convert.ConvertOptions] say how.
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/how-to/salvage.md`,
/// `docs/reference/faults.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.arrow;
