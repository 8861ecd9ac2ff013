// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;

import java.util.List;

/// Rules for laying out a schema and for matching a batch with its layout, used by [LayoutException]. Ids are
/// stable.
public final class LayoutRules {
    private static final RuleList ALL = new RuleList(Level.MEANING);

    /// Fields are nested deeper than [LayoutLimits#maxDepth].
    public static final Rule SCHEMA_TOO_DEEP =
            ALL.error("schema-too-deep", "fields are nested too deeply");

    /// The schema has more fields than [LayoutLimits#maxFields].
    public static final Rule TOO_MANY_FIELDS = ALL.error("too-many-fields", "too many fields");

    /// Names overlap, and take more than 2 GiB.
    public static final Rule TOO_LONG_NAMES =
            ALL.error("too-long-names", "field names are too long in total");

    private LayoutRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return ALL.all();
    }
}
