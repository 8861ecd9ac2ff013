// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What Arrow requires beyond a sound structure: types and their children, nodes and buffers that
/// fit the schema, dictionaries in their order.
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
/// The [dev.fletch.semantics.SemanticVerifier] checks messages one after the other, as a stream or
/// file has them. They must have a sound structure: [dev.fletch.format.Verifier] checks that first.
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/concepts/verification.md`,
/// `docs/reference/faults.md`.
///
/// **Threads.** Options may be shared; a verifier belongs to one thread at a time.
package dev.fletch.semantics;
