// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// A contiguous range of bytes of an object.
///
/// @param offset of the first byte
/// @param length number of bytes
public record ByteRange(long offset, long length) {
    /// Creates a range.
    ///
    /// @throws IllegalArgumentException if a number is negative, or the end exceeds
    ///     `Long.MAX_VALUE`
    public ByteRange {
        if (offset < 0 || length < 0 || length > Long.MAX_VALUE - offset) {
            throw new IllegalArgumentException(
                    "invalid range: offset=" + offset + ", length=" + length);
        }
    }

    /// {@return the offset after the last byte}
    public long end() {
        return offset + length;
    }

    /// {@return whether this range contains all bytes of another one}
    public boolean contains(ByteRange other) {
        return offset <= other.offset && other.end() <= end();
    }

    /// {@return the same bytes as sorted, disjoint ranges; overlapping and adjacent ranges are
    /// merged}
    ///
    /// @param ranges in any order
    public static List<ByteRange> union(Collection<ByteRange> ranges) {
        List<ByteRange> sorted =
                ranges.stream()
                        .filter(range -> range.length > 0)
                        .sorted(Comparator.comparingLong(ByteRange::offset))
                        .toList();
        List<ByteRange> union = new ArrayList<>();
        for (ByteRange range : sorted) {
            ByteRange last = union.isEmpty() ? null : union.getLast();
            if (last == null || range.offset > last.end()) {
                union.add(range);
            } else if (range.end() > last.end()) {
                union.set(union.size() - 1, new ByteRange(last.offset, range.end() - last.offset));
            }
        }
        return union;
    }
}
