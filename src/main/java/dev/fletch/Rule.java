// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A rule that bytes or metadata can break: a constant of the enum of its level.
public sealed interface Rule permits FrameRule, StructureRule, MeaningRule, FileRule, ValueRule {
    /// The severity of a broken rule.
    enum Severity {
        /// No reader can trust the bytes.
        ERROR,
        /// The format forbids it, but other readers accept it.
        DEVIATION,
        /// Valid, but unusual.
        NOTE
    }

    /// {@return all rules, by level}
    static List<Rule> all() {
        return Stream.<Rule[]>of(
                        FrameRule.values(),
                        StructureRule.values(),
                        MeaningRule.values(),
                        FileRule.values(),
                        ValueRule.values())
                .flatMap(Stream::of)
                .toList();
    }

    /// {@return the constant's name, such as `VTABLE_SIZE_ODD`}
    String name();

    /// {@return the rule's name in text and JSON, such as `vtable-size-odd`; stable}
    default String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// {@return the name in text and JSON of the part of the input that the rule is about: `frame`
    /// for the framing of messages, `structure` for the FlatBuffer of a message or footer,
    /// `meaning` for the values in it, `file` for the consistency of a file or stream, `values` for
    /// those in bodies}
    default String level() {
        return switch (this) {
            case FrameRule _ -> "frame";
            case StructureRule _ -> "structure";
            case MeaningRule _ -> "meaning";
            case FileRule _ -> "file";
            case ValueRule _ -> "values";
        };
    }

    /// {@return the consequence for readers if the rule is broken}
    default Severity severity() {
        return RuleRow.of(this).severity();
    }

    /// {@return what is wrong, in a few words}
    default String description() {
        return RuleRow.of(this).description();
    }
}
