// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Index of a sparse tensor as a tree, one level per dimension (compressed sparse fibers).
///
/// [SparseTensor#sparseIndex(SparseTensorIndexCSF)] binds it.
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensorIndexCSF`.
public final class SparseTensorIndexCSF extends Table {
    public static final int INDPTR_TYPE_SLOT = 0;
    public static final int INDPTR_BUFFERS_SLOT = 1;
    public static final int INDICES_TYPE_SLOT = 2;
    public static final int INDICES_BUFFERS_SLOT = 3;
    public static final int AXIS_ORDER_SLOT = 4;

    static final long SIZES = sizes(4, 4, 4, 4, 4);

    private long indptrTypeAt;
    private long indptrBuffersAt;
    private int indptrBuffersCount;
    private long indicesTypeAt;
    private long indicesBuffersAt;
    private int indicesBuffersCount;
    private long axisOrderAt;
    private int axisOrderCount;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        indptrTypeAt = field(INDPTR_TYPE_SLOT);
        indptrBuffersAt = target(a, s, INDPTR_BUFFERS_SLOT);
        indptrBuffersCount = count(a, s, indptrBuffersAt, 16);
        indicesTypeAt = field(INDICES_TYPE_SLOT);
        indicesBuffersAt = target(a, s, INDICES_BUFFERS_SLOT);
        indicesBuffersCount = count(a, s, indicesBuffersAt, 16);
        axisOrderAt = target(a, s, AXIS_ORDER_SLOT);
        axisOrderCount = count(a, s, axisOrderAt, 4);
    }

    /// Binds to the integer type of `indptr`, the node starts; required.
    public boolean indptrType(Int into) {
        return bindPresent(into, indptrTypeAt);
    }

    /// {@return number of buffers of node starts, one per level except the last; 0 if absent}
    public int indptrBuffersCount() {
        return indptrBuffersCount;
    }

    /// Binds to the range of a level's node starts in the body; the vector is required.
    public Buffer indptrBuffers(int index, Buffer into) {
        into.decode(this, indptrBuffersAt, index, indptrBuffersCount);
        return into;
    }

    /// Binds to the integer type of the indices; required.
    public boolean indicesType(Int into) {
        return bindPresent(into, indicesTypeAt);
    }

    /// {@return number of buffers of indices, one per level; 0 if the vector is absent}
    public int indicesBuffersCount() {
        return indicesBuffersCount;
    }

    /// Binds to the range of a level's indices in the body; the vector is required.
    public Buffer indicesBuffers(int index, Buffer into) {
        into.decode(this, indicesBuffersAt, index, indicesBuffersCount);
        return into;
    }

    /// {@return number of elements of the axis order, one per level; 0 if absent or empty. The
    /// vector is required}
    public int axisOrderCount() {
        return axisOrderCount;
    }

    /// {@return number of the dimension of a level of the tree}
    public int axisOrder(int index) {
        return int32Element(axisOrderAt, index, axisOrderCount);
    }

    public void setAxisOrder(int index, int value) {
        setInt32Element(axisOrderAt, index, axisOrderCount, value);
    }
}
