// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of lists of equal length.
///
/// The field has one child, the items. In a batch, the child has at least `listSize` values per
/// value of the field.
///
/// Source: `format/Schema.fbs`, table `FixedSizeList`.
public final class FixedSizeList extends TypeTable {
    public static final int LIST_SIZE_SLOT = 0;

    static final long SIZES = sizes(4);

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
