// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.IntervalUnit;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of calendar intervals.
///
/// Source: `format/Schema.fbs`, table `Interval`.
public final class Interval extends TypeTable {
    public static final int UNIT_SLOT = 0;

    static final long SIZES = sizes(2);

    private short unit;

    public Interval() {
        super(Type.INTERVAL);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        unit = int16(a, s, UNIT_SLOT, IntervalUnit.YEAR_MONTH);
    }

    /// {@return parts of a value, one of [IntervalUnit]; [IntervalUnit#YEAR_MONTH] if absent}
    public int unit() {
        return unit;
    }

    public void setUnit(int value) {
        unit = setInt16(UNIT_SLOT, value);
    }
}
