// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

/// Rules for reading columns as vectors, used by [VectorException] in addition to rules of lower
/// layers, such as [dev.fletch.values.ValueRules]. Ids are stable.
public final class VectorRules {
    /// Several columns have a chosen name.
    public static final Rule COLUMN_AMBIGUOUS =
            error("column-ambiguous", "several columns have this name; choose by number");

    /// arrow-java does not support a type, codec, byte order or metadata version.
    public static final Rule UNSUPPORTED =
            error("vector-unsupported", "not supported by arrow-java");

    /// A field has more values than arrow-java supports, or a child fewer than its parent needs.
    public static final Rule NODE_NUMBERS =
            error("vector-node-numbers", "field has too many or too few values");

    private VectorRules() {}

    private static Rule error(String id, String description) {
        return new Rule(id, Level.MEANING, Severity.ERROR, description);
    }
}
