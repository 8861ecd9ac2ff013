// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.FletchException;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FieldNames;
import dev.fletch.testdata.GeneratedTables;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// [FieldWalk#find] finds what a flyweight that is bound to each column finds, in any memory, and
/// reads nothing outside the range.
class FindByNameTest {
    private static final int ROUNDS = CaseCount.of(2_000, 40_000);

    private static final int COLUMNS = 40;
    private static final byte[] MESSAGE = LargeSchemas.schemaMessage(COLUMNS);

    /// What a search has come to.
    private static final int MALFORMED = -2;

    private static byte[] utf8(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private static Schema schema(MemorySegment memory, long offset, long length) {
        Schema schema = new Schema();
        new Message().wrap(memory, offset, length).header(schema);
        return schema;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void everyColumnIsFoundInEveryMemory(SegmentBacking backing) {
        try (PlacedSegment placed = backing.place(MESSAGE)) {
            Schema schema = schema(placed.segment(), placed.offset(), placed.length());
            FieldWalk walk = new FieldWalk();
            for (int i = 0; i < COLUMNS; i++) {
                byte[] longer = utf8("column_" + i + " and more");
                byte[] name = Arrays.copyOf(longer, longer.length - " and more".length());
                assertEquals(i, walk.wrap(schema).find(name));
                assertEquals(i, walk.column());
                assertEquals(-1, walk.find(name));
                walk.rewind();
                assertEquals(-1, walk.find(longer));
            }
            walk.rewind();
            assertEquals(-1, walk.find(utf8("item")));
        }
    }

    /// Columns that are all alike, which a small loop passes.
    private static byte[] alike() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int[] fields = new int[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            int name = builder.createString("column_" + i);
            int children = org.apache.arrow.flatbuf.Field.createChildrenVector(builder, new int[0]);
            fields[i] =
                    GeneratedTables.field(builder, name, true, (byte) Type.INT, 0, 0, children, 0);
        }
        int vector = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, fields);
        int schema = GeneratedTables.schema(builder, (short) 0, vector, 0, 0);
        builder.finish(GeneratedTables.message(builder, (byte) MessageHeader.SCHEMA, schema, 0));
        byte[] bytes = builder.sizedByteArray();
        return Arrays.copyOf(bytes, bytes.length + 150); // less often cut into the first column
    }

    @Test
    void searchInDamagedBytesReadsNothingAround() {
        damaged(MESSAGE);
    }

    @Test
    void searchInDamagedEqualColumnsReadsNothingAround() {
        damaged(alike());
    }

    /// Bytes are cut off and changed; what surrounds them must make no difference.
    private static void damaged(byte[] message) {
        Random random = new Random(21);
        int[] outcomes = new int[3];
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = message.clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] += (byte) (1 << random.nextInt(8));
            }
            int least = random.nextInt(8) == 0 ? 0 : bytes.length - 200;
            int length = least + random.nextInt(bytes.length - least + 1);
            byte[] name = utf8("column_" + random.nextInt(COLUMNS + 1));
            int expected = eachColumn(MemorySegment.ofArray(bytes).asSlice(0, length), name);
            int[] found = new int[4];
            for (int i = 0; i < found.length; i++) {
                found[i] = amid((byte) (i & 1) - 1, i >= 2, bytes, length, name);
            }
            int[] same = new int[found.length];
            Arrays.fill(same, found[0]);
            assertArrayEquals(same, found);
            if (found[0] == MALFORMED) { // a column that is stepped to is read with its type
                assertEquals(MALFORMED, eachStep(bytes, length, name));
            } else if (expected != MALFORMED) {
                assertEquals(expected, found[0]);
            }
            outcomes[Math.min(found[0], 0) + 2]++;
        }
        assertTrue(
                Arrays.stream(outcomes).min().orElseThrow() > ROUNDS / 80,
                Arrays.toString(outcomes));
    }

    private static int amid(int fill, boolean isHeap, byte[] bytes, int length, byte[] name) {
        byte[] around = new byte[bytes.length + 64];
        Arrays.fill(around, (byte) fill);
        System.arraycopy(bytes, 0, around, 32, length);
        MemorySegment heap = MemorySegment.ofArray(around);
        MemorySegment memory = isHeap ? heap : heap.asReadOnly();
        try {
            return new FieldWalk().wrap(schema(memory, 32, length)).find(name);
        } catch (FletchException e) {
            return MALFORMED;
        } catch (IllegalStateException e) {
            return -1; // no schema
        }
    }

    private static int eachStep(byte[] bytes, int length, byte[] name) {
        try {
            FieldWalk walk = new FieldWalk();
            walk.wrap(schema(MemorySegment.ofArray(bytes), 0, length));
            for (int i = 0; i < walk.columnCount(); i++) {
                walk.column(i);
                if (FieldNames.is(walk.field(), name)) {
                    return i;
                }
            }
            return -1;
        } catch (FletchException e) {
            return MALFORMED;
        }
    }

    private static int eachColumn(MemorySegment memory, byte[] name) {
        String wanted = new String(name, StandardCharsets.UTF_8);
        try {
            Schema schema = schema(memory, 0, memory.byteSize());
            Field field = new Field();
            for (int i = 0; i < schema.fieldsCount(); i++) {
                if (schema.fields(i, field).nameEquals(wanted)) {
                    return i;
                }
            }
            return -1;
        } catch (FletchException e) {
            return MALFORMED;
        }
    }
}
