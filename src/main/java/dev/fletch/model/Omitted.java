// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// A part that the bytes leave out, where they could as well hold it empty.
///
/// Both mean the same, and producers differ in what they write; code that writes the same bytes again
/// has to know. What is empty and not named as omitted is stored as an empty string or vector.
public enum Omitted {
    /// The name of a field.
    NAME,

    /// The children of a field. Arrow C++ refuses a field without that vector.
    CHILDREN,

    /// The fields of a schema. Arrow C++ refuses a schema without that vector.
    FIELDS,

    /// The custom metadata of a field or a schema.
    METADATA,

    /// The features of a schema.
    FEATURES;

    /// Every set there is, by the bits of its parts: a schema has a set for each of its fields.
    private static final List<Set<Omitted>> SETS =
            IntStream.range(0, 1 << values().length).mapToObj(Omitted::ofBits).toList();

    private static Set<Omitted> ofBits(int bits) {
        Set<Omitted> parts = EnumSet.allOf(Omitted.class);
        parts.removeIf(part -> (bits & part.bit()) == 0);
        return Collections.unmodifiableSet(parts);
    }

    private int bit() {
        return 1 << ordinal();
    }

    /// Copies a set after a check.
    ///
    /// @param empty the parts that can be left out, as there is nothing in them
    static Set<Omitted> checked(Set<Omitted> omitted, Set<Omitted> empty) {
        int bits = 0;
        for (Omitted part : omitted) {
            if (!empty.contains(part)) {
                throw new InvalidSchemaException(
                        "only what is empty can be left out", null, "omitted", part);
            }
            bits |= part.bit();
        }
        return SETS.get(bits);
    }

    /// The set after a part has changed.
    static Set<Omitted> changed(Set<Omitted> omitted, Omitted part, boolean isOmitted) {
        int bits = isOmitted ? part.bit() : 0;
        for (Omitted other : omitted) {
            bits |= other == part ? 0 : other.bit();
        }
        return SETS.get(bits);
    }
}
