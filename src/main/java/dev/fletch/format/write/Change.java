// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;

import java.util.function.LongUnaryOperator;

/// A change to one field of a table. An edit has an array of changes per kind of tables, by slot;
/// null keeps the field of the source.
sealed interface Change permits FieldListEdit, KeyValueEdit, Change.Plain {
    /// A change without nested edits.
    sealed interface Plain extends Change {}

    /// Omits the field.
    record Drop() implements Plain {}

    /// Replaces a number.
    ///
    /// @param forced whether it is written even if it is the default
    record Number(long value, boolean forced) implements Plain {
        Number(long value) {
            this(value, false);
        }
    }

    /// Computes a number from the source's.
    record Renumber(LongUnaryOperator numbers) implements Plain {}

    /// Replaces a string.
    record Text(byte[] utf8) implements Plain {}

    /// Replaces a footer's blocks; three numbers per block.
    record Blocks(long[] numbers, int from, int count) implements Plain {}

    /// Replaces the table that the field refers to.
    record Lead(int kind, Table to) implements Plain {}
}
