// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Index of a sparse tensor as a tree, one level per dimension (compressed sparse fibers).
///
/// [SparseTensor#sparseIndex(SparseTensorIndexCSF)] binds it, as often as wanted.
/// Errors, lifetime and threads: see [Table].
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensorIndexCSF`.
public final class SparseTensorIndexCSF extends Table {
    public static final int INDPTR_TYPE_SLOT = 0;
    public static final int INDPTR_BUFFERS_SLOT = 1;
    public static final int INDICES_TYPE_SLOT = 2;
    public static final int INDICES_BUFFERS_SLOT = 3;
    public static final int AXIS_ORDER_SLOT = 4;

    static final long SIZES = 0x404040404L;

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

    /// Binds to the integer type of the node starts; the format requires it.
    public boolean indptrType(Int into) {
        return bindPresent(into, indptrTypeAt);
    }

    /// {@return number of buffers of node starts, one per level but the last; 0 if the vector is
    /// absent}
    public int indptrBuffersCount() {
        return indptrBuffersCount;
    }

    /// Binds to the place in the body of a level's node starts; the format requires the vector.
    public Buffer indptrBuffers(int index, Buffer into) {
        into.decode(this, indptrBuffersAt, index, indptrBuffersCount);
        return into;
    }

    /// Copies the places of all levels' node starts in one go, two numbers each: offset and length.
    public int copyIndptrBuffers(long[] into, int at) {
        return copyLongs(indptrBuffersAt, indptrBuffersCount, 2, into, at);
    }

    /// Binds to the integer type of the indexes; the format requires it.
    public boolean indicesType(Int into) {
        return bindPresent(into, indicesTypeAt);
    }

    /// {@return number of buffers of indexes, one per level; 0 if the vector is absent}
    public int indicesBuffersCount() {
        return indicesBuffersCount;
    }

    /// Binds to the place in the body of a level's indexes; the format requires the vector.
    public Buffer indicesBuffers(int index, Buffer into) {
        into.decode(this, indicesBuffersAt, index, indicesBuffersCount);
        return into;
    }

    /// Copies the places of all levels' indexes in one go, two numbers each: offset and length.
    public int copyIndicesBuffers(long[] into, int at) {
        return copyLongs(indicesBuffersAt, indicesBuffersCount, 2, into, at);
    }

    /// {@return number of levels for which the axis order tells the dimension; the format requires the
    /// vector. 0 if it is absent or empty}
    public int axisOrderCount() {
        return axisOrderCount;
    }

    /// Reads which dimension a level of the tree stands for.
    ///
    /// @param index the level, from 0 to [#axisOrderCount()] - 1
    /// @return number of the dimension
    public int axisOrder(int index) {
        return int32Element(axisOrderAt, index, axisOrderCount);
    }

    /// Sets in place which dimension a level of the tree stands for; nothing else changes.
    ///
    /// @param index the level, from 0 to [#axisOrderCount()] - 1
    /// @param value number of the dimension
    public void setAxisOrder(int index, int value) {
        setInt32Element(axisOrderAt, index, axisOrderCount, value);
    }
}
