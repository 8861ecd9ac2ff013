// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.differential.CraftedBuffers;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// Buffers of shapes that no builder makes: each is read for what it says, or refused where it
/// leads out of the range, and nothing outside the range is looked at.
class HandMadeBuffersTest {

    /// Wraps a schema, after it was read in all surroundings.
    private static Schema schema(RawBuffer buffer) {
        byte[] bytes = buffer.bytes();
        readAmidOtherBytes(bytes);
        return new Schema().wrap(MemorySegment.ofArray(bytes));
    }

    private static void readAmidOtherBytes(byte[] bytes) {
        try (DamageRig rig = new DamageRig(bytes.length)) {
            rig.read("Schema", bytes, "hand-made");
            assertEquals(0, rig.walk().indexFaults());
        }
    }

    // ---- the buffer itself

    /// The root offset leads to itself, and the table's vtable is the table: of size 0.
    @Test
    void fourZerosAreAnEmptyTable() {
        Schema schema = schema(new RawBuffer(4));
        assertEquals(0, schema.position());
        assertEquals(Endianness.LITTLE, schema.endianness());
        assertEquals(0, schema.fieldsCount());
        assertFalse(schema.isPresent(Schema.FIELDS_SLOT));
    }

    // ---- tables and vtables

    /// The root offset is the vtable's size too, and the table's soffset is its second slot.
    @Test
    void aVtableMayOverlapItsTableAndTheRootOffset() {
        RawBuffer buffer = new RawBuffer(24).i32(0, 8).table(8, 0).u16(4, 12).u16(12, 3);
        Schema schema = schema(buffer.u16(8 + 12, Endianness.BIG));
        assertEquals(Endianness.BIG, schema.endianness());
        assertFalse(schema.isPresent(Schema.FIELDS_SLOT));
        // A table that is its own vtable: the soffset 0 is the size.
        RawBuffer own = new RawBuffer(24).offset(0, 8).table(8, 8);
        assertFalse(schema(own).isPresent(Schema.ENDIANNESS_SLOT));
    }

    // ---- offsets, strings, vectors

    /// A schema with one field behind `reference`, and a name for it.
    private static RawBuffer withFieldsVector(int count) {
        RawBuffer buffer = new RawBuffer(48).offset(0, 16).table(16, 4).vtable(4, 0, 4);
        return buffer.offset(20, 24).i32(24, count);
    }

    @Test
    void aVectorOffsetOfZeroLeadsToItself() {
        Schema schema = schema(withFieldsVector(1).i32(20, 0));
        assertTrue(schema.isPresent(Schema.FIELDS_SLOT));
        assertEquals(0, schema.fieldsCount());
    }

    /// An element of 0 is a table where the element is: its soffset of 0 makes it its own vtable.
    @Test
    void anElementOffsetOfZeroIsATable() {
        Schema schema = schema(withFieldsVector(2));
        Field field = schema.fields(1, new Field());
        assertEquals(32, field.position());
        assertEquals(0, field.childrenCount());
        assertEquals(Type.NONE, field.typeType());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -4, -1, Integer.MAX_VALUE, 17, 20})
    void anElementOffsetOutOfRangeIsRefusedWhenBound(int element) {
        Schema schema = schema(withFieldsVector(1).i32(28, element));
        assertEquals(1, schema.fieldsCount());
        Field field = new Field();
        assertThrows(FletchException.class, () -> schema.fields(0, field));
        assertThrows(IllegalStateException.class, field::position);
    }

    /// A string may end where the range ends, without the NUL that the format asks for.
    @Test
    void aStringMayEndWithTheRange() {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(pair(3)));
        KeyValue pair = schema.customMetadata(0, new KeyValue());
        assertEquals("abc", pair.keyString());
        Schema longer = new Schema().wrap(MemorySegment.ofArray(pair(4)));
        assertThrows(FletchException.class, () -> longer.customMetadata(0, new KeyValue()));
        readAmidOtherBytes(pair(3));
        readAmidOtherBytes(pair(4));
    }

    /// Where the bytes of a character end with the memory, no byte behind them is looked for.
    @Test
    void aTruncatedCharacterEqualsNoText() {
        byte[] bytes = pair(3);
        bytes[61] = (byte) 0xE2;
        bytes[62] = (byte) 0x82;
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        KeyValue pair = schema.customMetadata(0, new KeyValue());
        for (String text : new String[] {"a€", "a\u0082", "aâ\u0082", "a", "a\uFFFD", "a🙂"}) {
            assertFalse(pair.keyEquals(text), text);
        }
        assertEquals("a\uFFFD", pair.keyString());
    }

    /// A schema with a pair of metadata whose key is the last three bytes.
    private static byte[] pair(int keyLength) {
        RawBuffer buffer = new RawBuffer(63).offset(0, 24).table(24, 4).vtable(4, 0, 0, 4);
        buffer.vtable(16, 4).offset(28, 32).i32(32, 1).offset(36, 44);
        buffer.table(44, 16).offset(48, 56).i32(56, keyLength);
        return buffer.u8(60, 'a').u8(61, 'b').u8(62, 'c').bytes();
    }

    // ---- depth and width without bytes

    /// Each level has one table, which the level above names twice: 2^60 ways down to the last.
    @Test
    void sharedChildrenAreReadOnlyWhenBound() {
        int levels = 60;
        byte[] bytes = CraftedBuffers.bomb(levels, 2);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> readAmidOtherBytes(bytes));
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        Field field = schema.fields(0, new Field());
        int depth = 1;
        while (field.childrenCount() > 0) {
            assertEquals(2, field.childrenCount());
            field.children(depth % 2, field);
            depth++;
        }
        assertEquals(levels, depth);
    }

    /// As many elements as fit, all of them the same table of four bytes.
    @Test
    void aVectorMayRepeatOneTable() {
        int count = 10_000;
        byte[] bytes = CraftedBuffers.bomb(1, count);
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        Field field = new Field();
        for (int i = 0; i < schema.fieldsCount(); i++) {
            assertEquals(bytes.length - 8, schema.fields(i, field).position());
        }
        assertEquals(count, schema.fieldsCount());
    }
}
