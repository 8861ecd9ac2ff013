// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;

import java.nio.ByteBuffer;

/// The walk of [FletchWalk] through the classes that flatc generates. All objects are reused, and
/// strings are read through a buffer that is reused, so it allocates nothing.
final class GeneratedWalk {
    private final Field[] levels = {new Field(), new Field(), new Field()};
    private final KeyValue pair = new KeyValue();
    private final Int integer = new Int();
    private final FloatingPoint floating = new FloatingPoint();
    private final Decimal decimal = new Decimal();
    private final Date date = new Date();
    private final Timestamp timestamp = new Timestamp();

    /// @param text another buffer over the same bytes
    long schema(Schema schema, ByteBuffer text) {
        long sum = schema.endianness();
        for (int i = 0, n = schema.customMetadataLength(); i < n; i++) {
            sum += pair(schema.customMetadata(pair, i), text);
        }
        for (int i = 0, n = schema.fieldsLength(); i < n; i++) {
            sum += field(schema.fields(levels[0], i), text, 1);
        }
        return sum;
    }

    private long field(Field field, ByteBuffer text, int depth) {
        long sum = string(field.nameInByteBuffer(text)) + (field.nullable() ? 1 : 0);
        sum += type(field, text);
        for (int i = 0, n = field.customMetadataLength(); i < n; i++) {
            sum += pair(field.customMetadata(pair, i), text);
        }
        for (int i = 0, n = field.childrenLength(); i < n; i++) {
            sum += field(field.children(levels[depth], i), text, depth + 1);
        }
        return sum;
    }

    private long type(Field field, ByteBuffer text) {
        long sum = field.typeType();
        switch (field.typeType()) {
            case Type.Int -> {
                field.type(integer);
                sum += integer.bitWidth() + (integer.isSigned() ? 1 : 0);
            }
            case Type.FloatingPoint -> {
                field.type(floating);
                sum += floating.precision();
            }
            case Type.Decimal -> {
                field.type(decimal);
                sum += decimal.precision() + decimal.scale() + decimal.bitWidth();
            }
            case Type.Date -> {
                field.type(date);
                sum += date.unit();
            }
            case Type.Timestamp -> {
                field.type(timestamp);
                sum += timestamp.unit() + string(timestamp.timezoneInByteBuffer(text));
            }
            default -> {}
        }
        return sum;
    }

    private long pair(KeyValue pair, ByteBuffer text) {
        return string(pair.keyInByteBuffer(text)) + string(pair.valueInByteBuffer(text));
    }

    private static long string(ByteBuffer text) {
        final int length = text.remaining();
        return length == 0 ? 0 : length + text.get(text.position()) + text.get(text.limit() - 1);
    }
}
