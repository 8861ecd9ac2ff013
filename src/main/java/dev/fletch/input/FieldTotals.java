// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.Type;
import dev.fletch.layout.BatchLayout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The sums of the fields of one kind of batch, over all its batches.
public final class FieldTotals {
    /// A number that is not known: it could not be read, or a field cannot be placed.
    public static final long UNKNOWN = -1;

    private final MapPlan.Fields fields;
    private final long id;
    private final long[] rows;
    private final long[] nulls;
    private final long[] bytes;
    private final long[] padding;
    private final long[] uncompressed;

    /// A field and its sums. Each is [#UNKNOWN] if a batch does not say it; those of bytes include the
    /// children's.
    ///
    /// @param rows its values; those of a column are the batches' rows
    /// @param bytes of buffers, as they are stored
    /// @param padding bytes behind its buffers, up to the next aligned positions
    /// @param uncompressed bytes of buffers, once decompressed
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
            return of.fields.types().get(field);
        }

        /// The dictionary whose values these are.
        public long id() {
            return of.id;
        }

        public List<Sums> children() {
            return of.below(field + 1, layout().end(field));
        }
    }

    /// @param id of the dictionary that the batches are of; any number if they have columns
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

    /// The columns of the schema, or the one of a dictionary's batches.
    public List<Sums> columns() {
        return below(0, rows.length);
    }

    /// Fields with the same parent.
    private List<Sums> below(int from, int end) {
        List<Sums> found = new ArrayList<>();
        for (int i = from; i < end; i = fields.layout().end(i)) {
            found.add(
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
        return found;
    }

    /// Adds the nodes of a batch and the decompressed lengths of its buffers. Its stored bytes are added
    /// when it is known which of them are claimed twice.
    public void add(MapMessage message) {
        for (int i = 0; i < message.nodes.size(); i++) {
            MapMessage.Node node = message.nodes.get(i);
            boolean isNull =
                    fields.layout().typeType(i) == Type.NULL
                            && !fields.layout().isDictionaryEncoded(i);
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
    public void add(int field, boolean isPadding, long count) {
        for (int i = field; i >= 0; i = fields.layout().parent(i)) {
            (isPadding ? padding : bytes)[i] += count;
        }
    }
}
