// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.model.ArrowType;
import dev.fletch.model.DateUnit;
import dev.fletch.model.IntervalUnit;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.model.Precision;
import dev.fletch.model.TimeUnit;
import dev.fletch.model.UnionMode;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What an object that stands for a type holds. What its keys mean depends on one of them, `name`,
/// which may be the last.
final class TypeReader {
    private static final Set<String> KEYS =
            Set.of(
                    "name",
                    "isSigned",
                    "bitWidth",
                    "precision",
                    "scale",
                    "unit",
                    "timezone",
                    "mode",
                    "typeIds",
                    "byteWidth",
                    "listSize",
                    "keysSorted");

    private final Place place;
    private final Map<String, JsonValue> values = new HashMap<>();

    private TypeReader(Place place) {
        this.place = place;
    }

    /// Reads the object that is next.
    static TypeReader read(JsonCursor json) throws IOException {
        json.enterObject();
        return readEntered(json);
    }

    /// Reads the object that was entered.
    static TypeReader readEntered(JsonCursor json) throws IOException {
        TypeReader type = new TypeReader(json.here());
        JsonCursor.Keys keys = json.keys(KEYS);
        for (String key = keys.next(); key != null; key = keys.next()) {
            type.values.put(key, json.value());
        }
        return type;
    }

    /// Where the object is.
    Place place() {
        return place;
    }

    /// Makes the type.
    ///
    /// @param children how many there are
    ArrowType type(int children) {
        try {
            return named(required("name").string(), children);
        } catch (InvalidSchemaException e) {
            JsonValue wrong = values.get(e.parameter());
            throw new InvalidJsonException(
                    Escaper.shortened(e.requirement()),
                    wrong == null ? place : wrong.place(),
                    e.parameter() + "=" + e.value(),
                    e);
        }
    }

    private ArrowType named(String name, int children) {
        return switch (name) {
            case "null" -> new ArrowType.Null();
            case "int" -> new ArrowType.Int(int32("bitWidth"), required("isSigned").bool());
            case "floatingpoint" ->
                    new ArrowType.FloatingPoint(symbol("precision", Precision.values()));
            case "binary" -> new ArrowType.Binary();
            case "utf8" -> new ArrowType.Utf8();
            case "bool" -> new ArrowType.Bool();
            case "decimal" -> decimal();
            case "date" -> new ArrowType.Date(symbol("unit", DateUnit.values()));
            case "time" -> new ArrowType.Time(timeUnit(), int32("bitWidth"));
            case "timestamp" ->
                    new ArrowType.Timestamp(
                            timeUnit(), has("timezone") ? values.get("timezone").string() : null);
            case "interval" -> new ArrowType.Interval(symbol("unit", IntervalUnit.values()));
            case "list" -> new ArrowType.List();
            case "struct" -> new ArrowType.Struct();
            case "union" -> union(children);
            case "fixedsizebinary" -> new ArrowType.FixedSizeBinary(int32("byteWidth"));
            case "fixedsizelist" -> new ArrowType.FixedSizeList(int32("listSize"));
            case "map" -> new ArrowType.Map(has("keysSorted") && values.get("keysSorted").bool());
            case "duration" -> new ArrowType.Duration(timeUnit());
            case "largebinary" -> new ArrowType.LargeBinary();
            case "largeutf8" -> new ArrowType.LargeUtf8();
            case "largelist" -> new ArrowType.LargeList();
            case "runendencoded" -> new ArrowType.RunEndEncoded();
            case "binaryview" -> new ArrowType.BinaryView();
            case "utf8view" -> new ArrowType.Utf8View();
            case "listview" -> new ArrowType.ListView();
            case "largelistview" -> new ArrowType.LargeListView();
            default -> throw values.get("name").wrong("must be the name of a type");
        };
    }

    /// Before there were other widths, none was written.
    private ArrowType decimal() {
        int precision = int32("precision");
        int scale = int32("scale");
        return has("bitWidth")
                ? new ArrowType.Decimal(precision, scale, int32("bitWidth"))
                : new ArrowType.Decimal(precision, scale);
    }

    private ArrowType union(int children) {
        UnionMode mode = symbol("mode", UnionMode.values());
        return has("typeIds")
                ? new ArrowType.Union(mode, values.get("typeIds").int32s(), false)
                : ArrowType.Union.implicit(mode, children);
    }

    private TimeUnit timeUnit() {
        return symbol("unit", TimeUnit.values());
    }

    // ---- parameters

    private boolean has(String key) {
        return values.containsKey(key) && !values.get(key).isNull();
    }

    private JsonValue required(String key) {
        JsonValue value = values.get(key);
        if (value == null) {
            throw missing(place, key);
        }
        return value;
    }

    static InvalidJsonException missing(Place place, String key) {
        return new InvalidJsonException("object must have a key", place, "key=" + key, null);
    }

    private int int32(String key) {
        return required(key).int32();
    }

    /// A constant by its name, in capitals or as the first documents had it: `Sparse`.
    private <E extends Enum<E>> E symbol(String key, E[] constants) {
        JsonValue value = required(key);
        String text = value.string();
        Predicate<E> isMeant =
                each -> each.name().equals(text) || each instanceof UnionMode && isOld(each, text);
        return Arrays.stream(constants)
                .filter(isMeant)
                .findFirst()
                .orElseThrow(() -> value.wrong("must be one of " + names(List.of(constants))));
    }

    private static boolean isOld(Enum<?> constant, String text) {
        String name = constant.name();
        return text.equals(name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT));
    }

    private static String names(List<? extends Enum<?>> constants) {
        return constants.stream().map(Enum::name).collect(Collectors.joining(", "));
    }
}
