// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

/// The parts of a line about a fault, the same in exceptions and in the output of commands.
public final class FaultText {
    private FaultText() {}

    /// Returns which rule is broken and where, such as `string-unterminated: offset=148,
    /// path=header.schema.fields[0].name`.
    ///
    /// @param path path of the field; null if the fault is not in a table
    public static String place(String rule, long offset, String path) {
        return rule + ": offset=" + offset + (path == null ? "" : ", path=" + path);
    }

    /// Returns the values found there, such as `value=7, column=price`.
    ///
    /// @param column null if the fault is not in a column
    public static String values(String details, String column) {
        return column == null ? details : details + ", column=" + Escaper.name(column);
    }
}
