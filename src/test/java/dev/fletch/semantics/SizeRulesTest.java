// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.BatchRulesTest.NODE;
import static dev.fletch.semantics.BatchRulesTest.caught;
import static dev.fletch.semantics.BatchRulesTest.compressed;
import static dev.fletch.semantics.BatchRulesTest.data;
import static dev.fletch.semantics.BatchRulesTest.nested;
import static dev.fletch.semantics.BatchRulesTest.passes;
import static dev.fletch.semantics.BatchRulesTest.strict;
import static dev.fletch.semantics.BatchRulesTest.tolerated;
import static dev.fletch.semantics.BatchRulesTest.withPrefix;
import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.VIEW;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.field;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.right;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.Type;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// One test for each rule of how large buffers are, named as the rule's code.
class SizeRulesTest {
    private static final List<long[]> NO_NULLS = List.of(pair(3, 0));

    /// Arrow C++ accepts the batch.
    private static Meant.Caught tooShort(
            Rule code, String path, FbsValue.Table schema, FbsValue.Table batch) {
        tolerated(schema, batch);
        return caught(SemanticOptions.DEFAULT, code, path, schema, batch);
    }

    @Test
    void validitySize() {
        FbsValue.Table batch = batch(NODE, List.of(pair(0, 0), pair(0, 12)));
        tooShort(SemanticRules.VALIDITY_SIZE, "buffers[0].length", schema(INT32), batch);
        passes(schema(INT32), batch(NO_NULLS, List.of(pair(0, 0), pair(0, 12))));
        for (int rows = 1; rows <= 17; rows++) {
            int bytes = (rows + 7) / 8;
            FbsValue.Table whole =
                    with(
                            batch(List.of(pair(rows, 1)), List.of(pair(0, bytes), pair(8, rows))),
                            "length",
                            rows);
            passes(schema(INT8), whole);
            FbsValue.Table less =
                    with(whole, "buffers", List.of(pair(0, bytes - 1), pair(8, rows)));
            tooShort(SemanticRules.VALIDITY_SIZE, "buffers[0].length", schema(INT8), less);
        }
    }

    @Test
    void offsetsSize() {
        FbsValue.Table texts = schema(UTF8);
        passes(texts, batch(NO_NULLS, List.of(pair(0, 0), pair(0, 16), pair(16, 0))));
        FbsValue.Table less = batch(NO_NULLS, List.of(pair(0, 0), pair(0, 15), pair(16, 0)));
        tooShort(SemanticRules.OFFSETS_SIZE, "buffers[1].length", texts, less).at(8);
        FbsValue.Table large = schema(field("l", Type.LARGE_UTF8, table("LargeUtf8")));
        passes(large, batch(NO_NULLS, List.of(pair(0, 0), pair(0, 32), pair(32, 0))));
        FbsValue.Table less64 = batch(NO_NULLS, List.of(pair(0, 0), pair(0, 31), pair(32, 0)));
        tooShort(SemanticRules.OFFSETS_SIZE, "buffers[1].length", large, less64).at(8);
    }

    private static FbsValue.Table empty(int columns, long offsets) {
        List<long[]> buffers = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            buffers.addAll(List.of(pair(0, 0), pair(8L * i, offsets), pair(0, 0)));
        }
        return with(batch(Collections.nCopies(columns, pair(0, 0)), buffers), "length", 0);
    }

    /// A column without values has one offset; without it, one note for a batch.
    @Test
    void noOffset() {
        FbsValue.Table large = field("l", Type.LARGE_UTF8, table("LargeUtf8"));
        passes(schema(UTF8), empty(1, 4));
        passes(schema(large), empty(1, 8));
        String path = "buffers[1].length";
        strict(SemanticRules.NO_OFFSET, path, schema(UTF8), empty(1, 0)).at(8);
        strict(SemanticRules.NO_OFFSET, path, schema(UTF8), empty(1, 3)).at(8);
        strict(SemanticRules.NO_OFFSET, path, schema(large), empty(1, 7)).at(8);
        strict(SemanticRules.NO_OFFSET, path, schema(UTF8, UTF8, UTF8), empty(3, 0));
        right(
                with(message(schema(UTF8), 0), "version", 3),
                with(message(empty(1, 0), 8), "version", 3));
        // Types with an offset for each value, and no more.
        FbsValue.Table views = field("v", Type.LIST_VIEW, table("ListView"), INT8);
        List<long[]> none = Collections.nCopies(5, pair(0, 0));
        passes(schema(views), with(batch(List.of(pair(0, 0), pair(0, 0)), none), "length", 0));
        FbsValue.Table dense = field("u", Type.UNION, table("Union", "mode", 1));
        passes(schema(dense), with(batch(List.of(pair(0, 0)), none.subList(0, 2)), "length", 0));
        // The children of lists without items.
        FbsValue.Table lists = field("l", Type.LIST, table("List"), UTF8);
        List<long[]> buffers =
                List.of(pair(0, 0), pair(0, 16), pair(16, 0), pair(16, 0), pair(16, 0));
        FbsValue.Table items = batch(List.of(pair(3, 0), pair(0, 0)), buffers);
        strict(SemanticRules.NO_OFFSET, "buffers[3].length", schema(lists), items);
    }

    @Test
    void sizesSize() {
        FbsValue.Table schema = schema(field("l", Type.LIST_VIEW, table("ListView"), INT8));
        passes(schema, nested(0, pair(0, 0), pair(0, 12), pair(16, 12), pair(32, 0), pair(32, 0)));
        FbsValue.Table less =
                nested(0, pair(0, 0), pair(0, 12), pair(16, 11), pair(32, 0), pair(32, 0));
        tooShort(SemanticRules.SIZES_SIZE, "buffers[2].length", schema, less).at(8);
    }

    @Test
    void typeIdsSize() {
        FbsValue.Table schema =
                schema(field("u", Type.UNION, table("Union", "typeIds", List.of(4)), INT8));
        FbsValue.Table less = nested(3, pair(0, 2), pair(8, 0), pair(8, 3));
        tooShort(SemanticRules.TYPE_IDS_SIZE, "buffers[0].length", schema, less).at(8);
    }

    @Test
    void viewsSize() {
        FbsValue.Table less =
                with(
                        batch(NO_NULLS, List.of(pair(0, 0), pair(0, 47))),
                        "variadicBufferCounts",
                        List.of(0));
        tooShort(SemanticRules.VIEWS_SIZE, "buffers[1].length", schema(VIEW), less).at(8);
    }

    @Test
    void dataSize() {
        tooShort(SemanticRules.DATA_SIZE, "buffers[1].length", schema(INT32), data(8, 11)).at(8);
        Fault fault = withPrefix(SemanticOptions.STRICT, 11).fault();
        assertEquals(SemanticRules.DATA_SIZE, fault.rule());
        assertEquals("uncompressed=11, needed=12", fault.details());
        assertTrue(
                fault.toString().contains(", uncompressed=11, needed=12, column="),
                fault::toString);
        assertFalse(withPrefix(SemanticOptions.STRICT, 12).fault().isPresent());
        assertFalse(withPrefix(SemanticOptions.STRICT, -1).fault().isPresent());
        Object[][] widths = {
            {Type.BOOL, table("Bool"), 1},
            {Type.FLOATING_POINT, table("FloatingPoint", "precision", 0), 6},
            {Type.FLOATING_POINT, table("FloatingPoint", "precision", 2), 24},
            {Type.DATE, table("Date", "unit", 0), 12},
            {Type.DATE, table("Date", "unit", 1), 24},
            {Type.TIME, table("Time", "unit", 3, "bitWidth", 64), 24},
            {Type.TIMESTAMP, table("Timestamp"), 24},
            {Type.DURATION, table("Duration"), 24},
            {Type.INTERVAL, table("Interval", "unit", 0), 12},
            {Type.INTERVAL, table("Interval", "unit", 1), 24},
            {Type.INTERVAL, table("Interval", "unit", 2), 48},
            {Type.DECIMAL, table("Decimal", "precision", 9), 48},
            {Type.DECIMAL, table("Decimal", "precision", 9, "bitWidth", 32), 12},
            {Type.FIXED_SIZE_BINARY, table("FixedSizeBinary", "byteWidth", 5), 15},
        };
        for (Object[] each : widths) {
            FbsValue.Table schema = schema(field("x", (int) each[0], (FbsValue.Table) each[1]));
            int bytes = (int) each[2];
            passes(schema, data(8, bytes));
            tooShort(SemanticRules.DATA_SIZE, "buffers[1].length", schema, data(8, bytes - 1))
                    .at(8);
        }
        FbsValue.Table indexes = schema(Meant.encoded(UTF8, 7));
        FbsValue.Table nulls = batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 3)));
        passes(indexes, nulls);
        assertFalse(withPrefix(SemanticOptions.DEFAULT, 11).fault().isPresent());
        FbsValue.Table less = batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 2)));
        tooShort(SemanticRules.DATA_SIZE, "buffers[1].length", indexes, less).at(8);
    }

    /// A data buffer of fixed width without bytes is a deviation if all values are null.
    @Test
    void noDataOfNulls() {
        String path = "buffers[1].length";
        for (FbsValue.Table column : List.of(INT32, field("b", Type.BOOL, table("Bool")))) {
            FbsValue.Table nulls = batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 0)));
            tooShort(SemanticRules.NO_DATA_OF_NULLS, path, schema(column), nulls).at(8);
            FbsValue.Table value = batch(List.of(pair(3, 2)), List.of(pair(0, 1), pair(8, 0)));
            tooShort(SemanticRules.DATA_SIZE, path, schema(column), value).at(8);
        }
        // Other buffers of nulls are read: offsets, views.
        FbsValue.Table texts =
                batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 0), pair(8, 0)));
        tooShort(SemanticRules.OFFSETS_SIZE, path, schema(UTF8), texts).at(8);
    }

    /// A compressed buffer of length 0 has no prefix: its size is known without the body.
    @Test
    void compressedBuffersWithoutBytesAreTooShort() {
        FbsValue.Table batch = compressed(0, 0, List.of(pair(0, 9), pair(16, 0)));
        tooShort(SemanticRules.DATA_SIZE, "buffers[1].length", schema(INT32), batch).at(8);
        passes(schema(INT32), compressed(0, 0, List.of(pair(0, 9), pair(16, 8))));
    }
}
