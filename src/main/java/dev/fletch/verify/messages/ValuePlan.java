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
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.VariableShapeTensor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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

    /// For a union, the field of each type id, -1 if none; for decimals, the limit of
    /// [Decimals#isLess]; for tensors, the size of each dimension, -1 if it differs, or null if all
    /// may.
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
        return new ValuePlan(layout).fill(new FieldWalk().wrap(schema), -1);
    }

    /// Creates the plans of a schema's dictionaries. The first field that has one decides.
    static Map<Long, ValuePlan> dictionaries(Schema schema, BatchLayout layout) {
        Map<Long, ValuePlan> plans = new HashMap<>();
        FieldWalk walk = new FieldWalk().wrap(schema);
        while (walk.next()) {
            BatchLayout values = layout.dictionaryLayout(walk.dictionaryId());
            if (walk.isDictionaryEncoded()
                    && values != null
                    && !plans.containsKey(walk.dictionaryId())) {
                int level = walk.depth();
                plans.put(walk.dictionaryId(), new ValuePlan(values).fill(walk, level));
                walk.again(level);
            }
        }
        return plans;
    }

    /// Adds the current field of a walk, and the fields after it in its subtree; or the columns of
    /// the layout, which may be some of the schema's. Fields below a dictionary-encoded field are
    /// in a plan of their own.
    ///
    /// @param level depth of the subtree's top, which has the dictionary; -1 for all columns
    private ValuePlan fill(FieldWalk walk, int level) {
        BatchLayout all = layout.source();
        int[] fields = new int[all.fieldCount()];
        Arrays.fill(fields, -1);
        for (int i = 0; i < kinds.length; i++) {
            fields[layout.sourceField(i)] = i;
        }
        int column = 0;
        for (int source = 0; source < fields.length; source++) {
            if (level < 0 && all.depth(source) == 0) {
                walk.column(all.schemaColumn(column++));
            } else if (source > 0 && !walk.nextBelow(level)) {
                throw new IllegalArgumentException("layout is that of another schema");
            }
            if (fields[source] >= 0) {
                add(fields[source], walk.field());
            }
            if (walk.isDictionaryEncoded() && (source > 0 || level < 0)) {
                walk.skipChildren();
            }
        }
        return this;
    }

    private void add(int field, Field of) {
        if (layout.isDictionaryEncoded(field)) {
            kinds[field] = Kind.INDICES;
            return;
        }
        kinds[field] = kind(field);
        switch (kinds[field]) {
            case STRUCTS -> addTensor(field, of);
            case TIMES -> {
                Time time = new Time();
                int unit = of.type(time) ? time.unit() : TimeUnit.SECOND;
                most[field] = DAY[Math.clamp(unit, 0, DAY.length - 1)] - 1;
            }
            case DECIMALS -> addDecimal(field, of);
            case UNION -> addUnion(field);
            default -> {}
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
        numbers[field] = new long[TypeFacts.MAX_UNION_CHILDREN];
        int greatest = -1;
        int count = 0;
        for (int id = 0; id < numbers[field].length; id++) {
            int child = layout.childOf(field, id);
            numbers[field][id] = child;
            greatest = child < 0 ? greatest : id;
            count += child < 0 ? 0 : 1;
        }
        most[field] = greatest < count ? greatest : -1;
    }

    private void addTensor(int field, Field of) {
        Metadata metadata = isTensor(field) ? extension(of) : null;
        if (metadata == null || !layout.hasAllBelow(field)) {
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
