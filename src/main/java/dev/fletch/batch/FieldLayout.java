// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.BatchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/// Maps fields to the field nodes and buffers of a record batch: all fields of a schema in a
/// [BatchLayout], those of one column in a [ColumnLayout].
///
/// **Numbers.** A field's number, `field` in all methods, is its position in pre-order, from 0.
/// Each field has one field node: field `f` has node [#firstNode()]` + f` of the batch. A batch has
/// only the indices of a dictionary-encoded field: its children belong to the dictionary's values
/// and are not counted. Numbers of fields, columns or buffers that do not exist throw an
/// [IndexOutOfBoundsException].
///
/// **Buffers.** A field's own buffers are adjacent and precede those of its children. All buffer
/// counts and indices here exclude variadic buffers, whose number differs between batches;
/// [BatchCursor] adds them.
///
/// **Unknown types.** A field whose type is absent or unknown to this library, or a union of
/// unknown mode, is laid out without own buffers; its declared children are counted. Fields from
/// [#firstUnknown()] on cannot be located. No other rule of the format is checked: any type may
/// declare children.
///
/// **Threads.** A [BatchLayout] is immutable and may be shared; a [ColumnLayout] is reusable and
/// belongs to one thread at a time.
public abstract sealed class FieldLayout permits BatchLayout, ColumnLayout {
    /// A layout's range of table rows, and the counts of the batch's parts before it.
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

        /// Removes all fields.
        void clear(int row) {
            start = row;
            fields = 0;
            buffers = 0;
            views = 0;
            unknown = NONE;
            columns = NO_COLUMNS;
        }
    }

    static final int NONE = -1;
    static final int[] NO_COLUMNS = {};
    static final int[] ONE_COLUMN = {0};

    final FieldTable table;
    final Section section;

    FieldLayout(FieldTable table, Section section) {
        this.table = table;
        this.section = section;
    }

    // ---- all fields

    /// {@return metadata version of the batches, one of [dev.fletch.format.ids.MetadataVersion]}
    public final int version() {
        return table.version;
    }

    /// {@return byte order of the numbers in the bodies, one of [dev.fletch.format.ids.Endianness]}
    public final int endianness() {
        return table.endianness;
    }

    /// {@return number of columns}
    public final int columnCount() {
        return section.columns.length;
    }

    /// {@return the field number of a column}
    ///
    /// @param column from 0 to [#columnCount()] - 1
    public final int columnField(int column) {
        int[] columns = section.columns;
        int checked = Objects.checkIndex(column, columns.length);
        // Without nested fields, C2 then hoists a caller's checks out of its loop over columns.
        return columns.length == section.fields ? checked : columns[checked];
    }

    /// {@return the first column with a name; -1 if there is none}
    public abstract int find(CharSequence name);

    /// {@return the first column with a name}
    ///
    /// @throws BatchException if there is none
    public final int column(CharSequence name) {
        int found = find(name);
        if (found < 0) {
            throw noColumn(name, columnCount());
        }
        return found;
    }

    /// {@return the field number of the first column with a name}
    ///
    /// @throws BatchException if there is none
    public final int field(CharSequence name) {
        return columnField(column(name));
    }

    static BatchException noColumn(CharSequence name, int columns) {
        return new BatchException(
                ColumnCheck.missing(),
                "name=" + Escaper.name(name.toString()) + ", columns=" + columns);
    }

    /// {@return number of fields, which is also the number of field nodes}
    public final int fieldCount() {
        return section.fields;
    }

    /// {@return number of buffers of all fields, without variadic ones}
    public final int bufferCount() {
        return section.buffers;
    }

    /// {@return number of view fields, which is also the number of `variadicBufferCounts`}
    public final int viewCount() {
        return section.views;
    }

    /// {@return number of field nodes before this layout's in a batch; 0 for a [BatchLayout]}
    public final int firstNode() {
        return section.nodesBefore;
    }

    /// {@return number of buffers before this layout's in a batch, without variadic ones; 0 for a
    /// [BatchLayout]}
    public final int firstBuffer() {
        return section.buffersBefore;
    }

    /// {@return number of view fields before this layout's; 0 for a [BatchLayout]}
    public final int firstView() {
        return section.viewsBefore;
    }

    /// {@return the first field whose parts cannot be located, because its type or that of an
    /// earlier field is unknown; -1 if there is none}
    public final int firstUnknown() {
        return section.unknown;
    }

    /// The rule that [#firstUnknown()], or a column before this layout, breaks.
    final Rule withoutPlace() {
        int row = section.start + section.unknown;
        return table.shape(row) == BufferShape.UNKNOWN
                ? TypeCheck.withoutShape(table.typeType[row])
                : MeaningRule.UNKNOWN_TYPE;
    }

    /// Number of fields that can be located.
    final int placeable() {
        return section.unknown < 0 ? section.fields : section.unknown;
    }

    /// The layout that a batch must fit: itself, or that of all columns.
    FieldLayout whole() {
        return this;
    }

    final int row(int field) {
        return section.start + Objects.checkIndex(field, section.fields);
    }

    /// Number of buffers of the fields before one, or of all fields.
    final int buffersBefore(int field) {
        return field == section.fields ? section.buffers : table.firstBuffer(section.start + field);
    }

    /// Number of view fields before a field, or of all view fields.
    final int viewsBefore(int field) {
        return field == section.fields ? section.views : table.viewsBefore(section.start + field);
    }

    // ---- one field

    /// {@return the type, one of [dev.fletch.format.ids.Type] or an unknown number; for a
    /// dictionary-encoded field, that of the dictionary's values}
    public final int typeType(int field) {
        return table.typeType[row(field)] & 0xFF;
    }

    /// {@return number of ancestors of a field: 0 for a column}
    public final int depth(int field) {
        int depth = 0;
        for (int row = table.parent[row(field)]; row >= 0; row = table.parent[row]) {
            depth++;
        }
        return depth;
    }

    /// {@return the parent's number; -1 for a column}
    public final int parent(int field) {
        int row = table.parent[row(field)];
        return row < 0 ? NONE : row - section.start;
    }

    /// {@return the number after a field and its descendants}
    public final int end(int field) {
        return table.end[row(field)];
    }

    /// {@return whether all values of a field are null: its type is `Null`, and it is not
    /// dictionary-encoded}
    public final boolean isAllNull(int field) {
        return table.isOf(row(field), Type.NULL);
    }

    /// {@return whether a field's values are indices into a dictionary}
    public final boolean isDictionaryEncoded(int field) {
        return table.isEncoded(row(field));
    }

    /// {@return the field's dictionary id, which may be 0; 0 if it is not dictionary-encoded}
    public final long dictionaryId(int field) {
        return table.dictionaryId(row(field));
    }

    /// {@return bits per value in a field's data buffer, as declared in the schema: 1 for booleans;
    /// the index width for a dictionary-encoded field; 0 if values vary in length, there is no data
    /// buffer, or the width is unknown}
    public final long valueBits(int field) {
        return table.valueBits(row(field));
    }

    /// {@return the physical type of a field's values; for a dictionary-encoded field, of its
    /// indices}
    public final ValueType valueType(int field) {
        return table.valueType(row(field));
    }

    /// {@return elements per value of a fixed-size list; 0 for other types}
    public final int listSize(int field) {
        int row = row(field);
        return table.isOf(row, Type.FIXED_SIZE_LIST) ? table.width[row] : 0;
    }

    // ---- its buffers

    /// {@return index of a field's node in the batch}
    public int nodeIndex(int field) {
        return firstNode() + Objects.checkIndex(field, fieldCount());
    }

    /// {@return index of a field's first buffer in the batch, if no earlier field has variadic
    /// buffers; for a field without buffers, that of the next buffer}
    public int bufferIndex(int field) {
        return firstBuffer() + table.firstBuffer(row(field));
    }

    /// {@return number of a field's own buffers, without variadic ones}
    public final int bufferCount(int field) {
        return shape(field).count();
    }

    /// {@return the role of a buffer}
    ///
    /// @param buffer from 0 to the field's [#bufferCount(int)] - 1
    public final BufferRole role(int field, int buffer) {
        BufferShape shape = shape(field);
        return shape.role(Objects.checkIndex(buffer, shape.count()));
    }

    /// {@return whether a field has a buffer with a role}
    ///
    /// @param role such as validity, which unions since V5 and run-end encoded fields do not have
    public final boolean has(int field, BufferRole role) {
        return shape(field).has(role);
    }

    /// The exception for a role that no buffer of a field has.
    final IllegalArgumentException noRole(int field, BufferRole role) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < bufferCount(field); i++) {
            all.append(i == 0 ? "" : " ").append(role(field, i).text());
        }
        String reason =
                role == BufferRole.VARIADIC && has(field, role)
                        ? "variadic buffers have only an index"
                        : "type has no buffer with this role";
        return new IllegalArgumentException(
                String.format(
                        Locale.ROOT,
                        "%s: column=%s, type=%s, role=%s, roles=%s",
                        reason,
                        shownPath(field),
                        Type.NAMES.name(typeType(field)),
                        role.text(),
                        all));
    }

    final BufferShape shape(int field) {
        return table.shape(row(field));
    }

    // ---- its name

    /// {@return a field's name as a new string; empty if absent}
    public final String nameString(int field) {
        int row = row(field);
        return new String(
                table.names, table.nameAt[row], table.nameLength[row], StandardCharsets.UTF_8);
    }

    /// {@return the names from the column to a field, joined by dots, as a new string}
    public final String pathString(int field) {
        int depth = depth(field);
        String[] names = new String[depth + 1];
        for (int f = field, i = depth; i >= 0; i--) {
            names[i] = nameString(f);
            f = parent(f);
        }
        return String.join(".", names);
    }

    /// [#pathString] for error messages, escaped to one line.
    final String shownPath(int field) {
        return Escaper.name(pathString(field));
    }
}
