// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.cli.io.InvalidInput;
import dev.fletch.format.Type;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The sums of the fields of one kind of batch, over all its batches.
final class FieldTotals {
    /// A number that is not known: it could not be read, or a field cannot be placed.
    static final long UNKNOWN = -1;

    private final MapPlan.Fields fields;
    private final long id;
    private final long[] rows;
    private final long[] nulls;
    private final long[] bytes;
    private final long[] padding;
    private final long[] uncompressed;

    /// A field and its sums; bytes are with those of its children.
    record Sums(FieldTotals of, int field) {
        String name() {
            return of.fields.layout().nameString(field);
        }

        String path() {
            return of.fields.paths()[field];
        }

        String type() {
            return of.fields.types().get(field);
        }

        int column() {
            return of.fields.layout().columnOf(field);
        }

        boolean isDictionaryEncoded() {
            return of.fields.layout().isDictionaryEncoded(field);
        }

        long dictionaryId() {
            return of.fields.layout().dictionaryId(field);
        }

        /// The dictionary whose values these are.
        long id() {
            return of.id;
        }

        /// The field and all below it.
        List<Sums> all() {
            List<Sums> all = new ArrayList<>();
            for (int i = field; i < of.fields.layout().end(field); i++) {
                all.add(new Sums(of, i));
            }
            return all;
        }

        List<Sums> children() {
            return of.below(field + 1, of.fields.layout().end(field));
        }

        /// Values; those of a column are the batches' rows.
        long rows() {
            return of.rows[field];
        }

        long nulls() {
            return of.nulls[field];
        }

        /// Bytes of buffers as they are stored.
        long bytes() {
            return of.bytes[field];
        }

        /// Bytes up to the next aligned positions behind its buffers.
        long padding() {
            return of.padding[field];
        }

        /// Bytes of buffers once decompressed.
        long uncompressed() {
            return of.uncompressed[field];
        }
    }

    /// @param id of the dictionary that the batches are of; any number if they have columns
    FieldTotals(MapPlan.Fields fields, long id) {
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

    /// The columns of the schema, or the one of a dictionary's batches.
    List<Sums> columns() {
        return below(0, rows.length);
    }

    /// Fields with the same parent.
    private List<Sums> below(int from, int end) {
        List<Sums> found = new ArrayList<>();
        for (int i = from; i < end; i = fields.layout().end(i)) {
            found.add(new Sums(this, i));
        }
        return found;
    }

    /// Adds the nodes of a batch and the decompressed lengths of its buffers. Its stored bytes are added
    /// when it is known which of them are claimed twice.
    void add(MapMessage message) {
        for (int i = 0; i < message.nodes.size(); i++) {
            MapMessage.Node node = message.nodes.get(i);
            boolean isNull = fields.layout().typeType(i) == Type.NULL && !encoded(i);
            rows[i] = sum(rows[i], node.length(), "rows", i, message);
            // A column of nulls has no validity buffer, and some writers count none.
            long count = isNull ? node.length() : node.nullCount();
            nulls[i] = sum(nulls[i], count, "nulls", i, message);
        }
        for (MapMessage.Buffer each : message.buffers) {
            for (int i = each.field; i >= 0; i = fields.layout().parent(i)) {
                uncompressed[i] =
                        sum(uncompressed[i], each.uncompressed, "uncompressed", i, message);
            }
        }
    }

    private boolean encoded(int field) {
        return fields.layout().isDictionaryEncoded(field);
    }

    /// @param value negative if it is unknown, as is the sum from then on
    private long sum(long sum, long value, String what, int field, MapMessage message) {
        if (sum < 0 || value < 0) {
            return UNKNOWN;
        }
        if (value > Long.MAX_VALUE - sum) {
            String text = "sum of %s is above 2^63 - 1: column=%s, sum=%d, %s=%d";
            throw new InvalidInput(
                    message.offset,
                    String.format(
                            Locale.ROOT, text, what, fields.paths()[field], sum, what, value));
        }
        return sum + value;
    }

    /// Adds stored bytes, or padding behind them, of a field.
    void add(int field, boolean isPadding, long count) {
        for (int i = field; i >= 0; i = fields.layout().parent(i)) {
            (isPadding ? padding : bytes)[i] += count;
        }
    }
}
