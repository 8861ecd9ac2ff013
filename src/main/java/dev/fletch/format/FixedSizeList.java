// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.lang.foreign.MemorySegment;

/// Type parameters of lists that all have the same number of items.
///
/// The field has one child, the items; in a batch they are at least `listSize` times
/// as many as the field's values.
///
/// Source: `format/Schema.fbs`, table `FixedSizeList`.
public final class FixedSizeList extends TypeTable {
    public static final int LIST_SIZE_SLOT = 0;

    static final long SIZES = 0x4L;

    private int listSize;

    public FixedSizeList() {
        super(Type.FIXED_SIZE_LIST);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        listSize = int32(a, s, LIST_SIZE_SLOT, 0);
    }

    /// {@return items per list; 0 if absent}
    public int listSize() {
        return listSize;
    }

    public void setListSize(int value) {
        listSize = setInt32(LIST_SIZE_SLOT, value);
    }
}
