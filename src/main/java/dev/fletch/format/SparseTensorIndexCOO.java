// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Index of a sparse tensor with the coordinates of all stored elements, as a matrix: a row per
/// element, a column per dimension.
///
/// [SparseTensor#sparseIndex(SparseTensorIndexCOO)] binds it.
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensorIndexCOO`.
public final class SparseTensorIndexCOO extends Table {
    public static final int INDICES_TYPE_SLOT = 0;
    public static final int INDICES_STRIDES_SLOT = 1;
    public static final int INDICES_BUFFER_SLOT = 2;
    public static final int IS_CANONICAL_SLOT = 3;

    static final long SIZES = sizes(4, 4, 16, 1);

    private long indicesTypeAt;
    private long indicesStridesAt;
    private int indicesStridesCount;
    private long indicesBufferAt;
    private byte isCanonical;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        indicesTypeAt = field(INDICES_TYPE_SLOT);
        indicesStridesAt = target(a, s, INDICES_STRIDES_SLOT);
        indicesStridesCount = count(a, s, indicesStridesAt, 8);
        indicesBufferAt = field(INDICES_BUFFER_SLOT);
        isCanonical = int8(a, s, IS_CANONICAL_SLOT, 0);
    }

    /// Binds to the integer type of the coordinates; required.
    public boolean indicesType(Int into) {
        return bindPresent(into, indicesTypeAt);
    }

    /// {@return number of strides of the matrix of coordinates; 0 if the vector is absent or empty.
    /// If absent, the matrix is row-major}
    public int indicesStridesCount() {
        return indicesStridesCount;
    }

    /// {@return a stride of the matrix of coordinates: bytes between adjacent elements}
    public long indicesStrides(int index) {
        return int64Element(indicesStridesAt, index, indicesStridesCount);
    }

    public void setIndicesStrides(int index, long value) {
        setInt64Element(indicesStridesAt, index, indicesStridesCount, value);
    }

    /// Binds to the range of the coordinates in the body; required.
    public boolean indicesBuffer(Buffer into) {
        return into.decodePresent(this, indicesBufferAt);
    }

    /// {@return whether the coordinates are sorted and unique; false if absent}
    public boolean isCanonical() {
        return isCanonical != 0;
    }

    public void setIsCanonical(boolean value) {
        isCanonical = setInt8(IS_CANONICAL_SLOT, value ? 1 : 0);
    }
}
