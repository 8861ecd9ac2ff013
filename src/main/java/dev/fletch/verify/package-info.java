// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What Arrow requires beyond a sound structure: of messages one after the other, and of the values
/// in their bodies.
///
/// ```java
/// var meaning = new SemanticVerifier();
/// meaning.beginStream();
/// while (reader.next(message) == FrameKind.MESSAGE) {
///     if (!meaning.message(message)) {
///         throw meaning.fault().exception();
///     }
/// }
/// ```
///
/// The [dev.fletch.verify.SemanticVerifier] checks types and their children, nodes and buffers that
/// fit the schema, and dictionaries in their order. The messages must have a sound structure:
/// [dev.fletch.format.Verifier] checks that first. A [dev.fletch.verify.ValueVerifier] checks the
/// values of a bound batch, without copying them.
///
/// [dev.fletch.arrow.Arrow#verify] checks complete files and streams, with
/// [dev.fletch.ipc.ReadOptions].
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/concepts/verification.md`,
/// `docs/reference/faults.md`.
///
/// **Threads.** Options may be shared; a verifier belongs to one thread at a time.
package dev.fletch.verify;
