// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;

/// Why a [FileSummary] is incomplete.
///
/// @param kind of the failure
/// @param code id of the broken rule; null if the file could not be read
/// @param message index of the faulty message; -1 if the fault is not in one
/// @param offset byte offset of the fault in the file; -1 if the file could not be read
/// @param text what is wrong, for one line
public record FileFault(Kind kind, String code, int message, long offset, String text)
        implements Serializable {
    /// Kinds of failure.
    public enum Kind {
        /// The file is not valid Arrow.
        INVALID,

        /// The file could not be read.
        UNREADABLE
    }

    /// {@return the message and the offset, if they are not -1, and the text: as [dev.fletch.Fault#placed]}
    @Override
    public String toString() {
        String inMessage = message < 0 ? "" : "message " + message + ": ";
        return inMessage + (offset < 0 ? text : "offset " + offset + ": " + text);
    }
}
