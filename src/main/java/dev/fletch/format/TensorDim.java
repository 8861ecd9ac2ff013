// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;

import java.lang.foreign.MemorySegment;

/// One dimension of a tensor.
///
/// [Tensor#shape] and [SparseTensor#shape] bind it.
///
/// Source: `format/Tensor.fbs`, table `TensorDim`.
public final class TensorDim extends Table {
    public static final int SIZE_SLOT = 0;
    public static final int NAME_SLOT = 1;

    static final long SIZES = sizes(8, 4);

    private long size;
    private long nameAt;
    private int nameLength;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        size = int64(a, s, SIZE_SLOT, 0);
        nameAt = target(a, s, NAME_SLOT);
        nameLength = count(a, s, nameAt, 1);
    }

    /// {@return length of the dimension in elements; 0 if absent}
    public long size() {
        return size;
    }

    public void setSize(long value) {
        size = setInt64(SIZE_SLOT, value);
    }

    /// Binds a slice to the name of the dimension.
    public boolean name(Utf8Slice into) {
        return slice(nameAt, nameLength, into);
    }

    public int nameLength() {
        return nameLength;
    }

    public boolean nameEquals(CharSequence text) {
        return sliceEquals(nameAt, nameLength, text);
    }

    public String nameString() {
        return string(nameAt, nameLength);
    }
}
