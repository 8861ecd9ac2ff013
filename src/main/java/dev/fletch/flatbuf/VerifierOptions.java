// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.Limits;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The checks and limits of a verification. Immutable; `with…` methods return a changed copy.
///
/// The rules of the official verifier are always checked, except for [Check#ALIGNMENT], which is
/// optional there too. The other checks are stricter.
///
/// @param limits depth, tables and size. Depth uses no Java stack, but 110 bytes of the verifier's
///     memory per level of the buffer
/// @param checks the enabled checks
public record VerifierOptions(Limits limits, Set<Check> checks) {
    /// An optional check.
    public enum Check {
        /// Alignment of tables, vtables, fields and length words, counted from the buffer's first
        /// byte.
        ALIGNMENT,
        /// Strings are UTF-8 as Unicode defines it: no over-long forms, no surrogates, nothing
        /// above U+10FFFF.
        UTF8,
        /// A union has both tag and value, or neither. A stored tag NONE counts as absent.
        UNION_PAIRS,
        /// The table size in the vtable is at least 4 and inside the buffer, and all fields are
        /// inside it. A vtable too small for that word passes.
        TABLE_SIZE,
        /// A vtable has at least the 4 bytes of its two sizes.
        VTABLE_SIZE,
        /// No element of a vector of tables has the offset 0. Offsets of fields are always checked.
        ZERO_OFFSETS,
        /// The elements of a vector are aligned to their own size. The official rules align only
        /// the length word, to 4 bytes, so an element of 8 bytes may be at 4 mod 8.
        VECTOR_ALIGNMENT,
        /// As [#VECTOR_ALIGNMENT], for the position after the length word of an empty vector. Some
        /// writers leave empty vectors at 4 mod 8.
        EMPTY_VECTOR_ALIGNMENT
    }

    /// The official verifier's options in Arrow C++: depth 128, 8 tables per byte, and up to 2^31 -
    /// 2 bytes.
    public static final VerifierOptions ARROW_CPP =
            new VerifierOptions(
                    Limits.DEFAULT.withMetadataBytes(Integer.MAX_VALUE - 1L),
                    Set.of(Check.ALIGNMENT));

    /// The checks of [#ARROW_CPP], within [Limits#DEFAULT].
    public static final VerifierOptions DEFAULT = ARROW_CPP.withLimits(Limits.DEFAULT);

    /// The official verifier's defaults: depth 64, 1,000,000 tables.
    public static final VerifierOptions FLATBUFFERS =
            ARROW_CPP.withLimits(
                    ARROW_CPP
                            .limits
                            .withDepth(64)
                            .withTables(1_000_000)
                            .withTablesPerByte(Integer.MAX_VALUE));

    /// All checks except [Check#EMPTY_VECTOR_ALIGNMENT], which valid files of some writers fail,
    /// within [Limits#DEFAULT].
    public static final VerifierOptions STRICT =
            new VerifierOptions(
                    Limits.DEFAULT, EnumSet.complementOf(EnumSet.of(Check.EMPTY_VECTOR_ALIGNMENT)));

    /// Copies the checks.
    ///
    /// @throws NullPointerException if the limits are null
    public VerifierOptions {
        Objects.requireNonNull(limits, "limits");
        Set<Check> copy = EnumSet.noneOf(Check.class);
        copy.addAll(checks);
        checks = Collections.unmodifiableSet(copy);
    }

    /// {@return whether a check is enabled}
    public boolean checks(Check check) {
        return checks.contains(check);
    }

    /// {@return whether a vector's elements are sufficiently aligned}
    ///
    /// @param vector position of its length word, from the start of the buffer
    /// @param count number of elements
    /// @param alignment of its elements in bytes, a power of two
    public boolean allowVector(long vector, long count, int alignment) {
        return ((vector + Integer.BYTES) & (alignment - 1)) == 0
                || !checks(count == 0 ? Check.EMPTY_VECTOR_ALIGNMENT : Check.VECTOR_ALIGNMENT);
    }

    /// {@return a copy with other limits}
    public VerifierOptions withLimits(Limits other) {
        return new VerifierOptions(other, checks);
    }

    /// {@return a copy with a check enabled or disabled}
    public VerifierOptions with(Check check, boolean isChecked) {
        Set<Check> changed = EnumSet.of(check);
        changed.addAll(checks);
        if (!isChecked) {
            changed.remove(check);
        }
        return new VerifierOptions(limits, changed);
    }

    /// Cheaper than the hash of an enum set, and without an iterator: readers compute it for each
    /// file.
    @Override
    public int hashCode() {
        return 31 * limits.hashCode() + checks.size();
    }
}
