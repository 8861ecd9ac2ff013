// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Schema;

import java.util.List;
import java.util.function.LongUnaryOperator;

/// A change to one field of a table. An edit has an array of changes per kind of tables, by slot;
/// null keeps the field of the source.
interface Change {
    /// Replaces a number.
    final class Number implements Change {
        long value;

        /// Whether it is written even if it is the default.
        final boolean forced;

        Number(long value, boolean forced) {
            this.value = value;
            this.forced = forced;
        }

        Number(long value) {
            this(value, false);
        }
    }

    /// Computes a number from the source's.
    record Renumber(LongUnaryOperator numbers) implements Change {}

    /// Replaces a vector of 64-bit numbers, or of structs of these.
    final class Numbers implements Change {
        long[] numbers;
        int from;

        /// Number of elements; if negative, the vector is omitted.
        int count;

        Numbers set(long[] all, int first, int elements) {
            numbers = all;
            from = first;
            count = elements;
            return this;
        }
    }

    /// Replaces the table that the field refers to. There is a change for each of its numbers, by
    /// slot.
    record Table(Change[] fields) implements Change {}

    /// Replaces the schema that the field refers to.
    record Replace(Schema by) implements Change {}

    /// Replaces key/value pairs; without pairs, the vector is omitted.
    final class Pairs implements Change {
        CustomMetadata by;

        Pairs(CustomMetadata by) {
            this.by = by;
        }
    }

    /// Keeps some fields of a schema, in any order.
    record Choice(List<ChosenField> fields) implements Change {}
}
