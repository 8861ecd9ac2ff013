// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

/// The parts of an input that a command needs. Of a remote input, only these are read.
public enum Need {
    /// The schema.
    SCHEMA,

    /// The headers of all messages.
    HEADERS,

    /// All bytes except bodies.
    ALL_BUT_BODIES,

    /// All bytes.
    ALL
}
