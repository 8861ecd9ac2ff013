// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.DEPTH_LIMIT;
import static dev.fletch.StructureRule.TABLE_LIMIT;

import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.verify.messages.Meant;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Flatbuffers with too many tables, or with tables too deep in each other.
///
/// All fields are structs of the same form, so that few bytes have many of them.
final class LimitCases {
    // Vtables of the message, the schema, fields and types; then the tables.
    private static final int MESSAGE_VTABLE = 4;
    private static final int SCHEMA_VTABLE = 14;
    private static final int FIELD_VTABLE = 22;
    private static final int TYPE_VTABLE = 38;
    private static final int MESSAGE = 44;
    private static final int SCHEMA = 56;
    private static final int FIELDS = 64;

    private static final int FIELD_BYTES = 16;
    private static final int SHARED_BYTES = 504;
    private static final int WIDTH = 31;
    private static final int CHILDREN = 64;
    // Of the fields: the message and its schema are above, the type is below.
    private static final int DEEPEST = 128 - 3;
    // Deeper fields get a note, so the sound twin ends there, not at 128 tables.
    private static final int USUAL_DEPTH = 64;

    private LimitCases() {}

    static List<CorpusCase> all() {
        List<CorpusCase> cases = new ArrayList<>();
        cases.add(
                CorpusCase.of(
                        DEPTH_LIMIT,
                        "depth-129",
                        "tables are nested 129 levels deep: message, schema, 126 fields and a type")
                        .layout("struct")
                        .stream(
                                stream(chain(DEEPEST + 1, USUAL_DEPTH)),
                                stream(chain(DEEPEST + 1, 0))));
        cases.add(
                CorpusCase.of(
                        TABLE_LIMIT,
                        "tables-of-504-bytes",
                        "504 bytes have 4034 tables, 2 more than 8 for each byte: all elements of"
                                + " a vector are the same table")
                        .layout("struct")
                        .stream(stream(shared(WIDTH)), stream(shared(WIDTH + 1))));
        return cases;
    }

    private static byte[] stream(byte[] flatbuffer) {
        return new HandmadeInput(Meant.schema())
                .edit(_ -> flatbuffer, UnaryOperator.identity()).stream();
    }

    private static RawBuffer start(int size) {
        RawBuffer raw = new RawBuffer(size).offset(0, MESSAGE);
        int[] message = new int[Message.HEADER_SLOT + 1];
        message[Message.VERSION_SLOT] = 10;
        message[Message.HEADER_TYPE_SLOT] = 8;
        message[Message.HEADER_SLOT] = 4;
        raw.vtable(MESSAGE_VTABLE, message).u16(MESSAGE_VTABLE + 2, 12);
        int[] schema = new int[Schema.FIELDS_SLOT + 1];
        schema[Schema.FIELDS_SLOT] = 4;
        raw.vtable(SCHEMA_VTABLE, schema).u16(SCHEMA_VTABLE + 2, 8);
        int[] field = new int[Field.CHILDREN_SLOT + 1];
        field[Field.TYPE_TYPE_SLOT] = 12;
        field[Field.TYPE_SLOT] = 4;
        field[Field.CHILDREN_SLOT] = 8;
        raw.vtable(FIELD_VTABLE, field).u16(FIELD_VTABLE + 2, FIELD_BYTES);
        raw.vtable(TYPE_VTABLE).u16(TYPE_VTABLE + 2, 4);
        raw.table(MESSAGE, MESSAGE_VTABLE).offset(MESSAGE + 4, SCHEMA);
        raw.u8(MESSAGE + 8, MessageHeader.SCHEMA).u16(MESSAGE + 10, 4);
        raw.table(SCHEMA, SCHEMA_VTABLE).offset(SCHEMA + 4, FIELDS);
        return raw;
    }

    private static void field(RawBuffer raw, int at, int type, int children) {
        raw.table(at, FIELD_VTABLE).u8(at + 12, Type.STRUCT_);
        raw.offset(at + 4, type).offset(at + 8, children);
    }

    /// A field with one child, and so on.
    ///
    /// @param childless number of the field that has no children; 0 for the last one
    private static byte[] chain(int fields, int childless) {
        int level = FIELD_BYTES + 2 * Integer.BYTES;
        int end = FIELDS + level * fields;
        RawBuffer raw = start(end + 8);
        for (int i = 0; i < fields; i++) {
            int vector = FIELDS + level * i;
            int count = i > 0 && i == childless ? 0 : 1;
            raw.i32(vector, count).offset(vector + 4, vector + 8);
            field(raw, vector + 8, end + 4, vector + level);
        }
        return raw.i32(end, 0).table(end + 4, TYPE_VTABLE).bytes();
    }

    /// Columns that are the same field, whose children are the same, too: with 31 columns, two
    /// tables for each of 31 * 65 fields, and two above: 8 for each byte.
    ///
    /// @param columns of which the last, if there are 32, is one of the children
    private static byte[] shared(int columns) {
        int column = FIELDS + Integer.BYTES * (2 + WIDTH);
        int children = column + FIELD_BYTES;
        int child = children + Integer.BYTES * (1 + CHILDREN);
        int none = child + FIELD_BYTES;
        int type = none + Integer.BYTES;
        RawBuffer raw = start(SHARED_BYTES).i32(FIELDS, columns).i32(children, CHILDREN);
        for (int i = 1; i <= WIDTH; i++) {
            raw.offset(FIELDS + Integer.BYTES * i, column);
        }
        raw.offset(FIELDS + Integer.BYTES * (1 + WIDTH), child);
        for (int i = 1; i <= CHILDREN; i++) {
            raw.offset(children + Integer.BYTES * i, child);
        }
        field(raw, column, type, children);
        field(raw, child, type, none);
        return raw.table(type, TYPE_VTABLE).bytes();
    }
}
