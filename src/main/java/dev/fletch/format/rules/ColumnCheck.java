// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;

/// The rule of a column that is looked up by name.
public final class ColumnCheck {
    private ColumnCheck() {}

    /// Returns the broken rule if a schema has no such column; null if it has.
    ///
    /// @param found the column's index; negative if there is none
    public static Rule broken(int found) {
        return found < 0 ? FormatRules.NO_COLUMN : null;
    }
}
