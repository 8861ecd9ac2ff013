// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Dialect;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.flatbuf.FlatBufferWriter;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.DictionaryEncodingEncoder;
import dev.fletch.format.FieldEncoder;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaEncoder;
import dev.fletch.format.Type;
import dev.fletch.format.UnionEncoder;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// What the plan of a schema follows from, as bytes: of each field in pre-order its depth, name,
/// type, union mode and dictionary. Equal bytes are equal plans, wherever the schemas lie, in which
/// order their parts do, and whatever else they say.
final class SchemaImage {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final Schema NOTHING = nothing();
    private static final int ENCODED = 1 << 8;
    private static final int SHARED_NAME = 1 << 9;
    private static final int MODE_SHIFT = 16;
    private static final int DEPTH_SHIFT = 32;
    // Depth and type, dictionary, length of the name.
    private static final int FIXED_BYTES = 3 * Long.BYTES;

    private final FieldWalk walk = new FieldWalk();
    private final Utf8Slice name = new Utf8Slice();
    private final SharedParts names = new SharedParts();
    private final ByteSlice slice = new ByteSlice();
    private byte[] bytes = {};
    private MemorySegment memory = MemorySegment.NULL;
    private int length;

    /// Takes the image of a schema.
    ///
    /// @param into gets the fingerprint of it
    /// @throws LayoutException if a limit is passed
    void take(Schema schema, LayoutLimits limits, Fingerprint into) {
        final int most = limits.fieldsIn(schema.bufferLength());
        length = 0;
        names.begin(schema.bufferLength());
        walk.wrap(schema);
        for (int fields = 0; walk.next(); fields++) {
            if (fields >= most || walk.depth() >= limits.maxDepth()) {
                throw LayoutException.of(
                        fields >= most ? LayoutFault.TOO_MANY_FIELDS : LayoutFault.TOO_DEEP,
                        "column",
                        walk.column(),
                        "limit",
                        fields >= most ? most : limits.maxDepth());
            }
            add(schema.bufferLength());
        }
        into.of(slice.wrap(memory, 0, length));
    }

    private void add(long bufferLength) {
        final int count = walk.nameLength();
        final boolean isNamed = count > 0 && walk.name(name);
        final int known = isNamed ? names.find(name.place(), count) : SharedParts.NEW;
        final int text = isNamed && known == SharedParts.NEW ? count : 0;
        if (known == SharedParts.TOO_MUCH
                || text > Integer.MAX_VALUE - Long.BYTES - FIXED_BYTES - length) {
            throw LayoutException.of(
                    LayoutFault.TOO_LONG_NAMES, "column", walk.column(), "bytes", bufferLength);
        }
        reserve(FIXED_BYTES + text);
        final long type =
                walk.typeType()
                        | (walk.isDictionaryEncoded() ? ENCODED : 0)
                        | (known >= 0 ? SHARED_NAME : 0)
                        | (long) (walk.unionMode() & 0xFFFF) << MODE_SHIFT
                        | (long) walk.depth() << DEPTH_SHIFT;
        put(type);
        put(walk.dictionaryId());
        put(known >= 0 ? known : count);
        if (text > 0) {
            name.copyTo(bytes, length);
            names.keep(name.place(), length);
            length += count;
        }
    }

    private void put(long value) {
        memory.set(LONG, length, value);
        length += Long.BYTES;
    }

    private void reserve(int count) {
        if (count > bytes.length - length) {
            final long twice = Math.min(bytes.length * 2L, Integer.MAX_VALUE - Long.BYTES);
            bytes = Arrays.copyOf(bytes, (int) Math.max(length + count, twice));
            memory = MemorySegment.ofArray(bytes);
        }
    }

    boolean equal(byte[] other) {
        return Arrays.equals(bytes, 0, length, other, 0, other.length);
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /// Lets go of the schema's memory.
    void release() {
        walk.wrap(NOTHING).next();
        walk.name(name);
        walk.unionMode();
        walk.dictionaryId();
    }

    /// A schema with a bit of everything that a walk holds.
    private static Schema nothing() {
        final FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.CPP);
        final int text = writer.createString("");
        final int union = UnionEncoder.create(writer, 0, 0);
        final int encoding = DictionaryEncodingEncoder.create(writer, 0, 0, false, 0);
        final int field =
                FieldEncoder.create(writer, text, false, Type.UNION, union, encoding, 0, 0);
        final int fields = writer.createOffsetVector(new int[] {field}, 0, 1);
        writer.finish(SchemaEncoder.create(writer, 0, fields, 0, 0));
        return new Schema().wrap(MemorySegment.ofArray(writer.toByteArray()));
    }
}
