// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.ColumnLayout;
import dev.fletch.batch.ColumnScan;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.wire.Escaper;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The chosen columns: their arrow-java fields, and the index of their first node and buffers in
/// each batch. Of other columns, little more than names, types and child counts is read, without
/// allocation.
///
/// @param fields in the order of [Columns]; dictionary-encoded fields have the type of the
///     dictionary's values
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

    /// Maximum number of names to find by scans. For more, one walk through all fields is faster.
    private static final int FEW_NAMES = 4;

    /// @param verify verifies a chosen field with its descendants, or custom metadata of the schema, if
    ///     necessary; throws what is wrong
    static ColumnPlan of(
            Schema schema, int version, Columns columns, Limits limits, Consumer<Table> verify) {
        if (schema.endianness() != Endianness.LITTLE) {
            throw VectorErrors.unsupported(
                    "endianness=%s", Endianness.NAMES.name(schema.endianness()));
        }
        Places places =
                columns instanceof Columns.Named(List<String> names) && names.size() <= FEW_NAMES
                        ? new Places(scan(schema, version, names, limits), null)
                        : walk(schema, version, columns, limits);
        List<Field> fields = new ArrayList<>();
        for (Start start : places.starts()) {
            fields.add(field(schema, start.column(), version, verify));
        }
        return new ColumnPlan(
                fields, metadata(schema, verify), places.starts(), places.totals(), version);
    }

    // ---- where the columns begin

    private static List<Start> scan(Schema schema, int version, List<String> names, Limits limits) {
        ColumnScan scan = new ColumnScan().wrap(schema, version, limits);
        ColumnLayout found = ColumnLayout.ofVerified(); // its field is verified below
        List<Start> starts = new ArrayList<>();
        for (String name : names) {
            if (!scan.find(name, found)) {
                throw missing(name, schema);
            }
            requirePlaceable(found.firstUnknown(), name);
            Start start =
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

    /// Finds columns by one walk through all fields.
    private static Places walk(Schema schema, int version, Columns columns, Limits limits) {
        int count = schema.fieldsCount();
        Map<Object, Integer> wanted = wanted(columns, count);
        Start[] starts = new Start[wanted.size()];
        SchemaSize size = new SchemaSize(limits);
        size.begin(schema);
        FieldWalk walk = new FieldWalk().wrap(schema);
        Utf8Slice name = new Utf8Slice();
        Utf8Slice noName = slice("");
        int nodes = 0;
        int buffers = 0;
        int views = 0;
        int unknown = count;
        while (walk.next()) {
            if (!size.add(walk.field())) {
                throw size.tooLarge(walk.field());
            }
            if (walk.depth() >= limits.depth()) {
                throw VectorErrors.unsupported(
                        "column=%d, depth=%d, limit=%d",
                        walk.column(), walk.depth(), limits.depth());
            }
            if (walk.depth() == 0) {
                int column = walk.column();
                Object key =
                        !(columns instanceof Columns.Named)
                                ? (Object) column
                                : walk.field().name(name) ? name : noName;
                Integer place = wanted.get(key);
                if (place != null && starts[place] != null) {
                    throw ambiguous(key.toString(), starts[place].column(), column);
                }
                if (place != null) {
                    starts[place] = new Start(column, nodes, buffers, views);
                }
            }
            nodes++;
            if (walk.isDictionaryEncoded()) {
                buffers += BufferShape.FIXED_WIDTH.count();
                walk.skipChildren();
            } else {
                TypeFacts facts = TypeFacts.of(walk.field().typeType());
                BufferShape shape = facts.shape(walk.unionMode(), version);
                buffers += shape.count();
                views += shape == BufferShape.VIEW ? 1 : 0;
                unknown = shape == BufferShape.UNKNOWN ? Math.min(unknown, walk.column()) : unknown;
            }
        }
        for (Map.Entry<Object, Integer> each : wanted.entrySet()) {
            Start start = starts[each.getValue()];
            if (start == null) {
                throw missing(each.getKey(), schema);
            }
            requirePlaceable(start.column() < unknown ? -1 : unknown, each.getKey().toString());
        }
        boolean isKnown = unknown == count;
        return new Places(List.of(starts), isKnown ? new Totals(nodes, buffers, views) : null);
    }

    /// The position of each chosen column in [Columns], by its number or the bytes of its name.
    private static Map<Object, Integer> wanted(Columns columns, int count) {
        List<?> keys =
                switch (columns) {
                    case Columns.Named(List<String> names) ->
                            names.stream().map(ColumnPlan::slice).toList();
                    case Columns.At(List<Integer> numbers) -> numbers;
                    case Columns.All _ -> IntStream.range(0, count).boxed().toList();
                };
        Map<Object, Integer> places = new HashMap<>();
        for (Object key : keys) {
            places.put(key, places.size());
        }
        return places;
    }

    private static Utf8Slice slice(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Utf8Slice().wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static FletchException missing(Object column, Schema schema) {
        return VectorErrors.of(
                ColumnCheck.missing(),
                "column=%s, columns=%d",
                Escaper.shortenedName(column.toString()),
                schema.fieldsCount());
    }

    private static FletchException ambiguous(String name, int first, int second) {
        return VectorErrors.of(
                MeaningRule.COLUMN_AMBIGUOUS,
                "column=%s, numbers=%d and %d",
                Escaper.shortenedName(name),
                first,
                second);
    }

    private static void requirePlaceable(int unknown, String name) {
        if (unknown >= 0) {
            throw VectorErrors.unsupported(
                    "unknown type of this or an earlier column, column=%s",
                    Escaper.shortenedName(name));
        }
    }

    // ---- arrow-java's fields

    /// Converts a field by arrow-java's own code, so that it equals the field of arrow-java's
    /// readers.
    private static Field field(Schema schema, int column, int version, Consumer<Table> verify) {
        var bound = schema.fields(column, new dev.fletch.format.Field());
        verify.accept(bound);
        ByteSlice bytes = new ByteSlice().wrapBufferOf(bound);
        ByteBuffer buffer = bytes.asSlice().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int position = Math.toIntExact(bound.position() - bytes.offset());
        String name = Escaper.shortenedName(orEmpty(bound.nameString()));
        try {
            Field field =
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

    static FletchException unsupported(String path, RuntimeException cause) {
        return VectorErrors.unsupportedBy(cause, "column=%s, %s", path, cause.getMessage());
    }

    private static void requireSupported(Field field, int version, String path) {
        ArrowType type = FieldPart.storage(field.getType());
        // arrow-java does not know the validity buffers that these types have in V4.
        boolean isOld =
                version < MetadataVersion.V5
                        && (type instanceof ArrowType.Union
                                || type instanceof ArrowType.RunEndEncoded);
        boolean isEmptyBinary =
                type instanceof ArrowType.FixedSizeBinary binary && binary.getByteWidth() <= 0;
        boolean isNarrowDecimal =
                type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() < 128;
        if (isOld || isEmptyBinary || isNarrowDecimal) {
            throw VectorErrors.unsupported(
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
        BitSet earlier = new BitSet();
        if (TypeCheck.typeIds(ids.length, children) != null
                || IntStream.of(ids).anyMatch(id -> TypeCheck.typeId(id, earlier) != null)) {
            throw VectorErrors.unsupported(
                    "column=%s, typeIds=%s, children=%d", path, Arrays.toString(ids), children);
        }
    }

    /// Absent type ids mean 0, 1, 2 and so on (Schema.fbs, `Union`); arrow-java needs them to be
    /// present.
    private static Field withTypeIds(Field field) {
        List<Field> children = field.getChildren().stream().map(ColumnPlan::withTypeIds).toList();
        ArrowType type = field.getType();
        if (type instanceof ArrowType.Union union && union.getTypeIds().length == 0) {
            int[] ids = IntStream.range(0, children.size()).toArray();
            type = new ArrowType.Union(union.getMode(), ids);
        } else if (children.equals(field.getChildren())) {
            return field;
        }
        var old = field.getFieldType();
        return new Field(
                field.getName(),
                new FieldType(old.isNullable(), type, old.getDictionary(), old.getMetadata()),
                children);
    }

    private static Map<String, String> metadata(Schema schema, Consumer<Table> verify) {
        Map<String, String> metadata = new HashMap<>();
        KeyValue entry = new KeyValue();
        for (int i = 0; i < schema.customMetadataCount(); i++) {
            verify.accept(schema.customMetadata(i, entry));
            metadata.put(orEmpty(entry.keyString()), orEmpty(entry.valueString()));
        }
        return metadata;
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
