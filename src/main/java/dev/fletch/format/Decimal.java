// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of exact decimal numbers.
///
/// Source: `format/Schema.fbs`, table `Decimal`.
public final class Decimal extends TypeTable {
    public static final int PRECISION_SLOT = 0;
    public static final int SCALE_SLOT = 1;
    public static final int BIT_WIDTH_SLOT = 2;
    public static final int BIT_WIDTH_DEFAULT = 128;

    static final long SIZES = sizes(4, 4, 4);

    private int precision;
    private int scale;
    private int bitWidth;

    public Decimal() {
        super(Type.DECIMAL);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        precision = int32(a, s, PRECISION_SLOT, 0);
        scale = int32(a, s, SCALE_SLOT, 0);
        bitWidth = int32(a, s, BIT_WIDTH_SLOT, BIT_WIDTH_DEFAULT);
    }

    /// {@return total number of decimal digits; 0 if absent}
    public int precision() {
        return precision;
    }

    public void setPrecision(int value) {
        precision = setInt32(PRECISION_SLOT, value);
    }

    /// {@return digits after the decimal point; 0 if absent}
    public int scale() {
        return scale;
    }

    public void setScale(int value) {
        scale = setInt32(SCALE_SLOT, value);
    }

    /// {@return bits per value: 32, 64, 128 or 256 in valid files; 128 if absent}
    public int bitWidth() {
        return bitWidth;
    }

    public void setBitWidth(int value) {
        bitWidth = setInt32(BIT_WIDTH_SLOT, value);
    }
}
