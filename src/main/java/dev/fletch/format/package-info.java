// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's metadata: one flyweight per table of the declarations in `format/`, the ids of their enums
/// and unions, an encoder per table, the rules of the [dev.fletch.format.Verifier], and writers of
/// whole messages and footers in the order of their producers.
///
/// **Belongs here**: what the declarations say, and what the official producers make of it byte for
/// byte. Tests hold each slot, default, id, accessor, encoder and rule against the declarations.
///
/// **Does not**: what values mean together, which is for `layout`; frames and files, which are for
/// `ipc`; schemas as values, which are for `model`.
///
/// **Threads.** Ids, rules, enums and static methods may be used by any thread; all else belongs to one
/// at a time.
package dev.fletch.format;
