// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A rule that bytes or metadata can break: a constant of the enum of its level.
public sealed interface Rule permits FrameRule, StructureRule, MeaningRule, FileRule, ValueRule {
    /// The part of the input that a rule is about.
    enum Level {
        /// The framing of messages: prefixes, sizes, bodies.
        FRAME,
        /// The FlatBuffer of a message or footer.
        STRUCTURE,
        /// The values in a well-formed FlatBuffer.
        MEANING,
        /// The consistency of the parts of a file or stream.
        FILE,
        /// The values in the bodies of batches.
        VALUES;

        /// {@return the level's name in text and JSON, such as `frame`}
        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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

    /// {@return the part of the input that the rule is about}
    Level level();

    /// {@return the consequence for readers if the rule is broken}
    Severity severity();

    /// {@return the rule, or the fault, in a few words}
    String description();
}
