// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.format.Decimal;
import dev.fletch.format.Type;
import dev.fletch.format.TypeParameters;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.model.ArrowType;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// An object that stands for a type. What its keys mean depends on one of them, `name`, which may be
/// the last.
final class TypeObject implements TypeParameters {
    private static final Map<String, TypeFacts> TYPES = new HashMap<>();
    private static final Set<String> KEYS = new HashSet<>(Set.of("name"));

    static {
        for (int id = 1; Type.NAMES.isKnown(id); id++) {
            TypeFacts facts = TypeFacts.of(id);
            TYPES.put(facts.jsonName(), facts);
            facts.parameters().forEach(each -> KEYS.add(each.name()));
        }
    }

    private final Place place;
    private final Map<String, JsonValue> values = new HashMap<>();
    private TypeFacts facts;

    private TypeObject(Place place) {
        this.place = place;
    }

    /// Reads the object that is next.
    static TypeObject read(JsonCursor json) throws IOException {
        json.enterObject();
        return readEntered(json);
    }

    /// Reads the object that was entered.
    static TypeObject readEntered(JsonCursor json) throws IOException {
        TypeObject type = new TypeObject(json.here());
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
        JsonValue name = required("name");
        facts = TYPES.get(name.string());
        if (facts == null) {
            throw name.wrong("must be the name of a type");
        }
        try {
            return ArrowType.of(facts.id(), this, children);
        } catch (InvalidSchemaException e) {
            JsonValue wrong = values.get(e.parameter());
            throw new InvalidJsonException(
                    Escaper.shortened(e.requirement()),
                    wrong == null ? place : wrong.place(),
                    e.parameter() + "=" + e.value(),
                    e);
        }
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

    // ---- parameters

    private FieldRule rule(int slot) {
        return facts.parameters().get(slot);
    }

    @Override
    public boolean isPresent(int slot) {
        JsonValue value = values.get(rule(slot).name());
        return value != null && !value.isNull();
    }

    @Override
    public long number(int slot) {
        FieldRule rule = rule(slot);
        if (mayBeAbsent(slot) && !isPresent(slot)) {
            return rule.absent();
        }
        JsonValue value = required(rule.name());
        if (rule.type().bytes() == Byte.BYTES) {
            return value.bool() ? 1 : 0;
        }
        return rule.type().isNamed() ? symbol(value, rule.type().symbols()) : value.int32();
    }

    /// Older documents do not have these.
    private boolean mayBeAbsent(int slot) {
        return facts.id() == Type.MAP
                || facts.id() == Type.DECIMAL && slot == Decimal.BIT_WIDTH_SLOT;
    }

    /// The value of an enum by its name in capitals, or as it is declared: `Sparse` in the first
    /// documents.
    private static int symbol(JsonValue value, List<String> declared) {
        String text = value.string();
        List<String> names = declared.stream().map(each -> each.toUpperCase(Locale.ROOT)).toList();
        int known = Math.max(names.indexOf(text), declared.indexOf(text));
        if (known < 0) {
            throw value.wrong("must be one of " + String.join(", ", names));
        }
        return known;
    }

    @Override
    public String string(int slot) {
        return isPresent(slot) ? required(rule(slot).name()).string() : null;
    }

    private List<Integer> numbers(int slot) {
        return required(rule(slot).name()).int32s();
    }

    @Override
    public int count(int slot) {
        return numbers(slot).size();
    }

    @Override
    public long element(int slot, int index) {
        return numbers(slot).get(index);
    }
}
