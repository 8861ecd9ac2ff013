// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V4;
import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// Random schemas of all types, known or not, with batches whose every node and buffer is told from
/// all others: layouts of all and of some columns, and the cursor, say what a plain recursion says.
class RandomLayoutTest {
    private static final int SCHEMAS = CaseCount.of(500, 1_500);
    private static final String[] NAMES = {
        null, "", "a", "b", "c", "a.b", "Größe", "eight888", "x"
    };

    private static final Set<Integer> LISTS_AND_STRUCTS =
            Set.of(
                    Type.STRUCT_,
                    Type.LIST,
                    Type.LARGE_LIST,
                    Type.LIST_VIEW,
                    Type.LARGE_LIST_VIEW,
                    Type.FIXED_SIZE_LIST);

    private static int fields;
    private static int chosenFields;
    private static int variadicBuffers;

    private final Random random = new Random(5);

    private Tree tree(int depth, boolean odd) {
        int types = Type.NAMES.all().size();
        int type = random.nextInt(odd ? 0 : 1, odd ? types + 3 : types);
        int children =
                depth > 4
                        ? 0
                        : switch (type) {
                            case Type.STRUCT_, Type.UNION, Type.LIST, Type.RUN_END_ENCODED ->
                                    random.nextInt(4);
                            case Type.MAP, Type.LIST_VIEW, Type.FIXED_SIZE_LIST ->
                                    random.nextInt(2);
                            default -> random.nextInt(12) == 0 ? 1 : 0;
                        };
        Long dictionary = random.nextInt(8) == 0 ? (long) random.nextInt(-3, 1000) : null;
        return new Tree(
                NAMES[random.nextInt(NAMES.length)],
                type,
                random.nextInt(odd ? 3 : 2),
                dictionary,
                IntStream.range(0, children).mapToObj(_ -> tree(depth + 1, odd)).toList());
    }

    @Test
    void layoutsAndWalkAgree() {
        for (int i = 0; i < SCHEMAS; i++) {
            boolean odd = i % 4 == 0;
            List<Tree> columns =
                    IntStream.range(0, random.nextInt(12)).mapToObj(_ -> tree(0, odd)).toList();
            int version = i % 3 == 0 ? V4 : V5;
            Flat flat = new Flat(columns, version == V4);
            Schema schema = Bound.schema(Tree.message(columns));
            BatchLayout layout = BatchLayout.compile(schema, version);
            assertEquals(flat.rows, Flat.rowsOf(layout));
            assertEquals(flat.buffers, layout.bufferCount());
            assertEquals(flat.views, layout.viewCount());
            assertEquals(flat.firstUnknown(), layout.firstUnknown());
            for (int c = 0; c < columns.size(); c++) {
                assertEquals(flat.columns.get(c), layout.columnField(c));
            }
            for (int f = 0; f < layout.fieldCount(); f++) {
                checkTree(layout, f);
            }
            compareDictionaries(columns, layout, version == V4);
            compareCursors(columns, flat, schema, layout, version);
            fields += layout.fieldCount();
        }
    }

    private static void checkTree(BatchLayout layout, int f) {
        int end = f + 1;
        while (end < layout.fieldCount() && layout.depth(end) > layout.depth(f)) {
            end++;
        }
        assertEquals(end, layout.end(f));
        int top = f;
        while (layout.parent(top) >= 0) {
            top = layout.parent(top);
        }
        assertEquals(top, layout.columnField(layout.columnOf(f)));
        if (layout.parent(f) >= 0) {
            int sibling = layout.child(layout.parent(f), layout.nameString(f));
            while (sibling < f) {
                sibling = layout.nextChild(layout.parent(f), layout.nameString(f), sibling);
            }
            assertEquals(f, sibling);
        }
    }

    /// The first field in pre-order that has the id decides.
    private static void compareDictionaries(List<Tree> fields, BatchLayout layout, boolean old) {
        List<Long> seen = new ArrayList<>();
        compareDictionaries(fields, layout, old, seen);
        assertEquals(seen.size(), layout.dictionaryCount());
        for (int i = 0; i < seen.size(); i++) {
            assertEquals(seen.get(i), layout.dictionary(i));
        }
    }

    private static void compareDictionaries(
            List<Tree> fields, BatchLayout layout, boolean old, List<Long> seen) {
        for (Tree each : fields) {
            if (each.dictionary() != null && !seen.contains(each.dictionary())) {
                seen.add(each.dictionary());
                BatchLayout values = layout.dictionaryLayout(each.dictionary());
                Flat flat = new Flat(List.of(each.values()), old);
                assertEquals(flat.rows, Flat.rowsOf(values));
                assertEquals(flat.buffers, values.bufferCount());
                assertEquals(flat.views, values.viewCount());
                assertEquals(flat.firstUnknown(), values.firstUnknown());
            }
            compareDictionaries(each.children(), layout, old, seen);
        }
    }

    private void compareCursors(
            List<Tree> columns, Flat flat, Schema schema, BatchLayout layout, int version) {
        long[] variadics = new long[flat.views];
        long sum = 0;
        for (int i = 0; i < variadics.length; i++) {
            variadics[i] = random.nextInt(3) * random.nextInt(3);
            sum += variadics[i];
        }
        byte[] message =
                Tree.numberedBatch(flat.rows.size(), (int) (flat.buffers + sum), variadics);
        RecordBatch batch = Bound.batch(message);
        MemorySegment body = MemorySegment.ofArray(new byte[8 * batch.buffersCount() + 8]);
        BatchCursor cursor = new BatchCursor().bind(layout, batch).body(body);
        BatchCursor one = new BatchCursor();
        int limit = flat.firstUnknown() < 0 ? flat.rows.size() : flat.firstUnknown();
        for (int c = 0; c < columns.size(); c++) {
            int first = flat.columns.get(c);
            String name = columns.get(c).name() == null ? "" : columns.get(c).name();
            BatchLayout named =
                    BatchLayout.compile(schema, version, Limits.DEFAULT, Columns.named(name));
            int found = named.find(name);
            while (named.schemaColumn(found) < c) {
                found = named.findNext(name, found);
            }
            assertEquals(c, named.schemaColumn(found));
            BatchLayout column =
                    BatchLayout.compile(schema, version, Limits.DEFAULT, Columns.at(c));
            compareColumn(flat, column, c, first);
            if (first < limit) {
                one.bind(column, batch).body(body);
                for (int f = 0; f < column.fieldCount() && first + f < limit; f++) {
                    compare(flat, first + f, one, f, variadics);
                }
            }
        }
        for (int f = 0; f < flat.rows.size(); f++) {
            int field = f;
            if (f < limit) {
                compare(flat, f, cursor, f, variadics);
            } else {
                var e = assertThrows(FletchException.class, () -> cursor.length(field));
                assertEquals(
                        TypeCheck.withoutShape(layout.typeType(layout.firstUnknown())), e.rule());
            }
        }
        compareChosen(flat, layout, batch, variadics);
        compareSome(flat, schema, layout, batch, variadics);
        if (flat.firstUnknown() < 0) {
            layout.requireExact(batch);
        }
        variadicBuffers += (int) sum;
    }

    // ---- chosen fields

    /// Random fields in random order, of which none is below another.
    private void compareChosen(Flat flat, BatchLayout layout, RecordBatch batch, long[] variadics) {
        List<Integer> wanted = new ArrayList<>();
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, layout.fieldCount()).boxed().toList());
        Collections.shuffle(all, random);
        for (int field : all.subList(0, random.nextInt(all.size() + 1))) {
            boolean isFree =
                    layout.end(field) <= layout.section.placeable() && isBelowParts(layout, field);
            for (int other : wanted) {
                isFree &= field < other || field >= layout.end(other);
                isFree &= other < field || other >= layout.end(field);
            }
            if (isFree) {
                wanted.add(field);
            }
        }
        BatchLayout chosen = layout.choose(wanted.stream().mapToInt(Integer::intValue).toArray());
        List<Integer> expected = new ArrayList<>();
        inOrder(layout, -1, wanted, expected);
        assertEquals(expected.size(), chosen.fieldCount());
        BatchCursor cursor = new BatchCursor().bind(chosen, batch);
        for (int f = 0; f < chosen.fieldCount(); f++) {
            int source = expected.get(f);
            assertEquals(source, chosen.sourceField(f));
            assertEquals(layout.pathString(source), chosen.pathString(f));
            assertEquals(layout.typeType(source), chosen.typeType(f));
            assertEquals(layout.valueType(source), chosen.valueType(f));
            assertEquals(layout.dictionaryId(source), chosen.dictionaryId(f));
            checkTree(chosen, f);
            compare(flat, source, cursor, f, variadics);
        }
        // The same fields chosen in two steps.
        if (chosen.columnCount() > 1) {
            int last = chosen.columnField(chosen.columnCount() - 1);
            BatchLayout twice = chosen.choose(last, chosen.columnField(0));
            cursor.bind(twice, batch);
            for (int f = 0; f < twice.fieldCount(); f++) {
                compare(flat, twice.sourceField(f), cursor, f, variadics);
            }
            assertEquals(chosen.sourceField(last), twice.sourceField(0));
        }
        chosenFields += chosen.fieldCount();
    }

    /// A layout of random columns, and one chosen from it.
    private void compareSome(
            Flat flat, Schema schema, BatchLayout all, RecordBatch batch, long[] variadics) {
        List<Integer> wanted = new ArrayList<>();
        for (int c = 0; c < all.columnCount(); c++) {
            if (random.nextBoolean()) {
                wanted.add(c);
            }
        }
        if (wanted.isEmpty()) {
            return;
        }
        List<Integer> expected = new ArrayList<>();
        for (int c : wanted) {
            int field = all.columnField(c);
            IntStream.range(field, all.end(field)).forEach(expected::add);
        }
        List<Integer> shuffled = new ArrayList<>(wanted);
        Collections.shuffle(shuffled, random);
        BatchLayout some =
                BatchLayout.compile(
                        schema,
                        all.version(),
                        Limits.DEFAULT,
                        Columns.at(shuffled.stream().mapToInt(each -> each).toArray()));
        assertEquals(expected.size(), some.fieldCount());
        assertEquals(wanted.size(), some.columnCount());
        BatchCursor cursor = new BatchCursor().bind(some, batch);
        int unknown = some.fieldCount();
        for (int f = some.fieldCount() - 1; f >= 0; f--) {
            int source = expected.get(f);
            assertEquals(source, some.nodeIndex(f));
            assertEquals(all.pathString(source), some.pathString(f));
            assertEquals(all.valueType(source), some.valueType(f));
            assertEquals(all.dictionaryId(source), some.dictionaryId(f));
            checkTree(some, f);
            unknown = isPlaced(all, source) ? unknown : f;
        }
        assertEquals(unknown == some.fieldCount() ? -1 : unknown, some.firstUnknown());
        for (int f = 0; f < unknown; f++) {
            compare(flat, expected.get(f), cursor, f, variadics);
        }
        for (int c = 0; c < wanted.size(); c++) {
            assertEquals(wanted.get(c), some.alone().schemaColumn(c));
        }
        if (unknown < some.fieldCount()) {
            int lost = unknown;
            assertThrows(FletchException.class, () -> cursor.length(lost));
            return;
        }
        assertEquals(some.dictionaryCount(), all.choose(fields(all, wanted)).dictionaryCount());
        int last = wanted.size() - 1;
        BatchLayout turned = some.choose(some.columnField(last));
        cursor.bind(turned, batch);
        assertEquals(wanted.getLast(), turned.alone().schemaColumn(0));
        for (int f = 0; f < turned.fieldCount(); f++) {
            compare(flat, expected.get(some.columnField(last) + f), cursor, f, variadics);
        }
    }

    private static int[] fields(BatchLayout all, List<Integer> columns) {
        return columns.stream().mapToInt(all::columnField).toArray();
    }

    private static boolean isPlaced(BatchLayout layout, int field) {
        return layout.firstUnknown() < 0 || field < layout.firstUnknown();
    }

    private static boolean isBelowParts(BatchLayout layout, int field) {
        for (int f = layout.parent(field); f >= 0; f = layout.parent(f)) {
            if (!LISTS_AND_STRUCTS.contains(layout.typeType(f))) {
                return false;
            }
        }
        return true;
    }

    /// The wanted fields below a parent, each with its ancestors, in the order of first mention.
    private static void inOrder(
            BatchLayout layout, int parent, List<Integer> wanted, List<Integer> into) {
        List<Integer> tops = new ArrayList<>();
        for (int field : wanted) {
            int top = field;
            while (top >= 0 && layout.parent(top) != parent) {
                top = layout.parent(top);
            }
            if (top >= 0 && !tops.contains(top)) {
                tops.add(top);
            }
        }
        for (int top : tops) {
            into.add(top);
            if (wanted.contains(top)) {
                IntStream.range(top + 1, layout.end(top)).forEach(into::add);
            } else {
                inOrder(layout, top, wanted, into);
            }
        }
    }

    private static void compareColumn(Flat flat, BatchLayout column, int c, int first) {
        assertEquals(c, column.schemaColumn(0));
        int depth = 0;
        List<Flat.Row> rows = Flat.rowsOf(column);
        for (int f = 0; f < rows.size(); f++) {
            Flat.Row expected = flat.rows.get(first + f);
            Flat.Row row = rows.get(f);
            assertEquals(expected.path(), row.path());
            assertEquals(expected.type(), row.type());
            assertEquals(expected.buffers(), row.buffers());
            assertEquals(expected.node(), row.node());
            assertEquals(expected.dictionary(), row.dictionary());
            if (flat.firstUnknown() < 0 || first + f <= flat.firstUnknown()) {
                assertEquals(expected.firstBuffer(), row.firstBuffer());
                assertEquals(expected.variadicSlot(), row.variadicSlot());
            }
            depth = Math.max(depth, row.depth());
        }
        int end = c + 1 < flat.columns.size() ? flat.columns.get(c + 1) : flat.rows.size();
        assertEquals(end - first, rows.size());
        boolean known = flat.firstUnknown() < 0 || flat.firstUnknown() >= end;
        assertEquals(known, column.firstUnknown() < 0);
    }

    private static void compare(Flat flat, int f, BatchCursor cursor, int field, long[] variadics) {
        Flat.Row expected = flat.rows.get(f);
        assertEquals(expected.node(), cursor.layout().nodeIndex(field));
        assertEquals(1_000 + expected.node(), cursor.length(field));
        assertEquals(expected.node(), cursor.nullCount(field));
        int at = expected.firstBuffer();
        for (int slot = 0; slot < flat.viewsBefore.get(f); slot++) {
            at += (int) variadics[slot];
        }
        int slot = expected.variadicSlot();
        int own = slot < 0 ? 0 : (int) variadics[slot];
        assertEquals(own, cursor.variadicCount(field));
        assertEquals(expected.buffers().size() + own, cursor.bufferCount(field));
        for (int i = 0; i < cursor.bufferCount(field); i++) {
            String role = i < expected.buffers().size() ? expected.buffers().get(i) : "variadic";
            assertEquals(role, cursor.role(field, i).text());
            assertEquals(at + i, cursor.bufferIndex(field, i));
            assertEquals(8L * (at + i), cursor.bufferOffset(field, i));
            assertEquals((at + i) % 9, cursor.bufferLength(field, i));
        }
        for (BufferRole role : BufferRole.values()) {
            int index = expected.buffers().indexOf(role.text());
            boolean isVariadic = role == BufferRole.VARIADIC && slot >= 0;
            assertEquals(index >= 0 || isVariadic, cursor.layout().has(field, role));
            if (index < 0) {
                hasNoIndex(cursor, field, role);
            } else {
                assertEquals(index, cursor.index(field, role));
                assertEquals(8L * (at + index), cursor.bufferOffset(field, role));
                assertEquals((at + index) % 9, cursor.bufferLength(field, role));
            }
        }
    }

    private static void hasNoIndex(BatchCursor cursor, int field, BufferRole role) {
        var e =
                assertThrows(
                        IllegalArgumentException.class, () -> cursor.bufferOffset(field, role));
        assertTrue(e.getMessage().contains("role=" + role.text()), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> cursor.isAbsent(field, role));
        assertThrows(
                IllegalArgumentException.class, () -> cursor.buffer(field, role, new ByteSlice()));
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Random layouts: %d schemas, %d fields, %d chosen, %d variadic buffers%n",
                SCHEMAS, fields, chosenFields, variadicBuffers);
        assertTrue(fields > SCHEMAS && chosenFields > SCHEMAS && variadicBuffers > SCHEMAS / 2);
    }
}
