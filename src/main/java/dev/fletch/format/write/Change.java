// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;

import java.util.function.LongUnaryOperator;

/// What an edit does to one field of a table. An edit has an array of them for each kind of tables,
/// by slot; null leaves the field as it is in the source.
sealed interface Change permits FieldListEdit, KeyValueEdit, Change.Plain {
    /// A change that has nothing of its own to be edited.
    sealed interface Plain extends Change {}

    /// Leaves out what the source has.
    record Drop() implements Plain {}

    /// Gives a number another value.
    ///
    /// @param forced whether it is written even if it is the default
    record Number(long value, boolean forced) implements Plain {
        Number(long value) {
            this(value, false);
        }
    }

    /// Computes a number from the source's.
    record Renumber(LongUnaryOperator numbers) implements Plain {}

    /// Gives a string another value.
    record Text(byte[] utf8) implements Plain {}

    /// Gives a footer other blocks, of three numbers each.
    record Blocks(long[] numbers, int from, int count) implements Plain {}

    /// Leads to another table.
    record Lead(int kind, Table to) implements Plain {}
}
