// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.fbs.ArrowDeclarations;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsScalar;
import dev.fletch.fbs.FbsType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Valid flatbuffers of random content, for any table that the `.fbs` files declare: a random
/// subset of the fields is present, with what a reader may meet, common or not. The same table and
/// seed give the same bytes.
///
/// What goes in: empty and unicode texts, empty vectors, the ends of every number's range, enum
/// values and union tags that nobody knows, tags without values, tables that several offsets lead
/// to, defaults that are stored all the same. What does not: anything that a verifier refuses, a
/// value without a tag, a boolean other than 0 and 1.
public final class RandomTables {
    /// What `format/` declares.
    public static final FbsDocument ARROW = ArrowDeclarations.all();

    private static final int MAX_DEPTH = 7;
    private static final int MAX_TABLES = 80;
    private static final int MAX_ELEMENTS = 3;
    private static final int MAX_NUMBERS = 9;
    private static final int ONE_RARITY_IN = 8;

    private static final List<String> TEXTS =
            List.of("", "a", "name", "Größe", "日本語", "🙂", "a\0b", "x".repeat(200), "key", "value");

    private final FbsDocument document;
    private final Random random;
    private int tablesLeft = MAX_TABLES;

    private RandomTables(FbsDocument document, long seed) {
        this.document = document;
        this.random = new Random(seed);
    }

    /// Returns a flatbuffer whose root is this table.
    public static byte[] bytes(String table, long seed) {
        return bytes(ARROW, table, seed);
    }

    /// Returns a flatbuffer whose root is this table.
    public static byte[] bytes(FbsDocument document, String table, long seed) {
        return FbsValueWriter.write(document, value(document, table, seed), seed);
    }

    /// Returns what [#bytes] of the same table and seed holds.
    public static FbsValue.Table value(FbsDocument document, String table, long seed) {
        return new RandomTables(document, seed).table(table, 0);
    }

    // ---- Tables ----

    private FbsValue.Table table(String name, int depth) {
        tablesLeft--;
        int presentOutOf4 = random.nextInt(5);
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        for (FieldDecl field : document.table(name).fields()) {
            boolean wanted = random.nextInt(4) < presentOutOf4 && (fits(field.type(), depth));
            if (!wanted && !field.required()) {
                continue;
            }
            switch (field.type()) {
                case FbsType.UnionTag _ -> {} // Goes with its union.
                case FbsType.Union(String union) -> addUnion(fields, field, union, depth);
                default -> fields.put(field.name(), value(field, depth));
            }
        }
        return new FbsValue.Table(name, fields);
    }

    /// Whether there is room for the tables that a value of this type would bring.
    private boolean fits(FbsType type, int depth) {
        return switch (type) {
            case FbsType.Table _, FbsType.Union _ -> depth < MAX_DEPTH && tablesLeft > 0;
            case FbsType.Vector(FbsType element) -> fits(element, depth);
            default -> true;
        };
    }

    private void addUnion(
            SortedMap<String, FbsValue> fields, FieldDecl field, String union, int depth) {
        List<Value> members = document.union(union).members();
        String tagName = field.name() + "_type";
        boolean rare = random.nextInt(ONE_RARITY_IN) == 0;
        if (rare && random.nextBoolean() && !field.required()) {
            fields.put(tagName, new FbsValue.Number(random.nextInt(256)));
        } else if (rare) {
            long unknown = random.nextInt(members.size(), 256);
            fields.put(tagName, new FbsValue.Number(unknown));
            fields.put(field.name(), new FbsValue.Table("Null", new TreeMap<>()));
        } else {
            Value member = members.get(random.nextInt(1, members.size()));
            fields.put(tagName, new FbsValue.Number(member.value()));
            fields.put(field.name(), table(member.name(), depth + 1));
        }
    }

    // ---- Values ----

    private FbsValue value(FieldDecl field, int depth) {
        return field.type().isScalar()
                ? new FbsValue.Number(number(field.type(), field.defaultValue()))
                : value(field.type(), depth);
    }

    private FbsValue value(FbsType type, int depth) {
        return switch (type) {
            case FbsType.Scalar _, FbsType.Enumeration _, FbsType.UnionTag _ ->
                    new FbsValue.Number(number(type, 0));
            case FbsType.Text _ -> new FbsValue.Text(text());
            case FbsType.Struct(String name, _, _) -> struct(name);
            case FbsType.Table(String name) -> table(name, depth + 1);
            case FbsType.Vector(FbsType element) -> new FbsValue.Vector(vector(element, depth));
            case FbsType.Union(String name) ->
                    throw new IllegalArgumentException("a union without its tag: " + name);
        };
    }

    private FbsValue.Struct struct(String name) {
        return new FbsValue.Struct(
                document.struct(name).fields().stream()
                        .map(each -> number(each.type(), 0))
                        .toList());
    }

    private List<FbsValue> vector(FbsType element, int depth) {
        boolean ofTables = element instanceof FbsType.Table;
        int count = random.nextInt((ofTables ? MAX_ELEMENTS : MAX_NUMBERS) + 1);
        Supplier<FbsValue> fresh = () -> value(element, depth);
        List<FbsValue> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // The same object again: the writer stores it once.
            boolean again = i > 0 && random.nextInt(ONE_RARITY_IN) == 0;
            elements.add(again ? elements.getLast() : fresh.get());
        }
        return elements;
    }

    private String text() {
        int length = random.nextInt(1, 12);
        return random.nextBoolean()
                ? TEXTS.get(random.nextInt(TEXTS.size()))
                : IntStream.range(0, length)
                        .map(_ -> random.nextInt('a', 'z' + 1))
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
    }

    private long number(FbsType type, long defaultValue) {
        return switch (type) {
            case FbsType.Scalar(FbsScalar kind) -> number(kind, defaultValue);
            case FbsType.Enumeration(String name, FbsScalar underlying) ->
                    random.nextInt(3) == 0
                            ? number(underlying, defaultValue)
                            : knownValue(document.enumeration(name));
            case FbsType.UnionTag _ -> random.nextInt(256);
            default -> throw new IllegalArgumentException("not a number: " + type);
        };
    }

    private long knownValue(EnumDecl enumeration) {
        return enumeration.values().get(random.nextInt(enumeration.values().size())).value();
    }

    private long number(FbsScalar kind, long defaultValue) {
        return switch (random.nextInt(8)) {
            case 0 -> defaultValue;
            case 1 -> 0;
            case 2 -> 1;
            case 3 -> smallest(kind);
            case 4 -> largest(kind);
            case 5 -> random.nextInt(100) % (largest(kind) == 1 ? 2 : 100);
            default -> random.nextLong() & largest(kind);
        };
    }

    private static long smallest(FbsScalar kind) {
        return kind.holds(-1) ? -1L << (8 * kind.sizeBytes() - 1) : 0;
    }

    private static long largest(FbsScalar kind) {
        if (kind == FbsScalar.BOOL) {
            return 1;
        }
        int bits = 8 * kind.sizeBytes() - (kind.holds(-1) ? 1 : 0);
        return -1L >>> (Long.SIZE - bits);
    }
}
