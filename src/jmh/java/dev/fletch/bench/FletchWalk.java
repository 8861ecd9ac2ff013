// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.Field;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;

import java.lang.foreign.MemorySegment;

/// A schema's walk as a user of Fletch writes it.
final class FletchWalk {
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final Field[] levels = {new Field(), new Field(), new Field()};
    private final KeyValue pair = new KeyValue();
    private final Utf8Slice text = new Utf8Slice();
    private final Int integer = new Int();
    private final FloatingPoint floating = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Timestamp timestamp = new Timestamp();

    long walk(MemorySegment segment, Strings strings) {
        message.wrap(segment);
        if (!message.header(schema)) {
            throw new AssertionError("no schema");
        }
        return message.version() + schema(schema, strings);
    }

    long schema(Schema schema, Strings strings) {
        long sum = schema.endianness();
        for (int i = 0, n = schema.customMetadataCount(); i < n; i++) {
            sum += pair(schema.customMetadata(i, pair), strings);
        }
        for (int i = 0, n = schema.fieldsCount(); i < n; i++) {
            sum += field(schema.fields(i, levels[0]), 1, strings);
        }
        return sum;
    }

    private long field(Field field, int depth, Strings strings) {
        long sum = field.nameLength() + (field.nullable() ? 1 : 0);
        if (strings != Strings.LENGTHS && field.name(text)) {
            sum += content(strings);
        }
        sum += type(field, strings);
        for (int i = 0, n = field.customMetadataCount(); i < n; i++) {
            sum += pair(field.customMetadata(i, pair), strings);
        }
        for (int i = 0, n = field.childrenCount(); i < n; i++) {
            sum += field(field.children(i, levels[depth]), depth + 1, strings);
        }
        return sum;
    }

    private long type(Field field, Strings strings) {
        long sum = field.typeType();
        switch (field.typeType()) {
            case Type.INT -> {
                field.type(integer);
                sum += integer.bitWidth() + (integer.isSigned() ? 1 : 0);
            }
            case Type.FLOATING_POINT -> {
                field.type(floating);
                sum += floating.precision();
            }
            case Type.DECIMAL -> {
                field.type(decimal);
                sum += decimal.precision() + decimal.scale() + decimal.bitWidth();
            }
            case Type.DATE -> {
                field.type(date);
                sum += date.unit();
            }
            case Type.TIMESTAMP -> {
                field.type(timestamp);
                sum += timestamp.unit() + timestamp.timezoneLength();
                if (strings != Strings.LENGTHS && timestamp.timezone(text)) {
                    sum += content(strings);
                }
            }
            default -> {}
        }
        return sum;
    }

    private long pair(KeyValue pair, Strings strings) {
        long sum = pair.keyLength() + pair.valueLength();
        if (strings != Strings.LENGTHS && pair.key(text)) {
            sum += content(strings);
        }
        if (strings != Strings.LENGTHS && pair.value(text)) {
            sum += content(strings);
        }
        return sum;
    }

    private long content(Strings strings) {
        return strings == Strings.HASH ? text.hashCode() : ends(text);
    }

    static int ends(Utf8Slice text) {
        return text.isEmpty() ? 0 : text.byteAt(0) + text.byteAt(text.length() - 1);
    }
}
