// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Sums per field over all record batches, or over all batches of one dictionary.
public final class FieldTotals {
    /// An unknown number: it was not read, or the field cannot be located.
    public static final long UNKNOWN = -1;

    private final MapPlan.Fields fields;
    private final long id;
    private final long[] rows;
    private final long[] nulls;
    private final long[] bytes;
    private final long[] padding;
    private final long[] uncompressed;

    /// A field and its sums, each [#UNKNOWN] if unknown for a batch, or above 2^63 - 1. Sums of
    /// bytes include the children's.
    ///
    /// @param rows number of values
    /// @param bytes stored bytes of buffers
    /// @param padding bytes after its buffers, up to the next aligned position
    /// @param uncompressed bytes of buffers after decompression
    public record Sums(
            FieldTotals of,
            int field,
            String path,
            long rows,
            long nulls,
            long bytes,
            long padding,
            long uncompressed) {
        public BatchLayout layout() {
            return of.fields.layout();
        }

        public String type() {
            return of.fields.types()[field];
        }

        /// Id of the dictionary; 0 for columns.
        public long id() {
            return of.id;
        }

        public List<Sums> children() {
            return of.below(field + 1, layout().end(field));
        }
    }

    /// @param id of the dictionary; 0 for columns
    public FieldTotals(MapPlan.Fields fields, long id) {
        this.fields = fields;
        this.id = id;
        int count = fields.layout().fieldCount();
        this.rows = new long[count];
        this.nulls = new long[count];
        this.bytes = new long[count];
        this.padding = new long[count];
        this.uncompressed = new long[count];
        for (long[] each : new long[][] {rows, nulls, uncompressed}) {
            Arrays.fill(each, fields.placeable(), count, UNKNOWN);
        }
    }

    /// The columns of the schema, or the only column of a dictionary.
    public List<Sums> columns() {
        return below(0, rows.length);
    }

    /// Fields with the same parent.
    private List<Sums> below(int from, int end) {
        List<Sums> sums = new ArrayList<>();
        for (int i = from; i < end; i = fields.layout().end(i)) {
            sums.add(
                    new Sums(
                            this,
                            i,
                            fields.paths()[i],
                            rows[i],
                            nulls[i],
                            bytes[i],
                            padding[i],
                            uncompressed[i]));
        }
        return sums;
    }

    /// Adds the nodes of a batch and the uncompressed lengths of its buffers.
    /// [#add(int, boolean, long)] adds stored bytes, each only once.
    public void add(MapMessage message) {
        BitSet hasValidity = new BitSet();
        for (MapMessage.Buffer each : message.buffers) {
            if (each.role() == BufferRole.VALIDITY) {
                hasValidity.set(each.field());
            }
        }
        for (int i = 0; i < message.nodes.size(); i++) {
            MapMessage.Node node = message.nodes.get(i);
            rows[i] = sum(rows[i], node.length());
            nulls[i] = sum(nulls[i], nulls(i, node, hasValidity.get(i)));
        }
        for (MapMessage.Buffer each : message.buffers) {
            for (int i = each.field(); i >= 0; i = fields.layout().parent(i)) {
                uncompressed[i] = sum(uncompressed[i], each.uncompressed());
            }
        }
    }

    /// The nulls of a field's own. Some writers write a null count of 0 for the type Null, or
    /// another number for a field without validity buffer.
    private long nulls(int field, MapMessage.Node node, boolean hasValidity) {
        boolean isNull = fields.layout().isAllNull(field);
        return isNull ? node.length() : hasValidity ? node.nullCount() : 0;
    }

    /// A sum; [#UNKNOWN] if a number is negative, or it is above 2^63 - 1.
    private static long sum(long sum, long value) {
        return sum < 0 || value < 0 || value > Long.MAX_VALUE - sum ? UNKNOWN : sum + value;
    }

    /// Adds stored bytes of a field, or padding after them.
    public void add(int field, boolean isPadding, long count) {
        for (int i = field; i >= 0; i = fields.layout().parent(i)) {
            (isPadding ? padding : bytes)[i] += count;
        }
    }
}
