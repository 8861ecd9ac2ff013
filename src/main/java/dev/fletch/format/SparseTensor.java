// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.SparseTensorIndex;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A sparse multi-dimensional array: the body has the non-zero elements and an index of their
/// coordinates.
///
/// [Message#header(SparseTensor)] binds it.
/// As a root, `wrap` binds it to memory, in the same ways as a [Message].
///
/// Source: `format/SparseTensor.fbs`, table `SparseTensor`.
public final class SparseTensor extends Table {
    public static final int TYPE_TYPE_SLOT = 0;
    public static final int TYPE_SLOT = 1;
    public static final int SHAPE_SLOT = 2;
    public static final int NON_ZERO_LENGTH_SLOT = 3;
    public static final int SPARSE_INDEX_TYPE_SLOT = 4;
    public static final int SPARSE_INDEX_SLOT = 5;
    public static final int DATA_SLOT = 6;

    static final long SIZES = sizes(1, 4, 4, 8, 1, 4, 16);

    private byte typeType;
    private long typeAt;
    private long shapeAt;
    private int shapeCount;
    private long nonZeroLength;
    private byte sparseIndexType;
    private long sparseIndexAt;
    private long dataAt;

    public SparseTensor wrap(MemorySegment buffer) {
        return wrap(buffer, 0, buffer.byteSize());
    }

    public SparseTensor wrap(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
        return this;
    }

    public SparseTensor wrap(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        typeType = int8(a, s, TYPE_TYPE_SLOT, Type.NONE);
        typeAt = field(TYPE_SLOT);
        shapeAt = target(a, s, SHAPE_SLOT);
        shapeCount = count(a, s, shapeAt, 4);
        nonZeroLength = int64(a, s, NON_ZERO_LENGTH_SLOT, 0);
        sparseIndexType = int8(a, s, SPARSE_INDEX_TYPE_SLOT, SparseTensorIndex.NONE);
        sparseIndexAt = field(SPARSE_INDEX_SLOT);
        dataAt = field(DATA_SLOT);
    }

    /// {@return the table that [#type] binds to, one of [Type]; [Type#NONE] if absent}
    public int typeType() {
        return typeType & 0xFF;
    }

    /// Binds to the parameters of the elements' type: see [Field#type].
    public boolean type(TypeTable into) {
        return typeType() == into.type && bindPresent(into, typeAt);
    }

    public int shapeCount() {
        return shapeCount;
    }

    /// {@return `into`, bound to one of the dimensions}
    public TensorDim shape(int index, TensorDim into) {
        bind(into, this, element(shapeAt, index, shapeCount));
        return into;
    }

    /// {@return number of stored elements; 0 if absent}
    public long nonZeroLength() {
        return nonZeroLength;
    }

    public void setNonZeroLength(long value) {
        nonZeroLength = setInt64(NON_ZERO_LENGTH_SLOT, value);
    }

    /// {@return the table that [#sparseIndex] binds to, one of [SparseTensorIndex];
    /// [SparseTensorIndex#NONE] if absent}
    public int sparseIndexType() {
        return sparseIndexType & 0xFF;
    }

    public boolean sparseIndex(SparseTensorIndexCOO into) {
        return sparseIndexType == SparseTensorIndex.SPARSE_TENSOR_INDEX_COO
                && bindPresent(into, sparseIndexAt);
    }

    public boolean sparseIndex(SparseMatrixIndexCSX into) {
        return sparseIndexType == SparseTensorIndex.SPARSE_MATRIX_INDEX_CSX
                && bindPresent(into, sparseIndexAt);
    }

    public boolean sparseIndex(SparseTensorIndexCSF into) {
        return sparseIndexType == SparseTensorIndex.SPARSE_TENSOR_INDEX_CSF
                && bindPresent(into, sparseIndexAt);
    }

    /// Binds to the range of the elements in the body; required.
    public boolean data(Buffer into) {
        return into.decodePresent(this, dataAt);
    }
}
