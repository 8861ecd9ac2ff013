// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.ids.DateUnit;
import dev.fletch.format.ids.IntervalUnit;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.FieldWalk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// All that a schema's fields say, as a list of numbers: by a [FieldWalk], and by the flyweights of
/// each table. Both end with what was thrown. Damaged bytes may unfold to many fields, so they are
/// limited in number and depth.
final class FieldWalkReadings {
    private static final int MAX_DEPTH = 12;
    private static final int MAX_FIELDS = 2_000;
    private static final int MAX_PAIRS = 100;
    private static final long THROWN = -4_711;

    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice slice = new Utf8Slice();
    private final Field[] levels = new Field[MAX_DEPTH + 1];
    private final KeyValue pair = new KeyValue();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Int int_ = new Int();
    private final FloatingPoint floatingPoint = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Time time = new Time();
    private final Timestamp timestamp = new Timestamp();
    private final Interval interval = new Interval();
    private final Union union = new Union();
    private final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
    private final FixedSizeList fixedSizeList = new FixedSizeList();
    private final Map map = new Map();
    private final Duration duration = new Duration();
    private final List<Long> out = new ArrayList<>();
    private int fields;

    FieldWalkReadings() {
        for (int i = 0; i < levels.length; i++) {
            levels[i] = new Field();
        }
    }

    private void add(long value) {
        out.add(value);
    }

    private void text(boolean there, int length) {
        add(there ? length : -1);
        add(there ? slice.hashCode() : 0);
    }

    private List<Long> read(Runnable reading) {
        out.clear();
        fields = 0;
        try {
            reading.run();
        } catch (FletchException e) {
            add(THROWN);
        }
        return List.copyOf(out);
    }

    // ---- by a walk

    List<Long> byWalk(Schema schema) {
        return read(() -> walked(schema, walk.wrap(schema)));
    }

    /// What a walk shows that is before its first column.
    private List<Long> walked(Schema schema, FieldWalk of) {
        List<Long> before = List.copyOf(out);
        add(schema.endianness());
        for (int i = 0, n = pairs(schema.customMetadataCount()); i < n; i++) {
            pair(schema.customMetadata(i, pair));
        }
        while (fields++ < MAX_FIELDS && of.next()) {
            walkField(of);
        }
        return before;
    }

    private int pairs(int count) {
        add(count);
        return Math.min(count, MAX_PAIRS);
    }

    private void walkField(FieldWalk of) {
        add(of.depth());
        text(of.field().name(slice), of.field().nameLength());
        add(of.field().nullable() ? 1 : 0);
        add(of.isDictionaryEncoded() ? 1 : 0);
        add(of.dictionaryId());
        add(of.field().dictionary(dictionary) ? dictionary.id() : 0);
        add(of.field().childrenCount());
        add(of.field().typeType());
        type(of.field().typeType(), of.field()::type);
        for (int i = 0, n = pairs(of.field().customMetadataCount()); i < n; i++) {
            pair(of.field().customMetadata(i, pair));
        }
        if (of.depth() >= MAX_DEPTH) {
            of.skipChildren();
        }
    }

    // ---- by flyweights

    List<Long> byFlyweights(Schema schema) {
        return read(
                () -> {
                    add(schema.endianness());
                    for (int i = 0, n = pairs(schema.customMetadataCount()); i < n; i++) {
                        pair(schema.customMetadata(i, pair));
                    }
                    for (int i = 0, n = schema.fieldsCount(); i < n && within(); i++) {
                        field(schema.fields(i, levels[0]), 0);
                    }
                });
    }

    private boolean within() {
        return fields++ < MAX_FIELDS;
    }

    private void field(Field field, int depth) {
        add(depth);
        text(field.name(slice), field.nameLength());
        add(field.nullable() ? 1 : 0);
        add(field.isPresent(Field.DICTIONARY_SLOT) ? 1 : 0);
        long id = field.dictionary(dictionary) ? dictionary.id() : 0;
        add(id);
        add(id);
        add(field.childrenCount());
        add(field.typeType());
        type(field.typeType(), field::type);
        for (int i = 0, n = pairs(field.customMetadataCount()); i < n; i++) {
            pair(field.customMetadata(i, pair));
        }
        if (depth < MAX_DEPTH) {
            for (int i = 0, n = field.childrenCount(); i < n && within(); i++) {
                field(field.children(i, levels[depth + 1]), depth + 1);
            }
        }
    }

    /// @param binds binds the flyweight of the type
    private void type(int id, Predicate<TypeTable> binds) {
        switch (id) {
            case Type.INT -> {
                Int type = binds.test(int_) ? int_ : new Int();
                add(type.bitWidth());
                add(type.isSigned() ? 1 : 0);
            }
            case Type.FLOATING_POINT ->
                    add(binds.test(floatingPoint) ? floatingPoint.precision() : 0);
            case Type.DECIMAL -> {
                boolean there = binds.test(decimal);
                add(there ? decimal.precision() : 0);
                add(there ? decimal.scale() : 0);
                add(there ? decimal.bitWidth() : 128);
            }
            case Type.DATE -> add(binds.test(date) ? date.unit() : DateUnit.MILLISECOND);
            case Type.INTERVAL ->
                    add(binds.test(interval) ? interval.unit() : IntervalUnit.YEAR_MONTH);
            case Type.DURATION ->
                    add(binds.test(duration) ? duration.unit() : TimeUnit.MILLISECOND);
            case Type.TIME -> {
                boolean there = binds.test(time);
                add(there ? time.unit() : TimeUnit.MILLISECOND);
                add(there ? time.bitWidth() : 32);
            }
            case Type.TIMESTAMP -> {
                boolean there = binds.test(timestamp);
                add(there ? timestamp.unit() : TimeUnit.SECOND);
                boolean zoned = there && timestamp.timezone(slice);
                text(zoned, zoned ? timestamp.timezoneLength() : 0);
            }
            case Type.UNION -> {
                boolean there = binds.test(union);
                add(there ? union.mode() : UnionMode.SPARSE);
                for (int i = 0, n = pairs(there ? union.typeIdsCount() : 0); i < n; i++) {
                    add(union.typeIds(i));
                }
            }
            case Type.FIXED_SIZE_BINARY ->
                    add(binds.test(fixedSizeBinary) ? fixedSizeBinary.byteWidth() : 0);
            case Type.FIXED_SIZE_LIST ->
                    add(binds.test(fixedSizeList) ? fixedSizeList.listSize() : 0);
            case Type.MAP -> add(binds.test(map) && map.keysSorted() ? 1 : 0);
            default -> {}
        }
    }

    private void pair(KeyValue bound) {
        text(bound.key(slice), bound.keyLength());
        text(bound.value(slice), bound.valueLength());
    }
}
