// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Loads and stores, memory ranges, UTF-8 and shapes: what all packages share. Not exported.
///
/// **Belongs here**: code that knows bytes and nothing of tables, and the one place of each trick for
/// speed; texts of others in messages: shortened, and harmless on a terminal; base64.
///
/// **Does not**: vtables, tables and anything of Arrow.
///
/// **Threads.** Static methods and shapes may be used by any thread; all else belongs to one at a time.
package dev.fletch.wire;
