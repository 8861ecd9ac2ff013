// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.Int;
import dev.fletch.format.Schema;
import dev.fletch.format.Union;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes of a bound schema, for code that reads fields by their positions.
///
/// Faster: nothing is bound, and a position is an index of heap bytes. The code checks each
/// position itself; where one is not in range, [#malformed] binds flyweights, which throw the usual
/// exception.
///
/// Positions count from anywhere, and are valid as long as the schema's flyweight.
public final class SchemaBytes extends Table {
    /// A schema with more bytes for each column to read is not copied.
    private static final int COPIED_BYTES = 1 << 10;

    /// Enough for schemas of 200,000 columns.
    private static final int MOST_COPIED = 1 << 24;

    /// The slots of a table's vtable, which most tables of a kind share.
    public static final class Vtable {
        private long position = Long.MIN_VALUE; // of no vtable
        private long low;
        private long high;
        // The bitwise OR of all slots, which is at least the greatest one.
        private int reach;

        /// {@return bytes from a table's position to the field of a slot; 0 if it is absent}
        public int slot(int index) {
            long slots = index < 4 ? low : high;
            return (int) (slots >>> (index << 4)) & 0xFFFF; // shift counts are modulo 64
        }
    }

    // The heap bytes; null if the segment is to be read.
    private final byte[] bytes;
    private final MemorySegment memory;

    // First position of the buffer, the one after it, and that of the last length word.
    private final long start;
    private final long end;
    private final long last;

    /// Position of the offset to the first column.
    public final long columns;

    // A position in the schema's memory minus the one here.
    private final long shift;

    /// Finds the bytes.
    ///
    /// @param columnCount number of columns to read. For as many as pay for it, memory other than
    ///     heap bytes is copied: reading its numbers one by one takes up to four times as long
    public SchemaBytes(Schema schema, int columnCount) {
        showSame(schema);
        MemoryRange range = live();
        long length = range.end - range.start;
        boolean isCopied =
                range.array == null && length <= MOST_COPIED && length / COPIED_BYTES < columnCount;
        shift = isCopied ? range.start : 0;
        start = range.start - shift;
        end = range.end - shift;
        last = end - Wire.OFFSET_BYTES;
        columns = target(array(), segment(), Schema.FIELDS_SLOT) + Wire.OFFSET_BYTES - shift;
        if (isCopied) {
            bytes = new byte[(int) length];
            MemorySegment.copy(
                    segment(), ValueLayout.JAVA_BYTE, range.start, bytes, 0, bytes.length);
        } else {
            bytes = range.array;
        }
        memory = bytes == null ? segment() : null;
        int bound = schema.fieldsCount();
        long vector = columns - Wire.OFFSET_BYTES;
        if (bound > 0 && (vector < start || count(vector, Wire.OFFSET_BYTES) < bound)) {
            throw changed(start);
        }
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        throw new UnsupportedOperationException();
    }

    // ---- reading positions in range

    public byte int8(long position) {
        return bytes != null ? bytes[(int) position] : (byte) other(position, Byte.BYTES, 2);
    }

    public short int16(long position) {
        return bytes != null
                ? Wire.int16(bytes, null, position)
                : (short) other(position, Short.BYTES, 2);
    }

    public int int32(long position) {
        return bytes != null
                ? Wire.int32(bytes, (int) position)
                : (int) other(position, Integer.BYTES, 2);
    }

    public long uint32(long position) {
        return int32(position) & 0xFFFF_FFFFL;
    }

    public long int64(long position) {
        return bytes != null ? Wire.int64(bytes, (int) position) : other(position, Long.BYTES, 2);
    }

    /// Reads memory other than heap bytes. Kept apart by recursion, see [dev.fletch.wire]: so many
    /// reads would take all nodes of a method.
    private long other(long position, int size, int detours) {
        if (detours != 0) {
            return other(position, size, detours - 1);
        }
        return switch (size) {
            case Byte.BYTES -> Wire.int8(memory, position);
            case Short.BYTES -> Wire.int16(memory, position);
            case Integer.BYTES -> Wire.int32(memory, position);
            default -> Wire.any64(null, memory, position);
        };
    }

    /// Copies a text, and hashes it.
    ///
    /// @param into has eight bytes more than the text
    public int copyText(long position, int length, byte[] into, int to, long seed) {
        if (bytes != null) {
            return Utf8.copy(bytes, (int) position, length, (int) end, into, to, seed);
        }
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, position, into, to, length);
        return Utf8.hash(into, null, to, length, seed);
    }

    // ---- positions

    /// {@return the position that an offset leads to}
    public long target(long position) {
        return position + uint32(position);
    }

    /// {@return number of elements of a vector, or bytes of a string; negative if they are not in
    /// range}
    public int count(long vector, int elementBytes) {
        if (vector > last) {
            return -1;
        }
        int count = int32(vector);
        return count > (last - vector) / elementBytes ? -1 : count;
    }

    /// Follows an offset to a table, and reads its vtable.
    ///
    /// @param position position of the offset
    /// @param field position of the offset to the field that the table is, or belongs to
    /// @param kept of the last table; then of this one
    /// @return position of the table, whose fields are in range
    public long table(long position, long field, Vtable kept, TableDeclaration of) {
        long table = target(position);
        if (table > last) {
            throw malformed(field);
        }
        long found = table - int32(table);
        if (found != kept.position && !read(found, kept)) {
            throw malformed(field);
        }
        if (end - table < kept.reach + Long.BYTES && !fits(end - table, kept, of.sizes())) {
            throw malformed(field);
        }
        return table;
    }

    /// Reads a vtable; returns false if it is not in range.
    private boolean read(long position, Vtable into) {
        long room = end - position;
        if (position < start || room < Short.BYTES) {
            return false;
        }
        int bytes = int16(position) & 0xFFFE; // ignores half a slot
        int bits = (bytes - Wire.VTABLE_HEAD_BYTES) * Byte.SIZE;
        long slots = position + Wire.VTABLE_HEAD_BYTES;
        into.low = Wire.lowBits(word(slots), bits);
        into.high = Wire.lowBits(word(slots + Long.BYTES), bits - Long.SIZE);
        into.position = position;
        long all = into.low | into.high;
        all |= all >>> 32;
        into.reach = (int) (all | all >>> 16) & 0xFFFF;
        return bytes <= room;
    }

    /// Reads eight bytes of a vtable. Those after the end of the buffer are undefined: a vtable
    /// that fits does not use them.
    private long word(long position) {
        int missing = (int) Math.max(position + Long.BYTES - end, 0);
        return int64(position - missing) >>> missing * Byte.SIZE;
    }

    /// Checks fields one by one near the end of the buffer: the reach is only an upper bound.
    private static boolean fits(long room, Vtable vtable, long sizes) {
        boolean fits = true;
        for (int i = 0; i < Wire.SLOTS; i++) {
            int to = vtable.slot(i);
            int size = (int) (sizes >>> (i << 3)) & 0xFF;
            fits &= to == 0 || size == 0 || to <= room - size;
        }
        return fits;
    }

    // ---- flyweights

    /// {@return a new flyweight of the field that the offset at a position leads to}
    public Field field(long reference) {
        Field field = new Field();
        bindDirectly(field, this, reference + shift);
        return field;
    }

    /// {@return a new flyweight of a field's type, null if it is no union or has no parameters}
    public Union union(long reference) {
        Union union = new Union();
        return field(reference).type(union) ? union : null;
    }

    /// {@return the exception for a field that is not in range, or the parameters of its type, or
    /// its dictionary}
    public FletchException malformed(long reference) {
        Field field = field(reference); // mostly one of these throws it
        DictionaryEncoding encoding = new DictionaryEncoding();
        if (field.dictionary(encoding)) {
            encoding.indexType(new Int());
        }
        if (!field.type(new Int())
                && !field.type(new Union())
                && !field.type(new FixedSizeList())) {
            new AnyTable().bindType(field, field.typeType(), Field.TYPE_SLOT);
        }
        return changed(reference);
    }

    private FletchException changed(long position) {
        long offset = live().offsetOf(position + shift);
        return FletchException.malformed("schema changed while it was read", offset);
    }
}
