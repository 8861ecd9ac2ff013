// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import dev.fletch.Fault;

import java.io.Serializable;

/// Why a [FileSummary] is incomplete: the parts of a [Fault] that jobs pass on, or the reason why a
/// file could not be read.
///
/// @param code id of the broken rule, by which the file is not valid Arrow; null if the file could
///     not be read
/// @param message index of the faulty message; [Fault#NO_MESSAGE] if the fault is not in one
/// @param offset byte offset of the fault in the file; [Fault#NO_OFFSET] if the file could not be
///     read
/// @param text what is wrong, for one line
public record FileFault(String code, int message, long offset, String text)
        implements Serializable {
    /// {@return the parts of a fault}
    static FileFault of(Fault fault) {
        return new FileFault(fault.rule().id(), fault.message(), fault.position(), fault.text());
    }

    /// {@return the reason why a file could not be read}
    static FileFault unreadable(String text) {
        return new FileFault(null, Fault.NO_MESSAGE, Fault.NO_OFFSET, text);
    }

    /// {@return message, offset and text, as far as they are known: [Fault#placed()]}
    @Override
    public String toString() {
        return Fault.placed(message, offset, text);
    }
}
