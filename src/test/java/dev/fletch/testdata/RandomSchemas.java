// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Feature;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.schema.Metadata;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Valid schemas of random content, as values: every type with every parameter, nesting,
/// dictionaries, metadata with duplicates, texts of all scripts, and what is empty stored or left
/// out. The same seed gives the same schema.
public final class RandomSchemas {
    private static final int MAX_DEPTH = 5;
    private static final int MAX_FIELDS = 60;
    private static final int TYPES = 26;

    private static final List<String> TEXTS =
            List.of(
                    "",
                    "a",
                    "b",
                    "item",
                    "Größe",
                    "日本語",
                    "🙂",
                    "a\0b",
                    "a.b",
                    "x: y",
                    " ",
                    "\"",
                    "line\nbreak",
                    "x".repeat(200),
                    "\u202e",
                    "ARROW:other");

    private static final List<String> ZONES = List.of("UTC", "Europe/Paris", "+05:30", "", "名");

    private static final ByteOrder[] ORDERS = {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};

    private final Random random;
    private int fieldsLeft = MAX_FIELDS;

    private final int mostSize;

    private RandomSchemas(long seed) {
        this(new Random(seed), Integer.MAX_VALUE);
    }

    private RandomSchemas(Random random, int mostSize) {
        this.random = random;
        this.mostSize = mostSize;
    }

    /// Returns a type with any parameters.
    ///
    /// @param mostSize of lists and bytes of a fixed size
    public static ArrowType type(Random random, int mostSize) {
        return new RandomSchemas(random, mostSize).type(random.nextInt(TYPES));
    }

    /// Tells whether a type may have children.
    public static boolean isNested(ArrowType type) {
        return type == ArrowType.Simple.STRUCT || needsChildren(type);
    }

    /// Returns a schema.
    public static ArrowSchema schema(long seed) {
        return new RandomSchemas(seed).schema();
    }

    /// Returns a field, with all that is below it.
    public static ArrowField field(long seed) {
        return new RandomSchemas(seed).field(0);
    }

    private ArrowSchema schema() {
        List<ArrowField> fields = fields(random.nextInt(6), 0);
        Metadata metadata = metadata();
        List<Long> features =
                random.nextInt(3) == 0
                        ? List.of(Feature.COMPRESSED_BODY, 99L, Feature.UNUSED)
                        : List.of();
        Set<Integer> omitted = new TreeSet<>();
        omit(Schema.FIELDS_SLOT, fields.isEmpty(), omitted);
        omit(Schema.CUSTOM_METADATA_SLOT, metadata.entries().isEmpty(), omitted);
        omit(Schema.FEATURES_SLOT, features.isEmpty(), omitted);
        return new ArrowSchema(any(ORDERS), fields, metadata, features, omitted);
    }

    private void omit(int part, boolean isEmpty, Set<Integer> omitted) {
        if (isEmpty && random.nextBoolean()) {
            omitted.add(part);
        }
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    // ---- Fields ----

    private List<ArrowField> fields(int count, int depth) {
        return IntStream.range(0, count).mapToObj(_ -> field(depth)).toList();
    }

    private ArrowField field(int depth) {
        fieldsLeft--;
        boolean mayNest = depth < MAX_DEPTH && fieldsLeft > 0;
        ArrowType type;
        do {
            type = type(random.nextInt(TYPES));
        } while (!mayNest && needsChildren(type));
        DictionaryInfo dictionary = random.nextInt(5) == 0 ? dictionary() : null;
        return field(text(), type, random.nextBoolean(), dictionary, children(type, depth + 1));
    }

    private ArrowField field(
            String name,
            ArrowType type,
            boolean isNullable,
            DictionaryInfo dictionary,
            List<ArrowField> children) {
        Metadata metadata = metadata();
        Set<Integer> omitted = new TreeSet<>();
        omit(Field.NAME_SLOT, name.isEmpty(), omitted);
        omit(Field.CHILDREN_SLOT, children.isEmpty(), omitted);
        omit(Field.CUSTOM_METADATA_SLOT, metadata.entries().isEmpty(), omitted);
        return new ArrowField(name, type, isNullable, dictionary, children, metadata, omitted);
    }

    private static boolean needsChildren(ArrowType type) {
        return switch (type) {
            case ArrowType.Simple.LIST,
                    ArrowType.Simple.LARGE_LIST,
                    ArrowType.Simple.LIST_VIEW,
                    ArrowType.Simple.LARGE_LIST_VIEW,
                    ArrowType.Simple.RUN_END_ENCODED ->
                    true;
            case ArrowType.FixedSizeList _, ArrowType.Map _ -> true;
            case ArrowType.Union union -> !union.typeIds().isEmpty();
            default -> false;
        };
    }

    private List<ArrowField> children(ArrowType type, int depth) {
        return switch (type) {
            case ArrowType.Simple.STRUCT ->
                    fields(depth > MAX_DEPTH || fieldsLeft <= 0 ? 0 : random.nextInt(4), depth);
            case ArrowType.Union union -> fields(union.typeIds().size(), depth);
            case ArrowType.Map _ -> {
                ArrowField key = notNull(field(depth + 1));
                List<ArrowField> pair = List.of(key, field(depth + 1));
                yield List.of(field(text(), ArrowType.Simple.STRUCT, false, null, pair));
            }
            case ArrowType.Simple.RUN_END_ENCODED -> {
                ArrowType ends = new ArrowType.Int(16 << random.nextInt(3), true);
                yield List.of(field(text(), ends, false, null, List.of()), field(depth));
            }
            default -> needsChildren(type) ? fields(1, depth) : List.of();
        };
    }

    private static ArrowField notNull(ArrowField field) {
        return new ArrowField(
                field.name(),
                field.type(),
                false,
                field.dictionary(),
                field.children(),
                field.metadata(),
                field.absent());
    }

    private DictionaryInfo dictionary() {
        long id = random.nextBoolean() ? random.nextInt(5) : random.nextLong();
        boolean ordered = random.nextBoolean();
        ArrowType.Int indexes = new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
        return random.nextInt(4) == 0
                ? DictionaryInfo.implicit(id, ordered)
                : new DictionaryInfo(id, indexes, ordered, false);
    }

    private Metadata metadata() {
        List<String> pairs = new ArrayList<>();
        int count = Math.max(0, random.nextInt(6) - 2);
        for (int i = 0; i < count; i++) {
            pairs.add(random.nextInt(20) == 0 ? null : text());
            pairs.add(random.nextInt(20) == 0 ? null : text());
        }
        return Metadata.of(pairs.toArray(String[]::new));
    }

    // ---- Types ----

    private ArrowType type(int kind) {
        return switch (kind) {
            case 0 -> ArrowType.Simple.NULL;
            case 1 -> new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
            case 2 -> any(ArrowType.FloatingPoint.values());
            case 3 -> ArrowType.Simple.BINARY;
            case 4 -> ArrowType.Simple.UTF8;
            case 5 -> ArrowType.Simple.BOOL;
            case 6 -> decimal();
            case 7 -> any(ArrowType.Date.values());
            case 8 -> new ArrowType.Time(any(TimeResolution.values()));
            case 9 -> new ArrowType.Timestamp(any(TimeResolution.values()), zone());
            case 10 -> any(ArrowType.Interval.values());
            case 11 -> ArrowType.Simple.LIST;
            case 12 -> ArrowType.Simple.STRUCT;
            case 13 -> union();
            case 14 -> new ArrowType.FixedSizeBinary(size());
            case 15 -> new ArrowType.FixedSizeList(size());
            case 16 -> new ArrowType.Map(random.nextBoolean());
            case 17 -> new ArrowType.Duration(any(TimeResolution.values()));
            case 18 -> ArrowType.Simple.LARGE_BINARY;
            case 19 -> ArrowType.Simple.LARGE_UTF8;
            case 20 -> ArrowType.Simple.LARGE_LIST;
            case 21 -> ArrowType.Simple.RUN_END_ENCODED;
            case 22 -> ArrowType.Simple.BINARY_VIEW;
            case 23 -> ArrowType.Simple.UTF8_VIEW;
            case 24 -> ArrowType.Simple.LIST_VIEW;
            default -> ArrowType.Simple.LARGE_LIST_VIEW;
        };
    }

    private int size() {
        return random.nextInt(5) == 0 ? mostSize : random.nextInt(Math.min(mostSize, 20));
    }

    private String zone() {
        return random.nextInt(3) == 0 ? null : ZONES.get(random.nextInt(ZONES.size()));
    }

    private ArrowType decimal() {
        int width = 32 << random.nextInt(4);
        int max = List.of(9, 18, 38, 76).get(Integer.numberOfTrailingZeros(width) - 5);
        int scale = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(-9, 20);
        return new ArrowType.Decimal(random.nextInt(max) + 1, scale, width);
    }

    private ArrowType union() {
        boolean isDense = random.nextInt(2) == 1;
        int children = random.nextInt(4);
        if (random.nextBoolean()) {
            return ArrowType.Union.implicit(isDense, children);
        }
        List<Integer> ids = new ArrayList<>(IntStream.range(0, 128).boxed().toList());
        Collections.shuffle(ids, random);
        return new ArrowType.Union(isDense, ids.subList(0, children), false);
    }
}
