// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The width of values and the byte order, which layouts keep of a schema.
class ValueBitsTest {
    private static Schema schema(FbsValue.Table... columns) {
        return bound(Meant.schema(columns));
    }

    private static Schema bound(FbsValue.Table schema) {
        return new Schema().wrap(MemorySegment.ofArray(Meant.bytes(schema)));
    }

    private static long bits(FbsValue.Table column) {
        return BatchLayout.compile(schema(column), V5).valueBits(0);
    }

    private static FbsValue.Table typed(int type, String table, Object... parameters) {
        return Meant.field("a", type, Meant.table(table, parameters));
    }

    @Test
    void onlyTypesOfFixedWidthHaveAWidth() {
        int fixed = 0;
        for (TypeVariants each : TypeVariants.all()) {
            boolean isFixed = TypeFacts.of(each.type()).shape(0, V5) == BufferShape.FIXED_WIDTH;
            assertEquals(isFixed, bits(each.field()) > 0, each.what());
            fixed += isFixed ? 1 : 0;
        }
        assertTrue(fixed > 10, fixed + " of fixed width");
    }

    @Test
    void onlyFixedSizeListsHaveASize() {
        FbsValue.Table list =
                Meant.with(
                        typed(Type.FIXED_SIZE_LIST, "FixedSizeList", "listSize", 3),
                        "children",
                        List.of(Meant.INT32));
        BatchLayout layout = BatchLayout.compile(schema(list, Meant.INT32), V5);
        assertEquals(3, layout.listSize(0));
        assertEquals(0, layout.valueBits(0));
        assertEquals(0, layout.listSize(1));
        assertEquals(0, layout.listSize(2));
        assertEquals(0, BatchLayout.compile(schema(Meant.encoded(list, 1)), V5).listSize(0));
    }

    /// Numbers that a later format may have, or that are wrong.
    @Test
    void unknownWidthsAreZero() {
        assertEquals(0, bits(typed(Type.FLOATING_POINT, "FloatingPoint", "precision", 3)));
        assertEquals(0, bits(typed(Type.DATE, "Date", "unit", 2)));
        assertEquals(0, bits(typed(Type.INTERVAL, "Interval", "unit", 3)));
        assertEquals(0, bits(typed(Type.INT, "Int", "bitWidth", -8)));
        assertEquals(0, bits(typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", -1)));
    }

    @Test
    void encodedFieldsHaveTheWidthOfTheirIndexes() {
        FbsValue.Table values = typed(Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", 3);
        FbsValue.Table implied =
                Meant.with(Meant.UTF8, "dictionary", Meant.table("DictionaryEncoding", "id", 6));
        Schema schema = schema(Meant.INT32, Meant.encoded(values, 5), implied);
        BatchLayout layout = BatchLayout.compile(schema, V5);
        assertEquals(32, layout.valueBits(0));
        assertEquals(8, layout.valueBits(1));
        assertEquals(32, layout.valueBits(2));
        assertEquals(24, layout.dictionaryLayout(5).valueBits(0));
        assertEquals(0, layout.dictionaryLayout(6).valueBits(0));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.valueBits(3));
        Columns last = Columns.named("utf8");
        assertEquals(32, BatchLayout.compile(schema, V5, Limits.DEFAULT, last).valueBits(0));
    }

    @Test
    void layoutsOfDictionariesHaveTheSchemasByteOrder() {
        for (int order : new int[] {Endianness.LITTLE, Endianness.BIG}) {
            FbsValue.Table schema = Meant.schema(Meant.encoded(Meant.UTF8, 5));
            BatchLayout layout =
                    BatchLayout.compile(bound(Meant.with(schema, "endianness", order)), V5);
            assertEquals(order, layout.endianness());
            assertEquals(order, layout.dictionaryLayout(5).endianness());
        }
    }
}
