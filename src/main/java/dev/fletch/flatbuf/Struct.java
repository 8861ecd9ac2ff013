// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.util.Objects;

/// A flyweight over one struct of a FlatBuffer: numbers, which are never absent, at fixed distances
/// from the struct's start: `X_AT` for a number `x`. `BYTES` is the size. Both are in bytes.
/// Errors, lifetime and threads: see [Flyweight]. Setting a number in read-only memory throws an
/// [IllegalArgumentException].
public abstract non-sealed class Struct extends Flyweight {
    /// Creates an unbound flyweight.
    protected Struct() {}

    /// Binds to an element of a vector of structs; see [Table] for the vector.
    ///
    /// @param from the flyweight of the table with the vector
    /// @param bytes the struct's size
    /// @throws IndexOutOfBoundsException if there is no such element
    protected final void openElement(Table from, long vector, int index, int count, int bytes) {
        Objects.checkIndex(index, count);
        openAt(from, vector + Wire.OFFSET_BYTES + (long) index * bytes);
    }

    /// Binds to a struct stored inside a table.
    ///
    /// @param from the flyweight of that table
    /// @param offset the struct's position, which is in range
    protected final void openAt(Table from, long offset) {
        MemoryRange memory = from.live();
        share(memory);
        epoch = memory.epoch;
        position = offset;
    }

    /// {@return a 32-bit number}
    protected final int int32(int distance) {
        return Wire.int32(array(), segment(), position + distance);
    }

    /// {@return a 64-bit number}
    protected final long int64(int distance) {
        return Wire.int64(array(), segment(), position + distance);
    }

    /// Sets a 32-bit number in place; returns it.
    protected final int setInt32(int distance, int value) {
        live();
        Wire.setInt32(array(), segment(), position + distance, value);
        return value;
    }

    /// Sets a 64-bit number in place; returns it.
    protected final long setInt64(int distance, long value) {
        live();
        Wire.setInt64(array(), segment(), position + distance, value);
        return value;
    }
}
