// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.format.Decimal;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Time;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.VariableShapeTensor;
import dev.fletch.schema.internal.LayoutFields;
import dev.fletch.wire.SharedParts;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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

    /// A batch with this layout, for faults.
    final ValueFault.Batch batch;

    /// The greatest time of a day; the greatest type id, if all up to it are declared, else -1.
    final long[] most;

    /// For a union, the distance to the child of each type id up to the greatest, negative if
    /// there is none; for decimals, the limit of [Decimals#isLess]; for tensors, the size of each
    /// dimension, -1 if it differs, or null if all may.
    final long[][] numbers;

    private ValuePlan(BatchLayout layout) {
        this.layout = layout;
        batch = new ValueFault.Batch(layout, 0, ValueFault.NO_DICTIONARY);
        kinds = new Kind[layout.fieldCount()];
        most = new long[kinds.length];
        numbers = new long[kinds.length][];
    }

    /// Creates the plan of a schema's columns, or of some.
    static ValuePlan of(Schema schema, BatchLayout layout) {
        ValuePlan plan = new ValuePlan(layout);
        LayoutFields.columns(schema, layout, plan.fields());
        return plan;
    }

    /// Creates the plans of a schema's dictionaries.
    static Map<Long, ValuePlan> dictionaries(Schema schema, BatchLayout layout) {
        Map<Long, ValuePlan> plans = new HashMap<>();
        LayoutFields.dictionaries(
                schema,
                layout,
                id -> {
                    ValuePlan plan = new ValuePlan(layout.dictionaryLayout(id));
                    plans.put(id, plan);
                    return plan.fields();
                });
        return plans;
    }

    /// Adds fields. Any number of them may share a table, which is read once.
    private ObjIntConsumer<Field> fields() {
        SharedParts tables = new SharedParts();
        return (of, field) -> {
            kinds[field] = kind(field);
            if (!hasParameters(field)) {
                return;
            }
            int same = tables.find(of.position(), 1);
            if (same == SharedParts.NEW) {
                tables.keep(of.position(), field);
                addParameters(field, of);
            } else {
                kinds[field] = kinds[same];
                most[field] = most[same];
                numbers[field] = numbers[same];
            }
        };
    }

    private boolean hasParameters(int field) {
        return switch (kinds[field]) {
            case TIMES, DECIMALS, UNION -> true;
            case STRUCTS -> isTensor(field) && layout.hasAllBelow(field);
            default -> false;
        };
    }

    private void addParameters(int field, Field of) {
        switch (kinds[field]) {
            case TIMES -> {
                Time time = new Time();
                int unit = of.type(time) ? time.unit() : TimeUnit.SECOND;
                most[field] = DAY[Math.clamp(unit, 0, DAY.length - 1)] - 1;
            }
            case DECIMALS -> addDecimal(field, of);
            case UNION -> addUnion(field);
            default -> addTensor(field, of);
        }
    }

    private void addDecimal(int field, Field of) {
        Decimal decimal = new Decimal();
        int digits = of.type(decimal) ? decimal.precision() : 0;
        int mostDigits = TypeFacts.maxDecimalPrecision((int) layout.valueBits(field));
        BigInteger limit = BigInteger.TEN.pow(Math.clamp(digits, 0, mostDigits));
        BigInteger before = limit.subtract(BigInteger.ONE);
        numbers[field] = new long[2 * Decimals.WORDS];
        for (int i = 0; i < Decimals.WORDS; i++) {
            int shift = Long.SIZE * i;
            numbers[field][i] = limit.shiftRight(shift).longValue();
            numbers[field][Decimals.WORDS + i] = before.shiftRight(shift).longValue();
        }
    }

    private void addUnion(int field) {
        int ids = TypeFacts.MAX_UNION_CHILDREN;
        while (ids > 0 && layout.childOf(field, ids - 1) < 0) {
            ids--;
        }
        numbers[field] =
                IntStream.range(0, ids)
                        .mapToLong(id -> layout.childOf(field, id) - field)
                        .toArray();
        boolean areAll = LongStream.of(numbers[field]).allMatch(child -> child > 0);
        most[field] = areAll ? ids - 1 : -1;
    }

    /// {@return the child of a union that a type id names; -1 if there is none}
    int childOf(int union, int id) {
        long[] children = numbers[union];
        return id >= 0 && id < children.length && children[id] > 0
                ? union + (int) children[id]
                : -1;
    }

    private void addTensor(int field, Field of) {
        Metadata metadata = extension(of);
        if (metadata == null) {
            return;
        }
        try {
            if (ExtensionRegistry.CANONICAL.read(tensor(field, metadata)).orElse(null)
                    instanceof VariableShapeTensor t) {
                numbers[field] =
                        t.uniformShape().isEmpty()
                                ? null
                                : t.uniformShape().stream().mapToLong(n -> n.orElse(-1)).toArray();
                kinds[field] = Kind.TENSORS;
            }
        } catch (FletchException | IllegalStateException e) {
            kinds[field] = Kind.STRUCTS; // a fault of the schema, or nothing parses its metadata
        }
    }

    /// The pairs that name a field's extension type; null if they name no tensor, or are not UTF-8.
    private static Metadata extension(Field field) {
        List<String> pairs = new ArrayList<>();
        KeyValue entry = new KeyValue();
        boolean isTensor = false;
        for (int i = 0; i < field.customMetadataCount(); i++) {
            boolean isName = field.customMetadata(i, entry).keyEquals(ExtensionType.NAME_KEY);
            if (isName || entry.keyEquals(ExtensionType.METADATA_KEY)) {
                String value = entry.valueString();
                if (value != null && !entry.valueEquals(value)) {
                    return null;
                }
                isTensor |= isName && VariableShapeTensor.NAME.equals(value);
                pairs.add(entry.keyString());
                pairs.add(value);
            }
        }
        return isTensor ? Metadata.of(pairs.toArray(String[]::new)) : null;
    }

    /// Whether a field has the fields of a tensor: see [VariableShapeTensor].
    private boolean isTensor(int field) {
        int data = layout.child(field, "data");
        int shape = layout.child(field, "shape");
        return data == field + 1
                && layout.typeType(data) == Type.LIST
                && shape == layout.end(data)
                && layout.typeType(shape) == Type.FIXED_SIZE_LIST
                && layout.end(field) == shape + 2
                && layout.typeType(shape + 1) == Type.INT
                && layout.valueType(shape + 1) == ValueType.INT32
                && IntStream.of(data, shape, shape + 1).noneMatch(layout::isDictionaryEncoded);
    }

    /// Of the data, which may have any number of fields, nothing is read.
    private ArrowField tensor(int field, Metadata metadata) {
        ArrowField shape =
                ArrowField.of(
                        "shape",
                        new ArrowType.FixedSizeList(layout.listSize(layout.end(field + 1))),
                        ArrowField.of("", new ArrowType.Int(32, true)));
        ArrowField data =
                ArrowField.of(
                        "data", ArrowType.Simple.LIST, ArrowField.of("", ArrowType.Simple.NULL));
        return ArrowField.of("", ArrowType.Simple.STRUCT, data, shape).withMetadata(metadata);
    }

    private Kind kind(int field) {
        if (layout.isDictionaryEncoded(field)) {
            return Kind.INDICES;
        }
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
