// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.Type;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Which nodes and buffers fields own: all fields of a schema in a [BatchLayout], those of one column
/// in a [ColumnLayout].
///
/// **Numbers.** A field's number is its place in pre-order, a parent before its children, from 0. Each
/// field has exactly one field node, in the same order: the node of field `f` is node [#firstNode()]` + f`
/// of the batch. The batch has only the indexes of a dictionary-encoded field: its children are those of
/// the dictionary's values, and are not counted here. A number of a field, column or buffer that does not
/// exist throws an [IndexOutOfBoundsException].
///
/// **Buffers.** A field's own buffers are together, before those of its children. Only a field of a view
/// type has a number of buffers that differs from batch to batch; all numbers of buffers here leave these
/// variadic ones out, and [BatchCursor] adds them.
///
/// **Unknown types.** A field whose type is missing or newer than this library, or a union of an unknown
/// mode, is laid out without buffers of its own, and its declared children are counted. From
/// [#firstUnknown()] on nothing can be placed. Nothing else that the format forbids is checked: children
/// count as they are declared, for any type.
///
/// **Threads.** A [BatchLayout] never changes and may be shared; a [ColumnLayout] is filled again and
/// again, and belongs to one thread at a time.
public abstract sealed class FieldLayout permits BatchLayout, ColumnLayout {
    /// What a layout has of its table's rows, and what a batch has before it.
    static final class Section {
        int start;
        int fields;
        int buffers;
        int views;
        int unknown = NONE;
        int nodesBefore;
        int buffersBefore;
        int viewsBefore;
        int[] columns = NO_COLUMNS;
    }

    static final int NONE = -1;
    static final int[] NO_COLUMNS = {};

    final FieldTable table;
    final Section section;

    FieldLayout(FieldTable table, Section section) {
        this.table = table;
        this.section = section;
    }

    /// The fields that the columns are; null where each column is the field of its number.
    final int[] columnFields() {
        return section.columns.length == section.fields ? null : section.columns;
    }

    // ---- all fields

    /// {@return metadata version of the batches, one of [dev.fletch.format.MetadataVersion]}
    public final int version() {
        return table.version;
    }

    /// {@return byte order of the numbers in the bodies, one of [dev.fletch.format.Endianness]}
    public final int endianness() {
        return table.endianness;
    }

    /// {@return number of columns}
    public final int columnCount() {
        return section.columns.length;
    }

    /// {@return the number of the field that a column is}
    ///
    /// @param column from 0 to [#columnCount()] - 1
    public final int columnField(int column) {
        return section.columns[Objects.checkIndex(column, section.columns.length)];
    }

    /// {@return the first column of a name; -1 if there is none}
    ///
    /// @param name any text
    public abstract int find(CharSequence name);

    /// {@return the first column of a name}
    ///
    /// @param name any text
    /// @throws LayoutException if there is none
    public final int column(CharSequence name) {
        final int found = find(name);
        if (found < 0) {
            throw noColumn(name, columnCount());
        }
        return found;
    }

    static LayoutException noColumn(CharSequence name, int columns) {
        return new LayoutException(
                ValueRules.NO_COLUMN,
                "name=" + Escaper.name(name.toString()) + ", columns=" + columns);
    }

    /// What is wrong if this is used for the batches of a file; null if nothing is known to be.
    abstract LayoutException misfit(ArrowFile file);

    /// {@return number of fields, which is also the number of field nodes}
    public final int fieldCount() {
        return section.fields;
    }

    /// {@return number of buffers of all fields, variadic ones left out}
    public final int bufferCount() {
        return section.buffers;
    }

    /// {@return number of fields of a view type, which is also the number of variadic buffer counts}
    public final int viewCount() {
        return section.views;
    }

    /// {@return number of field nodes of the columns before; 0 for a schema}
    public final int firstNode() {
        return section.nodesBefore;
    }

    /// {@return number of buffers of the columns before, variadic ones left out; 0 for a schema}
    public final int firstBuffer() {
        return section.buffersBefore;
    }

    /// {@return number of fields of a view type in the columns before; 0 for a schema}
    public final int firstView() {
        return section.viewsBefore;
    }

    /// {@return the first field that cannot be placed, because its type or that of a field before it is
    /// unknown; -1 if there is none}
    public final int firstUnknown() {
        return section.unknown;
    }

    /// Number of fields that can be placed.
    final int placeable() {
        return section.unknown < 0 ? section.fields : section.unknown;
    }

    final int row(int field) {
        return section.start + Objects.checkIndex(field, section.fields);
    }

    // ---- one field

    /// {@return the type's number, one of [dev.fletch.format.Type] or one that it does not know; for a
    /// dictionary-encoded field, that of the dictionary's values}
    ///
    /// @param field its number
    public final int typeType(int field) {
        return table.typeType[row(field)] & 0xFF;
    }

    /// {@return levels above a field: 0 for a column}
    ///
    /// @param field its number
    public final int depth(int field) {
        int depth = 0;
        for (int row = table.parent[row(field)]; row >= 0; row = table.parent[row]) {
            depth++;
        }
        return depth;
    }

    /// {@return the field that a field is a child of; -1 for a column}
    ///
    /// @param field its number
    public final int parent(int field) {
        final int row = table.parent[row(field)];
        return row < 0 ? NONE : row - section.start;
    }

    /// {@return the number after those of a field and all fields below it}
    ///
    /// @param field its number
    public final int end(int field) {
        return table.end[row(field)];
    }

    /// {@return whether a field's values are indexes into a dictionary}
    ///
    /// @param field its number
    public final boolean isDictionaryEncoded(int field) {
        return table.isEncoded(row(field));
    }

    /// {@return id of the dictionary that a field is encoded by; 0 if there is none}
    ///
    /// @param field its number
    public final long dictionaryId(int field) {
        return table.dictionaryId(row(field));
    }

    /// {@return bits of one value in a field's data buffer, as the schema declares it: 1 for booleans;
    /// for a dictionary-encoded field those of an index; 0 where values vary in length, there is no data
    /// buffer, or the width is unknown}
    ///
    /// @param field its number
    public final long valueBits(int field) {
        return table.valueBits(row(field));
    }

    /// {@return how a field's values are stored; for a dictionary-encoded field its indexes}
    ///
    /// @param field its number
    public final ValueType valueType(int field) {
        return table.valueType(row(field));
    }

    /// {@return number of elements in each value of a fixed-size list; 0 for another type}
    ///
    /// @param field its number
    public final int listSize(int field) {
        final int row = row(field);
        return table.isOf(row, Type.FIXED_SIZE_LIST) ? table.width[row] : 0;
    }

    // ---- its buffers

    /// {@return place of a field's node among those of the batch}
    ///
    /// @param field its number
    public final int nodeIndex(int field) {
        return firstNode() + Objects.checkIndex(field, fieldCount());
    }

    /// {@return place of a field's first buffer among those of the batch, as long as no field before it
    /// has variadic buffers. If the field has no buffers, the place of the next field's first one}
    ///
    /// @param field its number
    public final int bufferIndex(int field) {
        return firstBuffer() + table.firstBuffer(row(field));
    }

    /// {@return number of a field's own buffers, variadic ones left out}
    ///
    /// @param field its number
    public final int bufferCount(int field) {
        return table.shape(row(field)).count();
    }

    /// {@return what a buffer is for}
    ///
    /// @param field the field's number
    /// @param buffer from 0 to the field's [#bufferCount(int)] - 1
    public final BufferRole role(int field, int buffer) {
        final BufferShape shape = table.shape(row(field));
        return shape.role(Objects.checkIndex(buffer, shape.count()));
    }

    /// {@return which buffers a field has}
    ///
    /// @param field its number
    public final BufferShape bufferShape(int field) {
        return table.shape(row(field));
    }

    // ---- its name

    /// {@return a field's name as a new string; an empty one if it is absent}
    ///
    /// @param field its number
    public final String nameString(int field) {
        final int row = row(field);
        return new String(
                table.names, table.nameAt[row], table.nameLength[row], StandardCharsets.UTF_8);
    }

    /// {@return the names from the column down to a field, joined by dots, as a new string}
    ///
    /// @param field its number
    public final String pathString(int field) {
        final int depth = depth(field);
        final String[] names = new String[depth + 1];
        for (int f = field, i = depth; i >= 0; i--) {
            names[i] = nameString(f);
            f = parent(f);
        }
        return String.join(".", names);
    }

    /// [#pathString] for messages: on one line.
    final String shownPath(int field) {
        return Escaper.name(pathString(field));
    }
}
