// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

/// How much of the metadata is verified when it is opened. Either way nothing is read outside the
/// input: what is left out shows later, as the exceptions of the flyweights.
public enum Verification {
    /// All of each message and of a file's footer, once, when it is opened. The default.
    FULL,

    /// Messages as with [#FULL]. Of a file's footer its own table, its schema's own table and the
    /// blocks, so that opening costs the same for any number of columns. A column, or a pair of the
    /// application's metadata, is verified with all that is below it by [ArrowFile#verified].
    TOUCHED,

    /// Nothing.
    NONE
}
