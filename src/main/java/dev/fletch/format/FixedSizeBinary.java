// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of byte strings of equal length.
///
/// Source: `format/Schema.fbs`, table `FixedSizeBinary`.
public final class FixedSizeBinary extends TypeTable {
    public static final int BYTE_WIDTH_SLOT = 0;

    static final long SIZES = sizes(4);

    private int byteWidth;

    public FixedSizeBinary() {
        super(Type.FIXED_SIZE_BINARY);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        byteWidth = int32(a, s, BYTE_WIDTH_SLOT, 0);
    }

    /// {@return bytes per value; 0 if absent}
    public int byteWidth() {
        return byteWidth;
    }

    public void setByteWidth(int value) {
        byteWidth = setInt32(BYTE_WIDTH_SLOT, value);
    }
}
