// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static dev.fletch.schema.internal.FieldSelection.orEmpty;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The chosen columns: their arrow-java fields, and their layout.
///
/// @param fields in the order of [Columns]; dictionary-encoded fields have the type of the
///     dictionary's values
/// @param metadata of the schema
/// @param layout of the chosen columns
/// @param columns number of each column in the layout, in the order of [Columns]
record ColumnPlan(
        List<Field> fields,
        Map<String, String> metadata,
        BatchLayout layout,
        List<Integer> columns) {

    /// @param verify verifies a chosen field with its descendants, or custom metadata of the
    ///     schema, if necessary; throws what is wrong
    static ColumnPlan of(
            Schema schema, int version, Columns columns, Limits limits, Consumer<Table> verify) {
        if (schema.endianness() != Endianness.LITTLE) {
            throw VectorErrors.unsupported(
                    "endianness=%s", Endianness.NAMES.name(schema.endianness()));
        }
        BatchLayout layout = BatchLayout.compile(schema, version, limits, columns, verify::accept);
        int unknown = layout.firstUnknown();
        if (unknown >= 0) {
            throw VectorErrors.unsupported(
                    "unknown type of this or an earlier column, column=%s", name(layout, unknown));
        }
        requireSize(schema, layout, limits);
        List<Integer> order = columns.order(layout);
        requireOneOfEach(layout, order);
        List<Field> fields = new ArrayList<>();
        for (int column : order) {
            fields.add(field(schema, layout.schemaColumn(column), version));
        }
        return new ColumnPlan(fields, metadata(schema, verify), layout, order);
    }

    // ---- where the columns are

    /// Requires that a name leads to one column.
    private static void requireOneOfEach(BatchLayout layout, List<Integer> order) {
        if (order.size() < layout.columnCount()) {
            for (int column : order) {
                String name = layout.nameString(layout.columnField(column));
                int other = layout.findNext(name, column);
                if (other >= 0) {
                    throw VectorErrors.of(
                            MeaningRule.COLUMN_AMBIGUOUS,
                            "column=%s, numbers=%d and %d",
                            Escaper.shortenedName(name),
                            layout.schemaColumn(column),
                            layout.schemaColumn(other));
                }
            }
        }
    }

    private static String name(BatchLayout layout, int field) {
        return Escaper.shortenedName(layout.nameString(layout.columnField(layout.columnOf(field))));
    }

    /// Requires that the parts of the schema that are copied are not shared too often.
    private static void requireSize(Schema schema, BatchLayout layout, Limits limits) {
        SchemaSize size = new SchemaSize(limits);
        if (!size.begin(schema)) {
            throw size.tooLarge(schema);
        }
        FieldWalk walk = new FieldWalk().wrap(schema);
        for (int column = 0; column < layout.columnCount(); column++) {
            walk.column(layout.schemaColumn(column));
            do {
                if (!size.add(walk.field())) {
                    throw size.tooLarge(walk.field());
                }
            } while (walk.nextBelow(0));
        }
    }

    // ---- arrow-java's fields

    /// Converts a field by arrow-java's own code, so that it equals the field of arrow-java's
    /// readers.
    private static Field field(Schema schema, int column, int version) {
        var bound = schema.fields(column, new dev.fletch.format.Field());
        ByteSlice bytes = new ByteSlice().wrapBufferOf(bound);
        ByteBuffer buffer = bytes.asSlice().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int position = Math.toIntExact(bound.position() - bytes.offset());
        String name = Escaper.shortenedName(orEmpty(bound.nameString()));
        try {
            Field field =
                    withTypeIds(
                            Field.convertField(
                                    new org.apache.arrow.flatbuf.Field()
                                            .__assign(position, buffer)),
                            bound);
            requireSupported(field, bound, version, name);
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

    /// @param stored the same field
    private static void requireSupported(
            Field field, dev.fletch.format.Field stored, int version, String path) {
        ArrowType type = FieldPart.storage(field.getType());
        AnyTable parameters = new AnyTable();
        // By an invalid width, arrow-java's vector is not as wide as the layout's values.
        boolean isInvalid =
                parameters.bindType(stored, stored.typeType(), dev.fletch.format.Field.TYPE_SLOT)
                        && TypeCheck.invalidParameter(stored.typeType(), parameters) >= 0;
        // arrow-java knows only the buffers of V5.
        TypeFacts facts = TypeFacts.of(type.getTypeID().getFlatbufID());
        boolean isOld = facts.shape(0, version) != facts.shape(0, MetadataVersion.V5);
        boolean isEmptyBinary =
                type instanceof ArrowType.FixedSizeBinary binary && binary.getByteWidth() == 0;
        boolean isNarrowDecimal =
                type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() < 128;
        if (isInvalid || isOld || isEmptyBinary || isNarrowDecimal) {
            throw VectorErrors.unsupported(
                    "column=%s, type=%s, version=%s",
                    path, type, MetadataVersion.NAMES.name(version));
        }
        if (type instanceof ArrowType.Union union) {
            requireTypeIds(union.getTypeIds(), field.getChildren().size(), path);
        }
        List<Field> children = field.getChildren();
        for (int i = 0; i < children.size(); i++) {
            var child = stored.children(i, new dev.fletch.format.Field());
            requireSupported(
                    children.get(i), child, version, FieldPart.path(path, children.get(i)));
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
    ///
    /// @param stored the same field
    private static Field withTypeIds(Field field, dev.fletch.format.Field stored) {
        List<Field> children = new ArrayList<>();
        for (Field each : field.getChildren()) {
            var child = stored.children(children.size(), new dev.fletch.format.Field());
            children.add(withTypeIds(each, child));
        }
        ArrowType type = field.getType();
        var ids = new dev.fletch.format.Union();
        if (type instanceof ArrowType.Union union
                && stored.type(ids)
                && !ids.isPresent(dev.fletch.format.Union.TYPE_IDS_SLOT)) {
            int[] implied = IntStream.range(0, children.size()).toArray();
            type = new ArrowType.Union(union.getMode(), implied);
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
}
