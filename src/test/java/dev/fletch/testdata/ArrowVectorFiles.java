// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static dev.fletch.testdata.ArrowFields.INT32;
import static dev.fletch.testdata.ArrowFields.INT64;
import static dev.fletch.testdata.ArrowFields.LIST;
import static dev.fletch.testdata.ArrowFields.MAP;
import static dev.fletch.testdata.ArrowFields.STRUCT;
import static dev.fletch.testdata.ArrowFields.UTF8;
import static dev.fletch.testdata.ArrowFields.encoded;
import static dev.fletch.testdata.ArrowFields.encoding;
import static dev.fletch.testdata.ArrowFields.entries;
import static dev.fletch.testdata.ArrowFields.nullable;
import static dev.fletch.testdata.ArrowFields.required;
import static dev.fletch.testdata.ArrowFields.withMetadata;

import dev.fletch.testdata.ArrowCase.DictionaryValues;
import dev.fletch.testdata.ArrowCase.Writing;

import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.MetadataVersion;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Real Arrow data, written by arrow-vector while the tests run: every type that it can write,
/// and every way in which it can write them.
public final class ArrowVectorFiles {
    private static final int COLUMNS_OF_WIDE = 1_000;
    private static final int LEVELS_OF_DEEP = 24;
    private static final String OUTER_FIRST = "outer_first_";

    private static final List<ArrowCase> CASES =
            Stream.of(types(), shapes(), metadata(), dictionaries(), writings())
                    .flatMap(Collection::stream)
                    .toList();

    private ArrowVectorFiles() {}

    /// Returns all cases.
    public static List<ArrowCase> cases() {
        return CASES;
    }

    /// Returns the case of this name: also `outer_first_3` and so on, see [#outerFirst].
    public static ArrowCase named(String name) {
        if (name.startsWith(OUTER_FIRST)) {
            return outerFirst(Integer.parseInt(name.substring(OUTER_FIRST.length())));
        }
        return CASES.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no such case: " + name));
    }

    // ---- Types ----

    private static List<ArrowCase> types() {
        return List.of(
                ArrowCase.of("null", nullable("null", ArrowType.Null.INSTANCE)),
                ArrowCase.of("bool", nullable("bool", ArrowType.Bool.INSTANCE)),
                typed("integers", ArrowFields.integers()),
                typed("floats", ArrowFields.floats()),
                typed("texts", ArrowFields.texts()),
                typed("views", ArrowFields.views()),
                typed("decimals", ArrowFields.decimals()),
                // arrow-vector knows these widths in a schema only: it has no vectors for them.
                ArrowCase.of(
                                "decimals_of_32_and_64_bits",
                                nullable("decimal32", new ArrowType.Decimal(9, 2, 32)),
                                nullable("decimal64", new ArrowType.Decimal(18, 4, 64)))
                        .batches(),
                typed("dates", ArrowFields.dates()),
                typed("times", ArrowFields.times()),
                typed("timestamps", ArrowFields.timestamps()),
                typed("durations", ArrowFields.durations()),
                typed("intervals", ArrowFields.intervals()),
                typed("lists", ArrowFields.lists()),
                typed("list_views", ArrowFields.listViews()),
                typed("structs", ArrowFields.structs()),
                typed("maps", ArrowFields.maps()),
                typed("sparse_unions", ArrowFields.sparseUnions()),
                typed("dense_unions", ArrowFields.denseUnions()),
                typed("run_end_encoded", ArrowFields.runEndEncoded()));
    }

    private static ArrowCase typed(String name, List<Field> fields) {
        return ArrowCase.of(name, new Schema(fields));
    }

    /// One field at least of each type that can be written with data.
    private static List<Field> allTypes() {
        return types().stream()
                .filter(each -> !each.batchRows().isEmpty())
                .flatMap(each -> each.schema().getFields().stream())
                .toList();
    }

    // ---- Shapes ----

    private static List<ArrowCase> shapes() {
        Field number = nullable("number", INT64);
        Field text = nullable("text", UTF8);
        List<Field> wide =
                IntStream.range(0, COLUMNS_OF_WIDE)
                        .mapToObj(i -> nullable("column_" + i, i % 2 == 0 ? INT64 : UTF8))
                        .toList();
        return List.of(
                typed("all_types", allTypes()),
                ArrowCase.of("nested", nestedField()),
                ArrowCase.of("nested_views_unions_runs", rareInsideOthers()),
                ArrowCase.of("deeply_nested", deepField()),
                ArrowCase.of("no_columns").batches(4, 0),
                ArrowCase.of("no_columns_no_batches").batches(),
                ArrowCase.of("no_batches", number, text).batches(),
                ArrowCase.of("no_rows", number, text).batches(0),
                typed("no_rows_of_all_types", allTypes()).batches(0, 0),
                typed("no_batches_of_all_types", allTypes()).batches(),
                ArrowCase.of("several_batches", number, text).batches(1, 7, 0, 64, 65, 1000),
                typed("thousand_columns", wide).batches(3, 2),
                ArrowCase.of(
                        "names",
                        nullable("", INT32),
                        nullable("Größe", INT32),
                        nullable("名前", UTF8),
                        nullable("🙂", UTF8),
                        nullable("a.b", INT32),
                        nullable("\"quoted\"\n\t\\", INT32),
                        nullable("n".repeat(300), INT32),
                        nullable("twice", INT32),
                        nullable("twice", UTF8),
                        nullable("s", STRUCT, nullable("", INT32), nullable("名", UTF8)),
                        nullable(null, INT32)));
    }

    private static Field nestedField() {
        Field leaf = nullable("leaf", UTF8);
        Field map = nullable("map", MAP, entries(required("key", UTF8), leaf));
        Field list = nullable("list", LIST, nullable("struct", STRUCT, map, leaf));
        Field fixed = nullable("fixed", new ArrowType.FixedSizeList(2), list);
        Field large = nullable("large", ArrowType.LargeList.INSTANCE, nullable("n", INT32));
        return nullable("root", STRUCT, fixed, large, leaf);
    }

    private static Field[] rareInsideOthers() {
        Field view = nullable("view", ArrowType.Utf8View.INSTANCE);
        Field number = nullable("number", INT32);
        Field dense = nullable("dense", ArrowFields.union(UnionMode.Dense, 0, 1), view, number);
        Field struct = nullable("struct", STRUCT, view, dense, number);
        Field sparse = nullable("sparse", ArrowFields.union(UnionMode.Sparse, 0, 1), struct, view);
        Field runs =
                nullable(
                        "runs",
                        ArrowType.RunEndEncoded.INSTANCE,
                        required("run_ends", INT32),
                        nullable("values", LIST, view));
        return new Field[] {
            nullable("list", LIST, dense),
            sparse,
            runs,
            nullable("list_view", ArrowType.ListView.INSTANCE, nullable("inner", LIST, view)),
            nullable("map", MAP, entries(required("key", INT32), view)),
            nullable("fixed", new ArrowType.FixedSizeList(2), view)
        };
    }

    /// Structs and lists of one item in turn.
    private static Field deepField() {
        Field field = nullable("bottom", UTF8);
        for (int level = LEVELS_OF_DEEP; level > 0; level--) {
            ArrowType type = level % 2 == 0 ? new ArrowType.FixedSizeList(1) : STRUCT;
            field = nullable("level_" + level, type, field);
        }
        return field;
    }

    // ---- Metadata ----

    private static List<ArrowCase> metadata() {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put("key", "value");
        metadata.put("empty value", "");
        metadata.put("", "empty key");
        metadata.put("ключ", "значение 🙂");
        metadata.put("long", "x".repeat(1_000));
        metadata.put("json", "{\"a\": [1, 2], \"b\": \"\\n\"}");
        Field plain = nullable("plain", INT32);
        Field marked = withMetadata("marked", UTF8, metadata);
        Field inside = nullable("struct", STRUCT, withMetadata("inside", INT32, metadata), plain);
        TreeMap<String, String> ofFile = new TreeMap<>(Map.of("written by", "a test", "x", ""));
        return List.of(
                ArrowCase.of(
                        "custom_metadata",
                        new Schema(List.of(plain, marked, inside, marked), metadata)),
                ArrowCase.of("footer_metadata", plain).writing(Writing.withFooter(ofFile)),
                ArrowCase.of(
                        "extensions",
                        extension("uuid", new ArrowType.FixedSizeBinary(16), "arrow.uuid", ""),
                        extension("json", UTF8, "arrow.json", ""),
                        extension("flag", new ArrowType.Int(8, true), "arrow.bool8", ""),
                        extension("point", ArrowType.Binary.INSTANCE, "test.point", "{\"d\":2}")));
    }

    private static Field extension(String name, ArrowType storage, String type, String metadata) {
        Map<String, String> keys = new TreeMap<>();
        keys.put("ARROW:extension:name", type);
        keys.put("ARROW:extension:metadata", metadata);
        return withMetadata(name, storage, keys);
    }

    // ---- Dictionaries ----

    private static List<ArrowCase> dictionaries() {
        List<ArrowCase> cases = new ArrayList<>();
        for (int bitWidth : new int[] {8, 16, 32, 64}) {
            cases.add(simple("dictionary_int" + bitWidth, encoding(0, false, bitWidth, true)));
            cases.add(simple("dictionary_uint" + bitWidth, encoding(9, false, bitWidth, false)));
        }
        cases.add(simple("dictionary_ordered", encoding(Long.MAX_VALUE, true, 8, true)));
        cases.add(severalDictionaries());
        cases.add(nestedDictionary());
        ArrowCase replaced = simple("dictionary_replaced", encoding(1, false, 16, true));
        cases.add(replaced.batches(6, 6, 6).writing(Writing.REPLACING));
        cases.add(simple("dictionary_no_batches", encoding(2, false, 32, true)).batches());
        return cases;
    }

    private static ArrowCase simple(String name, DictionaryEncoding encoding) {
        return ArrowCase.of(name, encoded("symbol", encoding), nullable("plain", INT32))
                .dictionaries(new DictionaryValues(encoding, nullable("values", UTF8), 5));
    }

    /// Two columns of one dictionary, one inside a struct, and values of other types than text.
    private static ArrowCase severalDictionaries() {
        DictionaryEncoding shared = encoding(1, false, 8, true);
        DictionaryEncoding numbers = encoding(2, false, 16, true);
        DictionaryEncoding structs = encoding(3, false, 32, true);
        return ArrowCase.of(
                        "dictionaries",
                        encoded("first", shared),
                        encoded("second", shared),
                        nullable("struct", STRUCT, encoded("inside", shared)),
                        encoded("number", numbers),
                        encoded("struct_value", structs))
                .dictionaries(
                        new DictionaryValues(shared, nullable("shared", UTF8), 7),
                        new DictionaryValues(numbers, nullable("numbers", INT64), 40),
                        new DictionaryValues(
                                structs,
                                nullable(
                                        "structs",
                                        STRUCT,
                                        nullable("x", INT32),
                                        nullable("y", UTF8)),
                                4));
    }

    /// A dictionary of lists whose items are encoded by another one.
    private static ArrowCase nestedDictionary() {
        DictionaryEncoding inner = encoding(4, false, 8, true);
        DictionaryEncoding outer = encoding(5, false, 8, true);
        Field lists = nullable("lists", LIST, encoded("item", inner));
        return ArrowCase.of("dictionary_nested", encoded("outer", outer))
                .dictionaries(
                        new DictionaryValues(inner, nullable("inner", UTF8), 6),
                        new DictionaryValues(outer, lists, 4));
    }

    /// Dictionaries inside of dictionaries; arrow-vector writes them by ascending id, outer ones
    /// first. Not one of the [#cases()], as streams should have inner ones first.
    ///
    /// @param levels number of dictionaries, from 2 on: structs and, innermost, text
    public static ArrowCase outerFirst(int levels) {
        DictionaryValues[] dictionaries = new DictionaryValues[levels];
        Field values = nullable("values", UTF8);
        for (int id = levels; id > 0; id--) {
            DictionaryEncoding encoding = encoding(id, false, 8, true);
            dictionaries[id - 1] = new DictionaryValues(encoding, values, 4 + id);
            values = nullable("structs", STRUCT, encoded("inside", encoding), nullable("n", INT32));
        }
        return ArrowCase.of(OUTER_FIRST + levels, encoded("outer", encoding(1, false, 8, true)))
                .dictionaries(dictionaries);
    }

    // ---- Nested at random ----

    /// Columns of any types, nested at random, some of them encoded by dictionaries of such types.
    /// Not one of the [#cases()].
    public static ArrowCase random(int seed) {
        Random random = new Random(seed);
        List<DictionaryValues> dictionaries = new ArrayList<>();
        Field[] columns = new Field[1 + random.nextInt(4)];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = random("c" + i, 3, random, dictionaries);
        }
        return ArrowCase.of("random_" + seed, columns)
                .batches(random.nextInt(20), 1 + random.nextInt(5))
                .dictionaries(dictionaries.toArray(DictionaryValues[]::new));
    }

    private static Field random(
            String name, int levels, Random random, List<DictionaryValues> dictionaries) {
        if (random.nextInt(6) == 0) {
            Field values;
            int before = dictionaries.size();
            do { // arrow-java reads no unions in dictionaries
                dictionaries.subList(before, dictionaries.size()).clear();
                values = random("values", levels - 1, random, dictionaries);
            } while (values.toString().contains("Union"));
            DictionaryEncoding encoding = encoding(dictionaries.size(), false, 16, true);
            dictionaries.add(new DictionaryValues(encoding, values, 1 + random.nextInt(9)));
            return encoded(name, encoding);
        }
        if (levels <= 0 || random.nextInt(4) == 0) {
            List<Field> all = allTypes();
            Field leaf = all.get(random.nextInt(all.size()));
            return new Field(name, leaf.getFieldType(), leaf.getChildren());
        }
        Supplier<Field> child = () -> random("item", levels - 1, random, dictionaries);
        return switch (random.nextInt(9)) {
            case 0 -> nullable(name, LIST, child.get());
            case 1 -> nullable(name, ArrowType.LargeList.INSTANCE, child.get());
            case 2 -> nullable(name, ArrowType.ListView.INSTANCE, child.get());
            case 3 -> nullable(name, ArrowType.LargeListView.INSTANCE, child.get());
            case 4 -> nullable(name, new ArrowType.FixedSizeList(2), child.get());
            case 5 -> nullable(name, MAP, entries(required("key", UTF8), child.get()));
            case 6 ->
                    nullable(
                            name,
                            ArrowType.RunEndEncoded.INSTANCE,
                            required("run_ends", INT32),
                            child.get());
            case 7 ->
                    nullable(
                            name,
                            ArrowFields.union(UnionMode.Dense, 2, 5),
                            random("a", levels - 1, random, dictionaries),
                            random("b", levels - 1, random, dictionaries));
            default ->
                    nullable(
                            name,
                            STRUCT,
                            random("a", levels - 1, random, dictionaries),
                            random("b", levels - 1, random, dictionaries));
        };
    }

    // ---- Ways of writing ----

    private static List<ArrowCase> writings() {
        List<ArrowCase> cases = new ArrayList<>();
        for (CodecType codec : List.of(CodecType.LZ4_FRAME, CodecType.ZSTD)) {
            Writing writing = Writing.compressed(codec);
            String name = codec == CodecType.ZSTD ? "zstd" : "lz4";
            cases.add(typed(name, compressible()).writing(writing).batches(200, 50, 0));
            cases.add(simple(name + "_dictionary", encoding(3, false, 16, true)).writing(writing));
        }
        cases.add(legacy("legacy_framing_v4", Writing.legacy(true, MetadataVersion.V4)));
        cases.add(legacy("legacy_framing_v5", Writing.legacy(true, MetadataVersion.V5)));
        cases.add(legacy("version_v4", Writing.legacy(false, MetadataVersion.V4)));
        return cases;
    }

    private static List<Field> compressible() {
        return List.of(
                nullable("number", INT64),
                nullable("text", UTF8),
                nullable("flag", ArrowType.Bool.INSTANCE),
                nullable("list", LIST, nullable("item", INT32)),
                nullable("view", ArrowType.Utf8View.INSTANCE));
    }

    private static ArrowCase legacy(String name, Writing writing) {
        return simple(name, encoding(1, false, 8, true)).writing(writing).batches(3, 0, 8);
    }
}
