// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of integers.
///
/// It is bound by `type(…)` of a [Field] and by the accessors of index types, such as
/// [DictionaryEncoding#indexType].
///
/// Source: `format/Schema.fbs`, table `Int`.
public final class Int extends TypeTable {
    public static final int BIT_WIDTH_SLOT = 0;
    public static final int IS_SIGNED_SLOT = 1;

    static final long SIZES = sizes(4, 1);

    private int bitWidth;
    private byte isSigned;

    public Int() {
        super(Type.INT);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        bitWidth = int32(a, s, BIT_WIDTH_SLOT, 0);
        isSigned = int8(a, s, IS_SIGNED_SLOT, 0);
    }

    /// {@return bits per value: 8, 16, 32 or 64 in valid files; 0 if absent}
    public int bitWidth() {
        return bitWidth;
    }

    public void setBitWidth(int value) {
        bitWidth = setInt32(BIT_WIDTH_SLOT, value);
    }

    /// {@return whether values are signed; false if absent}
    public boolean isSigned() {
        return isSigned != 0;
    }

    public void setIsSigned(boolean value) {
        isSigned = setInt8(IS_SIGNED_SLOT, value ? 1 : 0);
    }
}
