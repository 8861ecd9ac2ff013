// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's metadata: one flyweight for each table of the declarations in `format/`, the ids of their enums
/// and unions, and the [dev.fletch.format.Verifier].
///
/// **Belongs here**: what the declarations say. Tests compare each slot, default, id, accessor and rule
/// with them.
///
/// **Does not**: writing, which is in [dev.fletch.format.write]; what values mean together, which is for
/// `semantics`; messages and files, which are for `ipc`; schemas as values, which are for `model`.
///
/// **Threads.** Ids, rules, enums and static methods may be used by any thread; all else belongs to one
/// at a time.
package dev.fletch.format;
