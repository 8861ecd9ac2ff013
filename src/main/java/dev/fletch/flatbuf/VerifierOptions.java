// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Locale;
import java.util.Objects;

/// What a verification checks, and its limits. Immutable; `with…` methods return a changed copy.
///
/// What the official verifier checks is always checked; only alignment can be left out, as there. On
/// top of it come stricter checks, each to be chosen on its own.
public final class VerifierOptions {
    /// What a buffer may be in size: the official verifier takes none of 2^31 - 1 bytes or more.
    private static final long OFFICIAL_MAX_SIZE = Integer.MAX_VALUE - 1L;

    private static final int ALIGNMENT = 1;
    private static final int UTF8 = 1 << 1;
    private static final int UNION_PAIRS = 1 << 2;
    private static final int TABLE_SIZE = 1 << 3;
    private static final int VTABLE_SIZE = 1 << 4;
    private static final int ZERO_OFFSETS = 1 << 5;
    private static final int STRICTER =
            UTF8 | UNION_PAIRS | TABLE_SIZE | VTABLE_SIZE | ZERO_OFFSETS;

    /// As Arrow C++ calls the official verifier: depth 128, 8 tables per byte. The default.
    public static final VerifierOptions ARROW_CPP =
            new VerifierOptions(128, 8, true, OFFICIAL_MAX_SIZE, ALIGNMENT, VectorAlignment.NONE);

    /// The official verifier's own defaults: depth 64, 1,000,000 tables.
    public static final VerifierOptions FLATBUFFERS =
            ARROW_CPP.withMaxDepth(64).withMaxTables(1_000_000);

    /// The limits of [#ARROW_CPP] and every stricter check. Empty vectors are tolerated at 4 mod 8,
    /// where real files have them.
    public static final VerifierOptions STRICT =
            ARROW_CPP.with(STRICTER, true).withVectorAlignment(VectorAlignment.NON_EMPTY);

    private final int maxDepth;
    private final long tables;
    private final boolean perByte;
    private final long maxSize;
    private final int checks;
    private final VectorAlignment vectorAlignment;

    private VerifierOptions(
            int maxDepth,
            long tables,
            boolean perByte,
            long maxSize,
            int checks,
            VectorAlignment vectorAlignment) {
        this.maxDepth = maxDepth;
        this.tables = tables;
        this.perByte = perByte;
        this.maxSize = maxSize;
        this.checks = checks;
        this.vectorAlignment = vectorAlignment;
    }

    // ---- limits

    /// {@return how deep tables may be nested; the root is at depth 1}
    public int maxDepth() {
        return maxDepth;
    }

    /// Sets how deep tables may be nested. Depth costs no Java stack, but 110 bytes of the
    /// verifier's memory per level that a buffer really has.
    ///
    /// @param levels at least 1
    /// @return a copy with that limit
    /// @throws IllegalArgumentException if it is less
    public VerifierOptions withMaxDepth(int levels) {
        atLeast("levels", levels, 1);
        return new VerifierOptions(levels, tables, perByte, maxSize, checks, vectorAlignment);
    }

    /// How many tables may be reached in a buffer. One that is reached twice counts twice.
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

    /// Sets how many tables may be reached, whatever the buffer's size.
    ///
    /// @param limit at least 0
    /// @return a copy with that limit
    /// @throws IllegalArgumentException if it is less
    public VerifierOptions withMaxTables(long limit) {
        atLeast("limit", limit, 0);
        return new VerifierOptions(maxDepth, limit, false, maxSize, checks, vectorAlignment);
    }

    /// Sets how many tables may be reached for each byte of the buffer. Under such a limit the work
    /// of a verification is proportional to the buffer's size.
    ///
    /// @param limit at least 1
    /// @return a copy with that limit
    /// @throws IllegalArgumentException if it is less
    public VerifierOptions withMaxTablesPerByte(int limit) {
        atLeast("limit", limit, 1);
        return new VerifierOptions(maxDepth, limit, true, maxSize, checks, vectorAlignment);
    }

    /// {@return how many bytes a buffer may have; 2^31 - 2 unless set, as the official verifier
    /// asks of its callers}
    public long maxSize() {
        return maxSize;
    }

    /// Sets how many bytes a buffer may have.
    ///
    /// @param bytes at least 0; more than 2^31 - 2 is more than the official verifier is made for
    /// @return a copy with that limit
    /// @throws IllegalArgumentException if it is less
    public VerifierOptions withMaxSize(long bytes) {
        atLeast("bytes", bytes, 0);
        return new VerifierOptions(maxDepth, tables, perByte, bytes, checks, vectorAlignment);
    }

    // ---- checks

    /// {@return whether alignment is checked, counted from the buffer's first byte}
    public boolean checkAlignment() {
        return has(ALIGNMENT);
    }

    /// {@return a copy that checks alignment, or not; [#vectorAlignment()] is a choice of its own}
    ///
    /// @param check whether
    public VerifierOptions withCheckAlignment(boolean check) {
        return with(ALIGNMENT, check);
    }

    /// {@return whether strings must be UTF-8}
    public boolean checkUtf8() {
        return has(UTF8);
    }

    /// {@return a copy that checks, or not, that strings are UTF-8 as Unicode defines it: no over-long
    /// forms, no surrogates, nothing above U+10FFFF}
    ///
    /// @param check whether
    public VerifierOptions withCheckUtf8(boolean check) {
        return with(UTF8, check);
    }

    /// {@return whether a union must have both tag and value, or neither}
    public boolean checkUnionPairs() {
        return has(UNION_PAIRS);
    }

    /// {@return a copy that checks, or not, that a union has both tag and value, or neither; a tag NONE is
    /// none, whether it is stored or not}
    ///
    /// @param check whether
    public VerifierOptions withCheckUnionPairs(boolean check) {
        return with(UNION_PAIRS, check);
    }

    /// {@return whether the vtable's word for the table's size must hold}
    public boolean checkTableSize() {
        return has(TABLE_SIZE);
    }

    /// {@return a copy that checks, or not, the vtable's word for the table's size: at least 4, inside the
    /// buffer, and no field beyond it; a vtable too small to have that word passes}
    ///
    /// @param check whether
    public VerifierOptions withCheckTableSize(boolean check) {
        return with(TABLE_SIZE, check);
    }

    /// {@return whether a vtable must have at least its two size words}
    public boolean checkVtableSize() {
        return has(VTABLE_SIZE);
    }

    /// {@return a copy that checks, or not, that a vtable has at least its two size words, 4 bytes}
    ///
    /// @param check whether
    public VerifierOptions withCheckVtableSize(boolean check) {
        return with(VTABLE_SIZE, check);
    }

    /// {@return whether offsets of 0 are refused in vectors too}
    public boolean checkZeroOffsets() {
        return has(ZERO_OFFSETS);
    }

    /// {@return a copy that refuses, or not, offsets of 0 in vectors of tables; in fields it always does}
    ///
    /// @param check whether
    public VerifierOptions withCheckZeroOffsets(boolean check) {
        return with(ZERO_OFFSETS, check);
    }

    /// {@return which vectors must have aligned elements}
    public VectorAlignment vectorAlignment() {
        return vectorAlignment;
    }

    /// Sets which vectors must have aligned elements, whatever [#checkAlignment()] is.
    ///
    /// @param vectors which
    /// @return a copy with that choice
    public VerifierOptions withVectorAlignment(VectorAlignment vectors) {
        Objects.requireNonNull(vectors);
        return new VerifierOptions(maxDepth, tables, perByte, maxSize, checks, vectors);
    }

    private boolean has(int check) {
        return (checks & check) != 0;
    }

    private VerifierOptions with(int some, boolean on) {
        final int changed = on ? checks | some : checks & ~some;
        return new VerifierOptions(maxDepth, tables, perByte, maxSize, changed, vectorAlignment);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT, "%s too small: value=%d, least=%d", name, value, least));
        }
    }

    /// Compares all limits and checks.
    ///
    /// @param other anything
    /// @return whether `other` checks the same within the same limits
    @Override
    public boolean equals(Object other) {
        return other instanceof VerifierOptions options
                && maxDepth == options.maxDepth
                && tables == options.tables
                && perByte == options.perByte
                && maxSize == options.maxSize
                && checks == options.checks
                && vectorAlignment == options.vectorAlignment;
    }

    /// {@return a hash of checks and limits}
    @Override
    public int hashCode() {
        return Objects.hash(maxDepth, tables, perByte, maxSize, checks, vectorAlignment);
    }

    /// {@return all limits and checks as `name=value`}
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "maxDepth=%d, %s=%d, maxSize=%d, alignment=%b, utf8=%b, unionPairs=%b,"
                        + " tableSize=%b, vtableSize=%b, zeroOffsets=%b, vectorAlignment=%s",
                maxDepth,
                perByte ? "maxTablesPerByte" : "maxTables",
                tables,
                maxSize,
                checkAlignment(),
                checkUtf8(),
                checkUnionPairs(),
                checkTableSize(),
                checkVtableSize(),
                checkZeroOffsets(),
                vectorAlignment);
    }
}
