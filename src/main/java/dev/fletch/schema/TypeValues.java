// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.Rule;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.Duration;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.Map;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;
import dev.fletch.schema.ArrowType.TimeResolution;

import java.util.ArrayList;
import java.util.List;

/// The parameters of an [ArrowType] by slot, and types from parameters. All other code accesses the
/// parameters by their rules.
final class TypeValues implements TypeParameters {
    /// The types without parameters, by [Type]; null for other types.
    private static final ArrowType[] SIMPLE = new ArrowType[Type.NAMES.all().size()];

    static {
        for (ArrowType.Simple type : ArrowType.Simple.values()) {
            SIMPLE[type.id] = type;
        }
    }

    private final int id;

    /// By slot: an [Integer], a [Boolean], an enum constant, a string or a list; null if absent.
    private final Object[] values;

    private TypeValues(int id, Object... values) {
        this.id = id;
        this.values = values;
    }

    static int id(ArrowType type) {
        return of(type).id;
    }

    static TypeValues of(ArrowType type) {
        return switch (type) {
            case ArrowType.Int t -> new TypeValues(Type.INT, t.bitWidth(), t.isSigned());
            case ArrowType.FloatingPoint t -> new TypeValues(Type.FLOATING_POINT, t);
            case ArrowType.Decimal t ->
                    new TypeValues(Type.DECIMAL, t.precision(), t.scale(), t.bitWidth());
            case ArrowType.Date t -> new TypeValues(Type.DATE, t);
            case ArrowType.Time t -> new TypeValues(Type.TIME, t.unit(), t.bitWidth());
            case ArrowType.Timestamp t -> new TypeValues(Type.TIMESTAMP, t.unit(), t.timezone());
            case ArrowType.Interval t -> new TypeValues(Type.INTERVAL, t);
            case ArrowType.Union t ->
                    new TypeValues(
                            Type.UNION, t.isDense(), t.implicitTypeIds() ? null : t.typeIds());
            case ArrowType.FixedSizeBinary t ->
                    new TypeValues(Type.FIXED_SIZE_BINARY, t.byteWidth());
            case ArrowType.FixedSizeList t -> new TypeValues(Type.FIXED_SIZE_LIST, t.listSize());
            case ArrowType.Map t -> new TypeValues(Type.MAP, t.keysSorted());
            case ArrowType.Duration t -> new TypeValues(Type.DURATION, t.unit());
            case ArrowType.Simple t -> new TypeValues(t.id);
        };
    }

    /// Checks the parameters of a type.
    ///
    /// @param values by slot
    static void check(int id, Object... values) {
        check(id, new TypeValues(id, values));
    }

    private static void check(int id, TypeParameters parameters) {
        int invalid = TypeCheck.invalidParameter(id, parameters);
        if (invalid >= 0) {
            Rule broken = TypeCheck.parameter(id, invalid);
            String name = TypeFacts.of(id).parameters().get(invalid).name();
            throw InvalidSchemaException.of(broken, null, name, parameters.number(invalid));
        }
    }

    /// Creates a type from its parameters.
    ///
    /// @param id one of [Type]
    /// @param p parameters of that type
    /// @param children number of children of the field, for a union
    /// @throws InvalidSchemaException if a parameter breaks a rule
    static ArrowType type(int id, TypeParameters p, int children) {
        check(id, p);
        return switch (id) {
            case Type.INT ->
                    new ArrowType.Int(
                            int32(p, Int.BIT_WIDTH_SLOT), p.number(Int.IS_SIGNED_SLOT) != 0);
            case Type.FLOATING_POINT ->
                    ArrowType.FloatingPoint.values()[int32(p, FloatingPoint.PRECISION_SLOT)];
            case Type.DECIMAL ->
                    new ArrowType.Decimal(
                            int32(p, Decimal.PRECISION_SLOT),
                            int32(p, Decimal.SCALE_SLOT),
                            int32(p, Decimal.BIT_WIDTH_SLOT));
            case Type.DATE -> ArrowType.Date.values()[int32(p, Date.UNIT_SLOT)];
            case Type.TIME ->
                    new ArrowType.Time(unit(p, Time.UNIT_SLOT), int32(p, Time.BIT_WIDTH_SLOT));
            case Type.TIMESTAMP ->
                    new ArrowType.Timestamp(
                            unit(p, Timestamp.UNIT_SLOT), p.string(Timestamp.TIMEZONE_SLOT));
            case Type.INTERVAL -> ArrowType.Interval.values()[int32(p, Interval.UNIT_SLOT)];
            case Type.UNION -> union(p, children);
            case Type.FIXED_SIZE_BINARY ->
                    new ArrowType.FixedSizeBinary(int32(p, FixedSizeBinary.BYTE_WIDTH_SLOT));
            case Type.FIXED_SIZE_LIST ->
                    new ArrowType.FixedSizeList(int32(p, FixedSizeList.LIST_SIZE_SLOT));
            case Type.MAP -> new ArrowType.Map(p.number(Map.KEYS_SORTED_SLOT) != 0);
            case Type.DURATION -> new ArrowType.Duration(unit(p, Duration.UNIT_SLOT));
            default -> SIMPLE[id];
        };
    }

    private static int int32(TypeParameters from, int slot) {
        return (int) from.number(slot);
    }

    private static TimeResolution unit(TypeParameters from, int slot) {
        return TimeResolution.values()[int32(from, slot)];
    }

    private static ArrowType union(TypeParameters from, int children) {
        boolean isDense = from.number(Union.MODE_SLOT) == UnionMode.DENSE;
        if (!from.isPresent(Union.TYPE_IDS_SLOT)) {
            return ArrowType.Union.implicit(isDense, children);
        }
        int count = from.count(Union.TYPE_IDS_SLOT);
        InvalidSchemaException.require(TypeCheck.typeIds(count, children), null, "typeIds", count);
        List<Integer> typeIds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            typeIds.add((int) from.element(Union.TYPE_IDS_SLOT, i));
        }
        return new ArrowType.Union(isDense, typeIds, false);
    }

    // ---- the parameters

    @Override
    public boolean isPresent(int slot) {
        return values[slot] != null;
    }

    @Override
    public long number(int slot) {
        return switch (values[slot]) {
            case Boolean value -> value ? 1 : 0;
            case Enum<?> value -> value.ordinal();
            default -> (Integer) values[slot];
        };
    }

    @Override
    public String string(int slot) {
        return (String) values[slot];
    }

    @Override
    public int count(int slot) {
        return values[slot] == null ? 0 : ((List<?>) values[slot]).size();
    }

    @Override
    public long element(int slot, int index) {
        return (Integer) ((List<?>) values[slot]).get(index);
    }
}
