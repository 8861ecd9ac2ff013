// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.forward.BatchProjector;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.VariableShapeTensor;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FirstFault;
import dev.fletch.verify.messages.Meant;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.verify.messages.ValueVerifier;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Schemas whose writer shares equal fields and texts, and names that are equal or overlap.
/// `SchemaSizeTest` has those that share too often.
class SharedSchemasTest {
    private static final String LONG_TEXT = "x".repeat(4096);
    private static final FbsValue.Table LONG_NAMED = with(INT32, "name", LONG_TEXT);

    private static byte[] message(FbsValue.Table... columns) {
        return Meant.bytes(Meant.message(Meant.schema(columns), 0));
    }

    private static FirstFault verified(byte[] message) {
        FirstFault first = new FirstFault();
        boolean isRight = new SemanticVerifier(Checks.DEFAULT, first).message(Meant.bound(message));
        assertEquals(isRight, first.fault() == null);
        return first;
    }

    private static void assertRight(FbsValue.Table... columns) {
        FirstFault first = verified(message(columns));
        assertTrue(first.fault() == null, () -> first.fault().toString());
    }

    private static FbsValue.Table[] copies(int count, FbsValue.Table field) {
        FbsValue.Table[] all = new FbsValue.Table[count];
        Arrays.fill(all, field);
        return all;
    }

    // ---- names

    @Test
    void namesAreFoundAndKeptOnce() {
        FbsValue.Table[] children = new FbsValue.Table[3_000];
        Arrays.setAll(children, _ -> with(INT32, "name", LONG_TEXT)); // each its own table
        FbsValue.Table many = with(struct(children), "name", LONG_TEXT);
        byte[] message = message(many, with(struct(LONG_NAMED), "name", LONG_TEXT));
        assertTrue(verified(message).fault() == null);
        BatchLayout layout = BatchLayout.compile(Bound.schema(message), V5);
        long bytes = LayoutMemoryTest.bytesOf(layout);
        assertTrue(bytes < 10L * message.length, bytes + " of " + message.length);
        assertEquals(1, layout.findNext(LONG_TEXT, layout.find(LONG_TEXT)));
        assertEquals(3_000, layout.nextChild(0, LONG_TEXT, 2_999));
        assertEquals(3_002, layout.child(layout.columnField(1), LONG_TEXT));
        assertEquals(-1, layout.child(0, LONG_TEXT + "x"));
        assertEquals(LONG_TEXT, layout.nameString(3_000));
        BatchLayout column =
                BatchLayout.compile(Bound.schema(message), V5, Limits.DEFAULT, Columns.at(0));
        assertEquals(3_001, column.fieldCount());
        assertEquals(LONG_TEXT, column.nameString(3_000));
    }

    /// Two short names side by side, behind so many that each is looked for before it is read.
    @Test
    void shortNamesBehindManyAreFound() {
        FbsValue.Table[] children = copies(3_104, with(INT32, "name", "xx"));
        Arrays.fill(children, 0, 100, LONG_NAMED);
        Arrays.fill(children, 3_100, 3_104, with(INT32, "name", "aa"));
        Arrays.fill(children, 3_101, 3_103, with(INT32, "name", "bb"));
        BatchLayout layout = BatchLayout.compile(Bound.schema(message(struct(children))), V5);
        assertEquals(3_101, layout.child(0, "aa"));
        assertEquals(3_104, layout.nextChild(0, "aa", 3_101));
        assertEquals(3_102, layout.child(0, "bb"));
        assertEquals(3_103, layout.nextChild(0, "bb", 3_102));
    }

    @Test
    void sharedNamesOfManyColumnsAreFound() {
        String text = "n".repeat(100);
        FbsValue.Table[] columns = copies(100_000, with(INT32, "name", text));
        columns[60_000] = with(INT32, "name", "other");
        Schema schema = Bound.schema(message(columns));
        BatchLayout layout =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> BatchLayout.compile(schema, V5));
        assertEquals(0, layout.find(text));
        assertEquals(60_001, layout.findNext(text, 59_999));
        assertEquals(60_000, layout.find("other"));
    }

    /// Columns with names of half the buffer each, every one from another byte on.
    private static byte[] overlappingNames(int columns) {
        FbsValue.Table[] fields = new FbsValue.Table[columns];
        String name = "\0".repeat(16 * columns + 4);
        Arrays.setAll(fields, _ -> with(INT32, "name", name));
        byte[] bytes = message(fields);
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Schema schema = Bound.schema(bytes);
        Field field = new Field();
        for (int i = 0; i < columns; i++) {
            schema.fields(i, field);
            int reference = (int) field.position(Field.NAME_SLOT);
            int string = reference + all.getInt(reference) + 4 + 4 * i;
            all.putInt(string, 8 * columns);
            all.putInt(reference, string - reference);
        }
        return bytes;
    }

    @Test
    void namesThatOverlapAreRefused() {
        byte[] message = overlappingNames(20_000);
        Schema schema = new Schema();
        assertTrue(new Message().wrap(MemorySegment.ofArray(message)).header(schema));
        FletchException e =
                assertRule(MeaningRule.SCHEMA_TOO_LARGE, () -> BatchLayout.compile(schema, V5));
        FirstFault first = verified(message);
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, first.fault().rule());
        assertEquals(e.offset(), first.fault().position());
        Schema fewer = Bound.schema(overlappingNames(1_000));
        assertEquals(1_000, BatchLayout.compile(fewer, V5).fieldCount());
    }

    // ---- tensors

    /// Neither a plan of the values nor an edit of the schema reads what is below each struct again.
    @Test
    void structsThatNameTensorsAboveManyFieldsNeedLittle() {
        FbsValue.Table tensor =
                table("KeyValue", "key", ExtensionType.NAME_KEY, "value", VariableShapeTensor.NAME);
        FbsValue.Table[] fields = copies(200_000, INT32);
        for (int i = 0; i < 100; i++) {
            FbsValue.Table above = with(struct(fields), "custom_metadata", List.of(tensor));
            fields = new FbsValue.Table[] {above};
        }
        Schema schema = Bound.schema(message(fields));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertNeedsLittle(
                () -> {
                    new ValueVerifier(schema, layout);
                    new BatchProjector(layout).edit();
                });
    }

    private static void assertNeedsLittle(Runnable work) {
        long allocated = Allocations.countedBytes(work);
        assertTrue(allocated < 16 << 20, "" + allocated);
    }

    @Test
    void tensorsThatShareATableArePlannedOnce() {
        FbsValue.Table list = table("FixedSizeList", "list_size", 2);
        FbsValue.Table tensor =
                with(
                        struct(
                                Meant.field("data", Type.LIST, table("List"), INT32),
                                Meant.field("shape", Type.FIXED_SIZE_LIST, list, INT32)),
                        "custom_metadata",
                        List.of(
                                table(
                                        "KeyValue",
                                        "key",
                                        ExtensionType.NAME_KEY,
                                        "value",
                                        VariableShapeTensor.NAME),
                                table(
                                        "KeyValue",
                                        "key",
                                        ExtensionType.METADATA_KEY,
                                        "value",
                                        "{\"uniform_shape\":[3,null]}")));
        Schema schema = Bound.schema(message(copies(10_000, tensor)));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertNeedsLittle(() -> new ValueVerifier(schema, layout));
    }

    @Test
    void unionsThatShareATableArePlannedOnce() {
        FbsValue.Table type = table("Union", "mode", 0, "type_ids", List.of(127));
        FbsValue.Table union = Meant.field("union", Type.UNION, type, INT32);
        Schema schema = Bound.schema(message(copies(60_000, union)));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertNeedsLittle(() -> new ValueVerifier(schema, layout));
    }

    /// Also with some of the fields that share a table, far below.
    @Test
    void anEditOfFieldsFarBelowNeedsLittle() {
        FbsValue.Table[] fields = copies(100_000, INT32);
        for (int i = 0; i < 100; i++) {
            fields = new FbsValue.Table[] {struct(fields)};
        }
        BatchLayout layout = BatchLayout.compile(Bound.schema(message(fields)), V5);
        int[] chosen = IntStream.range(101, layout.fieldCount()).toArray();
        BatchProjector projector = new BatchProjector(layout.choose(chosen));
        assertNeedsLittle(projector::edit);
    }

    // ---- dictionaries

    /// What each dictionary holds is one of a few fields of its own, however many are inside.
    @Test
    void nestedDictionariesAreAccepted() {
        FbsValue.Table leaf = encoded(UTF8, 0);
        for (int i = 1; i < 60; i++) {
            leaf = encoded(with(struct(leaf), "name", "n".repeat(400) + i), i);
        }
        assertRight(leaf);
    }

    /// A dictionary may hold as many fields as anything else.
    @Test
    void aDictionaryMayHoldManyFields() {
        assertRight(encoded(struct(copies(13_000, INT32)), 5));
    }

    /// Dictionaries of structs whose children have long names, of which the last one's first child
    /// may have another name.
    private static FbsValue.Table[] structsOfLongNames(String last) {
        FbsValue.Table[] columns = new FbsValue.Table[200];
        for (int i = 0; i < columns.length; i++) {
            FbsValue.Table[] children = new FbsValue.Table[20];
            Arrays.setAll(children, _ -> with(INT32, "name", LONG_TEXT + "0"));
            children[0] = with(INT32, "name", LONG_TEXT + (i == 199 ? last : "0"));
            columns[i] = encoded(struct(children), 5);
        }
        return columns;
    }

    @Test
    void dictionaryTypesAreComparedByTheContentOfNames() {
        assertRight(structsOfLongNames("0"));
        FirstFault first = verified(message(structsOfLongNames("1")));
        assertEquals(MeaningRule.DICTIONARY_TYPE, first.fault().rule());
        assertEquals("header.schema.fields[199].dictionary.id", first.fault().path());
    }
}
