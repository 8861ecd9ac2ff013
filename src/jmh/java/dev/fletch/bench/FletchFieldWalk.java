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

    long walk(MemorySegment segment, Strings strings) {
        message.wrap(segment);
        if (!walk.wrap(message)) {
            throw new AssertionError("no schema");
        }
        long sum = message.version() + walk.endianness();
        for (int i = 0, n = walk.schemaMetadataCount(); i < n; i++) {
            walk.schemaMetadata(i);
            sum += pair(strings);
        }
        while (walk.next()) {
            sum += walk.nameLength() + (walk.nullable() ? 1 : 0);
            if (strings != Strings.LENGTHS && walk.name(text)) {
                sum += content(strings);
            }
            sum += type(strings);
            for (int i = 0, n = walk.customMetadataCount(); i < n; i++) {
                walk.customMetadata(i);
                sum += pair(strings);
            }
        }
        return sum;
    }

    private long type(Strings strings) {
        long sum = walk.typeType();
        switch (walk.typeType()) {
            case Type.INT -> sum += walk.bitWidth() + (walk.isSigned() ? 1 : 0);
            case Type.FLOATING_POINT -> sum += walk.precision();
            case Type.DECIMAL -> sum += walk.precision() + walk.scale() + walk.bitWidth();
            case Type.DATE -> sum += walk.unit();
            case Type.TIMESTAMP -> {
                sum += walk.unit() + walk.timezoneLength();
                if (strings != Strings.LENGTHS && walk.timezone(text)) {
                    sum += content(strings);
                }
            }
            default -> {}
        }
        return sum;
    }

    private long pair(Strings strings) {
        long sum = walk.keyLength() + walk.valueLength();
        if (strings != Strings.LENGTHS && walk.key(text)) {
            sum += content(strings);
        }
        if (strings != Strings.LENGTHS && walk.value(text)) {
            sum += content(strings);
        }
        return sum;
    }

    private long content(Strings strings) {
        return strings == Strings.HASH ? text.hashCode() : FletchWalk.ends(text);
    }
}
