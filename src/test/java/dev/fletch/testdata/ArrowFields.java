// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Short ways to write arrow-vector's fields, and one field of each type that it can write.
final class ArrowFields {
    static final ArrowType INT32 = new ArrowType.Int(32, true);
    static final ArrowType INT64 = new ArrowType.Int(64, true);
    static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;
    static final ArrowType STRUCT = ArrowType.Struct.INSTANCE;
    static final ArrowType LIST = ArrowType.List.INSTANCE;
    static final ArrowType MAP = new ArrowType.Map(false);

    private ArrowFields() {}

    /// A field that may hold nulls.
    static Field nullable(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.nullable(type), List.of(children));
    }

    /// A field that holds no nulls.
    static Field required(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.notNullable(type), List.of(children));
    }

    static Field withMetadata(String name, ArrowType type, Map<String, String> metadata) {
        return new Field(name, new FieldType(true, type, null, metadata), List.of());
    }

    /// A field encoded by a dictionary; its type is that of the indexes.
    static Field encoded(String name, DictionaryEncoding encoding) {
        FieldType type = new FieldType(true, encoding.getIndexType(), encoding);
        return new Field(name, type, List.of());
    }

    static DictionaryEncoding encoding(long id, boolean ordered, int bitWidth, boolean signed) {
        return new DictionaryEncoding(id, ordered, new ArrowType.Int(bitWidth, signed));
    }

    /// A map's one child.
    static Field entries(Field key, Field value) {
        return required("entries", STRUCT, key, value);
    }

    static List<Field> integers() {
        List<Field> fields = new ArrayList<>();
        for (int bitWidth : new int[] {8, 16, 32, 64}) {
            fields.add(nullable("int" + bitWidth, new ArrowType.Int(bitWidth, true)));
            fields.add(nullable("uint" + bitWidth, new ArrowType.Int(bitWidth, false)));
            fields.add(required("int" + bitWidth + "_full", new ArrowType.Int(bitWidth, true)));
        }
        return fields;
    }

    static List<Field> floats() {
        return each(FloatingPointPrecision.values(), ArrowType.FloatingPoint::new);
    }

    static List<Field> texts() {
        return List.of(
                nullable("utf8", UTF8),
                required("utf8_full", UTF8),
                nullable("binary", ArrowType.Binary.INSTANCE),
                nullable("large_utf8", ArrowType.LargeUtf8.INSTANCE),
                nullable("large_binary", ArrowType.LargeBinary.INSTANCE),
                nullable("fixed_binary_1", new ArrowType.FixedSizeBinary(1)),
                nullable("fixed_binary_16", new ArrowType.FixedSizeBinary(16)));
    }

    static List<Field> views() {
        return List.of(
                nullable("utf8_view", ArrowType.Utf8View.INSTANCE),
                nullable("binary_view", ArrowType.BinaryView.INSTANCE));
    }

    static List<Field> decimals() {
        return List.of(
                nullable("decimal128", new ArrowType.Decimal(38, 10, 128)),
                nullable("decimal128_no_scale", new ArrowType.Decimal(20, 0, 128)),
                nullable("decimal128_negative_scale", new ArrowType.Decimal(20, -2, 128)),
                nullable("decimal256", new ArrowType.Decimal(76, 20, 256)));
    }

    static List<Field> dates() {
        return each(DateUnit.values(), ArrowType.Date::new);
    }

    static List<Field> times() {
        return List.of(
                nullable("time_second", new ArrowType.Time(TimeUnit.SECOND, 32)),
                nullable("time_milli", new ArrowType.Time(TimeUnit.MILLISECOND, 32)),
                nullable("time_micro", new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
                nullable("time_nano", new ArrowType.Time(TimeUnit.NANOSECOND, 64)));
    }

    static List<Field> timestamps() {
        List<Field> fields = new ArrayList<>();
        for (String zone : new String[] {null, "UTC", "Europe/Paris", "+05:30", ""}) {
            fields.addAll(each(TimeUnit.values(), unit -> new ArrowType.Timestamp(unit, zone)));
        }
        return fields;
    }

    static List<Field> durations() {
        return each(TimeUnit.values(), ArrowType.Duration::new);
    }

    static List<Field> intervals() {
        return each(IntervalUnit.values(), ArrowType.Interval::new);
    }

    static List<Field> lists() {
        return List.of(
                nullable("list", LIST, nullable("item", INT32)),
                required("list_full", LIST, required("item", UTF8)),
                nullable("large_list", ArrowType.LargeList.INSTANCE, nullable("item", UTF8)),
                nullable("fixed_list", new ArrowType.FixedSizeList(3), nullable("item", INT64)),
                nullable("fixed_list_of_0", new ArrowType.FixedSizeList(0), nullable("x", INT64)));
    }

    static List<Field> listViews() {
        return List.of(
                nullable("list_view", ArrowType.ListView.INSTANCE, nullable("item", INT32)),
                nullable("list_view_of_text", ArrowType.ListView.INSTANCE, nullable("item", UTF8)),
                nullable(
                        "large_list_view",
                        ArrowType.LargeListView.INSTANCE,
                        nullable("item", INT64)));
    }

    static List<Field> structs() {
        return List.of(
                nullable("struct", STRUCT, nullable("a", INT32), required("b", UTF8)),
                nullable("struct_of_nothing", STRUCT));
    }

    static List<Field> maps() {
        return List.of(
                nullable("map", MAP, entries(required("key", UTF8), nullable("value", INT64))),
                nullable(
                        "map_sorted",
                        new ArrowType.Map(true),
                        entries(required("key", INT32), nullable("value", UTF8))),
                nullable(
                        "map_other_names",
                        MAP,
                        required(
                                "some_entries",
                                STRUCT,
                                required("some_key", UTF8),
                                nullable("some_value", UTF8))));
    }

    static List<Field> sparseUnions() {
        return List.of(
                nullable("sparse", union(UnionMode.Sparse, 0, 1), unionChildren()),
                nullable("sparse_ids", union(UnionMode.Sparse, 5, 127), unionChildren()));
    }

    /// Their ids ascend: arrow-vector writes a dense union's children in the order of the ids,
    /// whatever their order in the schema.
    static List<Field> denseUnions() {
        return List.of(
                nullable("dense", union(UnionMode.Dense, 0, 1), unionChildren()),
                nullable("dense_ids", union(UnionMode.Dense, 3, 7), unionChildren()));
    }

    static List<Field> runEndEncoded() {
        return IntStream.of(16, 32, 64)
                .mapToObj(
                        bitWidth ->
                                nullable(
                                        "runs" + bitWidth,
                                        ArrowType.RunEndEncoded.INSTANCE,
                                        required("run_ends", new ArrowType.Int(bitWidth, true)),
                                        nullable("values", UTF8)))
                .toList();
    }

    static ArrowType union(UnionMode mode, int... typeIds) {
        return new ArrowType.Union(mode, typeIds);
    }

    static Field[] unionChildren() {
        return new Field[] {nullable("number", INT32), nullable("text", UTF8)};
    }

    /// One nullable field of each type; its name is the type's.
    private static <U> List<Field> each(U[] units, Function<U, ArrowType> type) {
        return Arrays.stream(units).map(type).map(each -> nullable(each.toString(), each)).toList();
    }
}
