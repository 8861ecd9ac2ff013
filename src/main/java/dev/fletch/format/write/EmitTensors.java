// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Buffer;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.TensorDim;

/// Writes the headers of tensors and sparse tensors again.
final class EmitTensors {
    private final Emission out;
    private final EmitTypes types;
    private final EmitSparseIndexes indexes;
    private final TensorDim dim = new TensorDim();
    private final Buffer data = new Buffer();
    private final long tensorSlots;
    private final long sparseSlots;
    private final long dimSlots;

    EmitTensors(Emission out, EmitTypes types) {
        this.out = out;
        this.types = types;
        indexes = new EmitSparseIndexes(out, types);
        tensorSlots = out.order.slots("Tensor");
        sparseSlots = out.order.slots("SparseTensor");
        dimSlots = out.order.slots("TensorDim");
    }

    int of(Tensor from) {
        final int type = types.of(from);
        final int shape = from.isPresent(Tensor.SHAPE_SLOT) ? shape(from) : 0;
        final int strides = from.isPresent(Tensor.STRIDES_SLOT) ? strides(from) : 0;
        final boolean hasData = from.data(data);
        out.structComesLater(hasData);
        out.startTable();
        for (long o = tensorSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Tensor.TYPE_TYPE_SLOT -> out.int8(from, slot, from.typeType());
                case Tensor.TYPE_SLOT -> out.writer.addOffset(slot, type);
                case Tensor.SHAPE_SLOT -> out.writer.addOffset(slot, shape);
                case Tensor.STRIDES_SLOT -> out.writer.addOffset(slot, strides);
                default -> out.buffer(hasData, slot, data);
            }
        }
        return out.endTable();
    }

    private int shape(Tensor from) {
        final int mark = out.mark();
        for (int i = 0; i < from.shapeCount(); i++) {
            out.push(table(from.shape(i, dim)));
        }
        return out.vector(mark);
    }

    private int strides(Tensor from) {
        final int count = from.stridesCount();
        final long[] numbers = out.numbers(count, 1);
        from.copyStrides(numbers, 0);
        return out.writer.createVector(numbers, 0, count);
    }

    private int table(TensorDim from) {
        final int name = out.string(from.name(out.text));
        out.startTable();
        for (long o = dimSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case TensorDim.SIZE_SLOT -> out.int64(from, slot, from.size());
                default -> out.writer.addOffset(slot, name);
            }
        }
        return out.endTable();
    }

    int of(SparseTensor from) {
        final int type = types.of(from);
        final int shape = from.isPresent(SparseTensor.SHAPE_SLOT) ? shape(from) : 0;
        final int index = indexes.of(from);
        final boolean hasData = from.data(data);
        out.structComesLater(hasData);
        out.startTable();
        for (long o = sparseSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case SparseTensor.TYPE_TYPE_SLOT -> out.int8(from, slot, from.typeType());
                case SparseTensor.TYPE_SLOT -> out.writer.addOffset(slot, type);
                case SparseTensor.SHAPE_SLOT -> out.writer.addOffset(slot, shape);
                case SparseTensor.NON_ZERO_LENGTH_SLOT ->
                        out.int64(from, slot, from.nonZeroLength());
                case SparseTensor.SPARSE_INDEX_TYPE_SLOT ->
                        out.int8(from, slot, from.sparseIndexType());
                case SparseTensor.SPARSE_INDEX_SLOT -> out.writer.addOffset(slot, index);
                default -> out.buffer(hasData, slot, data);
            }
        }
        return out.endTable();
    }

    private int shape(SparseTensor from) {
        final int mark = out.mark();
        for (int i = 0; i < from.shapeCount(); i++) {
            out.push(table(from.shape(i, dim)));
        }
        return out.vector(mark);
    }
}
