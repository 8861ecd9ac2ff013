// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.List;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/// Messages of any number of columns, built with the one-shot methods of flatc's generated classes:
/// what benchmarks read. All are bare flatbuffers without framing, and always the same bytes.
public final class LargeSchemas {
    /// Rows of every record batch.
    public static final long ROWS = 1_000;

    private static final int TYPES = 10;
    private static final int REQUIRED_EVERY = 7;
    private static final int METADATA_EVERY = 16;
    private static final int PADDING_BYTES = 64;
    private static final int NONE = 0;

    private LargeSchemas() {}

    /// Returns a message with a schema of this many columns, `column_0` and so on, of ten types in
    /// turn: `int64`, `utf8`, `float64`, `timestamp[us, Europe/Paris]`, `decimal128(38, 10)`,
    /// `list<item: int64>`, `struct<x: float64, y: float64, label: utf8>`, `date32`, `bool`,
    /// `int32`. Ten columns are 14 fields.
    ///
    /// Columns 6, 13 and so on allow no nulls; all other fields do. Columns 0, 16 and so on have
    /// two pairs of metadata, the schema has one.
    public static byte[] schemaMessage(int columns) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1 << 10);
        int[] fields = new int[columns];
        for (int i = 0; i < columns; i++) {
            fields[i] = column(builder, i);
        }
        int fieldsOffset = Schema.createFieldsVector(builder, fields);
        int[] pairs = {pair(builder, "origin", "made up for Fletch's benchmarks")};
        int metadata = Schema.createCustomMetadataVector(builder, pairs);
        int schema =
                GeneratedTables.schema(builder, Endianness.Little, fieldsOffset, metadata, NONE);
        return message(builder, MessageHeader.Schema, schema, 0);
    }

    /// Returns a message with a record batch of this many nodes and three times as many buffers:
    /// for each node validity, offsets and data, one behind the other, padded to 64 bytes each.
    /// It is not the batch of [#schemaMessage], whose columns own other numbers of buffers.
    public static byte[] recordBatchMessage(int nodes) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1 << 10);
        RecordBatch.startBuffersVector(builder, 3 * nodes);
        long end = bodyLength(nodes);
        for (int i = 3 * nodes - 1; i >= 0; i--) {
            long length = bufferLength(i);
            end -= padded(length);
            Buffer.createBuffer(builder, end, length);
        }
        int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes);
        for (int i = nodes - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, ROWS, nullCount(i));
        }
        int nodesOffset = builder.endVector();
        int batch = GeneratedTables.recordBatch(builder, ROWS, nodesOffset, buffers, NONE, NONE);
        return message(builder, MessageHeader.RecordBatch, batch, bodyLength(nodes));
    }

    /// Bytes of the body that [#recordBatchMessage] speaks of.
    public static long bodyLength(int nodes) {
        long length = 0;
        for (int i = 0; i < 3 * nodes; i++) {
            length += padded(bufferLength(i));
        }
        return length;
    }

    private static byte[] message(
            FlatBufferBuilder builder, byte type, int header, long bodyLength) {
        int message = GeneratedTables.message(builder, type, header, bodyLength);
        builder.finish(message);
        return builder.sizedByteArray();
    }

    // ---- Columns ----

    private static int column(FlatBufferBuilder builder, int index) {
        int children = children(builder, index % TYPES);
        byte typeId = typeId(index % TYPES);
        int type = type(builder, index % TYPES);
        int metadata = NONE;
        if (index % METADATA_EVERY == 0) {
            int[] pairs = {
                pair(builder, "unit", "EUR"),
                pair(builder, "description", "column number " + index + " of the table")
            };
            metadata = Field.createCustomMetadataVector(builder, pairs);
        }
        boolean nullable = index % REQUIRED_EVERY != REQUIRED_EVERY - 1;
        int name = builder.createString("column_" + index);
        return GeneratedTables.field(
                builder, name, nullable, typeId, type, NONE, children, metadata);
    }

    private static byte typeId(int kind) {
        return switch (kind) {
            case 0, 9 -> Type.Int;
            case 1 -> Type.Utf8;
            case 2 -> Type.FloatingPoint;
            case 3 -> Type.Timestamp;
            case 4 -> Type.Decimal;
            case 5 -> Type.List;
            case 6 -> Type.Struct_;
            case 7 -> Type.Date;
            default -> Type.Bool;
        };
    }

    private static int type(FlatBufferBuilder builder, int kind) {
        return switch (kind) {
            case 0 -> Int.createInt(builder, 64, true);
            case 1 -> utf8(builder);
            case 2 -> FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
            case 3 -> {
                int zone = builder.createString("Europe/Paris");
                yield Timestamp.createTimestamp(builder, TimeUnit.MICROSECOND, zone);
            }
            case 4 -> Decimal.createDecimal(builder, 38, 10, 128);
            case 5 -> {
                List.startList(builder);
                yield List.endList(builder);
            }
            case 6 -> {
                Struct_.startStruct_(builder);
                yield Struct_.endStruct_(builder);
            }
            case 7 -> Date.createDate(builder, DateUnit.DAY);
            case 8 -> {
                Bool.startBool(builder);
                yield Bool.endBool(builder);
            }
            default -> Int.createInt(builder, 32, true);
        };
    }

    private static int utf8(FlatBufferBuilder builder) {
        Utf8.startUtf8(builder);
        return Utf8.endUtf8(builder);
    }

    private static int children(FlatBufferBuilder builder, int kind) {
        int[] children =
                switch (kind) {
                    case 5 -> new int[] {child(builder, "item", 0)};
                    case 6 ->
                            new int[] {
                                child(builder, "x", 2),
                                child(builder, "y", 2),
                                child(builder, "label", 1)
                            };
                    default -> new int[0];
                };
        return Field.createChildrenVector(builder, children);
    }

    private static int child(FlatBufferBuilder builder, String name, int kind) {
        int children = children(builder, kind);
        int type = type(builder, kind);
        int nameOffset = builder.createString(name);
        return GeneratedTables.field(
                builder, nameOffset, true, typeId(kind), type, NONE, children, NONE);
    }

    private static int pair(FlatBufferBuilder builder, String key, String value) {
        int keyOffset = builder.createString(key);
        int valueOffset = builder.createString(value);
        return KeyValue.createKeyValue(builder, keyOffset, valueOffset);
    }

    // ---- Nodes and buffers ----

    private static long nullCount(int node) {
        return node % REQUIRED_EVERY == REQUIRED_EVERY - 1 ? 0 : node % 5 * 10L;
    }

    /// In turn: a bit, an offset, eight bytes or more for each row.
    private static long bufferLength(int buffer) {
        return switch (buffer % 3) {
            case 0 -> (ROWS + 7) / 8;
            case 1 -> 4 * (ROWS + 1);
            default -> ROWS * (8 + buffer / 3 % 9);
        };
    }

    private static long padded(long length) {
        return (length + PADDING_BYTES - 1) / PADDING_BYTES * PADDING_BYTES;
    }
}
