// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// What is checked of metadata beyond what is always checked, and the limits. Immutable; `with…`
/// methods return a changed copy.
///
/// The rules of the official flatbuffer verifier are always checked, except for [Check#ALIGNMENT],
/// which is optional there too.
///
/// @param limits of metadata, schemas and bodies. Depth uses no Java stack, but 110 bytes of a
///     verifier's memory per level of the buffer
/// @param enabled the optional checks
public record Checks(Limits limits, Set<Check> enabled) {
    /// The checks of Arrow C++ when it reads a batch: depth 128, 8 tables per byte, and up to 2^31
    /// - 2 bytes. Lengths of nodes are compared with the rows, those of buffers are not; C++ does
    /// that when asked to validate.
    public static final Checks ARROW_CPP =
            new Checks(
                    Limits.DEFAULT.withMetadataBytes(Integer.MAX_VALUE - 1L),
                    Set.of(Check.ALIGNMENT));

    /// The official flatbuffer verifier's defaults: depth 64, 1,000,000 tables.
    public static final Checks FLATBUFFERS =
            ARROW_CPP.withLimits(
                    ARROW_CPP
                            .limits
                            .withDepth(64)
                            .withTables(1_000_000)
                            .withTablesPerByte(Integer.MAX_VALUE));

    /// The structure that Arrow C++ requires, and the requirements of the format on metadata that a
    /// reader trusts: all lengths in it, those of nodes and of buffers, are compared with the rows.
    /// Bodies are not needed. Within [Limits#DEFAULT].
    public static final Checks DEFAULT =
            new Checks(
                    Limits.DEFAULT,
                    EnumSet.of(
                            Check.ALIGNMENT,
                            Check.EMPTY_BUFFERS,
                            Check.EXACT_COUNTS,
                            Check.EXACT_CHILDREN,
                            Check.BUFFER_SIZES));

    /// The usual checks of an input: [#DEFAULT], UTF-8, and how types nest.
    public static final Checks USUAL = DEFAULT.with(Check.UTF8, true).with(Check.NESTING, true);

    /// The strictest checks for files of others: all but [Check#EMPTY_VECTOR_ALIGNMENT] and
    /// [Check#UNUSED_BYTES], which valid files of some writers fail, and [Check#LITTLE_ENDIAN].
    /// Within [Limits#DEFAULT].
    public static final Checks STRICT =
            new Checks(
                    Limits.DEFAULT,
                    EnumSet.complementOf(
                            EnumSet.of(
                                    Check.EMPTY_VECTOR_ALIGNMENT,
                                    Check.LITTLE_ENDIAN,
                                    Check.UNUSED_BYTES)));

    private static final Check[] ALL = Check.values();

    /// Copies the checks.
    ///
    /// @throws NullPointerException if the limits are null
    public Checks {
        Objects.requireNonNull(limits, "limits");
        Set<Check> copy = EnumSet.noneOf(Check.class);
        copy.addAll(enabled);
        enabled = Collections.unmodifiableSet(copy);
    }

    /// {@return whether a check is enabled}
    public boolean has(Check check) {
        return enabled.contains(check);
    }

    /// {@return whether a vector's elements are sufficiently aligned}
    ///
    /// @param vector position of its length word, from the start of the buffer
    /// @param count number of elements
    /// @param alignment of its elements in bytes, a power of two
    public boolean allowVector(long vector, long count, int alignment) {
        return ((vector + Integer.BYTES) & (alignment - 1)) == 0
                || !has(count == 0 ? Check.EMPTY_VECTOR_ALIGNMENT : Check.VECTOR_ALIGNMENT);
    }

    /// {@return a copy with other limits}
    public Checks withLimits(Limits other) {
        return new Checks(other, enabled);
    }

    /// {@return a copy with a check enabled or disabled}
    public Checks with(Check check, boolean isChecked) {
        Set<Check> changed = EnumSet.of(check);
        changed.addAll(enabled);
        if (!isChecked) {
            changed.remove(check);
        }
        return new Checks(limits, changed);
    }

    /// {@return whether limits and checks of a [StructureRule] are the same}
    public boolean hasSameStructure(Checks other) {
        if (this == other) {
            return true;
        }
        for (Check each : ALL) {
            if (each.rules() == StructureRule.class && has(each) != other.has(each)) {
                return false;
            }
        }
        return limits.equals(other.limits);
    }

    /// The hash of the limits: the same for options that [#hasSameStructure].
    @Override
    public int hashCode() {
        return limits.hashCode();
    }
}
