// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.DateUnit;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of dates: days or milliseconds since 1970-01-01.
///
/// Source: `format/Schema.fbs`, table `Date`.
public final class Date extends TypeTable {
    public static final int UNIT_SLOT = 0;
    public static final int UNIT_DEFAULT = DateUnit.MILLISECOND;

    static final long SIZES = sizes(2);

    private short unit;

    public Date() {
        super(Type.DATE);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        unit = int16(a, s, UNIT_SLOT, UNIT_DEFAULT);
    }

    /// {@return unit, one of [DateUnit]; [DateUnit#MILLISECOND] if absent}
    public int unit() {
        return unit;
    }

    public void setUnit(int value) {
        unit = setInt16(UNIT_SLOT, value);
    }
}
