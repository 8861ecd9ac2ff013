// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;

/// The rule of a column that is looked up by name.
public final class ColumnCheck {
    private ColumnCheck() {}

    /// Returns the rule that a schema without such a column breaks.
    public static Rule missing() {
        return FormatRules.NO_COLUMN;
    }
}
