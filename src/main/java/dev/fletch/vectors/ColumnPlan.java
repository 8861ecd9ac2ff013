// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Endianness;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.KeyValue;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaSize;
import dev.fletch.format.rules.ColumnCheck;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ColumnLayout;
import dev.fletch.layout.ColumnScan;
import dev.fletch.semantics.rules.TypeCheck;
import dev.fletch.wire.Escaper;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// The chosen columns: their arrow-java fields, and the index of their first node and buffers in each batch.
/// Of other columns, little more than names, types and child counts is read.
///
/// @param fields in the order of [Columns]; dictionary-encoded fields have the type of the dictionary's
///     values
/// @param metadata of the schema
/// @param starts first parts of the columns, in the same order
/// @param totals counts of all columns; null if unknown
/// @param version metadata version of all batches
record ColumnPlan(
        List<Field> fields,
        Map<String, String> metadata,
        List<Start> starts,
        Totals totals,
        int version) {

    /// Indices of a column's first parts in a batch.
    ///
    /// @param column its number
    /// @param node its first node
    /// @param buffer its first buffer, without counting variadic ones
    /// @param view its first variadic buffer count
    record Start(int column, int node, int buffer, int view) {
        /// {@return the parts of the columns before, and of this one}
        Totals until(Totals own) {
            return new Totals(node, buffer, view).plus(own);
        }
    }

    /// Number of parts in a batch.
    ///
    /// @param nodes of all fields
    /// @param buffers of all fields, without variadic ones
    /// @param views number of variadic buffer counts
    record Totals(int nodes, int buffers, int views) {
        Totals plus(Totals more) {
            return new Totals(nodes + more.nodes, buffers + more.buffers, views + more.views);
        }
    }

    private record Places(List<Start> starts, Totals totals) {}

    /// Maximum number of names to find by scans. For more, one layout of all fields is faster.
    private static final int FEW_NAMES = 4;

    /// @param verified verifies a chosen field with its descendants, if necessary
    static ColumnPlan of(
            Schema schema,
            int version,
            Columns columns,
            UnaryOperator<dev.fletch.format.Field> verified) {
        if (schema.endianness() != Endianness.LITTLE) {
            throw VectorException.unsupported(
                    "endianness=%s", Endianness.NAMES.name(schema.endianness()));
        }
        final Places places =
                columns instanceof Columns.Named(List<String> names) && names.size() <= FEW_NAMES
                        ? new Places(scan(schema, version, names), null)
                        : compiled(schema, version, columns);
        final SchemaSize size = new SchemaSize();
        if (!size.begin(schema)) {
            throw size.tooLarge(schema);
        }
        final List<Field> fields = new ArrayList<>();
        for (Start start : places.starts()) {
            final var field =
                    verified.apply(schema.fields(start.column(), new dev.fletch.format.Field()));
            measure(schema, start.column(), size);
            fields.add(converted(field, version));
        }
        return new ColumnPlan(fields, metadata(schema), places.starts(), places.totals(), version);
    }

    // ---- where the columns begin

    private static List<Start> scan(Schema schema, int version, List<String> names) {
        final ColumnScan scan = new ColumnScan().wrap(schema, version);
        final ColumnLayout found = ColumnLayout.ofVerified(); // its field is verified below
        final List<Start> starts = new ArrayList<>();
        for (String name : names) {
            if (!scan.find(name, found)) {
                throw missing(name, schema);
            }
            requirePlaceable(found.firstUnknown(), name);
            final Start start =
                    new Start(
                            found.column(),
                            found.firstNode(),
                            found.firstBuffer(),
                            found.firstView());
            if (scan.findNext(found)) {
                throw ambiguous(name, start.column(), found.column());
            }
            starts.add(start);
        }
        return starts;
    }

    /// Finds columns in the layout of all fields.
    private static Places compiled(Schema schema, int version, Columns columns) {
        final BatchLayout layout = BatchLayout.compile(schema, version);
        final List<?> keys =
                switch (columns) {
                    case Columns.Named(List<String> names) -> names;
                    case Columns.At(List<Integer> numbers) -> numbers;
                    case Columns.All _ -> IntStream.range(0, layout.columnCount()).boxed().toList();
                };
        final int unknown = layout.firstUnknown();
        final List<Start> starts = new ArrayList<>();
        for (Object key : keys) {
            final int column = key instanceof String name ? layout.find(name) : (Integer) key;
            if (column < 0 || column >= layout.columnCount()) {
                throw missing(key, schema);
            }
            final int second = key instanceof String name ? layout.findNext(name, column) : -1;
            if (second >= 0) {
                throw ambiguous(key.toString(), column, second);
            }
            final int field = layout.columnField(column);
            requirePlaceable(layout.end(field) <= unknown ? -1 : unknown, key.toString());
            final int buffer = layout.bufferIndex(field);
            starts.add(new Start(column, field, buffer, layout.viewIndex(field)));
        }
        final Totals totals =
                new Totals(layout.fieldCount(), layout.bufferCount(), layout.viewCount());
        return new Places(starts, unknown < 0 ? totals : null);
    }

    private static VectorException missing(Object column, Schema schema) {
        return VectorException.of(
                ColumnCheck.broken(-1),
                "column=%s, columns=%d",
                Escaper.shortenedName(column.toString()),
                schema.fieldsCount());
    }

    private static VectorException ambiguous(String name, int first, int second) {
        return VectorException.of(
                VectorRules.COLUMN_AMBIGUOUS,
                "column=%s, numbers=%d and %d",
                Escaper.shortenedName(name),
                first,
                second);
    }

    private static void requirePlaceable(int unknown, String name) {
        if (unknown >= 0) {
            throw VectorException.unsupported(
                    "unknown type of this or an earlier column, column=%s",
                    Escaper.shortenedName(name));
        }
    }

    // ---- arrow-java's fields

    /// Measures what is copied of a column: a text may be shared by many fields.
    private static void measure(Schema schema, int column, SchemaSize size) {
        final FieldWalk walk = new FieldWalk().wrap(schema);
        walk.column(column);
        do {
            if (!size.add(walk.field())) {
                throw size.tooLarge(walk.field());
            }
        } while (walk.nextBelow(0));
    }

    /// Converts a field by arrow-java's own code, so that it equals the field of arrow-java's readers.
    private static Field converted(dev.fletch.format.Field bound, int version) {
        final ByteSlice bytes = new ByteSlice().wrapBufferOf(bound);
        final ByteBuffer buffer = bytes.asSlice().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        final int position = Math.toIntExact(bound.position() - bytes.offset());
        final String name = Escaper.shortenedName(orEmpty(bound.nameString()));
        try {
            final Field field =
                    withTypeIds(
                            Field.convertField(
                                    new org.apache.arrow.flatbuf.Field()
                                            .__assign(position, buffer)));
            requireSupported(field, version, name);
            return field;
        } catch (FletchException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unsupported(name, e);
        }
    }

    static VectorException unsupported(String path, RuntimeException cause) {
        return VectorException.unsupportedBy(cause, "column=%s, %s", path, cause.getMessage());
    }

    private static void requireSupported(Field field, int version, String path) {
        final ArrowType type = FieldPart.storage(field.getType());
        // arrow-java does not know the validity buffers that these types have in V4.
        final boolean isOld =
                version < MetadataVersion.V5
                        && (type instanceof ArrowType.Union
                                || type instanceof ArrowType.RunEndEncoded);
        final boolean isEmptyBinary =
                type instanceof ArrowType.FixedSizeBinary binary && binary.getByteWidth() <= 0;
        final boolean isNarrowDecimal =
                type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() < 128;
        if (isOld || isEmptyBinary || isNarrowDecimal) {
            throw VectorException.unsupported(
                    "column=%s, type=%s, version=%s",
                    path, type, MetadataVersion.NAMES.name(version));
        }
        if (type instanceof ArrowType.Union union) {
            requireTypeIds(union.getTypeIds(), field.getChildren().size(), path);
        }
        for (Field child : field.getChildren()) {
            requireSupported(child, version, FieldPart.path(path, child));
        }
    }

    private static void requireTypeIds(int[] ids, int children, String path) {
        final BitSet earlier = new BitSet();
        if (TypeCheck.typeIds(ids.length, children) != null
                || IntStream.of(ids).anyMatch(id -> TypeCheck.typeId(id, earlier) != null)) {
            throw VectorException.unsupported(
                    "column=%s, typeIds=%s, children=%d", path, Arrays.toString(ids), children);
        }
    }

    /// Absent type ids mean 0, 1, 2 and so on (Schema.fbs, `Union`); arrow-java needs them to be present.
    private static Field withTypeIds(Field field) {
        final List<Field> children =
                field.getChildren().stream().map(ColumnPlan::withTypeIds).toList();
        ArrowType type = field.getType();
        if (type instanceof ArrowType.Union union && union.getTypeIds().length == 0) {
            final int[] ids = IntStream.range(0, children.size()).toArray();
            type = new ArrowType.Union(union.getMode(), ids);
        } else if (children.equals(field.getChildren())) {
            return field;
        }
        final var old = field.getFieldType();
        return new Field(
                field.getName(),
                new FieldType(old.isNullable(), type, old.getDictionary(), old.getMetadata()),
                children);
    }

    private static Map<String, String> metadata(Schema schema) {
        final Map<String, String> metadata = new HashMap<>();
        final KeyValue entry = new KeyValue();
        for (int i = 0; i < schema.customMetadataCount(); i++) {
            schema.customMetadata(i, entry);
            metadata.put(orEmpty(entry.keyString()), orEmpty(entry.valueString()));
        }
        return metadata;
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
