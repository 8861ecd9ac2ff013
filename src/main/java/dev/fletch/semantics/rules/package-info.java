// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The rules of schemas: of a whole schema, of a field and of its type. Not exported.
///
/// **Threads.** The functions have no state; a check belongs to one thread at a time.
package dev.fletch.semantics.rules;
