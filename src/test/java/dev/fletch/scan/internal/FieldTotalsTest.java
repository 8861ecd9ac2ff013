// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Sums of fields that are out of range, or of fields without nulls of their own.
class FieldTotalsTest {
    private static MapPlan.Fields fields(FbsValue.Table... columns) {
        byte[] bytes = Meant.bytes(Meant.schema(columns));
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        String[] paths = new String[layout.fieldCount()];
        Arrays.setAll(paths, i -> "field " + i);
        return new MapPlan.Fields(layout, paths, new String[paths.length]);
    }

    private static MapMessage batch(MapPlan.Fields fields, long uncompressed, long nulls) {
        MapMessage message = new MapMessage(new EncapsulatedMessage());
        message.fields = fields;
        for (int i = 0; i < fields.layout().fieldCount(); i++) {
            message.nodes.add(new MapMessage.Node(3, nulls));
        }
        for (int i = 0; i < fields.layout().fieldCount(); i++) {
            for (int b = 0; b < fields.layout().bufferCount(i); b++) {
                BufferRole role = fields.layout().role(i, b);
                int index = message.buffers.size();
                message.buffers.add(new MapMessage.Buffer(index, i, role, 0, 8, uncompressed));
            }
        }
        return message;
    }

    /// A sum that no number holds is unknown, and stays it; other sums are not touched.
    @Test
    void uncompressedLengthsAbove63BitsAreUnknown() {
        MapPlan.Fields fields = fields(Meant.INT32, Meant.struct(Meant.INT8, Meant.INT8));
        FieldTotals totals = new FieldTotals(fields, 0);
        totals.add(batch(fields, 1L << 60, 0));
        List<FieldTotals.Sums> sums = totals.columns();
        assertEquals(2L << 60, sums.get(0).uncompressed());
        assertEquals(5L << 60, sums.get(1).uncompressed());
        totals.add(batch(fields, 1L << 60, 0));
        assertEquals(4L << 60, totals.columns().get(0).uncompressed());
        assertEquals(FieldTotals.UNKNOWN, totals.columns().get(1).uncompressed());
        assertEquals(4L << 60, totals.columns().get(1).children().get(1).uncompressed());
        totals.add(batch(fields, 0, 1));
        assertEquals(FieldTotals.UNKNOWN, totals.columns().get(1).uncompressed());
        assertEquals(9, totals.columns().get(1).rows());
        assertEquals(1, totals.columns().get(1).nulls());
        totals.add(batch(fields, Long.MAX_VALUE, 0));
        assertEquals(FieldTotals.UNKNOWN, totals.columns().get(0).uncompressed());
    }

    /// Without a validity buffer, a field has no nulls of its own, whatever its node says.
    @Test
    void nullsOfFieldsWithoutValidityAreNotCounted() {
        MapPlan.Fields fields =
                fields(
                        Meant.field("u", Type.UNION, Meant.table("Union"), Meant.INT8),
                        Meant.field("n", Type.NULL, Meant.table("Null")),
                        Meant.encoded(
                                Meant.field("e", Type.UNION, Meant.table("Union"), Meant.INT8), 7));
        FieldTotals totals = new FieldTotals(fields, 0);
        totals.add(batch(fields, 8, 2));
        List<Long> nulls = totals.columns().stream().map(FieldTotals.Sums::nulls).toList();
        assertEquals(List.of(0L, 3L, 2L), nulls);
        assertEquals(2, totals.columns().getFirst().children().getFirst().nulls());
    }
}
