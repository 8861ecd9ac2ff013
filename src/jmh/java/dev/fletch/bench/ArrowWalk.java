// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.util.Map;

/// The walk of [FletchWalk] over arrow-java's schema objects.
final class ArrowWalk {
    private ArrowWalk() {}

    static long schema(Schema schema) {
        long sum = pairs(schema.getCustomMetadata());
        for (Field field : schema.getFields()) {
            sum += field(field);
        }
        return sum;
    }

    private static long field(Field field) {
        long sum = string(field.getName()) + (field.isNullable() ? 1 : 0);
        sum += type(field.getType()) + pairs(field.getMetadata());
        for (Field child : field.getChildren()) {
            sum += field(child);
        }
        return sum;
    }

    private static long type(ArrowType type) {
        long kind = type.getTypeID().getFlatbufID();
        return switch (type) {
            case ArrowType.Int integer ->
                    kind + integer.getBitWidth() + (integer.getIsSigned() ? 1 : 0);
            case ArrowType.FloatingPoint floating -> kind + floating.getPrecision().getFlatbufID();
            case ArrowType.Decimal decimal ->
                    kind + decimal.getPrecision() + decimal.getScale() + decimal.getBitWidth();
            case ArrowType.Date date -> kind + date.getUnit().getFlatbufID();
            case ArrowType.Timestamp timestamp ->
                    kind + timestamp.getUnit().getFlatbufID() + string(timestamp.getTimezone());
            default -> kind;
        };
    }

    private static long pairs(Map<String, String> pairs) {
        long sum = 0;
        for (Map.Entry<String, String> pair : pairs.entrySet()) {
            sum += string(pair.getKey()) + string(pair.getValue());
        }
        return sum;
    }

    /// Length, first and last character, which in ASCII are bytes.
    private static long string(String text) {
        int length = text.length();
        return length == 0 ? 0 : length + text.charAt(0) + text.charAt(length - 1);
    }
}
