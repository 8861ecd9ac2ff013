// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Compressed axis of a sparse matrix: CSR or CSC.
///
/// Stored as a signed 16-bit number (`short`). Absent in `SparseMatrixIndexCSX`: [#ROW].
///
/// Source: `format/SparseTensor.fbs`, enum `SparseMatrixCompressedAxis`.
public final class SparseMatrixCompressedAxis {
    /// Compressed sparse rows (CSR).
    public static final int ROW = 0;

    /// Compressed sparse columns (CSC).
    public static final int COLUMN = 1;

    public static final EnumNames NAMES =
            new EnumNames("SparseMatrixCompressedAxis", "Row", "Column");

    private SparseMatrixCompressedAxis() {}
}
