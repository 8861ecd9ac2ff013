// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// The checks and limits of a verification. Immutable; `with…` methods return a changed copy.
///
/// The rules of the official verifier are always checked, except for [Check#ALIGNMENT], which is
/// optional there too. The other checks are stricter.
///
/// @param maxDepth maximum nesting of tables, at least 1; the root is at depth 1. Depth uses no
///     Java stack, but 110 bytes of the verifier's memory per level of the buffer
/// @param tables maximum number of tables, per buffer or per byte. A table that is reached twice
///     counts twice
/// @param perByte whether `tables` is a number per byte: the work of a verification is then
///     proportional to the buffer's size
/// @param maxSize maximum size of a buffer in bytes; the official verifier supports up to 2^31 - 2
/// @param checks the enabled checks
public record VerifierOptions(
        int maxDepth, long tables, boolean perByte, long maxSize, Set<Check> checks) {
    /// An optional check.
    public enum Check {
        /// Alignment of tables, vtables, fields and length words, counted from the buffer's first byte.
        ALIGNMENT,
        /// Strings are UTF-8 as Unicode defines it: no over-long forms, no surrogates, nothing above
        /// U+10FFFF.
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
        /// The elements of a vector are aligned to their own size. The official rules align only the
        /// length word, to 4 bytes, so an element of 8 bytes may be at 4 mod 8.
        VECTOR_ALIGNMENT,
        /// As [#VECTOR_ALIGNMENT], for the position after the length word of an empty vector. Some
        /// writers leave empty vectors at 4 mod 8.
        EMPTY_VECTOR_ALIGNMENT
    }

    /// The official verifier's options in Arrow C++: depth 128, 8 tables per byte. The default.
    public static final VerifierOptions ARROW_CPP =
            new VerifierOptions(128, 8, true, Integer.MAX_VALUE - 1L, Set.of(Check.ALIGNMENT));

    /// The official verifier's defaults: depth 64, 1,000,000 tables.
    public static final VerifierOptions FLATBUFFERS =
            ARROW_CPP.withMaxDepth(64).withMaxTables(1_000_000);

    /// The limits of [#ARROW_CPP] and all checks except [Check#EMPTY_VECTOR_ALIGNMENT], which valid
    /// files of some writers fail.
    public static final VerifierOptions STRICT =
            new VerifierOptions(
                    ARROW_CPP.maxDepth,
                    ARROW_CPP.tables,
                    true,
                    ARROW_CPP.maxSize,
                    EnumSet.complementOf(EnumSet.of(Check.EMPTY_VECTOR_ALIGNMENT)));

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if a limit is too small
    public VerifierOptions {
        atLeast("maxDepth", maxDepth, 1);
        atLeast("tables", tables, perByte ? 1 : 0);
        atLeast("maxSize", maxSize, 0);
        final Set<Check> copy = EnumSet.noneOf(Check.class);
        copy.addAll(checks);
        checks = Collections.unmodifiableSet(copy);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT, "%s too small: value=%d, least=%d", name, value, least));
        }
    }

    /// Returns the maximum number of tables in a buffer.
    ///
    /// @param size the buffer's size in bytes
    /// @return the limit; [Long#MAX_VALUE] if it would overflow
    public long maxTables(long size) {
        if (!perByte) {
            return tables;
        }
        final long product = size * tables;
        return Math.multiplyHigh(size, tables) == 0 && product >= 0 ? product : Long.MAX_VALUE;
    }

    /// {@return whether a check is enabled}
    ///
    /// @param check the check
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

    /// {@return a copy with another maximum depth}
    ///
    /// @param levels at least 1
    public VerifierOptions withMaxDepth(int levels) {
        return new VerifierOptions(levels, tables, perByte, maxSize, checks);
    }

    /// {@return a copy with a maximum number of tables per buffer}
    ///
    /// @param limit at least 0
    public VerifierOptions withMaxTables(long limit) {
        return new VerifierOptions(maxDepth, limit, false, maxSize, checks);
    }

    /// {@return a copy with a maximum number of tables per byte of the buffer}
    ///
    /// @param limit at least 1
    public VerifierOptions withMaxTablesPerByte(int limit) {
        return new VerifierOptions(maxDepth, limit, true, maxSize, checks);
    }

    /// {@return a copy with another maximum size}
    ///
    /// @param bytes at least 0
    public VerifierOptions withMaxSize(long bytes) {
        return new VerifierOptions(maxDepth, tables, perByte, bytes, checks);
    }

    /// {@return a copy with a check enabled or disabled}
    ///
    /// @param check the check
    /// @param isChecked whether the check is enabled
    public VerifierOptions with(Check check, boolean isChecked) {
        final Set<Check> changed = EnumSet.of(check);
        changed.addAll(checks);
        if (!isChecked) {
            changed.remove(check);
        }
        return new VerifierOptions(maxDepth, tables, perByte, maxSize, changed);
    }

    /// Cheaper than the hash of an enum set, and without an iterator: readers compute it for each
    /// file.
    @Override
    public int hashCode() {
        return 31 * (31 * maxDepth + Long.hashCode(tables))
                + Long.hashCode(maxSize)
                + checks.size();
    }
}
