// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Schemas laid out, against numbers written down by hand.
class BatchLayoutTest {
    private static BatchLayout compile(Tree... columns) {
        return Bound.layout(columns);
    }

    /// `col1: Struct<a: Int32, b: List<Int64>, c: Float64>, col2: Utf8`, the example of the
    /// metadata document.
    private static final Tree[] EXAMPLE = {
        Tree.of(
                "col1",
                Type.STRUCT_,
                Tree.of("a", Type.INT),
                Tree.of("b", Type.LIST, Tree.of("item", Type.INT)),
                Tree.of("c", Type.FLOATING_POINT)),
        Tree.of("col2", Type.UTF8)
    };

    @Test
    void theExampleOfTheFormatHasItsBuffers() {
        List<String> rows =
                Flat.rowsOf(compile(EXAMPLE)).stream()
                        .map(row -> row.path() + " " + row.firstBuffer() + ": " + row.buffers())
                        .toList();
        assertEquals(
                List.of(
                        "col1 0: [validity]",
                        "col1.a 1: [validity, data]",
                        "col1.b 3: [validity, offsets]",
                        "col1.b.item 5: [validity, data]",
                        "col1.c 7: [validity, data]",
                        "col2 9: [validity, offsets, data]"),
                rows);
    }

    @Test
    void placesOutsideTheLayoutAreRefused() {
        BatchLayout layout = compile(EXAMPLE);
        assertThrows(IndexOutOfBoundsException.class, () -> layout.role(0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.depth(6));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.columnField(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 2, 5, Integer.MAX_VALUE})
    void otherVersionsAreRefused(int version) {
        byte[] message = Tree.message(EXAMPLE);
        assertRule(
                MeaningRule.UNSUPPORTED_VERSION,
                () -> BatchLayout.compile(Bound.schema(message), version));
    }

    // ---- Dictionaries

    @Test
    void fieldsOfDictionariesAreFoundInTheirLayout() {
        Tree inner = Tree.of("inner", Type.UTF8_VIEW).encoded(-7);
        Tree pair = Tree.of("pair", Type.STRUCT_, inner, Tree.of("n", Type.INT));
        Tree outer = Tree.of("outer", Type.LIST, pair).encoded(9);
        BatchLayout layout =
                compile(outer, Tree.of("again", Type.UTF8).encoded(9), Tree.of("z", Type.BOOL));
        assertNull(layout.dictionaryLayout(0));
        BatchLayout values = layout.dictionaryLayout(9);
        assertEquals(3, Flat.find(values, "outer.pair.n"));
        assertEquals(2, values.child(1, "inner"));
        assertEquals(0, values.find("outer"));
        assertEquals(-1, values.find("again"));
        assertEquals(-1, values.findNext("outer", 0));
        assertEquals(-1, Flat.find(layout, "outer.pair"));

        BatchLayout nested = values.dictionaryLayout(-7);
        assertSame(layout.dictionaryLayout(-7), nested);
        assertEquals(BufferShape.VIEW, nested.shape(0));
    }

    // ---- What the format forbids

    @Test
    void layoutOfNoColumnsIsEmpty() {
        BatchLayout layout = compile();
        assertEquals(0, layout.columnCount());
        assertEquals(0, layout.fieldCount());
        assertEquals(-1, layout.find(""));
        assertEquals(-1, Flat.find(layout, "a.b"));
        BatchLayout absent =
                BatchLayout.compile(
                        Bound.schema(Meant.bytes(Meant.message(Meant.table("Schema"), 0))), V5);
        assertEquals(0, absent.columnCount());
    }

    @Test
    void depthIsLimited() {
        Tree deep = Tree.of("x", Type.INT);
        for (int i = 1; i < 128; i++) {
            deep = Tree.of("x", Type.LIST, deep);
        }
        assertEquals(128, compile(deep).fieldCount());
        assertEquals(127, Flat.find(compile(deep), "x" + ".x".repeat(127)));
        Tree deeper = Tree.of("x", Type.LIST, deep);
        var e = assertThrows(FletchException.class, () -> compile(deeper));
        assertEquals(MeaningRule.SCHEMA_TOO_DEEP, e.rule());
        Tree inDictionary = deeper.encoded(1);
        e = assertThrows(FletchException.class, () -> compile(inDictionary));
        assertEquals(MeaningRule.SCHEMA_TOO_DEEP, e.rule());
        Limits more = Limits.DEFAULT.withDepth(1000).withFields(1000);
        var schema = Bound.schema(Tree.message(deeper));
        assertEquals(129, BatchLayout.compile(schema, V5, more, Columns.all()).fieldCount());
    }

    /// All fields below dictionary-encoded ones count, also of a dictionary that an earlier column
    /// has.
    @Test
    void limitsOfDictionariesNameColumnAndDepth() {
        Tree leaf = Tree.of("x", Type.INT);
        Tree item = Tree.of("item", Type.STRUCT_, leaf);
        Tree first = Tree.of("e", Type.UTF8).encoded(1);
        Tree again = Tree.of("f", Type.LIST, item).encoded(1);
        Schema schema = Bound.schema(Tree.message(first, again, leaf));
        Limits all = Limits.DEFAULT;
        assertLimited(schema, all.withDepth(1), MeaningRule.SCHEMA_TOO_DEEP, 1, 1);
        assertLimited(schema, all.withDepth(2), MeaningRule.SCHEMA_TOO_DEEP, 1, 2);
        assertLimited(schema, all.withFields(3), MeaningRule.TOO_MANY_FIELDS, 1, 2);
        assertLimited(schema, all.withFields(4), MeaningRule.TOO_MANY_FIELDS, 2, 0);
        assertEquals(
                3, BatchLayout.compile(schema, V5, all.withFields(5), Columns.all()).fieldCount());
    }

    /// The values of a dictionary count once, and columns that are only counted not at all.
    @Test
    void fieldsOfDictionariesAreLimitedExactly() {
        Tree item = Tree.of("item", Type.STRUCT_, Tree.of("x", Type.INT));
        Tree encoded = Tree.of("e", Type.LIST, item).encoded(1);
        Limits three = Limits.DEFAULT.withFields(3);
        Limits two = Limits.DEFAULT.withFields(2);
        Schema alone = Bound.schema(Tree.message(encoded));
        Schema second = Bound.schema(Tree.message(Tree.of("y", Type.INT), encoded));
        for (Schema schema : List.of(alone, second)) {
            Columns last = Columns.at(schema.fieldsCount() - 1);
            assertEquals(1, BatchLayout.compile(schema, V5, three, last).fieldCount());
            assertRule(
                    MeaningRule.TOO_MANY_FIELDS, () -> BatchLayout.compile(schema, V5, two, last));
        }
    }

    /// Also if the last columns alike are passed by a walk.
    @Test
    void fieldsThatAreOnlyCountedAreLimitedExactly() {
        ArrowField[] columns = new ArrowField[4];
        ArrowField child = ArrowField.of("c", ArrowType.Simple.BOOL);
        Arrays.setAll(columns, i -> ArrowField.of("s" + i, ArrowType.Simple.STRUCT, child));
        Schema schema = ArrowSchema.of(columns).toTable();
        for (int column = 0; column < columns.length; column++) {
            Columns chosen = Columns.at(column);
            Limits exact = Limits.DEFAULT.withFields(8);
            Limits less = Limits.DEFAULT.withFields(7);
            assertEquals(2, BatchLayout.compile(schema, V5, exact, chosen).fieldCount());
            assertRule(
                    MeaningRule.TOO_MANY_FIELDS,
                    () -> BatchLayout.compile(schema, V5, less, chosen));
        }
    }

    private static void assertLimited(
            Schema schema, Limits limits, Rule rule, int column, int depth) {
        FletchException e =
                assertRule(rule, () -> BatchLayout.compile(schema, V5, limits, Columns.all()));
        String place = "in=dictionary values, column=" + column + ", depth=" + depth + ",";
        assertTrue(e.getMessage().contains(place), e.getMessage());
    }

    /// 2 to the power of 60 fields in less than 4,000 bytes.
    @Test
    void sharedTablesAreLimited() {
        for (boolean encoded : new boolean[] {false, true}) {
            byte[] message =
                    Meant.schemaMessage(
                            encoded ? Meant.encoded(Meant.doubled(60), 5) : Meant.doubled(60));
            assertTrue(message.length < 4_000);
            assertRule(
                    MeaningRule.SCHEMA_TOO_LARGE,
                    () -> BatchLayout.compile(Bound.schema(message), V5));
        }
        assertEquals(
                (1 << 12) - 1,
                BatchLayout.compile(Bound.schema(Meant.schemaMessage(Meant.doubled(11))), V5)
                        .fieldCount());
    }

    @Test
    void fieldsAreLimited() {
        Tree[] ten =
                IntStream.range(0, 10)
                        .mapToObj(i -> Tree.of("c" + i, Type.INT))
                        .toArray(Tree[]::new);
        var schema = Bound.schema(Tree.message(ten));
        assertNotNull(
                BatchLayout.compile(
                        schema, V5, Limits.DEFAULT.withDepth(1).withFields(10), Columns.all()));
        assertRule(
                MeaningRule.TOO_MANY_FIELDS,
                () ->
                        BatchLayout.compile(
                                schema,
                                V5,
                                Limits.DEFAULT.withDepth(1).withFields(9),
                                Columns.all()));
        assertThrows(
                IllegalArgumentException.class, () -> Limits.DEFAULT.withDepth(0).withFields(1));
        assertThrows(
                IllegalArgumentException.class, () -> Limits.DEFAULT.withDepth(1).withFields(0));
    }
}
