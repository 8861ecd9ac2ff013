// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// How large a schema that is not trusted may be before it is refused.
///
/// Whatever these limits, a schema may not have more than 65,536 fields plus one for each four bytes
/// of the buffer that it is in: otherwise a few bytes that share tables could unfold to any number of
/// fields.
///
/// @param maxDepth levels of fields, columns being the first; positive
/// @param maxFields fields in all, those of dictionaries' values included; positive
public record LayoutLimits(int maxDepth, int maxFields) {
    /// 128 levels, which is more than Arrow's own readers take, and 67 million fields.
    public static final LayoutLimits DEFAULT = new LayoutLimits(128, 1 << 26);

    private static final int SHARED_FIELDS = 1 << 16;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if one of them is not positive
    public LayoutLimits {
        if (maxDepth < 1 || maxFields < 1) {
            throw new IllegalArgumentException(
                    "limit is not positive: maxDepth=" + maxDepth + ", maxFields=" + maxFields);
        }
    }

    /// The most fields of a schema in a buffer of so many bytes.
    ///
    /// @param bytes size of the buffer that holds the schema
    /// @return the most fields
    public int fieldsIn(long bytes) {
        return (int) Math.min(maxFields, SHARED_FIELDS + (bytes >> 2));
    }
}
