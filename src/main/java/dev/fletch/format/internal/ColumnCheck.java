// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;

/// The rule of a column that is looked up by name.
public final class ColumnCheck {
    private ColumnCheck() {}

    /// Returns the rule that a schema without such a column breaks.
    public static Rule missing() {
        return MeaningRule.NO_COLUMN;
    }
}
