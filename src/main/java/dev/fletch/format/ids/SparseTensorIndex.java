// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// The kind of table that is the index of a sparse tensor.
///
/// Stored as an unsigned 8-bit number (`ubyte`). Absent: [#NONE], which no valid sparse tensor has.
///
/// Source: `format/SparseTensor.fbs`, union `SparseTensorIndex`.
public final class SparseTensorIndex {
    /// No index.
    public static final int NONE = 0;

    /// Table `SparseTensorIndexCOO`: coordinates.
    public static final int SPARSE_TENSOR_INDEX_COO = 1;

    /// Table `SparseMatrixIndexCSX`: compressed rows or columns.
    public static final int SPARSE_MATRIX_INDEX_CSX = 2;

    /// Table `SparseTensorIndexCSF`: compressed fibers.
    public static final int SPARSE_TENSOR_INDEX_CSF = 3;

    public static final EnumNames NAMES =
            new EnumNames(
                    "SparseTensorIndex",
                    "NONE",
                    "SparseTensorIndexCOO",
                    "SparseMatrixIndexCSX",
                    "SparseTensorIndexCSF");

    private SparseTensorIndex() {}
}
