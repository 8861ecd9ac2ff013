// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.format.Verifier.Root;

import java.util.HexFormat;
import java.util.stream.IntStream;

/// A question to a verifier: may these bytes be read?
///
/// @param root what they are to begin with
/// @param bytes not copied
/// @param checkAlignment whether positions have to be aligned
/// @param maxDepth how many levels of tables there may be
/// @param maxTables how many tables there may be, each counted as often as it is reached; below
///     2^32, as the official verifier has no room for more
public record VerifyCase(
        Root root, byte[] bytes, boolean checkAlignment, int maxDepth, long maxTables) {
    private static final int DEPTH_OF_ARROW = 128;
    private static final int TABLES_PER_BYTE_OF_ARROW = 8;
    private static final int BYTES_PER_LINE = 16;

    public VerifyCase {
        if (maxDepth < 1 || maxTables < 0 || maxTables > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(
                    "limits: maxDepth=%d, maxTables=%d".formatted(maxDepth, maxTables));
        }
    }

    /// Returns a case with the limits of Arrow C++, and alignment checked.
    public static VerifyCase of(Root root, byte[] bytes) {
        return new VerifyCase(root, bytes, true, DEPTH_OF_ARROW, tablesOfArrow(bytes.length));
    }

    /// The most tables that Arrow C++ accepts in so many bytes.
    static long tablesOfArrow(int bytes) {
        return (long) TABLES_PER_BYTE_OF_ARROW * bytes;
    }

    VerifyCase unaligned() {
        return new VerifyCase(root, bytes, false, maxDepth, maxTables);
    }

    VerifyCase withBytes(byte[] other) {
        return new VerifyCase(root, other, checkAlignment, maxDepth, maxTables);
    }

    VerifyCase withLimits(int depth, long tables) {
        return new VerifyCase(root, bytes, checkAlignment, depth, tables);
    }

    /// All there is to know, in a form that a regression test can be made from: options, then the
    /// bytes in hexadecimal with the position of each line. Lines of zeros are left out.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(
                "%s, size=%d, checkAlignment=%s, maxDepth=%d, maxTables=%d"
                        .formatted(root, bytes.length, checkAlignment, maxDepth, maxTables));
        HexFormat hex = HexFormat.ofDelimiter(" ");
        for (int at = 0; at < bytes.length; at += BYTES_PER_LINE) {
            int end = Math.min(bytes.length, at + BYTES_PER_LINE);
            if (IntStream.range(at, end).anyMatch(i -> bytes[i] != 0)) {
                text.append("%n%6d  ".formatted(at)).append(hex.formatHex(bytes, at, end));
            }
        }
        return text.toString();
    }
}
