// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Extension types: the meaning of a field's values according to its metadata, checked against the
/// rules of the canonical types.
///
/// **Belongs here**: a record for each canonical type with the rules of its storage and parameters,
/// and a registry of readers for an application's types. Only types with JSON parameters need
/// `jackson-core`.
///
/// **Does not**: the values themselves, such as tensors.
///
/// **Threads.** All values are thread-safe if the application's readers are.
package dev.fletch.extension;
