// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.InlineType;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// A flyweight over a table of any kind, which reads fields by their rules.
///
/// Reading a field whose bytes point out of the source throws a
/// [dev.fletch.FlatBufferFormatException].
final class SourceTable extends Table {
    /// The fields' sizes, for [#decode].
    private long sizes;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, sizes);
    }

    /// Binds to the table of another flyweight.
    void show(Table other) {
        showSame(other);
    }

    /// Binds to the table that a present field refers to.
    void bind(SourceTable from, int slot, TableOrder order) {
        sizes = order.sizes;
        bindDirectly(this, from, from.field(slot));
    }

    /// Binds to a table of a vector.
    ///
    /// @param vector the earlier result of [#target]
    void bindElement(SourceTable from, long vector, int index, int count, TableOrder order) {
        sizes = order.sizes;
        bindDirectly(this, from, from.element(vector, index, count));
    }

    /// The number in a present field.
    long number(FieldRule field) {
        return unit(field(field.slot()), field.type().bytes());
    }

    /// Reads a number of 1, 2, 4 or 8 bytes; a number of 1 byte is unsigned.
    private long unit(long at, int bytes) {
        final MemoryRange memory = live();
        final byte[] a = memory.array;
        final MemorySegment s = a == null ? memory.segment() : null;
        return switch (bytes) {
            case Byte.BYTES -> Wire.int8(a, s, at) & 0xFF;
            case Short.BYTES -> Wire.int16(a, s, at);
            case Integer.BYTES -> Wire.int32(a, s, at);
            default -> Wire.int64(a, s, at);
        };
    }

    /// A number of a struct in the table, or of a vector's elements, by index.
    ///
    /// @param bytes the number's size
    long unit(FieldRule field, int index, int bytes) {
        final long first =
                field.kind() == FieldRule.Kind.STRUCT
                        ? field(field.slot())
                        : target(field.slot()) + Wire.OFFSET_BYTES;
        return unit(first + (long) index * bytes, bytes);
    }

    /// Position of the vector or string that a field refers to; 0 if absent.
    long target(int slot) {
        final MemoryRange memory = live();
        final byte[] a = memory.array;
        return target(a, a == null ? memory.segment() : null, slot);
    }

    /// Number of elements of a vector, or of bytes of a string; 0 if absent.
    int count(FieldRule field) {
        final MemoryRange memory = live();
        final byte[] a = memory.array;
        final MemorySegment s = a == null ? memory.segment() : null;
        return count(a, s, target(a, s, field.slot()), field.bytes());
    }

    /// Copies the elements of a vector of 64-bit numbers, or of structs of these.
    void copy(FieldRule field, int count, long[] into) {
        final InlineType type = field.type();
        copyLongs(target(field.slot()), count, type.bytes() / Long.BYTES, into, 0);
    }

    /// Binds a slice to a present string.
    void text(FieldRule field, Utf8Slice into) {
        slice(target(field.slot()), count(field), into);
    }

    boolean textEquals(FieldRule field, CharSequence text) {
        return sliceEquals(target(field.slot()), count(field), text);
    }
}
