// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Schema;

import java.util.function.LongUnaryOperator;

/// A change to one field of a table. An edit has an array of changes per kind of tables, by slot;
/// null keeps the field of the source.
interface Change {
    /// Omits the field.
    record Drop() implements Change {}

    /// Replaces a number.
    ///
    /// @param forced whether it is written even if it is the default
    record Number(long value, boolean forced) implements Change {
        Number(long value) {
            this(value, false);
        }
    }

    /// Computes a number from the source's.
    record Renumber(LongUnaryOperator numbers) implements Change {}

    /// Replaces a footer's blocks; three numbers per block.
    record Blocks(long[] numbers, int from, int count) implements Change {}

    /// Replaces the schema that the field refers to.
    record Replace(Schema by) implements Change {}
}
