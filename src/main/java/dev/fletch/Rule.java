// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.Locale;

/// A rule that bytes or metadata can break. Each layer declares its rules in a class whose name
/// ends in `Rules`, such as [dev.fletch.flatbuf.StructureRules], or a single rule in its exception.
///
/// @param id the rule's name in text and JSON, such as `vtable-size-odd`; stable
/// @param level the part of the input that the rule is about
/// @param severity the consequence for readers if the rule is broken
/// @param description the rule, or the fault, in a few words
public record Rule(String id, Level level, Severity severity, String description) {
    /// The part of the input that a rule is about.
    public enum Level {
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
    public enum Severity {
        /// No reader can trust the bytes.
        ERROR,
        /// The format forbids it, but other readers accept it.
        DEVIATION,
        /// Valid, but unusual.
        NOTE
    }

    /// {@return the id}
    @Override
    public String toString() {
        return id;
    }
}
