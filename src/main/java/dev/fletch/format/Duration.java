// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of durations: elapsed time, 64 bits per value.
///
/// Source: `format/Schema.fbs`, table `Duration`.
public final class Duration extends TypeTable {
    public static final int UNIT_SLOT = 0;
    public static final int UNIT_DEFAULT = TimeUnit.MILLISECOND;

    static final long SIZES = sizes(2);

    private short unit;

    public Duration() {
        super(Type.DURATION);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        unit = int16(a, s, UNIT_SLOT, UNIT_DEFAULT);
    }

    /// {@return unit, one of [TimeUnit]; [TimeUnit#MILLISECOND] if absent}
    public int unit() {
        return unit;
    }

    public void setUnit(int value) {
        unit = setInt16(UNIT_SLOT, value);
    }
}
