// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Extension types: what a field's metadata says about the meaning of its values, checked against
/// the rules of the canonical types.
///
/// **Belongs here**: a record for each canonical type with the rules of its storage and parameters,
/// and a registry for readers of an application's own types. Only types whose parameters are JSON need
/// `jackson-core`.
///
/// **Does not**: the values themselves, such as tensors.
///
/// **Threads.** All values may be shared, if an application's own readers are thread-safe.
package dev.fletch.extension;
