// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

class LargeSchemasTest {
    @Test
    void tenColumnsAreFourteenFields() {
        Schema schema = schema(10);
        assertEquals(
                List.of(
                        "column_0: Int(64, true)",
                        "column_1: Utf8",
                        "column_2: FloatingPoint(DOUBLE)",
                        "column_3: Timestamp(MICROSECOND, Europe/Paris)",
                        "column_4: Decimal(38, 10, 128)",
                        "column_5: List<item: Int(64, true)>",
                        "column_6: Struct<x: FloatingPoint(DOUBLE), y: FloatingPoint(DOUBLE),"
                                + " label: Utf8> not null",
                        "column_7: Date(DAY)",
                        "column_8: Bool",
                        "column_9: Int(32, true)"),
                schema.getFields().stream().map(Object::toString).toList());
        assertEquals(14, LargeSchemas.fieldCount(10));
        assertEquals(1, schema.getCustomMetadata().size());
        assertEquals(2, schema.getFields().getFirst().getMetadata().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 50, 1000})
    void schemaHasItsColumns(int columns) {
        byte[] bytes = LargeSchemas.schemaMessage(columns);
        assertArrayEquals(bytes, LargeSchemas.schemaMessage(columns));
        Message message = message(bytes);
        assertEquals(MessageHeader.Schema, message.headerType());
        assertEquals(MetadataVersion.V5, message.version());
        assertEquals(0, message.bodyLength());
        var schema =
                (org.apache.arrow.flatbuf.Schema)
                        message.header(new org.apache.arrow.flatbuf.Schema());
        assertEquals(columns, schema.fieldsLength());
        int fields = 0;
        for (int i = 0; i < columns; i++) {
            Field field = schema.fields(i);
            assertEquals("column_" + i, field.name());
            assertEquals(i % 7 != 6, field.nullable());
            assertEquals(i % 16 == 0 ? 2 : 0, field.customMetadataLength());
            fields += 1 + field.childrenLength();
        }
        assertEquals(LargeSchemas.fieldCount(columns), fields);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 50, 1000})
    void batchHasItsNodesAndBuffers(int nodes) {
        byte[] bytes = LargeSchemas.recordBatchMessage(nodes);
        assertArrayEquals(bytes, LargeSchemas.recordBatchMessage(nodes));
        Message message = message(bytes);
        RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
        assertEquals(LargeSchemas.ROWS, batch.length());
        assertEquals(nodes, batch.nodesLength());
        assertEquals(3 * nodes, batch.buffersLength());
        long offset = 0;
        for (int i = 0; i < 3 * nodes; i++) {
            Buffer buffer = batch.buffers(i);
            assertEquals(offset, buffer.offset());
            offset += (buffer.length() + 63) / 64 * 64;
        }
        assertEquals(offset, message.bodyLength());
        assertEquals(LargeSchemas.bodyLength(nodes), message.bodyLength());
    }

    /// Every type is known to arrow-vector, too.
    @Test
    void typesRepeat() {
        List<ArrowType> types =
                schema(30).getFields().stream()
                        .map(org.apache.arrow.vector.types.pojo.Field::getType)
                        .toList();
        assertEquals(types.subList(0, 10), types.subList(20, 30));
    }

    private static Schema schema(int columns) {
        Message message = message(LargeSchemas.schemaMessage(columns));
        return Schema.convertSchema(
                (org.apache.arrow.flatbuf.Schema)
                        message.header(new org.apache.arrow.flatbuf.Schema()));
    }

    private static Message message(byte[] bytes) {
        return Message.getRootAsMessage(ByteBuffer.wrap(bytes));
    }
}
