// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Endianness;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.BufferShape;
import dev.fletch.layout.ColumnLayout;
import dev.fletch.layout.ColumnScan;
import dev.fletch.layout.LayoutLimits;
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
import java.util.stream.IntStream;

/// The chosen columns: their fields as arrow-java has them, and where their parts begin in each batch. The cost
/// of a few names follows the schema's size by little more than comparing names: see [ColumnScan].
///
/// @param fields in the order of the choice; encoded fields have the type of the dictionary's values
/// @param metadata of the schema
/// @param starts of the columns, in the same order
/// @param version of the metadata of all batches
record ColumnPlan(
        List<Field> fields, Map<String, String> metadata, List<Start> starts, int version) {

    /// Where a column begins among the parts of a batch.
    ///
    /// @param column its number
    /// @param node its first node
    /// @param buffer its first buffer, those left out that are variadic
    /// @param view its first variadic buffer count
    record Start(int column, int node, int buffer, int view) {}

    /// Up to so many names are found by scans. For more, it is faster to lay out all columns.
    private static final int FEW_NAMES = 4;

    static ColumnPlan of(
            Schema schema, int version, KnownSchema known, Columns columns, ReadOptions options) {
        if (schema.endianness() != Endianness.LITTLE) {
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "endianness=%s",
                    Endianness.NAMES.name(schema.endianness()));
        }
        final List<Start> starts =
                known == null
                                && columns instanceof Columns.Named named
                                && named.names().size() <= FEW_NAMES
                        ? scan(schema, version, named.names(), options)
                        : layOut(
                                schema,
                                BatchLayout.of(known, schema, version, LayoutLimits.DEFAULT),
                                columns);
        final List<Field> fields = new ArrayList<>();
        for (Start start : starts) {
            fields.add(field(schema, start.column(), version, options));
        }
        return new ColumnPlan(fields, metadata(schema), starts, version);
    }

    // ---- where the columns begin

    private static List<Start> scan(
            Schema schema, int version, List<String> names, ReadOptions options) {
        final ColumnScan scan = new ColumnScan().wrap(schema, version);
        final ColumnLayout found = new ColumnLayout(options.verifierOptions());
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

    private static List<Start> layOut(Schema schema, BatchLayout layout, Columns columns) {
        final int[] numbers =
                switch (columns) {
                    case Columns.Named named ->
                            named.names().stream()
                                    .mapToInt(name -> find(schema, layout, name))
                                    .toArray();
                    case Columns.At at -> at.numbers().stream().mapToInt(i -> i).toArray();
                    case Columns.All _ -> IntStream.range(0, layout.columnCount()).toArray();
                };
        final int[] viewsBefore = viewsBefore(layout);
        final List<Start> starts = new ArrayList<>();
        for (int column : numbers) {
            if (column < 0 || column >= layout.columnCount()) {
                throw missing(column, schema);
            }
            final int field = layout.columnField(column);
            final int unknown = layout.firstUnknown();
            requirePlaceable(unknown < layout.end(field) ? unknown : -1, layout.nameString(field));
            starts.add(
                    new Start(
                            column,
                            layout.nodeIndex(field),
                            layout.bufferIndex(field),
                            viewsBefore.length == 0 ? 0 : viewsBefore[field]));
        }
        return starts;
    }

    private static int find(Schema schema, BatchLayout layout, String name) {
        final int column = layout.find(name);
        final int other = column < 0 ? -1 : layout.findNext(name, column);
        if (column < 0) {
            throw missing(name, schema);
        }
        if (other >= 0) {
            throw ambiguous(name, column, other);
        }
        return column;
    }

    /// Of each field; empty if there are no fields of view types.
    private static int[] viewsBefore(BatchLayout layout) {
        final int[] before = new int[layout.viewCount() == 0 ? 0 : layout.fieldCount()];
        int views = 0;
        for (int field = 0; field < before.length; field++) {
            before[field] = views;
            views += layout.bufferShape(field) == BufferShape.VIEW ? 1 : 0;
        }
        return before;
    }

    private static VectorException missing(Object column, Schema schema) {
        return VectorException.of(
                VectorRules.COLUMN_MISSING,
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
                    "column=%s, it or one before it has an unknown type",
                    Escaper.shortenedName(name));
        }
    }

    // ---- arrow-java's fields

    /// Has arrow-java convert the field's bytes, so that it is equal to that of its own readers.
    private static Field field(Schema schema, int column, int version, ReadOptions options) {
        final var bound = schema.fields(column, new dev.fletch.format.Field());
        final Verifier verifier = new Verifier(options.verifierOptions());
        if (!verifier.field(bound)) {
            throw verifier.fault().exception();
        }
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
        final boolean isOldUnion = type instanceof ArrowType.Union && version < MetadataVersion.V5;
        final boolean isEmptyBinary =
                type instanceof ArrowType.FixedSizeBinary binary && binary.getByteWidth() <= 0;
        final boolean isNarrowDecimal =
                type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() < 128;
        if (isOldUnion || isEmptyBinary || isNarrowDecimal) {
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

    /// Type ids that the bytes omit are 0, 1, 2 and so on; arrow-java needs to have them.
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
