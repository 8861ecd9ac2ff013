// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;
import com.sun.management.ThreadMXBean;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.forward.BatchProjector;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.VariableShapeTensor;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.GeneratedTables;
import dev.fletch.verify.messages.Meant;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.verify.messages.ValueVerifier;

import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Utf8;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;

/// Schemas whose writer shares what is equal: texts, pairs, vectors of pairs, types. All of them is
/// looked into, and what it takes stays in proportion to the bytes.
class SharedSchemasTest {
    private static final int NONE = 0;
    private static final String LONG_TEXT = "x".repeat(4096);

    private final FlatBufferBuilder builder = new FlatBufferBuilder(1 << 16);

    // ---- writing

    private int integer(int bits) {
        return Int.createInt(builder, bits, true);
    }

    private int intColumn(int name, int type, int metadata) {
        return GeneratedTables.field(
                builder, name, true, (byte) Type.INT, type, NONE, NONE, metadata);
    }

    private int struct(int name, int encoding, int... children) {
        return struct(name, encoding, NONE, children);
    }

    private int struct(int name, int encoding, int metadata, int[] children) {
        Struct_.startStruct_(builder);
        int type = Struct_.endStruct_(builder);
        int vector = Field.createChildrenVector(builder, children);
        return GeneratedTables.field(
                builder, name, true, (byte) Type.STRUCT_, type, encoding, vector, metadata);
    }

    private int encoding(long id) {
        return GeneratedTables.dictionaryEncoding(builder, id, integer(8), false, (short) 0);
    }

    private int pairs(int... pairs) {
        return Field.createCustomMetadataVector(builder, pairs);
    }

    private int pair(String key, String value) {
        int valueAt = builder.createSharedString(value);
        return KeyValue.createKeyValue(builder, builder.createSharedString(key), valueAt);
    }

    private Message message(int... columns) {
        int vector = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, columns);
        int schema = GeneratedTables.schema(builder, (short) 0, vector, NONE, NONE);
        builder.finish(GeneratedTables.message(builder, MessageHeader.Schema, schema, 0));
        return Meant.bound(builder.sizedByteArray());
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
    }

    // ---- verdicts

    private static void assertRight(Message message) {
        FirstFault first = new FirstFault();
        SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
        assertTrue(meaning.message(message), () -> first.fault().toString());
    }

    private static void assertCaught(Rule code, String path, Message message) {
        FirstFault first = new FirstFault();
        SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
        assertFalse(meaning.message(message));
        assertEquals(code, first.fault().rule());
        assertEquals(path, first.fault().path());
    }

    private Message sharedText(int lastBits) {
        int[] columns = new int[5];
        for (int i = 0; i < columns.length; i++) {
            int metadata = pairs(pair("ARROW:extension:metadata", LONG_TEXT));
            int name = builder.createString("c" + i);
            columns[i] = intColumn(name, integer(i == 4 ? lastBits : 32), metadata);
        }
        return message(columns);
    }

    @Test
    void sharedMetadataTextsAreAccepted() {
        assertRight(sharedText(32));
    }

    @Test
    void faultAfterSharedTextsIsFound() {
        assertCaught(
                MeaningRule.INT_WIDTH, "header.schema.fields[4].type.bitWidth", sharedText(33));
    }

    @Test
    void faultsBehindSharedPairsAreFound() {
        for (boolean vectors : new boolean[] {false, true}) {
            builder.clear();
            int[] all = new int[50];
            for (int i = 0; i < all.length; i++) {
                all[i] = pair("key" + i, "value");
            }
            int vector = pairs(all);
            int type = integer(32);
            int[] columns = new int[5_000];
            for (int i = 0; i < columns.length; i++) {
                int own = vectors ? vector : pairs(all[i % 50], all[7]);
                columns[i] = intColumn(builder.createString("c" + i), type, own);
            }
            columns[4_999] = intColumn(builder.createString("last"), integer(7), vector);
            assertCaught(
                    MeaningRule.INT_WIDTH,
                    "header.schema.fields[4999].type.bitWidth",
                    message(columns));
        }
    }

    /// A vector that is shared so often that it is looked into no more has been looked into.
    @Test
    void aSharedPairWithoutKeyIsFound() {
        KeyValue.startKeyValue(builder);
        int broken = KeyValue.endKeyValue(builder);
        int[] all = new int[100];
        Arrays.fill(all, pair("k", "v"));
        all[99] = broken;
        int vector = pairs(all);
        int[] columns = new int[1_000];
        int type = integer(32);
        int name = builder.createString("c");
        for (int i = 0; i < columns.length; i++) {
            columns[i] = intColumn(name, type, vector);
        }
        assertCaught(
                MeaningRule.NO_KEY,
                "header.schema.fields[0].customMetadata[99].key",
                message(columns));
    }

    /// One table for equal columns.
    @Test
    void sharedColumnTablesAreAccepted() {
        int one = intColumn(builder.createString("i"), integer(32), NONE);
        int column = struct(builder.createString("s"), NONE, one, one);
        int[] columns = new int[5_000];
        Arrays.fill(columns, column);
        assertRight(message(columns));
    }

    // ---- names

    private Message sharedNames(int count, String text) {
        int name = builder.createString(text);
        int type = integer(32);
        int[] children = new int[count];
        for (int i = 0; i < count; i++) {
            children[i] = intColumn(name, type, NONE);
        }
        return message(struct(name, NONE, children), struct(name, NONE, children[0]));
    }

    @Test
    void namesAreFoundAndKeptOnce() {
        Message message = sharedNames(3_000, LONG_TEXT);
        assertRight(message);
        BatchLayout layout = BatchLayout.compile(schema(message), V5);
        long bytes = LayoutMemoryTest.bytesOf(layout);
        assertTrue(bytes < 10 * message.bufferLength(), bytes + " of " + message.bufferLength());
        assertEquals(1, layout.findNext(LONG_TEXT, layout.find(LONG_TEXT)));
        assertEquals(3_000, layout.nextChild(0, LONG_TEXT, 2_999));
        assertEquals(3_002, layout.child(layout.columnField(1), LONG_TEXT));
        assertEquals(-1, layout.child(0, LONG_TEXT + "x"));
        assertEquals(LONG_TEXT, layout.nameString(3_000));
        BatchLayout column =
                BatchLayout.compile(schema(message), V5, Limits.DEFAULT, Columns.at(0));
        assertEquals(3_001, column.fieldCount());
        assertEquals(LONG_TEXT, column.nameString(3_000));
    }

    /// Two short names side by side, behind so many that each is looked for before it is read.
    @Test
    void shortNamesBehindManyAreFound() {
        int type = integer(32);
        int[] children = new int[3_104];
        Arrays.fill(children, intColumn(builder.createString("xx"), type, NONE));
        Arrays.fill(children, 0, 100, intColumn(builder.createString(LONG_TEXT), type, NONE));
        int first = intColumn(builder.createString("aa"), type, NONE);
        int second = intColumn(builder.createString("bb"), type, NONE);
        System.arraycopy(new int[] {first, second, second, first}, 0, children, 3_100, 4);
        Message message = message(struct(builder.createString("s"), NONE, children));
        BatchLayout layout = BatchLayout.compile(schema(message), V5);
        assertEquals(3_101, layout.child(0, "aa"));
        assertEquals(3_104, layout.nextChild(0, "aa", 3_101));
        assertEquals(3_102, layout.child(0, "bb"));
        assertEquals(3_103, layout.nextChild(0, "bb", 3_102));
    }

    @Test
    void sharedNamesOfManyColumnsAreFound() {
        String text = "n".repeat(100);
        int column = intColumn(builder.createString(text), integer(32), NONE);
        int other = intColumn(builder.createString("other"), integer(32), NONE);
        int[] columns = new int[100_000];
        Arrays.fill(columns, column);
        columns[60_000] = other;
        Schema schema = schema(message(columns));
        BatchLayout layout =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> BatchLayout.compile(schema, V5));
        assertEquals(0, layout.find(text));
        assertEquals(60_001, layout.findNext(text, 59_999));
        assertEquals(60_000, layout.find("other"));
    }

    /// Columns with names of half the buffer each, every one from another byte on.
    private Message overlappingNames(int columns) {
        int type = integer(32);
        int[] fields = new int[columns];
        int text = builder.createString("\0".repeat(16 * columns + 4));
        for (int i = 0; i < columns; i++) {
            fields[i] = intColumn(text, type, NONE);
        }
        Message whole = message(fields);
        byte[] bytes = new byte[(int) whole.bufferLength()];
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        all.put(builder.sizedByteArray());
        Schema schema = schema(new Message().wrap(MemorySegment.ofArray(bytes)));
        dev.fletch.format.Field field = new dev.fletch.format.Field();
        for (int i = 0; i < columns; i++) {
            schema.fields(i, field);
            int reference = (int) field.position(dev.fletch.format.Field.NAME_SLOT);
            int string = reference + all.getInt(reference) + 4 + 4 * i;
            all.putInt(string, 8 * columns);
            all.putInt(reference, string - reference);
        }
        return Meant.bound(bytes);
    }

    @Test
    void namesThatOverlapAreRefused() {
        Message message = overlappingNames(20_000);
        Schema schema = schema(message);
        var e = assertThrows(FletchException.class, () -> BatchLayout.compile(schema, V5));
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, e.rule());
        FirstFault first = new FirstFault();
        SemanticVerifier verifier = new SemanticVerifier(Checks.DEFAULT, first);
        assertFalse(verifier.message(message));
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, first.fault().rule());
        assertEquals(e.offset(), first.fault().position());
        Schema fewer = schema(overlappingNames(1_000));
        assertEquals(1_000, BatchLayout.compile(fewer, V5).fieldCount());
    }

    /// Neither a plan of the values nor an edit of the schema reads what is below each struct again.
    @Test
    void structsThatNameTensorsAboveManyFieldsNeedLittle() {
        int[] children = new int[200_000];
        Arrays.fill(children, intColumn(builder.createString("i"), integer(32), NONE));
        int tensor = pairs(pair(ExtensionType.NAME_KEY, VariableShapeTensor.NAME));
        for (int i = 0; i < 100; i++) {
            children = new int[] {struct(builder.createString("s"), NONE, tensor, children)};
        }
        Schema schema = schema(message(children));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        new ValueVerifier(schema, layout);
        new BatchProjector(layout).edit();
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 16 << 20, "" + allocated);
    }

    // ---- dictionaries

    /// What each dictionary holds is one of a few fields of its own, however many are inside.
    @Test
    void nestedDictionariesAreAccepted() {
        int leaf =
                GeneratedTables.field(
                        builder,
                        builder.createString("leaf"),
                        true,
                        (byte) Type.UTF8,
                        utf8(),
                        encoding(0),
                        NONE,
                        NONE);
        for (int i = 1; i < 60; i++) {
            leaf = struct(builder.createString("n".repeat(400) + i), encoding(i), leaf);
        }
        assertRight(message(leaf));
    }

    /// A dictionary may hold as many fields as anything else.
    @Test
    void aDictionaryMayHoldManyFields() {
        int[] children = new int[13_000];
        Arrays.fill(children, intColumn(builder.createString("i"), integer(32), NONE));
        assertRight(message(struct(builder.createString("s"), encoding(5), children)));
    }

    private int utf8() {
        Utf8.startUtf8(builder);
        return Utf8.endUtf8(builder);
    }

    /// Dictionaries of structs whose children have long names, shared or not, of which the last
    /// one's first child may have another name.
    private Message structsOfLongNames(boolean shared, String last) {
        int[] columns = new int[200];
        int type = integer(32);
        for (int i = 0; i < columns.length; i++) {
            int[] children = new int[20];
            for (int c = 0; c < children.length; c++) {
                String text = LONG_TEXT + (i == 199 && c == 0 ? last : "0");
                int name = shared ? builder.createSharedString(text) : builder.createString(text);
                children[c] = intColumn(name, type, NONE);
            }
            columns[i] = struct(builder.createString("c" + i), encoding(5), children);
        }
        return message(columns);
    }

    @Test
    void dictionaryTypesAreComparedByTheContentOfNames() {
        for (boolean shared : new boolean[] {false, true}) {
            builder.clear();
            assertRight(structsOfLongNames(shared, "0"));
            builder.clear();
            assertCaught(
                    MeaningRule.DICTIONARY_TYPE,
                    "header.schema.fields[199].dictionary.id",
                    structsOfLongNames(shared, "1"));
        }
    }
}
