// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// The rules that a class declares as constants, in the order of declaration.
public final class RuleList {
    private final List<Rule> all;
    private final Level level;

    /// Creates an empty list.
    ///
    /// @param level of the rules that are declared with this object
    public RuleList(Level level) {
        this(level, new ArrayList<>());
    }

    private RuleList(Level level, List<Rule> all) {
        this.level = level;
        this.all = all;
    }

    /// {@return an object that declares rules of another level in the same list}
    public RuleList at(Level other) {
        return new RuleList(other, all);
    }

    /// Declares a rule of severity [Severity#ERROR]; for the parameters see [Rule].
    public Rule error(String id, String description) {
        return add(new Rule(id, level, Severity.ERROR, description));
    }

    /// Declares a rule of severity [Severity#DEVIATION].
    public Rule deviation(String id, String description) {
        return add(new Rule(id, level, Severity.DEVIATION, description));
    }

    /// Declares a rule of severity [Severity#NOTE].
    public Rule note(String id, String description) {
        return add(new Rule(id, level, Severity.NOTE, description));
    }

    /// Adds a rule, also one that another class declares.
    public Rule add(Rule rule) {
        all.add(rule);
        return rule;
    }

    /// {@return all rules}
    public List<Rule> all() {
        return List.copyOf(all);
    }
}
