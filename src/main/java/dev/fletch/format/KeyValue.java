// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// A key/value pair of the custom metadata of a schema, a field, a message or a footer.
///
/// Keys that start with `ARROW` are reserved for the format.
///
/// `customMetadata(…)` of a [Schema], a [Field], a [Message] or a [Footer] binds it.
///
/// Source: `format/Schema.fbs`, table `KeyValue`.
public final class KeyValue extends Table {
    public static final int KEY_SLOT = 0;
    public static final int VALUE_SLOT = 1;

    static final long SIZES = sizes(4, 4);

    private long keyAt;
    private int keyLength;
    private long valueAt;
    private int valueLength;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        keyAt = target(a, s, KEY_SLOT);
        keyLength = count(a, s, keyAt, 1);
        valueAt = target(a, s, VALUE_SLOT);
        valueLength = count(a, s, valueAt, 1);
    }

    /// Binds a slice to the key.
    public boolean key(Utf8Slice into) {
        return slice(keyAt, keyLength, into);
    }

    public int keyLength() {
        return keyLength;
    }

    public boolean keyEquals(CharSequence text) {
        return sliceEquals(keyAt, keyLength, text);
    }

    public String keyString() {
        return string(keyAt, keyLength);
    }

    /// Binds a slice to the value.
    public boolean value(Utf8Slice into) {
        return slice(valueAt, valueLength, into);
    }

    public int valueLength() {
        return valueLength;
    }

    public boolean valueEquals(CharSequence text) {
        return sliceEquals(valueAt, valueLength, text);
    }

    public String valueString() {
        return string(valueAt, valueLength);
    }

    /// The pair's memory, for the verifier.
    MemoryRange memory() {
        return live();
    }
}
