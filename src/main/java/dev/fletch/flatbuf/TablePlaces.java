// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;

/// Tells where the fields of any table lie, where other flyweights tell what they hold. For templates.
///
/// Places are indexes in the array that was wrapped. Errors, lifetime and threads: see [Table].
public final class TablePlaces extends Table {
    private final long sizes;

    /// Creates one that is bound to nothing.
    ///
    /// @param sizes the fields' sizes in bytes, slot 0 in the lowest byte
    public TablePlaces(long sizes) {
        this.sizes = sizes;
    }

    /// Binds to the root of a buffer.
    ///
    /// @param buffer the whole buffer
    /// @return this
    /// @throws FlatBufferFormatException if the bytes lead out of `buffer`
    public TablePlaces wrap(byte[] buffer) {
        final long reference = wrapRoot(MemorySegment.ofArray(buffer), 0, buffer.length);
        bind(this, this, reference);
        return this;
    }

    /// Binds to the table that a field leads to.
    ///
    /// @param from has the field, which is present
    /// @param slot the field's slot
    /// @return this
    /// @throws FlatBufferFormatException if the bytes lead out of the buffer
    /// @throws IllegalArgumentException if the field is absent
    public TablePlaces wrap(TablePlaces from, int slot) {
        if (!from.isPresent(slot)) {
            throw new IllegalArgumentException("field is absent: slot=" + slot);
        }
        bind(this, from, from.field(slot));
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, sizes);
    }

    /// Finds a field.
    ///
    /// @param slot the field's slot
    /// @return the place of its first byte; 0 if it is absent
    /// @throws IllegalStateException if this is not bound, or out of date
    /// @throws IndexOutOfBoundsException if no table can have that slot
    public int at(int slot) {
        return isPresent(slot) ? (int) field(slot) : 0;
    }

    /// Finds what is in a vector.
    ///
    /// @param slot the slot of the field that leads to the vector
    /// @return the place of the first element's first byte; 0 if the vector is absent
    /// @throws FlatBufferFormatException if the bytes lead out of the buffer
    /// @throws IllegalStateException if this is not bound, or out of date
    /// @throws IndexOutOfBoundsException if no table can have that slot
    public int elementsAt(int slot) {
        return isPresent(slot) ? (int) target(array(), segment(), slot) + Wire.OFFSET_BYTES : 0;
    }
}
