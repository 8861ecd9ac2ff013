// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Buffer;
import dev.fletch.format.Int;
import dev.fletch.format.SparseMatrixIndexCSX;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;

/// Writes the indexes of sparse tensors again: the tables of the union `SparseTensorIndex`.
final class EmitSparseIndexes {
    private final Emission out;
    private final EmitTypes types;
    private final SparseTensorIndexCOO coo = new SparseTensorIndexCOO();
    private final SparseMatrixIndexCSX csx = new SparseMatrixIndexCSX();
    private final SparseTensorIndexCSF csf = new SparseTensorIndexCSF();
    private final Int type = new Int();
    private final Buffer indptr = new Buffer();
    private final Buffer indices = new Buffer();
    private final long cooSlots;
    private final long csxSlots;
    private final long csfSlots;

    EmitSparseIndexes(Emission out, EmitTypes types) {
        this.out = out;
        this.types = types;
        cooSlots = out.order.slots("SparseTensorIndexCOO");
        csxSlots = out.order.slots("SparseMatrixIndexCSX");
        csfSlots = out.order.slots("SparseTensorIndexCSF");
    }

    /// Writes a sparse tensor's index.
    ///
    /// @return where it is, 0 if it is absent
    int of(SparseTensor from) {
        final int id = from.sparseIndexType();
        return switch (id) {
            case SparseTensorIndex.SPARSE_TENSOR_INDEX_COO ->
                    from.sparseIndex(coo) ? coordinates() : 0;
            case SparseTensorIndex.SPARSE_MATRIX_INDEX_CSX ->
                    from.sparseIndex(csx) ? compressed() : 0;
            case SparseTensorIndex.SPARSE_TENSOR_INDEX_CSF -> from.sparseIndex(csf) ? fibres() : 0;
            default -> {
                if (from.isPresent(SparseTensor.SPARSE_INDEX_SLOT)) {
                    throw Emission.unknown("SparseTensorIndex", id);
                }
                yield 0;
            }
        };
    }

    private int coordinates() {
        final int indicesType = coo.indicesType(type) ? types.table(type) : 0;
        int strides = 0;
        if (coo.isPresent(SparseTensorIndexCOO.INDICES_STRIDES_SLOT)) {
            final int count = coo.indicesStridesCount();
            final long[] numbers = out.numbers(count, 1);
            coo.copyIndicesStrides(numbers, 0);
            strides = out.writer.createVector(numbers, 0, count);
        }
        final boolean hasIndices = coo.indicesBuffer(indices);
        out.structComesLater(hasIndices);
        out.startTable();
        for (long o = cooSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case SparseTensorIndexCOO.INDICES_TYPE_SLOT ->
                        out.writer.addOffset(slot, indicesType);
                case SparseTensorIndexCOO.INDICES_STRIDES_SLOT ->
                        out.writer.addOffset(slot, strides);
                case SparseTensorIndexCOO.INDICES_BUFFER_SLOT ->
                        out.buffer(hasIndices, slot, indices);
                default -> out.bool(coo, slot, coo.isCanonical());
            }
        }
        return out.endTable();
    }

    private int compressed() {
        final int indptrType = csx.indptrType(type) ? types.table(type) : 0;
        final boolean hasIndptr = csx.indptrBuffer(indptr);
        out.structComesLater(hasIndptr);
        final int indicesType = csx.indicesType(type) ? types.table(type) : 0;
        final boolean hasIndices = csx.indicesBuffer(indices);
        out.structComesLater(hasIndices);
        out.startTable();
        for (long o = csxSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT ->
                        out.int16(csx, slot, csx.compressedAxis());
                case SparseMatrixIndexCSX.INDPTR_TYPE_SLOT ->
                        out.writer.addOffset(slot, indptrType);
                case SparseMatrixIndexCSX.INDPTR_BUFFER_SLOT -> out.buffer(hasIndptr, slot, indptr);
                case SparseMatrixIndexCSX.INDICES_TYPE_SLOT ->
                        out.writer.addOffset(slot, indicesType);
                default -> out.buffer(hasIndices, slot, indices);
            }
        }
        return out.endTable();
    }

    private int fibres() {
        final int indptrType;
        final int indptrBuffers;
        final int indicesType;
        final int indicesBuffers;
        if (out.order == EmissionOrder.FLATC || out.order == EmissionOrder.ARROW_JAVA) {
            indptrType = csf.indptrType(type) ? types.table(type) : 0;
            indptrBuffers = indptrBuffers();
            indicesType = csf.indicesType(type) ? types.table(type) : 0;
            indicesBuffers = indicesBuffers();
        } else {
            indptrType = csf.indptrType(type) ? types.table(type) : 0;
            indicesType = csf.indicesType(type) ? types.table(type) : 0;
            indicesBuffers = indicesBuffers();
            indptrBuffers = indptrBuffers();
        }
        final int axisOrder = axisOrder();
        out.startTable();
        for (long o = csfSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case SparseTensorIndexCSF.INDPTR_TYPE_SLOT ->
                        out.writer.addOffset(slot, indptrType);
                case SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT ->
                        out.writer.addOffset(slot, indptrBuffers);
                case SparseTensorIndexCSF.INDICES_TYPE_SLOT ->
                        out.writer.addOffset(slot, indicesType);
                case SparseTensorIndexCSF.INDICES_BUFFERS_SLOT ->
                        out.writer.addOffset(slot, indicesBuffers);
                default -> out.writer.addOffset(slot, axisOrder);
            }
        }
        return out.endTable();
    }

    private int indptrBuffers() {
        if (!csf.isPresent(SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT)) {
            return 0;
        }
        final int count = csf.indptrBuffersCount();
        final long[] numbers = out.numbers(count, Buffer.BYTES / Long.BYTES);
        csf.copyIndptrBuffers(numbers, 0);
        return BufferEncoder.createVector(out.writer, numbers, 0, count);
    }

    private int indicesBuffers() {
        if (!csf.isPresent(SparseTensorIndexCSF.INDICES_BUFFERS_SLOT)) {
            return 0;
        }
        final int count = csf.indicesBuffersCount();
        final long[] numbers = out.numbers(count, Buffer.BYTES / Long.BYTES);
        csf.copyIndicesBuffers(numbers, 0);
        return BufferEncoder.createVector(out.writer, numbers, 0, count);
    }

    private int axisOrder() {
        if (!csf.isPresent(SparseTensorIndexCSF.AXIS_ORDER_SLOT)) {
            return 0;
        }
        final int count = csf.axisOrderCount();
        out.writer.startVector(Integer.BYTES, count, Integer.BYTES);
        for (int i = count - 1; i >= 0; i--) {
            out.writer.pushInt32(csf.axisOrder(i));
        }
        return out.writer.endVector();
    }
}
