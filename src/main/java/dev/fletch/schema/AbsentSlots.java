// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.format.Field;
import dev.fletch.format.internal.tables.AnyTable;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Sets of vtable slots that are absent rather than an empty string or vector.
///
/// Both have the same meaning, but producers write one or the other: arrow-java an empty vector of
/// metadata, Arrow C++ none. Tables have the difference, and a
/// [dev.fletch.format.write.MetadataWriter] copies it. Values have no table, so fields and schemas
/// keep it: a schema that is read, changed and written has its producer's bytes.
final class AbsentSlots {
    private static final int SLOTS = Field.CUSTOM_METADATA_SLOT + 1; // a schema has fewer

    /// All sets, by their bits; the fields of a schema share them.
    private static final List<Set<Integer>> SETS =
            IntStream.range(0, 1 << SLOTS)
                    .mapToObj(
                            bits ->
                                    IntStream.range(0, SLOTS)
                                            .filter(slot -> (bits >> slot & 1) != 0)
                                            .boxed()
                                            .collect(Collectors.toUnmodifiableSet()))
                    .toList();

    private AbsentSlots() {}

    /// {@return the bit of a slot; 0 if the condition is false}
    static int when(boolean condition, int slot) {
        return condition ? 1 << slot : 0;
    }

    /// {@return those of some slots that a table does not have}
    static Set<Integer> of(AnyTable table, int... slots) {
        int bits = 0;
        for (int slot : slots) {
            bits |= when(!table.isPresent(slot), slot);
        }
        return SETS.get(bits);
    }

    /// {@return the slots of a set whose bits are in `mask`}
    static Set<Integer> retain(Set<Integer> slots, int mask) {
        return SETS.get(bits(slots) & mask);
    }

    /// {@return the set with a slot}
    static Set<Integer> with(Set<Integer> slots, int slot) {
        return SETS.get(bits(slots) | 1 << slot);
    }

    private static int bits(Set<Integer> slots) {
        return slots.stream()
                .filter(slot -> slot >= 0 && slot < SLOTS)
                .mapToInt(slot -> 1 << slot)
                .sum();
    }
}
