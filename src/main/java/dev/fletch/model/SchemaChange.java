// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.wire.Escaper;

import java.util.Locale;
import java.util.function.UnaryOperator;

/// One thing that a schema says otherwise than another.
///
/// @param at the way to the field, as it was before; null for the whole schema
/// @param kind what has changed
/// @param key of the metadata's pair that has changed, else null
/// @param before what was there, null if nothing was
/// @param after what is there now, null if nothing is
public record SchemaChange(FieldPath at, Kind kind, String key, String before, String after) {
    /// What can change.
    public enum Kind {
        /// The byte order of bodies.
        ENDIANNESS,

        /// What a reader must know.
        FEATURES,

        /// A value of metadata: added, removed, or another one.
        METADATA,

        /// A field is there that was not.
        ADDED,

        /// A field is not there that was.
        REMOVED,

        /// A field has another place among its siblings: their numbers, from 0.
        MOVED,

        /// A field has another name.
        NAME,

        /// A field has another type, or other parameters.
        TYPE,

        /// A field may have nulls, or may no longer.
        NULLABILITY,

        /// A field is encoded by a dictionary, or by another one, or no longer.
        DICTIONARY
    }

    /// {@return names of the fields that lead there, joined by dots, as they were before; where a
    /// name comes more than once among its siblings, `#2` and so on behind it; null for the whole
    /// schema}
    public String path() {
        return at == null ? null : at.toString();
    }

    /// {@return the change on one line, such as `price: type decimal(38, 10) → decimal(20, 2)`.
    /// What is long is cut, so that the difference is seen}
    @Override
    public String toString() {
        String place = at == null ? "schema" : at.shown();
        String what =
                switch (kind) {
                    case ADDED -> "added " + after;
                    case REMOVED -> "removed " + before;
                    case MOVED -> "moved " + before + " → " + after;
                    case METADATA ->
                            "metadata " + Escaper.shortenedName(key) + change(Escaper::value);
                    case NAME -> "name" + change(Escaper::name);
                    default -> word(kind) + change(Escaper::text);
                };
        return place + ": " + what;
    }

    /// An enum's constant as a word.
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// @param form how texts of this kind are shown
    private String change(UnaryOperator<String> form) {
        if (before == null) {
            return " added " + alone(after, form);
        }
        if (after == null) {
            return " removed " + alone(before, form);
        }
        return " " + Escaper.change(before, after, form);
    }

    private String alone(String text, UnaryOperator<String> form) {
        return kind == Kind.METADATA ? SchemaText.shown(text) : form.apply(text);
    }
}
