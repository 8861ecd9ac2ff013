// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

/// What a walk takes of each string.
enum Strings {
    /// Its length.
    LENGTHS,

    /// Its length, its first and its last byte: its bytes are reached, and no time is spent on them.
    ENDS,

    /// Its length and a hash of its bytes.
    HASH
}
