// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Which table is the index of a sparse tensor.
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

    static final IdNames NAMES =
            new IdNames(
                    "SparseTensorIndex",
                    "NONE",
                    "SparseTensorIndexCOO",
                    "SparseMatrixIndexCSX",
                    "SparseTensorIndexCSF");

    private SparseTensorIndex() {}

    /// Tells whether this version of the format declares a value, [#NONE] included. A newer file
    /// may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(int value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/SparseTensor.fbs` spells it. A value that is not known keeps its
    /// number, since a newer file may hold it. Allocates for an unknown value
    /// only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `SparseTensorIndex(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
