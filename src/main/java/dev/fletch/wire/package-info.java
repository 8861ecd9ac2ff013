// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Loads and stores, memory ranges, UTF-8 and shapes, shared by all packages. Not exported.
///
/// **Belongs here**: code about bytes that does not depend on tables; all workarounds for the JIT
/// compiler; escaping and shortening of untrusted text in messages; base64.
///
/// **Does not**: vtables, tables and Arrow.
///
/// **Threads.** Static methods and shapes are thread-safe; other objects belong to one thread.
package dev.fletch.wire;
