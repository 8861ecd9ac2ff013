// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.util.Locale;

/// Integer types of a `.fbs` file, with their size in bytes and range. Floating-point types are
/// left out, as Arrow's metadata has none.
public enum FbsScalar {
    BOOL(1, 0, 1),
    BYTE(1, Byte.MIN_VALUE, Byte.MAX_VALUE),
    UBYTE(1, 0, 0xFF),
    SHORT(2, Short.MIN_VALUE, Short.MAX_VALUE),
    USHORT(2, 0, 0xFFFF),
    INT(4, Integer.MIN_VALUE, Integer.MAX_VALUE),
    UINT(4, 0, 0xFFFF_FFFFL),
    LONG(8, Long.MIN_VALUE, Long.MAX_VALUE);

    private final int sizeBytes;
    private final long min;
    private final long max;

    FbsScalar(int sizeBytes, long min, long max) {
        this.sizeBytes = sizeBytes;
        this.min = min;
        this.max = max;
    }

    /// Size and alignment in bytes.
    public int sizeBytes() {
        return sizeBytes;
    }

    /// Tells whether `value` is in this type's range.
    public boolean holds(long value) {
        return value >= min && value <= max;
    }

    /// The keyword in a `.fbs` file.
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
