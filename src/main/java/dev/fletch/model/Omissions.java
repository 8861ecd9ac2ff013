// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Sets of parts that are left out: which may be, and how they follow from what is there.
final class Omissions {
    /// Every set there is, by the bits of its parts: a schema has a set for each of its fields.
    private static final List<Set<Omitted>> SETS =
            IntStream.range(0, 1 << Omitted.values().length).mapToObj(Omissions::ofBits).toList();

    private Omissions() {}

    private static Set<Omitted> ofBits(int bits) {
        Set<Omitted> parts = EnumSet.noneOf(Omitted.class);
        for (Omitted part : Omitted.values()) {
            if ((bits & bit(part)) != 0) {
                parts.add(part);
            }
        }
        return Collections.unmodifiableSet(parts);
    }

    private static int bit(Omitted part) {
        return 1 << part.ordinal();
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
            bits |= bit(part);
        }
        return SETS.get(bits);
    }

    /// The set after a part has changed.
    static Set<Omitted> changed(Set<Omitted> omitted, Omitted part, boolean isOmitted) {
        int bits = isOmitted ? bit(part) : 0;
        for (Omitted other : omitted) {
            bits |= other == part ? 0 : bit(other);
        }
        return SETS.get(bits);
    }
}
