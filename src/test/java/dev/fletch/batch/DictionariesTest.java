// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.Allocations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Indices across deltas and replacements of their dictionary, and those that lead nowhere.
@Isolated
class DictionariesTest {
    private static final int ID = 7;
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final BatchLayout LAYOUT =
            Bound.layout(Tree.of("colour", Type.UTF8).encoded(ID));

    private Dictionaries dictionaries = new Dictionaries(LAYOUT);
    private final ByteSlice slice = new ByteSlice();

    /// Validity at 0, offsets at 64, text at 256. A null text is null.
    private void define(boolean isDelta, String... texts) {
        byte[] body = new byte[512];
        MemorySegment segment = MemorySegment.ofArray(body);
        int end = 0;
        int nulls = 0;
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) {
                nulls++;
            } else {
                body[i >> 3] |= (byte) (1 << (i & 7));
                byte[] text = texts[i].getBytes(StandardCharsets.UTF_8);
                System.arraycopy(text, 0, body, 256 + end, text.length);
                end += text.length;
            }
            segment.set(INT, 64 + 4 * (i + 1), end);
        }
        define(ID, isDelta, texts.length, nulls, 4 * (texts.length + 1), end, segment);
    }

    private void define(
            int id,
            boolean isDelta,
            int length,
            int nulls,
            int offsets,
            int text,
            MemorySegment body) {
        long[][] buffers = {{0, nulls == 0 ? 0 : 8}, {64, offsets}, {256, text}};
        byte[] message = Tree.dictionary(id, isDelta, new long[][] {{length, nulls}}, buffers, 512);
        dictionaries.add(new Message().wrap(MemorySegment.ofArray(message)), body);
    }

    /// The column of these indices of 8 bits, -1 for null.
    private ColumnValues column(int... indices) {
        MemorySegment body = MemorySegment.ofArray(new byte[512]);
        int nulls = 0;
        for (int i = 0; i < indices.length; i++) {
            boolean isNull = indices[i] == -1;
            nulls += isNull ? 1 : 0;
            byte bits = body.get(ValueLayout.JAVA_BYTE, i >> 3);
            body.set(ValueLayout.JAVA_BYTE, i >> 3, (byte) (bits | (isNull ? 0 : 1) << (i & 7)));
            body.set(ValueLayout.JAVA_BYTE, 64 + i, (byte) (isNull ? 99 : indices[i]));
        }
        byte[] batch =
                Tree.batch(
                        new long[][] {{indices.length, nulls}},
                        new long[][] {{0, nulls == 0 ? 0 : 8}, {64, indices.length}},
                        null,
                        512);
        BatchCursor cursor = new BatchCursor().bind(LAYOUT, Bound.batch(batch)).body(body);
        return new ColumnValues().bind(cursor, 0, dictionaries);
    }

    private List<String> texts(ColumnValues values) {
        List<String> found = new ArrayList<>();
        for (long row = 0; row < values.length(); row++) {
            boolean isThere = values.get(row, slice);
            assertEquals(!isThere, values.isNull(row));
            found.add(isThere ? new String(slice.toByteArray(), StandardCharsets.UTF_8) : null);
        }
        return found;
    }

    @Test
    void deltasAreAppendedAndReplacementsReplace() {
        define(false, "red", "green");
        ColumnValues first = column(1, 0, -1, 1);
        assertEquals(Arrays.asList("green", "red", null, "green"), texts(first));

        define(true);
        define(true, "blue", null, "");
        assertEquals(Arrays.asList("blue", "green", null, "", null), texts(column(2, 1, 3, 4, -1)));
        DictionaryValues values = dictionaries.values(ID);
        assertEquals(5, values.length());
        assertEquals(3, values.batchCount());
        assertEquals(2, values.batchOf(2));
        assertEquals(0, values.batchOf(1));
        assertEquals(2, values.first(2));
        assertEquals(3, values.batch(2).length(0));

        define(false, "grey");
        assertEquals(List.of("grey"), texts(column(0)));
        assertEquals(Arrays.asList("green", "red", null, "green"), texts(first), "as it was bound");
        assertEquals(1, dictionaries.values(ID).length());
    }

    /// Twice as many deltas take about twice as much memory, not four times.
    @Test
    void memoryOfDeltasIsInProportion() {
        long few = Allocations.leastBytes(1, () -> deltas(2_000));
        long more = Allocations.leastBytes(1, () -> deltas(4_000));
        assertTrue(more < 3 * few, () -> "few=" + few + ", more=" + more);
        assertEquals(4_001, dictionaries.values(ID).batchCount());
        assertEquals(8_000, dictionaries.values(ID).first(4_000));
    }

    private void deltas(int count) {
        MemorySegment body = MemorySegment.ofArray(new byte[512]);
        for (int i = 0; i <= count; i++) {
            define(ID, i > 0, 2, 0, 12, 0, body);
        }
    }

    @Test
    void indicesOutsideTheDictionaryAreRefused() {
        define(false, "red", "green");
        for (int index : new int[] {2, -2, Byte.MAX_VALUE, Byte.MIN_VALUE}) {
            ColumnValues values = column(0, index);
            FletchException e =
                    assertRule(ValueRule.VALUE_DICTIONARY_INDEX, () -> values.get(1, slice));
            assertEquals(
                    "index is outside its dictionary: column=colour, row=1, value="
                            + index
                            + ", limit=1, dictionary="
                            + ID,
                    e.getMessage());
            assertRule(ValueRule.VALUE_DICTIONARY_INDEX, () -> values.isNull(1));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> column(0).get(1, slice));
    }

    @Test
    void encodedColumnNeedsItsDictionaries() {
        define(false, "red");
        BatchCursor cursor = new BatchCursor();
        byte[] batch = Tree.batch(new long[][] {{0, 0}}, new long[][] {{0, 0}, {0, 0}}, null, 0);
        cursor.bind(LAYOUT, Bound.batch(batch)).body(MemorySegment.ofArray(new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new ColumnValues().bind(cursor, 0));
        assertEquals(ValueType.BYTES, column(0).valueType());
    }

    /// A column that is null throughout needs no dictionary; any other index does.
    @Test
    void dictionaryMayComeAfterNulls() {
        assertEquals(Arrays.asList(null, null), texts(column(-1, -1)));
        assertRule(MeaningRule.DICTIONARY_UNDEFINED, () -> column(0).get(0, slice));
    }

    @Test
    void valuesWithoutBytesMayBeMoreThanCanBeCounted() {
        BatchLayout layout =
                BatchLayout.compile(
                        Bound.schema(Tree.message(Tree.of("none", Type.NULL).encoded(ID))),
                        MetadataVersion.V5);
        Dictionaries nulls = new Dictionaries(layout);
        for (long length : new long[] {Long.MAX_VALUE - 1, 5, Long.MAX_VALUE}) {
            long[][] nodes = {{length, length}};
            boolean isDelta = nulls.values(ID) != null;
            byte[] message = Tree.dictionary(ID, isDelta, nodes, new long[0][], 0);
            nulls.add(new Message().wrap(MemorySegment.ofArray(message)), MemorySegment.NULL);
        }
        DictionaryValues values = nulls.values(ID);
        assertEquals(Long.MAX_VALUE, values.length());
        assertEquals(3, values.batchCount());
        assertEquals(0, values.batchOf(Long.MAX_VALUE - 2));
        assertEquals(1, values.batchOf(Long.MAX_VALUE - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> values.batchOf(Long.MAX_VALUE));
    }

    @Test
    void aRemovedDictionaryIsDefinedAgain() {
        for (boolean isFile : new boolean[] {false, true}) {
            dictionaries = new Dictionaries(LAYOUT, isFile);
            define(false, "red");
            dictionaries.remove(ID);
            assertRule(MeaningRule.DICTIONARY_UNDEFINED, () -> define(true, "blue"));
            define(false, "green");
            assertEquals(List.of("green"), texts(column(0)));
        }
        assertRule(MeaningRule.DICTIONARY_REPLACED, () -> define(false, "red"));
    }

    @Test
    void dictionariesOutsideTheSchemaAreRefused() {
        MemorySegment body = MemorySegment.ofArray(new byte[512]);
        assertRule(MeaningRule.DELTA_WITHOUT_DICTIONARY, () -> define(ID, true, 0, 0, 0, 0, body));
        assertRule(MeaningRule.UNUSED_DICTIONARY, () -> define(8, false, 0, 0, 0, 0, body));
        Dictionaries all = dictionaries;
        dictionaries = new Dictionaries(LAYOUT.choose());
        define(false, "of another column");
        assertRule(MeaningRule.UNUSED_DICTIONARY, () -> define(8, false, 0, 0, 0, 0, body));
        dictionaries = all;
        define(false, "red");
        assertRule(MeaningRule.OFFSETS_SIZE, () -> define(ID, false, 100, 0, 8, 0, body));
        assertRule(MeaningRule.OFFSETS_SIZE, () -> define(ID, true, 100, 0, 8, 0, body));
        assertEquals(List.of("red"), texts(column(0)), "as before");
        assertEquals(1, dictionaries.values(ID).length());
    }
}
