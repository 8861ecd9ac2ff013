// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What Arrow requires beyond a sound structure: types and their children, nodes and buffers that fit the
/// schema, dictionaries in their order.
///
/// The [dev.fletch.semantics.SemanticVerifier] checks messages one after the other, as a stream or file
/// has them.
///
/// **Belongs here**: rules of the format that no single table decides.
///
/// **Does not**: the structure of a buffer, which [dev.fletch.format.Verifier] checks first.
///
/// **Threads.** Options may be shared; a verifier belongs to one thread at a time.
package dev.fletch.semantics;
