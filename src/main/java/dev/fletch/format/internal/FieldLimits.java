// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;

/// Checks a schema's fields against [Limits#depth] and [Limits#fields].
public final class FieldLimits {
    private FieldLimits() {}

    /// Checks a field.
    ///
    /// @param depth number of its ancestors
    /// @param fields number of fields before it
    /// @return the broken rule; null if there is none
    public static Rule broken(Limits limits, int depth, long fields) {
        return broken(depth, limits.depth(), fields, limits.fields());
    }

    /// Checks a field.
    ///
    /// @param depth number of its ancestors
    /// @param fields number of fields before it
    /// @return the broken rule; null if there is none
    public static Rule broken(int depth, int maxDepth, long fields, long maxFields) {
        if (depth >= maxDepth) {
            return MeaningRule.SCHEMA_TOO_DEEP;
        }
        return fields >= maxFields ? MeaningRule.TOO_MANY_FIELDS : null;
    }
}
