// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Verifies Arrow's requirements beyond the FlatBuffer structure: types and their children, nodes
/// and buffers that match the schema, the order of dictionaries.
///
/// The [dev.fletch.semantics.SemanticVerifier] checks messages one by one, in the order of a stream
/// or file.
///
/// **Belongs here**: rules of the format about the combination of several values or tables.
///
/// **Does not**: the structure of a buffer, which [dev.fletch.format.Verifier] checks first.
///
/// **Threads.** Options are immutable; a verifier belongs to one thread at a time.
package dev.fletch.semantics;
