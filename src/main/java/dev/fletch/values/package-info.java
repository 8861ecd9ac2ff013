// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Verifies the values in the bodies of batches, where they are, without copying them.
///
/// ```java
/// var values = new ValueVerifier(schema, batches.layout());
/// for (int i = 0; i < batches.count(); i++) {
///     if (!values.verify(batches.bind(i), dictionaries)) {
///         throw values.fault().exception();
///     }
/// }
/// ```
///
/// A [dev.fletch.values.ValueVerifier] checks a bound batch against [dev.fletch.ValueRule].
///
/// Pages in the sources: `docs/how-to/verify.md`, `docs/reference/faults.md`.
///
/// **Threads.** A verifier belongs to one thread at a time.
package dev.fletch.values;
