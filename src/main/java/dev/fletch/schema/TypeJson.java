// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.Decimal;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;
import dev.fletch.schema.internal.JsonCursor;
import dev.fletch.schema.internal.JsonObject;
import dev.fletch.schema.internal.JsonValue;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// An object that describes a type. The meaning of its keys depends on `name`, which may come last.
final class TypeJson implements TypeParameters {
    private static final Map<String, TypeFacts> TYPES = new HashMap<>();
    private static final Set<String> KEYS = new HashSet<>(Set.of("name"));

    static {
        for (int id = 1; Type.NAMES.isKnown(id); id++) {
            TypeFacts facts = TypeFacts.of(id);
            TYPES.put(facts.jsonName(), facts);
            facts.parameters().forEach(each -> KEYS.add(each.name()));
        }
    }

    private final JsonObject object;
    private TypeFacts facts;

    /// Reads the entered object.
    TypeJson(JsonCursor json) throws IOException {
        object = json.object(key -> KEYS.contains(key) ? json::value : null);
    }

    JsonCursor.Place place() {
        return object.place();
    }

    /// {@return the value of a key; null if absent}
    JsonValue value(String key) {
        return object.get(key);
    }

    /// Creates the type.
    ///
    /// @param children number of children
    ArrowType type(int children) {
        JsonValue name = object.required("name");
        facts = TYPES.get(name.string());
        if (facts == null) {
            throw name.wrong("must be the name of a type");
        }
        try {
            return TypeValues.type(facts.id(), this, children);
        } catch (InvalidSchemaException e) {
            JsonValue wrong = value(e.parameter());
            throw SchemaJsonReader.fault(e, wrong == null ? place() : wrong.place(), "");
        }
    }

    // ---- parameters

    private FieldDeclaration rule(int slot) {
        return facts.parameters().get(slot);
    }

    @Override
    public boolean isPresent(int slot) {
        JsonValue value = value(rule(slot).name());
        return value != null && !value.isNull();
    }

    @Override
    public long number(int slot) {
        FieldDeclaration rule = rule(slot);
        if (mayBeAbsent(slot) && !isPresent(slot)) {
            return rule.absent();
        }
        JsonValue value = object.required(rule.name());
        if (rule.type().bytes() == Byte.BYTES) {
            return value.bool() ? 1 : 0;
        }
        return rule.type().isNamed() ? symbol(value, rule.type().symbols()) : value.int32();
    }

    /// Returns whether old documents omit a parameter.
    private boolean mayBeAbsent(int slot) {
        return facts.id() == Type.MAP
                || facts.id() == Type.DECIMAL && slot == Decimal.BIT_WIDTH_SLOT;
    }

    /// The number of an enum value, by its name in capitals or as declared, such as `Sparse` in old
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
        return isPresent(slot) ? value(rule(slot).name()).string() : null;
    }

    private List<Integer> numbers(int slot) {
        return object.<JsonValue>required(rule(slot).name()).int32s();
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
