// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// Rules for laying out a schema and for matching a batch with its layout, used by [LayoutException]. Ids are
/// stable.
public final class LayoutRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// Fields are nested deeper than [dev.fletch.Limits#depth()].
    public static final Rule SCHEMA_TOO_DEEP =
            error("schema-too-deep", "fields are nested too deeply");

    /// The schema has more fields than [dev.fletch.Limits#fields()].
    public static final Rule TOO_MANY_FIELDS = error("too-many-fields", "too many fields");

    /// Names overlap, and take more than 2 GiB.
    public static final Rule TOO_LONG_NAMES =
            error("too-long-names", "field names are too long in total");

    private LayoutRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Rule error(String id, String description) {
        final Rule rule = new Rule(id, Level.MEANING, Severity.ERROR, description);
        ALL.add(rule);
        return rule;
    }
}
