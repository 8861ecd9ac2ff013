// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Limits for reading, checking and converting untrusted input. A value that equals its limit
/// passes. Immutable; `with…` methods return a changed copy.
///
/// What each limit prevents: `docs/reference/limits.md`.
///
/// @param depth maximum nesting of tables, and of fields; at least 1. The root table, and a column,
///     are at depth 1
/// @param tables maximum number of tables in a flatbuffer; one that is reached twice counts twice
/// @param tablesPerByte maximum number of tables per byte of a flatbuffer, at least 1
/// @param metadataBytes maximum size of a flatbuffer: the metadata of a message, or a footer
/// @param bodyBytes maximum length of a message's body
/// @param fields maximum number of fields of a schema: columns and what is below them. A field that
///     is reached twice counts twice; at least 1
/// @param unfoldedBytes maximum size of a schema whose shared parts are copied: see
///     [#unfoldedBytes(long)]
public record Limits(
        int depth,
        long tables,
        int tablesPerByte,
        long metadataBytes,
        long bodyBytes,
        int fields,
        long unfoldedBytes) {
    /// Depth 128 and 8 tables per byte, as in Arrow C++; 256 MiB of metadata; a million fields; 512
    /// MiB unfolded. Bodies may have any length, as no reader allocates one before its bytes
    /// arrive.
    public static final Limits DEFAULT =
            new Limits(128, Long.MAX_VALUE, 8, 256 << 20, Long.MAX_VALUE, 1_000_000, 512 << 20);

    private static final long UNFOLDED_BASE = 16 << 20;
    private static final long UNFOLDED_PER_BYTE = 64;

    /// @throws IllegalArgumentException if a limit is too small
    public Limits {
        atLeast("depth", depth, 1);
        atLeast("tables", tables, 0);
        atLeast("tablesPerByte", tablesPerByte, 1);
        atLeast("metadataBytes", metadataBytes, 0);
        atLeast("bodyBytes", bodyBytes, 0);
        atLeast("fields", fields, 1);
        atLeast("unfoldedBytes", unfoldedBytes, 0);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "limit is too small: " + name + "=" + value + ", minimum=" + least);
        }
    }

    /// {@return the maximum number of tables in a flatbuffer of a size in bytes}
    public long tables(long bytes) {
        return Math.min(tables, product(bytes, tablesPerByte));
    }

    /// {@return the maximum size of a schema whose shared parts are copied, as
    /// [dev.fletch.format.internal.SchemaSize] measures it: [#unfoldedBytes()], and at most 16 MiB
    /// plus 64 for each byte of its flatbuffer}
    public long unfoldedBytes(long bytes) {
        long perByte = product(bytes, UNFOLDED_PER_BYTE);
        return Math.min(unfoldedBytes, UNFOLDED_BASE + Math.min(perByte, Long.MAX_VALUE >> 1));
    }

    private static long product(long bytes, long perByte) {
        long product = bytes * perByte;
        return Math.multiplyHigh(bytes, perByte) == 0 && product >= 0 ? product : Long.MAX_VALUE;
    }

    /// {@return a copy with another [#depth()]}
    public Limits withDepth(int levels) {
        return new Limits(
                levels, tables, tablesPerByte, metadataBytes, bodyBytes, fields, unfoldedBytes);
    }

    /// {@return a copy with another [#tables()]}
    public Limits withTables(long limit) {
        return new Limits(
                depth, limit, tablesPerByte, metadataBytes, bodyBytes, fields, unfoldedBytes);
    }

    /// {@return a copy with another [#tablesPerByte()]}
    public Limits withTablesPerByte(int limit) {
        return new Limits(depth, tables, limit, metadataBytes, bodyBytes, fields, unfoldedBytes);
    }

    /// {@return a copy with another [#metadataBytes()]}
    public Limits withMetadataBytes(long bytes) {
        return new Limits(depth, tables, tablesPerByte, bytes, bodyBytes, fields, unfoldedBytes);
    }

    /// {@return a copy with another [#bodyBytes()]}
    public Limits withBodyBytes(long bytes) {
        return new Limits(
                depth, tables, tablesPerByte, metadataBytes, bytes, fields, unfoldedBytes);
    }

    /// {@return a copy with other [#fields()]}
    public Limits withFields(int limit) {
        return new Limits(
                depth, tables, tablesPerByte, metadataBytes, bodyBytes, limit, unfoldedBytes);
    }

    /// {@return a copy with other [#unfoldedBytes()]}
    public Limits withUnfoldedBytes(long bytes) {
        return new Limits(depth, tables, tablesPerByte, metadataBytes, bodyBytes, fields, bytes);
    }
}
