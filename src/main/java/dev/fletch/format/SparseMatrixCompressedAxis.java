// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Axis of a sparse matrix that the index pointers run through: CSR or CSC.
///
/// Stored as a signed 16-bit number (`short`). Absent in `SparseMatrixIndexCSX`: [#ROW].
///
/// Source: `format/SparseTensor.fbs`, enum `SparseMatrixCompressedAxis`.
public final class SparseMatrixCompressedAxis {
    /// Compressed sparse rows (CSR).
    public static final int ROW = 0;

    /// Compressed sparse columns (CSC).
    public static final int COLUMN = 1;

    static final IdNames NAMES = new IdNames("SparseMatrixCompressedAxis", "Row", "Column");

    private SparseMatrixCompressedAxis() {}

    /// Tells whether this version of the format declares a value. A newer file may hold others.
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
    /// @return the name of `value`, or its number such as `SparseMatrixCompressedAxis(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
