// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.Rule;

/// The rule of integration JSON, used by [InvalidJsonException]. Ids are stable.
public final class JsonRules {
    /// A text is not in the integration format.
    public static final Rule INVALID_JSON =
            new Rule("invalid-json", Rule.Level.MEANING, Rule.Severity.ERROR, "JSON is invalid");

    private JsonRules() {}
}
