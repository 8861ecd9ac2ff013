// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;

import java.nio.ByteBuffer;

/// The same walk through the classes that flatc generates as one writes it without a second
/// thought: an object for each table, a string for each text. Of strings their ends are taken.
final class FreshWalk {
    private FreshWalk() {}

    static long walk(ByteBuffer bytes) {
        final Message message = Message.getRootAsMessage(bytes);
        if (message.headerType() != MessageHeader.Schema) {
            throw new AssertionError("no schema");
        }
        return message.version() + schema((Schema) message.header(new Schema()));
    }

    static long schema(Schema schema) {
        long sum = schema.endianness();
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            sum += pair(schema.customMetadata(i));
        }
        for (int i = 0; i < schema.fieldsLength(); i++) {
            sum += field(schema.fields(i));
        }
        return sum;
    }

    private static long field(Field field) {
        long sum = string(field.name()) + (field.nullable() ? 1 : 0) + type(field);
        for (int i = 0; i < field.customMetadataLength(); i++) {
            sum += pair(field.customMetadata(i));
        }
        for (int i = 0; i < field.childrenLength(); i++) {
            sum += field(field.children(i));
        }
        return sum;
    }

    private static long type(Field field) {
        final long kind = field.typeType();
        return switch (field.typeType()) {
            case Type.Int -> {
                final Int integer = (Int) field.type(new Int());
                yield kind + integer.bitWidth() + (integer.isSigned() ? 1 : 0);
            }
            case Type.FloatingPoint ->
                    kind + ((FloatingPoint) field.type(new FloatingPoint())).precision();
            case Type.Decimal -> {
                final Decimal decimal = (Decimal) field.type(new Decimal());
                yield kind + decimal.precision() + decimal.scale() + decimal.bitWidth();
            }
            case Type.Date -> kind + ((Date) field.type(new Date())).unit();
            case Type.Timestamp -> {
                final Timestamp timestamp = (Timestamp) field.type(new Timestamp());
                yield kind + timestamp.unit() + string(timestamp.timezone());
            }
            default -> kind;
        };
    }

    private static long pair(KeyValue pair) {
        return string(pair.key()) + string(pair.value());
    }

    /// Length, first and last character, which in ASCII are bytes.
    static long string(String text) {
        final int length = text.length();
        return length == 0 ? 0 : length + text.charAt(0) + text.charAt(length - 1);
    }
}
