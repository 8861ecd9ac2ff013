// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;

import java.lang.foreign.MemorySegment;

/// Type parameters of unions: each value has the type of one of the field's children.
///
/// Source: `format/Schema.fbs`, table `Union`.
public final class Union extends TypeTable {
    public static final int MODE_SLOT = 0;
    public static final int TYPE_IDS_SLOT = 1;

    static final long SIZES = sizes(2, 4);

    private short mode;
    private long typeIdsAt;
    private int typeIdsCount;

    public Union() {
        super(Type.UNION);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        mode = int16(a, s, MODE_SLOT, UnionMode.SPARSE);
        typeIdsAt = target(a, s, TYPE_IDS_SLOT);
        typeIdsCount = count(a, s, typeIdsAt, 4);
    }

    /// {@return layout, one of [UnionMode]; [UnionMode#SPARSE] if absent}
    public int mode() {
        return mode;
    }

    public void setMode(int value) {
        mode = setInt16(MODE_SLOT, value);
    }

    /// {@return number of type ids, one per child in their order; 0 if the vector is absent or
    /// empty. If absent, a child's id is its index}
    public int typeIdsCount() {
        return typeIdsCount;
    }

    /// {@return the type id of a child: its number in the type ids of a batch}
    public int typeIds(int index) {
        return int32Element(typeIdsAt, index, typeIdsCount);
    }

    public void setTypeIds(int index, int value) {
        setInt32Element(typeIdsAt, index, typeIdsCount, value);
    }
}
