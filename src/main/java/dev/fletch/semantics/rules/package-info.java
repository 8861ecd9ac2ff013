// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The rules that tables and values have in common. Not exported.
///
/// **Belongs here**: rules as functions of numbers, for the checks of tables and for constructors
/// of values.
///
/// **Does not**: positions, paths, and what happens after a broken rule.
///
/// **Threads.** The functions have no state.
package dev.fletch.semantics.rules;
