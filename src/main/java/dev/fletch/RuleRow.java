// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// What each rule has, of any level.
record RuleRow(Rule.Severity severity, String description) {
    static RuleRow of(Rule rule) {
        return switch (rule) {
            case FrameRule of -> of.row;
            case StructureRule of -> of.row;
            case MeaningRule of -> of.row;
            case FileRule of -> of.row;
            case ValueRule of -> of.row;
        };
    }
}
