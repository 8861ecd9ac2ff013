// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;

import java.util.Arrays;
import java.util.Locale;

/// What the emitters of all tables share: where they write to, in which order, how much at most.
///
/// Numbers are written where the source has them, whether they are defaults or not.
final class Emission {
    private static final int INITIAL = 64;

    final FlatBufferWriter writer;
    final EmissionOrder order;

    /// For any string, until it is written.
    final Utf8Slice text = new Utf8Slice();

    int maxTables = MetadataWriter.DEFAULT_MAX_TABLES;
    int maxBytes = MetadataWriter.DEFAULT_MAX_BYTES;
    int maxDepth = MetadataWriter.DEFAULT_MAX_DEPTH;

    private int tables;
    private long[] numbers = new long[INITIAL];

    // Where objects are that a vector will lead to; the vectors that are not written yet in a row.
    private int[] places = new int[INITIAL];
    private int placeCount;

    Emission(EmissionOrder order, FlatBufferWriter writer) {
        if (writer.dialect() != order.dialect()) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "writer has another dialect: order=%s, needs=%s, has=%s",
                            order,
                            order.dialect(),
                            writer.dialect()));
        }
        this.order = order;
        this.writer = writer;
    }

    /// Begins a buffer.
    void begin() {
        tables = 0;
        placeCount = 0;
    }

    // ---- tables

    void startTable() {
        if (tables == maxTables) {
            throw limit("tables", maxTables);
        }
        if (writer.size() > maxBytes) {
            throw limit("bytes", maxBytes);
        }
        tables++;
        writer.startTable();
    }

    static RewriteException limit(String what, int limit) {
        return new RewriteException(
                String.format(Locale.ROOT, "too many %s to write: limit=%d", what, limit));
    }

    static RewriteException unknown(String union, int id) {
        return new RewriteException(
                String.format(
                        Locale.ROOT, "member of a union is not known: union=%s, id=%d", union, id));
    }

    int endTable() {
        return writer.endTable();
    }

    int emptyTable() {
        startTable();
        return endTable();
    }

    // ---- fields

    void int8(Table from, int slot, int value) {
        if (from.isPresent(slot)) {
            writer.addInt8(slot, value);
        }
    }

    void bool(Table from, int slot, boolean value) {
        int8(from, slot, value ? 1 : 0);
    }

    void int16(Table from, int slot, int value) {
        if (from.isPresent(slot)) {
            writer.addInt16(slot, value);
        }
    }

    void int32(Table from, int slot, int value) {
        if (from.isPresent(slot)) {
            writer.addInt32(slot, value);
        }
    }

    void int64(Table from, int slot, long value) {
        if (from.isPresent(slot)) {
            writer.addInt64(slot, value);
        }
    }

    /// Adds a number that an edit may have changed: as the source has it if it is the same, else
    /// unless it is the default.
    void changed64(Table from, int slot, long old, long value, long absent) {
        if (value == old) {
            int64(from, slot, value);
        } else {
            writer.addInt64(slot, value, absent);
        }
    }

    /// Leaves the padding that flatc leaves where it reads a struct that lies in a table: there it
    /// aligns, and writes the struct only with the table.
    void structComesLater(boolean present) {
        if (present && order == EmissionOrder.FLATC) {
            writer.align(Long.BYTES);
        }
    }

    void buffer(boolean present, int slot, Buffer value) {
        if (present) {
            BufferEncoder.add(writer, slot, value.offset(), value.length());
        }
    }

    // ---- what offsets lead to

    /// Writes the string that [#text] shows.
    ///
    /// @param present whether it does
    int string(boolean present) {
        return present ? writer.createString(text) : 0;
    }

    int string(byte[] utf8) {
        return writer.createString(utf8, 0, utf8.length);
    }

    /// Returns room to copy a vector to.
    long[] numbers(int elements, int longs) {
        final long count = (long) elements * longs;
        if (count * Long.BYTES > maxBytes) {
            throw limit("bytes", maxBytes);
        }
        if (count > numbers.length) {
            numbers = new long[Math.max((int) count, 2 * numbers.length)];
        }
        return numbers;
    }

    /// Keeps where an object is, for the vector that will be written next.
    void push(int place) {
        if (placeCount == places.length) {
            places = Arrays.copyOf(places, 2 * placeCount);
        }
        places[placeCount++] = place;
    }

    /// How many places are kept: where a vector begins.
    int mark() {
        return placeCount;
    }

    /// Writes the vector that began there.
    int vector(int mark) {
        final int vector = writer.createOffsetVector(places, mark, placeCount - mark);
        placeCount = mark;
        return vector;
    }
}
