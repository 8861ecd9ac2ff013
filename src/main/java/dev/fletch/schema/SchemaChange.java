// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// One semantic difference between two schemas.
///
/// @param at path of the field before the change; null for the schema itself
/// @param kind kind of change
/// @param key the changed metadata key; null for other changes
/// @param before the old value; null if there was none
/// @param after the new value; null if there is none
public record SchemaChange(FieldPath at, Kind kind, String key, String before, String after) {
    /// The kind of a change.
    public enum Kind {
        /// The byte order of bodies.
        ENDIANNESS,

        /// The features that a reader must support.
        FEATURES,

        /// A value of custom metadata was added, removed or replaced.
        METADATA,

        /// A field was added.
        ADDED,

        /// A field was removed.
        REMOVED,

        /// A field has another position among its siblings; the values are its indexes.
        MOVED,

        /// A field has another name.
        NAME,

        /// A field has another type, or other parameters.
        TYPE,

        /// A field became nullable, or no longer is.
        NULLABILITY,

        /// The dictionary encoding of a field was added, removed or changed.
        DICTIONARY
    }

    /// {@return [#at()] as text; null for the schema itself}
    public String path() {
        return at == null ? null : at.toString();
    }

    /// {@return the change on one line, such as `price: type decimal(38, 10) → decimal(20, 2)`.
    /// Long values are shortened around their difference}
    @Override
    public String toString() {
        String place = at == null ? "schema" : at.shown();
        String what =
                switch (kind) {
                    case ADDED -> "added " + after;
                    case REMOVED -> "removed " + before;
                    case MOVED -> "moved " + before + " → " + after;
                    case METADATA ->
                            "metadata "
                                    + Escaper.shortenedName(key)
                                    + values(Escaper::value, SchemaChange::shortened);
                    case NAME -> "name" + values(Escaper::name, Escaper::name);
                    default ->
                            kind.name().toLowerCase(Locale.ROOT)
                                    + values(Escaper::text, Escaper::text);
                };
        return place + ": " + what;
    }

    private static String shortened(String value) {
        return Escaper.longValue(value, value.getBytes(StandardCharsets.UTF_8).length);
    }

    /// @param both formats each of two values
    /// @param single formats a single value
    private String values(UnaryOperator<String> both, UnaryOperator<String> single) {
        if (before == null) {
            return " added " + single.apply(after);
        }
        return after == null
                ? " removed " + single.apply(before)
                : " " + Escaper.change(before, after, both);
    }
}
