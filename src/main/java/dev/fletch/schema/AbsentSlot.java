// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A vtable slot that is absent rather than an empty string or vector.
///
/// Both have the same meaning, but producers write one or the other: arrow-java an empty vector of
/// metadata, Arrow C++ none. Tables have the difference, and a
/// [dev.fletch.format.write.MetadataWriter] copies it. Values have no table, so fields and schemas
/// keep it: a schema that is read, changed and written has its producer's bytes.
public enum AbsentSlot {
    /// The name of a field.
    NAME,

    /// The children of a field. Arrow C++ rejects a field without that vector.
    CHILDREN,

    /// The fields of a schema. Arrow C++ rejects a schema without that vector.
    FIELDS,

    /// The custom metadata of a field or a schema.
    METADATA,

    /// The features of a schema.
    FEATURES;

    /// All sets, by their bits; the fields of a schema share them.
    private static final List<Set<AbsentSlot>> SETS =
            IntStream.range(0, 1 << values().length)
                    .mapToObj(
                            bits ->
                                    Arrays.stream(values())
                                            .filter(slot -> (bits >> slot.ordinal() & 1) != 0)
                                            .collect(Collectors.toUnmodifiableSet()))
                    .toList();

    /// {@return the bit of this slot; 0 if the condition is false}
    int when(boolean condition) {
        return condition ? 1 << ordinal() : 0;
    }

    static Set<AbsentSlot> of(int bits) {
        return SETS.get(bits);
    }

    /// {@return the slots of a set whose bits are in `mask`}
    static Set<AbsentSlot> retain(Set<AbsentSlot> slots, int mask) {
        return SETS.get(bits(slots) & mask);
    }

    /// {@return the set with this slot}
    Set<AbsentSlot> addedTo(Set<AbsentSlot> slots) {
        return SETS.get(bits(slots) | when(true));
    }

    private static int bits(Set<AbsentSlot> slots) {
        return slots.stream().mapToInt(slot -> slot.when(true)).sum();
    }
}
