// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;

/// Walks a schema: the name, nullability, type with its parameters and metadata of every field. Of
/// each string the walk takes the length, the first and the last byte.
final class FletchWalk {
    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice text = new Utf8Slice();

    long schema(Schema schema) {
        walk.wrap(schema);
        long sum = walk.endianness();
        for (int i = 0, n = walk.schemaMetadataCount(); i < n; i++) {
            walk.schemaMetadata(i);
            sum += pair();
        }
        while (walk.next()) {
            sum += walk.nameLength() + (walk.nullable() ? 1 : 0) + type();
            if (walk.name(text)) {
                sum += ends(text);
            }
            for (int i = 0, n = walk.customMetadataCount(); i < n; i++) {
                walk.customMetadata(i);
                sum += pair();
            }
        }
        return sum;
    }

    private long type() {
        long sum = walk.typeType();
        switch (walk.typeType()) {
            case Type.INT -> sum += walk.bitWidth() + (walk.isSigned() ? 1 : 0);
            case Type.FLOATING_POINT -> sum += walk.precision();
            case Type.DECIMAL -> sum += walk.precision() + walk.scale() + walk.bitWidth();
            case Type.DATE -> sum += walk.unit();
            case Type.TIMESTAMP -> {
                sum += walk.unit() + walk.timezoneLength();
                if (walk.timezone(text)) {
                    sum += ends(text);
                }
            }
            default -> {}
        }
        return sum;
    }

    private long pair() {
        long sum = walk.keyLength() + walk.valueLength();
        if (walk.key(text)) {
            sum += ends(text);
        }
        if (walk.value(text)) {
            sum += ends(text);
        }
        return sum;
    }

    private static long ends(Utf8Slice text) {
        final int length = text.length();
        return length == 0 ? 0 : text.byteAt(0) + text.byteAt(length - 1);
    }
}
