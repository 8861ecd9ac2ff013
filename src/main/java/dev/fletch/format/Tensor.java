// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A dense multi-dimensional array; the body has its elements.
///
/// [Message#header(Tensor)] binds it.
/// As a root, `wrap` binds it to memory, in the same ways as a [Message].
///
/// Source: `format/Tensor.fbs`, table `Tensor`.
public final class Tensor extends Table {
    public static final int TYPE_TYPE_SLOT = 0;
    public static final int TYPE_SLOT = 1;
    public static final int SHAPE_SLOT = 2;
    public static final int STRIDES_SLOT = 3;
    public static final int DATA_SLOT = 4;

    static final long SIZES = sizes(1, 4, 4, 4, 16);

    private byte typeType;
    private long typeAt;
    private long shapeAt;
    private int shapeCount;
    private long stridesAt;
    private int stridesCount;
    private long dataAt;

    public Tensor wrap(MemorySegment buffer) {
        return wrap(buffer, 0, buffer.byteSize());
    }

    public Tensor wrap(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
        return this;
    }

    public Tensor wrap(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        typeType = int8(a, s, TYPE_TYPE_SLOT, Type.NONE);
        typeAt = field(TYPE_SLOT);
        shapeAt = target(a, s, SHAPE_SLOT);
        shapeCount = count(a, s, shapeAt, 4);
        stridesAt = target(a, s, STRIDES_SLOT);
        stridesCount = count(a, s, stridesAt, 8);
        dataAt = field(DATA_SLOT);
    }

    /// {@return the table that [#type] binds to, one of [Type]; [Type#NONE] if absent}
    public int typeType() {
        return typeType & 0xFF;
    }

    /// Binds to the parameters of the elements' type: see [Field#type].
    public boolean type(TypeTable into) {
        return typeType() == into.type && bindPresent(into, typeAt);
    }

    public int shapeCount() {
        return shapeCount;
    }

    /// {@return `into`, bound to one of the dimensions}
    public TensorDim shape(int index, TensorDim into) {
        bind(into, this, element(shapeAt, index, shapeCount));
        return into;
    }

    /// {@return number of strides, one per dimension; 0 if the vector is absent or empty. If
    /// absent, the layout is row-major}
    public int stridesCount() {
        return stridesCount;
    }

    /// {@return the stride of a dimension: bytes between adjacent elements}
    public long strides(int index) {
        return int64Element(stridesAt, index, stridesCount);
    }

    public void setStrides(int index, long value) {
        setInt64Element(stridesAt, index, stridesCount, value);
    }

    /// Binds to the range of the elements in the body; required.
    public boolean data(Buffer into) {
        return into.decodePresent(this, dataAt);
    }
}
