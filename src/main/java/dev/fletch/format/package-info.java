// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's metadata: a flyweight for each table of the declarations in `format/`, the values of
/// their enums and unions, and the [dev.fletch.format.Verifier].
///
/// **Belongs here**: the content of the declarations. Tests compare each slot, default, id,
/// accessor and rule with them.
///
/// **Does not**: writing, which is in [dev.fletch.format.write]; rules about related values
/// (`semantics`); messages and files (`ipc`); schemas as values (`model`).
///
/// **Threads.** Ids, rules, enums and static methods are thread-safe; all other objects belong to
/// one thread at a time.
package dev.fletch.format;
