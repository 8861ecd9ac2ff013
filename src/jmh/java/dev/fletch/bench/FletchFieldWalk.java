// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Message;
import dev.fletch.format.Type;

import java.lang.foreign.MemorySegment;

/// The walk of [FletchWalk], by the class that is made for walking.
final class FletchFieldWalk {
    private final Message message = new Message();
    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice text = new Utf8Slice();

    long walk(MemorySegment segment, boolean hash) {
        message.wrap(segment);
        if (!walk.wrap(message)) {
            throw new AssertionError("no schema");
        }
        long sum = message.version() + walk.endianness();
        for (int i = 0, n = walk.schemaMetadataCount(); i < n; i++) {
            walk.schemaMetadata(i);
            sum += pair(hash);
        }
        while (walk.next()) {
            sum += walk.nameLength() + (walk.nullable() ? 1 : 0);
            if (hash && walk.name(text)) {
                sum += text.hashCode();
            }
            sum += type(hash);
            for (int i = 0, n = walk.customMetadataCount(); i < n; i++) {
                walk.customMetadata(i);
                sum += pair(hash);
            }
        }
        return sum;
    }

    private long type(boolean hash) {
        long sum = walk.typeType();
        switch (walk.typeType()) {
            case Type.INT -> sum += walk.bitWidth() + (walk.isSigned() ? 1 : 0);
            case Type.FLOATING_POINT -> sum += walk.precision();
            case Type.DECIMAL -> sum += walk.precision() + walk.scale() + walk.bitWidth();
            case Type.DATE -> sum += walk.unit();
            case Type.TIMESTAMP -> {
                sum += walk.unit() + walk.timezoneLength();
                if (hash && walk.timezone(text)) {
                    sum += text.hashCode();
                }
            }
            default -> {}
        }
        return sum;
    }

    private long pair(boolean hash) {
        long sum = walk.keyLength() + walk.valueLength();
        if (hash && walk.key(text)) {
            sum += text.hashCode();
        }
        if (hash && walk.value(text)) {
            sum += text.hashCode();
        }
        return sum;
    }
}
