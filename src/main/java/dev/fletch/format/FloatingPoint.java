// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Precision;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of IEEE 754 numbers.
///
/// Source: `format/Schema.fbs`, table `FloatingPoint`.
public final class FloatingPoint extends TypeTable {
    public static final int PRECISION_SLOT = 0;

    static final long SIZES = sizes(2);

    private short precision;

    public FloatingPoint() {
        super(Type.FLOATING_POINT);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        precision = int16(a, s, PRECISION_SLOT, Precision.HALF);
    }

    /// {@return width, one of [Precision]; [Precision#HALF] if absent}
    public int precision() {
        return precision;
    }

    public void setPrecision(int value) {
        precision = setInt16(PRECISION_SLOT, value);
    }
}
