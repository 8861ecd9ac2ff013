// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;

/// Why a file is not, or not fully, in a [FileSummary].
///
/// @param kind what has failed
/// @param offset byte offset in the file of what is wrong; -1 if the file could not be read
/// @param text what is wrong, for one line
public record FileFault(Kind kind, long offset, String text) implements Serializable {
    /// What can fail.
    public enum Kind {
        /// The bytes break the format.
        INVALID,

        /// The file could not be read.
        UNREADABLE
    }

    /// {@return the offset, if there is one, and the text}
    @Override
    public String toString() {
        return offset < 0 ? text : "offset " + offset + ": " + text;
    }
}
