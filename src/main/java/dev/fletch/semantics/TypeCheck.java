// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.Precision;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;
import dev.fletch.format.rules.TypeFacts;

/// The rules of one field's type and of its parameters. Each check says whether to go on.
final class TypeCheck {
    private final Report report;
    private final TypeTables tables;

    TypeCheck(Report report, TypeTables tables) {
        this.report = report;
        this.tables = tables;
    }

    boolean check(Field field) {
        final int type = field.typeType();
        if (type == Type.NONE) {
            return report.add(NO_TYPE, field.position(Field.TYPE_TYPE_SLOT), type, "typeType");
        }
        if (!Type.NAMES.isKnown(type)) {
            return report.add(UNKNOWN_TYPE, field.position(Field.TYPE_TYPE_SLOT), type, "typeType");
        }
        if (!field.isPresent(Field.TYPE_SLOT)) {
            return report.add(NO_TYPE_TABLE, field.position(Field.TYPE_SLOT), type, "type");
        }
        return parameters(field, type);
    }

    private boolean parameters(Field field, int type) {
        return switch (type) {
            case Type.INT -> field.type(tables.integer) && integer();
            case Type.FLOATING_POINT -> field.type(tables.floatingPoint) && floatingPoint();
            case Type.DECIMAL -> field.type(tables.decimal) && decimal();
            case Type.DATE -> field.type(tables.date) && date();
            case Type.TIME -> field.type(tables.time) && time();
            case Type.TIMESTAMP -> field.type(tables.timestamp) && timestamp();
            case Type.DURATION -> field.type(tables.duration) && duration();
            case Type.INTERVAL -> field.type(tables.interval) && interval();
            case Type.FIXED_SIZE_BINARY -> field.type(tables.fixedSizeBinary) && byteWidth();
            case Type.FIXED_SIZE_LIST -> field.type(tables.fixedSizeList) && listSize();
            case Type.UNION -> field.type(tables.union) && unionMode();
            default -> true;
        };
    }

    private static boolean isIntWidth(int bits) {
        return bits == 8 || bits == 16 || bits == 32 || bits == 64;
    }

    private boolean integer() {
        final Int type = tables.integer;
        final int bits = type.bitWidth();
        return isIntWidth(bits)
                || report.add(INT_WIDTH, type.position(Int.BIT_WIDTH_SLOT), bits, "type.bitWidth");
    }

    private boolean floatingPoint() {
        final FloatingPoint type = tables.floatingPoint;
        final int precision = type.precision();
        final long at = type.position(FloatingPoint.PRECISION_SLOT);
        return Precision.NAMES.isKnown(precision)
                || report.add(FLOAT_PRECISION, at, precision, "type.precision");
    }

    private boolean decimal() {
        final Decimal type = tables.decimal;
        final int bits = type.bitWidth();
        final int most = TypeFacts.maxDecimalPrecision(bits);
        if (most == 0) {
            final long at = type.position(Decimal.BIT_WIDTH_SLOT);
            return report.add(DECIMAL_WIDTH, at, bits, "type.bitWidth");
        }
        final int precision = type.precision();
        final long at = type.position(Decimal.PRECISION_SLOT);
        return precision >= 1 && precision <= most
                || report.add(DECIMAL_PRECISION, at, precision, "type.precision");
    }

    private boolean unit(boolean known, Rule code, long at, int unit) {
        return known || report.add(code, at, unit, "type.unit");
    }

    private boolean date() {
        final int unit = tables.date.unit();
        return unit(
                DateUnit.NAMES.isKnown(unit),
                DATE_UNIT,
                tables.date.position(Date.UNIT_SLOT),
                unit);
    }

    private boolean timestamp() {
        final Timestamp type = tables.timestamp;
        final int unit = type.unit();
        return unit(
                TimeUnit.NAMES.isKnown(unit),
                TIMESTAMP_UNIT,
                type.position(Timestamp.UNIT_SLOT),
                unit);
    }

    private boolean duration() {
        final Duration type = tables.duration;
        final int unit = type.unit();
        return unit(
                TimeUnit.NAMES.isKnown(unit),
                DURATION_UNIT,
                type.position(Duration.UNIT_SLOT),
                unit);
    }

    private boolean interval() {
        final Interval type = tables.interval;
        final int unit = type.unit();
        return unit(
                IntervalUnit.NAMES.isKnown(unit),
                INTERVAL_UNIT,
                type.position(Interval.UNIT_SLOT),
                unit);
    }

    private boolean time() {
        final Time type = tables.time;
        final int unit = type.unit();
        if (!TimeUnit.NAMES.isKnown(unit)) {
            return report.add(TIME_UNIT, type.position(Time.UNIT_SLOT), unit, "type.unit");
        }
        final int bits = type.bitWidth();
        final long at = type.position(Time.BIT_WIDTH_SLOT);
        return bits == TypeFacts.timeBits(unit)
                || report.add(TIME_WIDTH, at, bits, "type.bitWidth");
    }

    private boolean byteWidth() {
        final FixedSizeBinary type = tables.fixedSizeBinary;
        final int width = type.byteWidth();
        final long at = type.position(FixedSizeBinary.BYTE_WIDTH_SLOT);
        return width >= 0 || report.add(BYTE_WIDTH, at, width, "type.byteWidth");
    }

    private boolean listSize() {
        final FixedSizeList type = tables.fixedSizeList;
        final int size = type.listSize();
        final long at = type.position(FixedSizeList.LIST_SIZE_SLOT);
        return size >= 0 || report.add(LIST_SIZE, at, size, "type.listSize");
    }

    private boolean unionMode() {
        final Union type = tables.union;
        final int mode = type.mode();
        return UnionMode.NAMES.isKnown(mode)
                || report.add(UNION_MODE, type.position(Union.MODE_SLOT), mode, "type.mode");
    }

    /// The rules of [TypeTables#encoding], which is bound to the field's.
    boolean encoding() {
        final DictionaryEncoding encoding = tables.encoding;
        final int kind = encoding.dictionaryKind();
        final long at = encoding.position(DictionaryEncoding.DICTIONARY_KIND_SLOT);
        if (!DictionaryKind.NAMES.isKnown(kind)
                && !report.add(DICTIONARY_KIND, at, kind, "dictionary.dictionaryKind")) {
            return false;
        }
        final int bits = tables.indexBits();
        return isIntWidth(bits)
                || report.add(
                        INDEX_WIDTH,
                        tables.index.position(Int.BIT_WIDTH_SLOT),
                        bits,
                        "dictionary.indexType.bitWidth");
    }
}
