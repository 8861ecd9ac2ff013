// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of times of day since midnight.
///
/// Source: `format/Schema.fbs`, table `Time`.
public final class Time extends TypeTable {
    public static final int UNIT_SLOT = 0;
    public static final int BIT_WIDTH_SLOT = 1;
    public static final int UNIT_DEFAULT = TimeUnit.MILLISECOND;
    public static final int BIT_WIDTH_DEFAULT = 32;

    static final long SIZES = sizes(2, 4);

    private short unit;
    private int bitWidth;

    public Time() {
        super(Type.TIME);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        unit = int16(a, s, UNIT_SLOT, UNIT_DEFAULT);
        bitWidth = int32(a, s, BIT_WIDTH_SLOT, BIT_WIDTH_DEFAULT);
    }

    /// {@return unit, one of [TimeUnit]; [TimeUnit#MILLISECOND] if absent}
    public int unit() {
        return unit;
    }

    public void setUnit(int value) {
        unit = setInt16(UNIT_SLOT, value);
    }

    /// {@return bits per value: 32 for seconds and milliseconds, 64 for finer units; 32 if absent}
    public int bitWidth() {
        return bitWidth;
    }

    public void setBitWidth(int value) {
        bitWidth = setInt32(BIT_WIDTH_SLOT, value);
    }
}
