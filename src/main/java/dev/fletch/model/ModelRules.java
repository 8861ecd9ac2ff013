// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.Rule;

/// The rule of schemas as values, used by [InvalidSchemaException]. Ids are stable.
public final class ModelRules {
    /// A schema, or a part of one, is invalid; [InvalidSchemaException#requirement] has the condition.
    public static final Rule INVALID_SCHEMA =
            new Rule(
                    "invalid-schema", Rule.Level.MEANING, Rule.Severity.ERROR, "schema is invalid");

    private ModelRules() {}
}
