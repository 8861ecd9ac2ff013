// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FieldNames;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// [FieldWalk] comes to the fields that the flyweights lead to, in any memory, of any bytes, and
/// refuses what they refuse. `AccessorsAgreeTest` compares what the flyweight of a field says.
class FieldWalkTest {
    private static final int SCHEMAS = CaseCount.of(60, 300);
    private static final int AROUND = 32;
    private static final long THROWN = -4_711;
    private static final String[] NAMES = {
        "some_column", "n", "", "column_0", "column_7", "column_19", "column_7 and more"
    };

    // Damaged bytes may unfold to many fields.
    private static final int MAX_DEPTH = 12;
    private static final int MAX_FIELDS = 2_000;

    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice slice = new Utf8Slice();
    private final Field[] levels = new Field[MAX_DEPTH + 1];
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Random random = new Random(51);
    private int read;
    private int refused;

    FieldWalkTest() {
        for (int i = 0; i < levels.length; i++) {
            levels[i] = new Field();
        }
    }

    // ---- readings

    private List<Long> assertAgrees(Schema schema, String what) {
        List<Long> found = byWalk(schema);
        assertEquals(byFlyweights(schema), found, what);
        for (String name : NAMES) {
            found.addFirst(find(schema, name.getBytes(StandardCharsets.UTF_8)));
        }
        return found;
    }

    /// What [FieldWalk#find] finds: what a flyweight that is bound to each column does. It reads no
    /// types, and a column that is stepped to is read with its type.
    private long find(Schema schema, byte[] name) {
        long found;
        try {
            found = walk.wrap(schema).find(name);
        } catch (FletchException e) {
            assertEquals(THROWN, first(schema, name, true));
            return THROWN;
        }
        long expected = first(schema, name, false);
        assertTrue(expected == found || expected == THROWN, found + ", not " + expected);
        return found;
    }

    private long first(Schema schema, byte[] name, boolean isStepping) {
        try {
            walk.wrap(schema);
            for (int i = 0; i < schema.fieldsCount(); i++) {
                if (isStepping) {
                    walk.column(i);
                }
                Field field = isStepping ? walk.field() : schema.fields(i, levels[0]);
                if (FieldNames.is(field, name)) {
                    return i;
                }
            }
            return -1;
        } catch (FletchException e) {
            return THROWN;
        }
    }

    private List<Long> byWalk(Schema schema) {
        List<Long> out = new ArrayList<>();
        try {
            walk.wrap(schema);
            for (int fields = 0; fields < MAX_FIELDS && walk.next(); fields++) {
                add(out, schema, walk.field(), walk.depth());
                assertEquals(
                        walk.field().isPresent(Field.DICTIONARY_SLOT), walk.isDictionaryEncoded());
                out.add(walk.dictionaryId());
                if (walk.depth() == MAX_DEPTH) {
                    walk.skipChildren();
                }
            }
        } catch (FletchException e) {
            out.add(THROWN);
        }
        return out;
    }

    private List<Long> byFlyweights(Schema schema) {
        List<Long> out = new ArrayList<>();
        try {
            int fields = 0;
            for (int i = 0; i < schema.fieldsCount() && fields < MAX_FIELDS; i++) {
                fields = subtree(out, schema, schema.fields(i, levels[0]), 0, fields);
            }
        } catch (FletchException e) {
            out.add(THROWN);
        }
        return out;
    }

    /// @return the number of fields so far
    private int subtree(List<Long> out, Schema schema, Field field, int depth, int before) {
        add(out, schema, field, depth);
        out.add(field.dictionary(dictionary) ? dictionary.id() : 0);
        int fields = before + 1;
        for (int i = 0;
                depth < MAX_DEPTH && i < field.childrenCount() && fields < MAX_FIELDS;
                i++) {
            Field child = field.children(i, levels[depth + 1]);
            fields = subtree(out, schema, child, depth + 1, fields);
        }
        return fields;
    }

    private void add(List<Long> out, Schema schema, Field field, int depth) {
        out.add((long) depth);
        out.add(field.position() - schema.position());
        out.add(field.name(slice) ? (long) slice.hashCode() : -1);
        out.add((long) field.typeType());
        out.add((long) field.childrenCount());
    }

    // ---- sound bytes

    /// Schemas as roots: of random content, valid ones of all types, and what is only declared.
    private static List<byte[]> schemas(int count) {
        List<byte[]> schemas = new ArrayList<>(List.of(schema(), alike()));
        TablePath declared = TablePath.to("Schema");
        for (long seed = 0; seed < count; seed++) {
            schemas.add(ModelTables.bytes(RandomSchemas.schema(seed), seed));
            schemas.add(declared.random(seed));
        }
        return schemas;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#all")
    void agreesWithTheFlyweightsInEveryMemory(Backing backing) {
        for (byte[] bytes : schemas(SCHEMAS)) {
            try (Placed placed = backing.place(bytes)) {
                Schema schema = new Schema();
                Flyweights.wrap(schema, placed);
                assertAgrees(schema, backing.name());
            }
        }
    }

    // ---- what is refused

    @Test
    void anOutdatedWalkIsRefused() {
        Message message = new Message().wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(5)));
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        walk.wrap(schema);
        assertTrue(walk.next());
        message.wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(5)));
        assertThrows(IllegalStateException.class, walk::next);
        assertThrows(
                IllegalStateException.class, () -> walk.field().customMetadata(0, new KeyValue()));
    }

    @Test
    void anUnboundWalkHasNoFields() {
        assertThrows(IllegalStateException.class, () -> walk.field());
        assertFalse(walk.next());
        assertThrows(IndexOutOfBoundsException.class, () -> walk.column(0));
        assertThrows(IllegalStateException.class, () -> walk.field());
    }

    // ---- damaged bytes
    //
    // Each word of a small schema in turn leads to the ends of the range, past them, or a little
    // further than it should. What surrounds the range is noise, so that a walk that reads it says
    // something else; or the memory ends with it.

    /// All ways to have a parameter, children, a dictionary and pairs.
    private static byte[] schema() {
        return CaseFile.input(
                """
                let pair = KeyValue(key="k" value="value")
                let d = DictionaryEncoding(id=7)
                let zoned = some_column:Timestamp(unit=2 timezone="UTC")
                    {children=none custom_metadata=[pair]}
                let number = Int(bitWidth=16 is_signed=1)
                let nameless = any!:number{name=none children=none}
                flatbuffer <zoned
                    column:Union(mode=1 typeIds=[5 6])<zoned>
                    umn!:Decimal(precision=9 scale=2 bitWidth=64)
                    {dictionary=d custom_metadata=[pair]}
                    nameless
                    n!:Date(unit=0)<nameless>{custom_metadata=[pair]}
                    list!:FixedSizeList(listSize=3)
                    map!:Map(keysSorted=1){custom_metadata=[pair]}
                    whatever!:FixedSizeBinary(byteWidth=9){type_type=19}
                    >
                """);
    }

    /// Columns that are all alike, which a small loop passes.
    private static byte[] alike() {
        ArrowField[] columns = new ArrowField[20];
        Arrays.setAll(columns, i -> ArrowField.of("column_" + i, ArrowType.Simple.UTF8));
        FlatBufferWriter to = EmissionOrder.ARROW_CPP.newWriter();
        ArrowSchema.of(columns).write(EmissionOrder.ARROW_CPP, to);
        return to.toByteArray();
    }

    /// Memory that the bytes are put into, in turn with room behind them and without.
    private final class Places implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final int length;
        private final MemorySegment[][] all = new MemorySegment[2][];
        private int turn;

        Places(int length) {
            this.length = length;
            for (int i = 0; i < 2; i++) {
                int size = AROUND + length + i * AROUND;
                all[i] =
                        new MemorySegment[] {
                            MemorySegment.ofArray(new byte[size]), arena.allocate(size)
                        };
            }
        }

        void compare(byte[] bytes) {
            List<Long> first = null;
            turn ^= 1;
            for (MemorySegment memory : all[turn]) {
                for (long i = 0; i < AROUND; i++) {
                    memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
                    long behind = memory.byteSize() - 1 - i;
                    memory.set(ValueLayout.JAVA_BYTE, behind, (byte) random.nextInt());
                }
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, AROUND, length);
                Schema schema = new Schema();
                try {
                    schema.wrap(memory, AROUND, length);
                } catch (FletchException e) {
                    return;
                }
                List<Long> found = assertAgrees(schema, "");
                assertEquals(first == null ? found : first, found);
                first = found;
                boolean threw = !found.isEmpty() && found.getLast() == THROWN;
                refused += threw ? 1 : 0;
                read += threw ? 0 : 1;
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// From one word that is changed to the next: half of them are aligned.
    private static final int WORD_STEP = CaseCount.of(10, 2);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void offsetsAroundTheEndsAreReadLikeTheFlyweights(boolean areAlike) {
        byte[] whole = areAlike ? alike() : schema();
        ByteBuffer bytes = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
        try (Places places = new Places(whole.length)) {
            for (int at = 0; at <= whole.length - 4; at += WORD_STEP) {
                int word = bytes.getInt(at);
                for (int toEnd = -17; toEnd <= 1; toEnd++) {
                    bytes.putInt(at, whole.length - at + toEnd);
                    places.compare(bytes.array());
                }
                // As the way to a vtable, which is counted backwards.
                for (int toEnd = -8; toEnd < -3 && at % 4 == 0; toEnd++) {
                    bytes.putInt(at, at - (whole.length + toEnd));
                    places.compare(bytes.array());
                    places.compare(bytes.array());
                }
                // As counts: of what is behind the word, in elements of one byte and of four.
                for (int add = -2; add <= 1; add++) {
                    bytes.putInt(at, (whole.length - at >> 2) + add);
                    places.compare(bytes.array());
                }
                for (int add : new int[] {Integer.MIN_VALUE, 1 << 30, -1, 1, -4, 4, -8, 8, 16}) {
                    bytes.putInt(at, word + add);
                    places.compare(bytes.array());
                }
                for (int other : new int[] {0, -1, at, at + 4, at - whole.length}) {
                    bytes.putInt(at, other);
                    places.compare(bytes.array());
                }
                bytes.putInt(at, word);
            }
        }
        assertTrue(
                read > 10_000 / WORD_STEP && refused > 10_000 / WORD_STEP,
                read + " read, " + refused + " refused");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void truncatedSchemasAreReadLikeTheFlyweights(boolean areAlike) {
        byte[] whole = areAlike ? alike() : schema();
        for (int length = 4; length <= whole.length; length++) {
            try (Places places = new Places(length)) {
                places.compare(whole);
                places.compare(whole);
            }
        }
        assertTrue(areAlike || read > 100, read + " read");
        assertTrue(refused > 100, refused + " refused");
    }
}
