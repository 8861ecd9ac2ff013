// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Endianness;
import dev.fletch.format.KeyValue;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ColumnLayout;
import dev.fletch.layout.ColumnScan;
import dev.fletch.layout.ValueRules;
import dev.fletch.layout.ValueType;
import dev.fletch.wire.Escaper;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// The chosen columns: their arrow-java fields, and the index of their first node and buffers in each batch.
/// Of other columns, little more than names, types and child counts is read, without allocation.
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

    /// Maximum number of names to find by scans. For more, a layout of all columns is faster.
    private static final int FEW_NAMES = 4;

    /// @param verified verifies a chosen field with its descendants, if necessary
    static ColumnPlan of(
            Schema schema,
            int version,
            Columns columns,
            UnaryOperator<dev.fletch.format.Field> verified) {
        if (schema.endianness() != Endianness.LITTLE) {
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "endianness=%s",
                    Endianness.NAMES.name(schema.endianness()));
        }
        final Places places =
                columns instanceof Columns.Named(List<String> names) && names.size() <= FEW_NAMES
                        ? new Places(scan(schema, version, names), null)
                        : lookUp(schema, version, columns);
        final List<Field> fields = new ArrayList<>();
        for (Start start : places.starts()) {
            fields.add(field(schema, start.column(), version, verified));
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

    /// Finds columns in the layout of all.
    private static Places lookUp(Schema schema, int version, Columns columns) {
        final BatchLayout layout = BatchLayout.compile(schema, version);
        final Start[] all = starts(layout);
        final int firstUnknown = layout.firstUnknown();
        final List<Start> starts = new ArrayList<>();
        for (Object key : keys(columns, all.length)) {
            final int column = key instanceof String name ? find(layout, name) : (int) key;
            if (column < 0 || column >= all.length) {
                throw missing(key, schema);
            }
            final boolean isPlaceable =
                    firstUnknown < 0 || layout.end(layout.columnField(column)) <= firstUnknown;
            requirePlaceable(isPlaceable ? -1 : firstUnknown, key.toString());
            starts.add(all[column]);
        }
        final Totals totals =
                new Totals(layout.fieldCount(), layout.bufferCount(), layout.viewCount());
        return new Places(starts, firstUnknown < 0 ? totals : null);
    }

    private static int find(BatchLayout layout, String name) {
        final int column = layout.find(name);
        final int next = column < 0 ? -1 : layout.findNext(name, column);
        if (next >= 0) {
            throw ambiguous(name, column, next);
        }
        return column;
    }

    private static Start[] starts(BatchLayout layout) {
        final Start[] starts = new Start[layout.columnCount()];
        int views = 0;
        for (int column = 0; column < starts.length; column++) {
            final int first = layout.columnField(column);
            starts[column] = new Start(column, first, layout.bufferIndex(first), views);
            for (int field = first; field < layout.end(first); field++) {
                views += layout.valueType(field) == ValueType.BYTES_VIEW ? 1 : 0;
            }
        }
        return starts;
    }

    /// The name or number of each chosen column.
    private static List<?> keys(Columns columns, int count) {
        return switch (columns) {
            case Columns.Named(List<String> names) -> names;
            case Columns.At(List<Integer> numbers) -> numbers;
            case Columns.All _ -> IntStream.range(0, count).boxed().toList();
        };
    }

    private static VectorException missing(Object column, Schema schema) {
        return VectorException.of(
                ValueRules.NO_COLUMN,
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
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "unknown type of this or an earlier column, column=%s",
                    Escaper.shortenedName(name));
        }
    }

    // ---- arrow-java's fields

    /// Converts a field by arrow-java's own code, so that it equals the field of arrow-java's readers.
    private static Field field(
            Schema schema,
            int column,
            int version,
            UnaryOperator<dev.fletch.format.Field> verified) {
        final var bound = verified.apply(schema.fields(column, new dev.fletch.format.Field()));
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
        return VectorException.causedBy(
                cause, VectorRules.UNSUPPORTED, "column=%s, %s", path, cause.getMessage());
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
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "column=%s, type=%s, version=%s",
                    path,
                    type,
                    MetadataVersion.NAMES.name(version));
        }
        if (type instanceof ArrowType.Union union) {
            requireTypeIds(union.getTypeIds(), field.getChildren().size(), path);
        }
        for (Field child : field.getChildren()) {
            requireSupported(child, version, FieldPart.path(path, child));
        }
    }

    private static void requireTypeIds(int[] ids, int children, String path) {
        final boolean areInRange =
                IntStream.of(ids).allMatch(id -> id >= 0 && id <= Byte.MAX_VALUE);
        if (!areInRange
                || ids.length != children
                || IntStream.of(ids).distinct().count() != ids.length) {
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "column=%s, typeIds=%s, children=%d",
                    path,
                    Arrays.toString(ids),
                    children);
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
