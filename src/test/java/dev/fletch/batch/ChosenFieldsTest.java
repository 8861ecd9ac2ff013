// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/// What may be chosen, and by which names. `RandomLayoutTest` compares the numbers of chosen
/// fields.
class ChosenFieldsTest {
    private static final int UNKNOWN = 100;

    private static Tree encoded(String name, long id, Tree... children) {
        return new Tree(
                name, children.length == 0 ? Type.UTF8 : Type.STRUCT_, 0, id, List.of(children));
    }

    private static final BatchLayout LAYOUT =
            Bound.layout(
                    Tree.of("a", Type.INT),
                    Tree.of(
                            "s",
                            Type.STRUCT_,
                            Tree.of("x", Type.UTF8),
                            Tree.of(
                                    "l",
                                    Type.LIST,
                                    Tree.of(
                                            "item",
                                            Type.STRUCT_,
                                            Tree.of("p", Type.INT),
                                            Tree.of("q", Type.UTF8_VIEW)))),
                    Tree.of(
                            "m",
                            Type.MAP,
                            Tree.of(
                                    "entries",
                                    Type.STRUCT_,
                                    Tree.of("key", Type.UTF8),
                                    Tree.of("value", Type.INT))),
                    Tree.of("a.b", Type.INT),
                    Tree.of("a", Type.UTF8));

    private static List<String> paths(BatchLayout layout) {
        return IntStream.range(0, layout.fieldCount()).mapToObj(layout::pathString).toList();
    }

    @Test
    void aPathBelowAMapDoesNotWidenOtherPaths() {
        BatchLayout chosen = LAYOUT.choose(List.of("s.x", "m.entries.key"));
        assertEquals(
                List.of("s", "s.x", "m", "m.entries", "m.entries.key", "m.entries.value"),
                paths(chosen));
        BatchLayout nested =
                Bound.layout(
                        Tree.of(
                                "s",
                                Type.STRUCT_,
                                Tree.of("a", Type.INT),
                                Tree.of(
                                        "u",
                                        Type.UNION,
                                        Tree.of(
                                                "m",
                                                Type.MAP,
                                                Tree.of(
                                                        "entries",
                                                        Type.STRUCT_,
                                                        Tree.of("key", Type.INT))))));
        assertEquals(
                List.of("s", "s.u", "s.u.m", "s.u.m.entries", "s.u.m.entries.key"),
                paths(nested.choose(List.of("s.u.m.entries.key", "s.u.m"))));
    }

    @Test
    void theLongestNameLeadsToAField() {
        assertEquals("a.b", LAYOUT.nameString(LAYOUT.field("a.b")));
        assertEquals(0, LAYOUT.field("a")); // the first of two
        BatchLayout nested =
                Bound.layout(
                        Tree.of("a.b", Type.STRUCT_, Tree.of("d", Type.INT)),
                        Tree.of(
                                "a",
                                Type.STRUCT_,
                                Tree.of("b.c", Type.INT),
                                Tree.of("", Type.INT)));
        assertEquals(1, nested.field("a.b.d"));
        assertEquals(3, nested.field("a.b.c"));
        assertEquals(4, nested.field("a."));
        for (String wrong : List.of("b", "a.b.", ".", "", "a.b.c.d", "a..b")) {
            FletchException e = assertRule(MeaningRule.NO_COLUMN, () -> nested.field(wrong));
            assertTrue(e.getMessage().contains("name=" + wrong), e.getMessage());
        }
    }

    // ---- what is refused

    private static void assertRefused(String message, int... fields) {
        var e = assertThrows(IllegalArgumentException.class, () -> LAYOUT.choose(fields));
        assertEquals(message, e.getMessage());
    }

    @Test
    void aFieldIsChosenOnce() {
        int list = LAYOUT.field("s.l");
        int below = LAYOUT.field("s.l.item.p");
        assertRefused("column is chosen twice: column=a", 0, 0);
        assertRefused("column is chosen twice: column=s.l", list, below);
        assertRefused("column is chosen twice: column=s.l", below, list);
        assertRefused("column is chosen twice: column=s", list, 1);
    }

    @Test
    void childrenOfMapsAreNotChosen() {
        assertRefused(
                "only structs and lists have children to choose: column=m.entries.value,"
                        + " parent=m, type=Map",
                LAYOUT.field("m.entries.value"));
    }

    @Test
    void fieldsOutOfRangeAreRefused() {
        for (int field : new int[] {-1, LAYOUT.fieldCount(), Integer.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> LAYOUT.choose(field));
        }
    }

    @Test
    void columnsThatALayoutDoesNotHaveAreRefused() {
        byte[] schema = Tree.message(Tree.of("a", Type.INT), Tree.of("b", Type.INT));
        BatchLayout one =
                BatchLayout.compile(Bound.schema(schema), V5, Limits.DEFAULT, Columns.at(1));
        assertEquals(0, Columns.at(1).order(one).getFirst());
        for (int other : new int[] {-1, 0, 2}) {
            var e =
                    assertThrows(
                            IllegalArgumentException.class, () -> Columns.at(1, other).order(one));
            assertEquals("layout does not have the column: column=" + other, e.getMessage());
        }
    }

    @Test
    void fieldsBehindAnUnknownTypeAreRefused() {
        BatchLayout partly =
                Bound.layout(
                        Tree.of("a", Type.INT),
                        Tree.of("s", Type.STRUCT_, Tree.of("b", Type.INT), Tree.of("c", UNKNOWN)),
                        Tree.of("d", Type.INT));
        assertEquals(List.of("s", "s.b", "a"), paths(partly.choose(partly.field("s.b"), 0)));
        for (String path : List.of("s", "s.c", "d")) {
            int field = partly.field(path);
            FletchException e = assertRule(MeaningRule.UNKNOWN_TYPE, () -> partly.choose(field));
            assertTrue(e.getMessage().endsWith("column=" + path), e.getMessage());
        }
    }

    /// The rule is that of the column before, not one of the union.
    @Test
    void aSoundColumnBehindAnUnknownTypeSaysThatATypeIsUnknown() {
        Tree union = Tree.of("u", Type.UNION, Tree.of("child", Type.INT));
        byte[] schema = Tree.message(Tree.of("a", UNKNOWN), union);
        BatchLayout layout =
                BatchLayout.compile(Bound.schema(schema), V5, Limits.DEFAULT, Columns.named("u"));
        assertRule(MeaningRule.UNKNOWN_TYPE, layout::requireKnown);
        BatchLayout alone = Bound.layout(union);
        assertEquals(1, alone.requireKnown().columnCount());
    }

    // ---- dictionaries

    @Test
    void onlyNeededDictionariesAreKept() {
        BatchLayout layout =
                Bound.layout(
                        encoded("plain", 1),
                        encoded("outer", 2, encoded("inner", 3)),
                        Tree.of("s", Type.STRUCT_, encoded("nested", 4), encoded("again", 1)));
        assertEquals(4, layout.dictionaryCount());
        assertEquals(List.of(1L), dictionaries(layout.choose(layout.field("plain"))));
        assertEquals(List.of(2L, 3L), dictionaries(layout.choose(layout.field("outer"))));
        assertEquals(List.of(4L), dictionaries(layout.choose(layout.field("s.nested"))));
        BatchLayout chosen = layout.choose(layout.field("s"), layout.field("outer"));
        assertEquals(List.of(1L, 2L, 3L, 4L), dictionaries(chosen));
        assertSame(layout.dictionaryLayout(3), chosen.dictionaryLayout(3));
        assertNull(layout.choose(0).dictionaryLayout(2));
    }

    private static List<Long> dictionaries(BatchLayout layout) {
        return IntStream.range(0, layout.dictionaryCount()).mapToObj(layout::dictionary).toList();
    }

    // ---- versions

    /// A union has another number of buffers in version 4, and moves the columns behind it.
    @Test
    void columnsBehindAUnionAreWhereTheVersionOfTheBatchHasThem() {
        Schema schema =
                Bound.schema(
                        Tree.message(
                                Tree.union("u", UnionMode.SPARSE, Tree.of("x", Type.INT)),
                                Tree.of("a", Type.INT)));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        BatchLayout one = BatchLayout.compile(schema, V5, Limits.DEFAULT, Columns.named("a"));
        Message message =
                new Message().wrap(MemorySegment.ofArray(Tree.numberedBatch(3, 6, new long[0])));
        List<BatchLayout> layouts =
                List.of(layout, layout.choose(layout.field("a")), one, one.choose(0));
        for (BatchLayout each : layouts) {
            BatchCursor cursor = new BatchCursor().bind(each, message);
            assertEquals(3, cursor.bufferIndex(each.field("a"), 0));
        }
        message.setVersion(MetadataVersion.V4);
        for (BatchLayout each : layouts) {
            BatchCursor cursor = new BatchCursor().bind(each, message);
            assertEquals(4, cursor.bufferIndex(each.field("a"), 0));
        }
    }
}
