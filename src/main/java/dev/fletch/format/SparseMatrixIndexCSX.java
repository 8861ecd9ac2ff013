// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.SparseMatrixCompressedAxis;

import java.lang.foreign.MemorySegment;

/// Index of a sparse matrix with compressed rows (CSR) or columns (CSC).
///
/// [SparseTensor#sparseIndex(SparseMatrixIndexCSX)] binds it.
///
/// Source: `format/SparseTensor.fbs`, table `SparseMatrixIndexCSX`.
public final class SparseMatrixIndexCSX extends Table {
    public static final int COMPRESSED_AXIS_SLOT = 0;
    public static final int INDPTR_TYPE_SLOT = 1;
    public static final int INDPTR_BUFFER_SLOT = 2;
    public static final int INDICES_TYPE_SLOT = 3;
    public static final int INDICES_BUFFER_SLOT = 4;

    static final long SIZES = sizes(2, 4, 16, 4, 16);

    private short compressedAxis;
    private long indptrTypeAt;
    private long indptrBufferAt;
    private long indicesTypeAt;
    private long indicesBufferAt;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        compressedAxis = int16(a, s, COMPRESSED_AXIS_SLOT, SparseMatrixCompressedAxis.ROW);
        indptrTypeAt = field(INDPTR_TYPE_SLOT);
        indptrBufferAt = field(INDPTR_BUFFER_SLOT);
        indicesTypeAt = field(INDICES_TYPE_SLOT);
        indicesBufferAt = field(INDICES_BUFFER_SLOT);
    }

    /// {@return compressed axis, one of [SparseMatrixCompressedAxis];
    /// [SparseMatrixCompressedAxis#ROW] if absent}
    public int compressedAxis() {
        return compressedAxis;
    }

    public void setCompressedAxis(int value) {
        compressedAxis = setInt16(COMPRESSED_AXIS_SLOT, value);
    }

    /// Binds to the integer type of `indptr`, the row or column starts; required.
    public boolean indptrType(Int into) {
        return bindPresent(into, indptrTypeAt);
    }

    /// Binds to the range of the row or column starts in the body; required.
    public boolean indptrBuffer(Buffer into) {
        return into.decodePresent(this, indptrBufferAt);
    }

    /// Binds to the integer type of the indices; required.
    public boolean indicesType(Int into) {
        return bindPresent(into, indicesTypeAt);
    }

    /// Binds to the range of the indices in the body; required.
    public boolean indicesBuffer(Buffer into) {
        return into.decodePresent(this, indicesBufferAt);
    }
}
