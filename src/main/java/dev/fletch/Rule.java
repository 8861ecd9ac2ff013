// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.Locale;

/// A rule that bytes or metadata can break. Each layer declares its own: see the classes whose names end
/// in `Rules`, such as [dev.fletch.flatbuf.StructureRules].
///
/// @param id the name in texts and JSON, such as `vtable-size-odd`; stable
/// @param level which part of the input it is about
/// @param severity what a reader has to expect where it is broken
/// @param description the rule, or what is wrong, in a few words
public record Rule(String id, Level level, Severity severity, String description) {
    /// Which part of the input a rule is about.
    public enum Level {
        /// Where a message begins and ends: prefixes, sizes, bodies.
        FRAME,
        /// The FlatBuffer of a message or footer.
        STRUCTURE,
        /// What a well-formed FlatBuffer says.
        MEANING,
        /// How the parts of a file or stream go together.
        FILE;

        /// {@return the name in texts and JSON, such as `frame`}
        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// How much a broken rule matters.
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
