// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.schema.Metadata;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Turns a schema of values into the tables that stand for it, in the words of `format/Schema.fbs`:
/// for bytes that the official builder writes, and nothing of Fletch.
public final class ModelTables {
    private ModelTables() {}

    /// Reads the schema of a message.
    public static ArrowSchema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return ArrowSchema.of(schema);
    }

    /// Returns a flatbuffer whose root is the schema; what the format leaves open is random by
    /// seed.
    public static byte[] bytes(ArrowSchema schema, long seed) {
        return FbsValueWriter.write(RandomTables.ARROW, schema(schema), seed);
    }

    /// Returns the table of a schema, with what is left out left out.
    public static FbsValue.Table schema(ArrowSchema schema) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        fields.put("endianness", number(schema.endianness() == ByteOrder.BIG_ENDIAN ? 1 : 0));
        vector(fields, "fields", Schema.FIELDS_SLOT, schema.absent(), fields(schema.fields()));
        vector(
                fields,
                "custom_metadata",
                Schema.CUSTOM_METADATA_SLOT,
                schema.absent(),
                pairs(schema.metadata()));
        List<FbsValue> features =
                schema.features().stream().<FbsValue>map(FbsValue.Number::new).toList();
        vector(fields, "features", Schema.FEATURES_SLOT, schema.absent(), features);
        return new FbsValue.Table("Schema", fields);
    }

    private static void vector(
            SortedMap<String, FbsValue> into,
            String name,
            int part,
            Set<Integer> omitted,
            List<FbsValue> elements) {
        if (!omitted.contains(part)) {
            into.put(name, new FbsValue.Vector(elements));
        }
    }

    private static FbsValue number(long value) {
        return new FbsValue.Number(value);
    }

    private static FbsValue flag(boolean value) {
        return number(value ? 1 : 0);
    }

    private static List<FbsValue> fields(List<ArrowField> fields) {
        return fields.stream().<FbsValue>map(ModelTables::field).toList();
    }

    /// Returns the table of a field.
    public static FbsValue.Table field(ArrowField field) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        if (!field.absent().contains(Field.NAME_SLOT)) {
            fields.put("name", new FbsValue.Text(field.name()));
        }
        fields.put("nullable", flag(field.isNullable()));
        FbsValue.Table type = type(field.type());
        fields.put("type", type);
        fields.put("type_type", number(typeId(type.name())));
        if (field.dictionary() != null) {
            fields.put("dictionary", dictionary(field.dictionary()));
        }
        vector(fields, "children", Field.CHILDREN_SLOT, field.absent(), fields(field.children()));
        vector(
                fields,
                "custom_metadata",
                Field.CUSTOM_METADATA_SLOT,
                field.absent(),
                pairs(field.metadata()));
        return new FbsValue.Table("Field", fields);
    }

    private static int typeId(String name) {
        return IntStream.range(0, Byte.MAX_VALUE)
                .filter(id -> Type.NAMES.name(id).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<FbsValue> pairs(Metadata metadata) {
        return metadata.entries().stream().<FbsValue>map(ModelTables::pair).toList();
    }

    private static FbsValue.Table pair(Map.Entry<String, String> pair) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        if (pair.getKey() != null) {
            fields.put("key", new FbsValue.Text(pair.getKey()));
        }
        if (pair.getValue() != null) {
            fields.put("value", new FbsValue.Text(pair.getValue()));
        }
        return new FbsValue.Table("KeyValue", fields);
    }

    private static FbsValue.Table dictionary(DictionaryInfo dictionary) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        fields.put("id", number(dictionary.id()));
        fields.put("isOrdered", flag(dictionary.ordered()));
        if (!dictionary.implicitIndexType()) {
            fields.put("indexType", type(dictionary.indexType()));
        }
        return new FbsValue.Table("DictionaryEncoding", fields);
    }

    /// Returns the table of a type.
    public static FbsValue.Table type(ArrowType type) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        switch (type) {
            case ArrowType.Int(int bitWidth, boolean isSigned) -> {
                fields.put("bitWidth", number(bitWidth));
                fields.put("is_signed", flag(isSigned));
            }
            case ArrowType.FloatingPoint precision ->
                    fields.put("precision", number(precision.ordinal()));
            case ArrowType.Decimal(int precision, int scale, int bitWidth) -> {
                fields.put("precision", number(precision));
                fields.put("scale", number(scale));
                fields.put("bitWidth", number(bitWidth));
            }
            case ArrowType.Date unit -> fields.put("unit", number(unit.ordinal()));
            case ArrowType.Time(var unit, int bitWidth) -> {
                fields.put("unit", number(unit.ordinal()));
                fields.put("bitWidth", number(bitWidth));
            }
            case ArrowType.Timestamp(var unit, String timezone) -> {
                fields.put("unit", number(unit.ordinal()));
                if (timezone != null) {
                    fields.put("timezone", new FbsValue.Text(timezone));
                }
            }
            case ArrowType.Interval unit -> fields.put("unit", number(unit.ordinal()));
            case ArrowType.Duration(var unit) -> fields.put("unit", number(unit.ordinal()));
            case ArrowType.Union union -> {
                fields.put("mode", number(union.isDense() ? 1 : 0));
                if (!union.implicitTypeIds()) {
                    List<FbsValue> ids = union.typeIds().stream().map(ModelTables::number).toList();
                    fields.put("typeIds", new FbsValue.Vector(ids));
                }
            }
            case ArrowType.FixedSizeBinary(int byteWidth) ->
                    fields.put("byteWidth", number(byteWidth));
            case ArrowType.FixedSizeList(int listSize) -> fields.put("listSize", number(listSize));
            case ArrowType.Map(boolean keysSorted) -> fields.put("keysSorted", flag(keysSorted));
            default -> {} // no parameters
        }
        return new FbsValue.Table(
                type instanceof ArrowType.Simple simple
                        ? declared(simple)
                        : type.getClass().getSimpleName(),
                fields);
    }

    /// The name of the type's table, such as `LargeUtf8`.
    private static String declared(ArrowType.Simple type) {
        if (type == ArrowType.Simple.STRUCT) {
            return "Struct_";
        }
        return Stream.of(type.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
