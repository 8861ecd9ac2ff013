// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Extension types: what a field's metadata says about the meaning of its values, checked against
/// the rules of the canonical types.
///
/// **Belongs here**: a value per canonical type, the rules of its storage and parameters, and a
/// registry that takes readers of an application's own types. `jackson-core` is needed only by types
/// whose parameters are JSON, and may be absent where none of them is read.
///
/// **Does not**: the values themselves. A tensor's shape is told, no tensor is made.
///
/// **Threads.** All of it may be shared, as far as an application's own readers allow for it.
package dev.fletch.extension;
