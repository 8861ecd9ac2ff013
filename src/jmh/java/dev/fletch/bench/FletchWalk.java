// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Timestamp;
import dev.fletch.format.internal.FieldWalk;

/// Walks a schema: name, nullability, type with parameters, and metadata of every field. Of each
/// string it reads the length, the first and the last byte.
final class FletchWalk {
    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice text = new Utf8Slice();
    private final KeyValue pair = new KeyValue();
    private final Int integer = new Int();
    private final FloatingPoint floatingPoint = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Timestamp timestamp = new Timestamp();

    long schema(Schema schema) {
        walk.wrap(schema);
        long sum = schema.endianness();
        for (int i = 0, n = schema.customMetadataCount(); i < n; i++) {
            schema.customMetadata(i, pair);
            sum += pair();
        }
        while (walk.next()) {
            sum += walk.field().nameLength() + (walk.field().nullable() ? 1 : 0) + type();
            if (walk.field().name(text)) {
                sum += ends(text);
            }
            for (int i = 0, n = walk.field().customMetadataCount(); i < n; i++) {
                walk.field().customMetadata(i, pair);
                sum += pair();
            }
        }
        return sum;
    }

    private long type() {
        long sum = walk.field().typeType();
        if (walk.field().type(integer)) {
            sum += integer.bitWidth() + (integer.isSigned() ? 1 : 0);
        } else if (walk.field().type(floatingPoint)) {
            sum += floatingPoint.precision();
        } else if (walk.field().type(decimal)) {
            sum += decimal.precision() + decimal.scale() + decimal.bitWidth();
        } else if (walk.field().type(date)) {
            sum += date.unit();
        } else if (walk.field().type(timestamp)) {
            sum += timestamp.unit() + timestamp.timezoneLength();
            if (timestamp.timezone(text)) {
                sum += ends(text);
            }
        }
        return sum;
    }

    private long pair() {
        long sum = pair.keyLength() + pair.valueLength();
        if (pair.key(text)) {
            sum += ends(text);
        }
        if (pair.value(text)) {
            sum += ends(text);
        }
        return sum;
    }

    private static long ends(Utf8Slice text) {
        int length = text.length();
        return length == 0 ? 0 : text.byteAt(0) + text.byteAt(length - 1);
    }
}
