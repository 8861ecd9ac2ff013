// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.wire.Escaper;

/// The rule that a column must be there.
public final class ColumnCheck {
    private ColumnCheck() {}

    /// Returns the fault of a schema without a column.
    ///
    /// @param name of the column, or a path
    /// @param columns number of all
    public static FletchException missing(CharSequence name, int columns) {
        return missing("name=" + Escaper.name(name.toString()) + ", columns=" + columns);
    }

    /// Returns the fault of a schema with fewer columns.
    ///
    /// @param column its number, from 0
    /// @param columns number of all
    public static FletchException missing(int column, int columns) {
        return missing("column=" + column + ", columns=" + columns);
    }

    private static FletchException missing(String details) {
        return FletchException.of(MeaningRule.NO_COLUMN, details);
    }
}
