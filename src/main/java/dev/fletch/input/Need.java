// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

/// What a command needs of an input. Of a remote one, nothing else is read.
public enum Need {
    /// The schema.
    SCHEMA,

    /// The headers of all messages.
    HEADERS,

    /// All bytes but those of bodies.
    ALL_BUT_BODIES,

    /// All bytes.
    ALL
}
