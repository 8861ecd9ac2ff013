// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// Flyweights that are bound again and again: below other roots, to their own children, in memory
/// that holds something else by now.
class RebindingTest {
    private static final int COLUMNS = 12;

    private static MemorySegment schemaMessage() {
        return MemorySegment.ofArray(LargeSchemas.schemaMessage(COLUMNS));
    }

    @Test
    void aFlyweightBelongsToTheRootThatItWasBoundUnderLast() {
        Message first = new Message().wrap(schemaMessage());
        Message second = new Message().wrap(schemaMessage());
        Schema schema = new Schema();
        assertTrue(first.header(schema));
        assertTrue(second.header(schema));
        first.wrap(schemaMessage());
        Field field = schema.fields(3, new Field());
        assertEquals("column_3", field.nameString());
        second.wrap(schemaMessage());
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> schema.fields(3, field));
        assertEquals(
                "Schema is out of date: its root has been wrapped again since",
                refused.getMessage());
        assertThrows(IllegalStateException.class, field::nameString);
    }

    /// A schema may be a root, a header and a part of a footer, one after the other.
    @Test
    void aRootMayBeBoundBelowAnother() {
        Schema schema = new Schema();
        Schema asRoot = new Schema();
        byte[] bytes = TablePath.to("Schema").random(4);
        assertSame(schema, schema.wrap(MemorySegment.ofArray(bytes)));
        int fields = schema.fieldsCount();
        Message message = new Message().wrap(schemaMessage());
        assertTrue(message.header(schema));
        assertEquals(COLUMNS, schema.fieldsCount());
        schema.wrap(MemorySegment.ofArray(bytes));
        assertEquals(fields, schema.fieldsCount());
        assertEquals(MessageHeader.SCHEMA, message.headerType());
        assertTrue(message.header(asRoot), "the message is not touched by what its schema wrapped");
        assertEquals("column_1", asRoot.fields(1, new Field()).nameString());
    }

    /// What was bound under a root stays valid when the root's flyweight is bound below another.
    @Test
    void childrenOfARootThatIsBoundElsewhereStayValid() {
        Message message = new Message().wrap(schemaMessage());
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        MemorySegment bare = MemorySegment.ofArray(bareSchema());
        Schema root = new Schema().wrap(bare);
        KeyValue pair = root.customMetadata(0, new KeyValue());
        assertTrue(message.header(root));
        assertEquals("key", pair.keyString());
        root.wrap(bare);
        assertThrows(IllegalStateException.class, pair::keyString);
    }

    /// A schema with one pair of metadata and nothing else.
    private static byte[] bareSchema() {
        FbsValue pair = TablePath.table("KeyValue", Map.of("key", new FbsValue.Text("key")));
        FbsValue pairs = new FbsValue.Vector(List.of(pair));
        return TablePath.to("Schema")
                .bytes(TablePath.table("Schema", Map.of("custom_metadata", pairs)), 1);
    }

    @Test
    void aFlyweightMayBeBoundToItsOwnChild() {
        Message message = new Message().wrap(schemaMessage());
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        Field field = schema.fields(6, new Field());
        assertEquals("column_6", field.nameString());
        assertEquals(3, field.childrenCount());
        assertSame(field, field.children(2, field));
        assertEquals("label", field.nameString());
        assertEquals(0, field.childrenCount());
        assertEquals(Type.UTF8, field.typeType());
        assertThrows(IndexOutOfBoundsException.class, () -> field.children(0, field));
        assertEquals("label", field.nameString());
    }

    /// What answers no leaves the flyweight that it was given as it was.
    @Test
    void aHeaderOfAnotherKindLeavesTheFlyweightBound() {
        Message message = new Message().wrap(schemaMessage());
        Schema schema = new Schema();
        RecordBatch batch = new RecordBatch();
        Message other =
                new Message().wrap(MemorySegment.ofArray(LargeSchemas.recordBatchMessage(COLUMNS)));
        assertTrue(message.header(schema));
        assertTrue(other.header(batch));
        assertFalse(other.header(schema));
        assertFalse(message.header(batch));
        assertEquals("column_1", schema.fields(1, new Field()).nameString());
        assertEquals(3 * COLUMNS, batch.buffersCount());
        assertEquals(LargeSchemas.ROWS, batch.nodes(0, new FieldNode()).length());
    }

    @Test
    void twoRootsOnTheSameMemoryDontDisturbEachOther() {
        MemorySegment memory = schemaMessage();
        Message first = new Message().wrap(memory);
        Message second = new Message().wrap(memory);
        Schema schema = new Schema();
        assertTrue(first.header(schema));
        second.wrap(memory);
        assertEquals("column_2", schema.fields(2, new Field()).nameString());
        // What one sets is in the bytes; the other sees it when it decodes them again.
        first.setVersion(77);
        assertEquals(MetadataVersion.V5, second.version());
        assertEquals(77, second.wrap(memory).version());
    }

    // ---- memory that is used again

    /// All kinds of buffers one after the other at one place, read by the same flyweights.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reusedMemoryIsReadAgain(boolean nativeMemory) {
        List<TablePath> paths = TablePath.all().toList();
        AccessorComparer comparer = new AccessorComparer();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory =
                    nativeMemory
                            ? arena.allocate(1 << 16)
                            : MemorySegment.ofArray(new byte[1 << 16]);
            for (long seed = 0; seed < 100; seed++) {
                for (TablePath path : paths) {
                    byte[] bytes = path.random(seed);
                    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, 64, bytes.length);
                    comparer.compare(path.root(), memory, 64, bytes);
                }
            }
        }
        System.out.printf(
                "Memory used again: %d tables, %d accessor calls%n",
                comparer.tables(), comparer.calls());
    }

    // ---- byte buffers

    /// What is bound stays bound when the buffer's position and limit move on.
    @Test
    void laterPositionsAndLimitsOfABufferAreIgnored() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        int twice = 2 * bytes.length;
        for (ByteBuffer buffer :
                List.of(ByteBuffer.allocate(twice), ByteBuffer.allocateDirect(twice))) {
            buffer.put(bytes).put(bytes);
            Message message = new Message().wrap(buffer.limit(bytes.length).position(0));
            Schema schema = new Schema();
            assertTrue(message.header(schema));
            buffer.clear().position(twice);
            assertEquals("column_1", schema.fields(1, new Field()).nameString());
            message.wrap(buffer.position(bytes.length));
            assertTrue(message.header(schema));
            Field field = schema.fields(1, new Field());
            assertEquals("column_1", field.nameString());
            assertTrue(
                    field.position() > bytes.length, "positions count from the buffer's index 0");
        }
    }

    /// Segments and buffers in turn, by one flyweight.
    @Test
    void aRootWrapsSegmentsAndBuffersInTurn() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 3);
        direct.position(3).put(bytes).position(3);
        ByteBuffer heap = ByteBuffer.wrap(bytes);
        MemorySegment array = MemorySegment.ofArray(bytes);
        MemorySegment longs = MemorySegment.ofArray(new long[bytes.length / 8 + 2]);
        MemorySegment.copy(array, 0, longs, 5, bytes.length);
        FullWalk walk = FullWalk.complete();
        long zeroBased = walk.message(heap);
        long at3 = walk.message(direct);
        long at5 = walk.message(longs, 5, bytes.length);
        for (int i = 0; i < 6; i++) {
            assertEquals(zeroBased, walk.message(array, 0, bytes.length));
            assertEquals(at5, walk.message(longs, 5, bytes.length));
            assertEquals(zeroBased, walk.message(heap));
            assertEquals(at3, walk.message(direct));
            assertEquals(zeroBased, walk.message(heap.asReadOnlyBuffer()));
            assertEquals(
                    at3,
                    walk.message(
                            MemorySegment.ofBuffer(direct.duplicate().position(0)),
                            3,
                            bytes.length));
        }
    }
}
