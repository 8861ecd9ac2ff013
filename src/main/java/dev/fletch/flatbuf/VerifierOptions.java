// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// What a verification checks, and its limits. Immutable; `with…` methods return a changed copy.
///
/// The rules of the official verifier are always checked, but for [Check#ALIGNMENT], which can be left
/// out there too. The other checks are stricter.
///
/// @param maxDepth how deep tables may be nested, the root being at depth 1; at least 1. Depth costs no
///     Java stack, but 110 bytes of the verifier's memory per level that a buffer really has
/// @param tables how many tables may be reached, in a buffer or per byte of it. A table that is reached
///     twice counts twice
/// @param perByte whether `tables` is a number per byte: then the work of a verification is proportional
///     to the buffer's size
/// @param maxSize how many bytes a buffer may have; the official verifier is not made for more than
///     2^31 - 2
/// @param checks what is checked
public record VerifierOptions(
        int maxDepth, long tables, boolean perByte, long maxSize, Set<Check> checks) {
    /// What can be checked or left out.
    public enum Check {
        /// Alignment of tables, vtables, fields and length words, counted from the buffer's first byte.
        ALIGNMENT,
        /// Strings are UTF-8 as Unicode defines it: no over-long forms, no surrogates, nothing above
        /// U+10FFFF.
        UTF8,
        /// A union has both tag and value, or neither. A tag NONE is none, whether it is stored or not.
        UNION_PAIRS,
        /// The vtable's word for the table's size is at least 4 and inside the buffer, and no field is
        /// beyond it. A vtable too small to have that word passes.
        TABLE_SIZE,
        /// A vtable has at least its two size words, 4 bytes.
        VTABLE_SIZE,
        /// No element of a vector of tables has an offset of 0. Fields are always checked.
        ZERO_OFFSETS,
        /// The elements of a vector are aligned to their own size. The official rules align only the
        /// length word, to 4 bytes, so an element of 8 bytes may be at 4 mod 8.
        VECTOR_ALIGNMENT,
        /// The same for the place where the first element of an empty vector would be. Some writers
        /// leave empty vectors at 4 mod 8.
        EMPTY_VECTOR_ALIGNMENT
    }

    /// As Arrow C++ calls the official verifier: depth 128, 8 tables per byte. The default.
    public static final VerifierOptions ARROW_CPP =
            new VerifierOptions(128, 8, true, Integer.MAX_VALUE - 1L, Set.of(Check.ALIGNMENT));

    /// The official verifier's own defaults: depth 64, 1,000,000 tables.
    public static final VerifierOptions FLATBUFFERS =
            ARROW_CPP.withMaxDepth(64).withMaxTables(1_000_000);

    /// The limits of [#ARROW_CPP] and every check but [Check#EMPTY_VECTOR_ALIGNMENT], which real files
    /// do not pass.
    public static final VerifierOptions STRICT =
            new VerifierOptions(
                    ARROW_CPP.maxDepth,
                    ARROW_CPP.tables,
                    true,
                    ARROW_CPP.maxSize,
                    EnumSet.complementOf(EnumSet.of(Check.EMPTY_VECTOR_ALIGNMENT)));

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if one is too small
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

    /// How many tables may be reached in a buffer.
    ///
    /// @param size the buffer's size in bytes
    /// @return the limit
    public long maxTables(long size) {
        if (!perByte) {
            return tables;
        }
        final long product = size * tables;
        return Math.multiplyHigh(size, tables) == 0 && product >= 0 ? product : Long.MAX_VALUE;
    }

    /// {@return whether something is checked}
    ///
    /// @param check what
    public boolean checks(Check check) {
        return checks.contains(check);
    }

    /// {@return whether these options allow a vector at a position}
    ///
    /// @param vector position of its length word
    /// @param count how many elements it has
    /// @param alignment that of its elements
    public boolean allowVector(long vector, long count, int alignment) {
        return ((vector + Integer.BYTES) & (alignment - 1)) == 0
                || !checks(count == 0 ? Check.EMPTY_VECTOR_ALIGNMENT : Check.VECTOR_ALIGNMENT);
    }

    /// {@return a copy with another limit of depth}
    ///
    /// @param levels at least 1
    public VerifierOptions withMaxDepth(int levels) {
        return new VerifierOptions(levels, tables, perByte, maxSize, checks);
    }

    /// {@return a copy with a limit of tables that does not depend on the buffer's size}
    ///
    /// @param limit at least 0
    public VerifierOptions withMaxTables(long limit) {
        return new VerifierOptions(maxDepth, limit, false, maxSize, checks);
    }

    /// {@return a copy with a limit of tables per byte}
    ///
    /// @param limit at least 1
    public VerifierOptions withMaxTablesPerByte(int limit) {
        return new VerifierOptions(maxDepth, limit, true, maxSize, checks);
    }

    /// {@return a copy with another limit of size}
    ///
    /// @param bytes at least 0
    public VerifierOptions withMaxSize(long bytes) {
        return new VerifierOptions(maxDepth, tables, perByte, bytes, checks);
    }

    /// {@return a copy that checks something, or not}
    ///
    /// @param check what
    /// @param isChecked whether
    public VerifierOptions with(Check check, boolean isChecked) {
        final Set<Check> changed = EnumSet.of(check);
        changed.addAll(checks);
        if (!isChecked) {
            changed.remove(check);
        }
        return new VerifierOptions(maxDepth, tables, perByte, maxSize, changed);
    }

    /// Cheaper than that of a set of enums: readers compute it for each file.
    @Override
    public int hashCode() {
        return 31 * (31 * maxDepth + Long.hashCode(tables))
                + Long.hashCode(maxSize)
                + checks.size();
    }
}
