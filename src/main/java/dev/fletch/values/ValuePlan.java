// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.values;

import dev.fletch.extension.ExtensionRegistry;
import dev.fletch.extension.ExtensionType;
import dev.fletch.extension.InvalidExtensionException;
import dev.fletch.extension.VariableShapeTensor;
import dev.fletch.format.Type;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ValueType;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the values of a layout's fields must be, by the parameters of their types that the layout
/// does not have. Immutable.
final class ValuePlan {
    /// How the values of a field are checked.
    enum Kind {
        NOTHING,
        FIXED_WIDTH,
        STRUCTS,
        TENSORS,
        FIXED_SIZE_LISTS,
        INDICES,
        BYTES,
        TEXT,
        BYTE_VIEWS,
        TEXT_VIEWS,
        LISTS,
        LIST_VIEWS,
        UNION,
        RUNS,
        DECIMALS,
        TIMES,
        DATES
    }

    private static final long[] DAY = {86_400L, 86_400_000L, 86_400_000_000L, 86_400_000_000_000L};

    /// Milliseconds of a day.
    static final long DAY_MILLIS = DAY[1];

    final BatchLayout layout;
    final Kind[] kinds;

    /// Whether dictionaries are needed to check all fields.
    boolean hasIndices;

    /// The greatest time of a day; the greatest type id, if all up to it are declared, else -1.
    final long[] most;

    /// For a union, the field of each type id, -1 if none; for decimals, the limit of
    /// [Decimals#isLess]; for tensors, the size of each dimension, -1 if it differs, or null if all may.
    final long[][] numbers;

    private ValuePlan(BatchLayout layout) {
        this.layout = layout;
        kinds = new Kind[layout.fieldCount()];
        most = new long[kinds.length];
        numbers = new long[kinds.length][];
    }

    /// Creates the plan of a schema's columns, or of some.
    static ValuePlan of(ArrowSchema schema, BatchLayout layout) {
        List<ArrowField> all = new ArrayList<>();
        schema.fields().forEach(field -> addTo(all, field, new HashMap<>()));
        return of(all, layout);
    }

    /// Creates the plans of a schema's dictionaries.
    static Map<Long, ValuePlan> dictionaries(ArrowSchema schema, BatchLayout layout) {
        Map<Long, List<ArrowField>> values = new HashMap<>();
        schema.fields().forEach(field -> addTo(new ArrayList<>(), field, values));
        Map<Long, ValuePlan> plans = new HashMap<>();
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            plans.put(id, of(values.get(id), layout.dictionaryLayout(id)));
        }
        return plans;
    }

    /// Adds a field and its descendants in pre-order; what is in a dictionary, to its values.
    ///
    /// @param values the fields of each dictionary: the first field that has it, and those below
    private static void addTo(
            List<ArrowField> all, ArrowField field, Map<Long, List<ArrowField>> values) {
        all.add(field);
        List<ArrowField> below = all;
        if (field.isDictionaryEncoded()) {
            below = new ArrayList<>(List.of(field));
            values.putIfAbsent(field.dictionary().id(), below);
        }
        for (ArrowField child : field.children()) {
            addTo(below, child, values);
        }
    }

    private static ValuePlan of(List<ArrowField> fields, BatchLayout layout) {
        ValuePlan plan = new ValuePlan(layout);
        for (int i = 0; i < plan.kinds.length; i++) {
            plan.add(i, fields.get(layout.sourceField(i)));
        }
        return plan;
    }

    private void add(int field, ArrowField of) {
        if (layout.isDictionaryEncoded(field)) {
            kinds[field] = Kind.INDICES;
            hasIndices = true;
            return;
        }
        kinds[field] = kind(field);
        switch (of.type()) {
            case ArrowType.Struct _ -> addTensor(field, of);
            case ArrowType.Time time -> most[field] = DAY[time.unit().ordinal()] - 1;
            case ArrowType.Decimal decimal -> {
                BigInteger limit = BigInteger.TEN.pow(decimal.precision());
                BigInteger before = limit.subtract(BigInteger.ONE);
                numbers[field] = new long[2 * Decimals.WORDS];
                for (int i = 0; i < Decimals.WORDS; i++) {
                    int shift = Long.SIZE * i;
                    numbers[field][i] = limit.shiftRight(shift).longValue();
                    numbers[field][Decimals.WORDS + i] = before.shiftRight(shift).longValue();
                }
            }
            case ArrowType.Union union -> {
                numbers[field] = new long[TypeFacts.MAX_UNION_CHILDREN];
                Arrays.fill(numbers[field], -1);
                int greatest = -1;
                int child = field + 1;
                for (int id : union.typeIds()) {
                    numbers[field][id] = child;
                    child = layout.end(child);
                    greatest = Math.max(greatest, id);
                }
                most[field] = greatest < union.typeIds().size() ? greatest : -1;
            }
            default -> {}
        }
    }

    private void addTensor(int field, ArrowField of) {
        if (!of.metadata().all(ExtensionType.NAME_KEY).contains(VariableShapeTensor.NAME)
                || !hasAllBelow(field)) {
            return;
        }
        try {
            if (ExtensionRegistry.CANONICAL.read(of).orElse(null)
                    instanceof VariableShapeTensor t) {
                numbers[field] =
                        t.uniformShape().isEmpty()
                                ? null
                                : t.uniformShape().stream().mapToLong(n -> n.orElse(-1)).toArray();
                kinds[field] = Kind.TENSORS;
            }
        } catch (InvalidExtensionException | IllegalStateException e) {
            kinds[field] = Kind.STRUCTS; // a fault of the schema, or nothing parses its metadata
        }
    }

    /// Whether a layout of chosen fields has all descendants of a field.
    private boolean hasAllBelow(int field) {
        int source = layout.sourceField(field);
        int end = layout.end(field);
        return layout.sourceField(end - 1) - source == end - 1 - field
                && layout.source().end(source) - source == end - field;
    }

    private Kind kind(int field) {
        return switch (layout.typeType(field)) {
            case Type.BINARY, Type.LARGE_BINARY -> Kind.BYTES;
            case Type.UTF8, Type.LARGE_UTF8 -> Kind.TEXT;
            case Type.BINARY_VIEW -> Kind.BYTE_VIEWS;
            case Type.UTF8_VIEW -> Kind.TEXT_VIEWS;
            case Type.LIST, Type.LARGE_LIST, Type.MAP -> Kind.LISTS;
            case Type.STRUCT_ -> Kind.STRUCTS;
            case Type.FIXED_SIZE_LIST -> Kind.FIXED_SIZE_LISTS;
            case Type.LIST_VIEW, Type.LARGE_LIST_VIEW -> Kind.LIST_VIEWS;
            case Type.UNION -> Kind.UNION;
            case Type.RUN_END_ENCODED -> Kind.RUNS;
            case Type.DECIMAL -> Kind.DECIMALS;
            case Type.TIME -> Kind.TIMES;
            case Type.DATE ->
                    layout.valueType(field) == ValueType.INT64 ? Kind.DATES : Kind.FIXED_WIDTH;
            default -> layout.valueType(field) == ValueType.NONE ? Kind.NOTHING : Kind.FIXED_WIDTH;
        };
    }
}
