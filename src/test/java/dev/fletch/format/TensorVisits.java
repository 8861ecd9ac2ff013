// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// For each table of tensors: all accessors that allocate nothing. Beside [TableVisits].
final class TensorVisits {
    private TensorVisits() {}

    static void tensor(FullWalk w, Tensor t) {
        w.present(t);
        w.add(t.typeType());
        w.child(t, w.flyweights().int_, Tensor::type, TableVisits::int_);
        w.child(t, w.flyweights().floatingPoint, Tensor::type, TableVisits::floatingPoint);
        w.child(t, w.flyweights().decimal, Tensor::type, TableVisits::decimal);
        w.child(t, w.flyweights().date, Tensor::type, TableVisits::date);
        w.child(t, w.flyweights().time, Tensor::type, TableVisits::time);
        w.child(t, w.flyweights().timestamp, Tensor::type, TableVisits::timestamp);
        w.child(t, w.flyweights().interval, Tensor::type, TableVisits::interval);
        w.child(t, w.flyweights().union, Tensor::type, TableVisits::union);
        w.child(t, w.flyweights().fixedSizeBinary, Tensor::type, TableVisits::fixedSizeBinary);
        w.child(t, w.flyweights().fixedSizeList, Tensor::type, TableVisits::fixedSizeList);
        w.child(t, w.flyweights().map, Tensor::type, TableVisits::map);
        w.child(t, w.flyweights().duration, Tensor::type, TableVisits::duration);
        w.elements(
                t,
                t.shapeCount(),
                w.flyweights().tensorDim,
                Tensor::shape,
                TensorVisits::tensorDim);
        w.numbers(t, t.stridesCount(), Tensor::strides);
        w.copy(t, t.stridesCount(), 1, Tensor::copyStrides);
        for (int i = 0; w.writes() && i < t.stridesCount(); i++) {
            t.setStrides(i, t.strides(i));
        }
        w.child(t, w.flyweights().buffer, Tensor::data, TableVisits::buffer);
    }

    static void tensorDim(FullWalk w, TensorDim t) {
        w.present(t);
        w.add(t.size());
        if (w.mayWrite(t, TensorDim.SIZE_SLOT)) {
            t.setSize(t.size());
        }
        w.text(t, t.nameLength(), TensorDim::name, TensorDim::nameEquals);
    }

    static void sparseTensor(FullWalk w, SparseTensor t) {
        w.present(t);
        w.add(t.typeType());
        w.child(t, w.flyweights().int_, SparseTensor::type, TableVisits::int_);
        w.child(t, w.flyweights().floatingPoint, SparseTensor::type, TableVisits::floatingPoint);
        w.child(t, w.flyweights().decimal, SparseTensor::type, TableVisits::decimal);
        w.child(t, w.flyweights().date, SparseTensor::type, TableVisits::date);
        w.child(t, w.flyweights().time, SparseTensor::type, TableVisits::time);
        w.child(t, w.flyweights().timestamp, SparseTensor::type, TableVisits::timestamp);
        w.child(t, w.flyweights().interval, SparseTensor::type, TableVisits::interval);
        w.child(t, w.flyweights().union, SparseTensor::type, TableVisits::union);
        w.child(
                t,
                w.flyweights().fixedSizeBinary,
                SparseTensor::type,
                TableVisits::fixedSizeBinary);
        w.child(t, w.flyweights().fixedSizeList, SparseTensor::type, TableVisits::fixedSizeList);
        w.child(t, w.flyweights().map, SparseTensor::type, TableVisits::map);
        w.child(t, w.flyweights().duration, SparseTensor::type, TableVisits::duration);
        w.elements(
                t,
                t.shapeCount(),
                w.flyweights().tensorDim,
                SparseTensor::shape,
                TensorVisits::tensorDim);
        w.add(t.nonZeroLength());
        if (w.mayWrite(t, SparseTensor.NON_ZERO_LENGTH_SLOT)) {
            t.setNonZeroLength(t.nonZeroLength());
        }
        w.add(t.sparseIndexType());
        w.child(t, w.flyweights().coo, SparseTensor::sparseIndex, TensorVisits::coo);
        w.child(t, w.flyweights().csx, SparseTensor::sparseIndex, TensorVisits::csx);
        w.child(t, w.flyweights().csf, SparseTensor::sparseIndex, TensorVisits::csf);
        w.child(t, w.flyweights().buffer, SparseTensor::data, TableVisits::buffer);
    }

    static void coo(FullWalk w, SparseTensorIndexCOO t) {
        w.present(t);
        w.child(t, w.flyweights().int_, SparseTensorIndexCOO::indicesType, TableVisits::int_);
        w.numbers(t, t.indicesStridesCount(), SparseTensorIndexCOO::indicesStrides);
        w.copy(t, t.indicesStridesCount(), 1, SparseTensorIndexCOO::copyIndicesStrides);
        for (int i = 0; w.writes() && i < t.indicesStridesCount(); i++) {
            t.setIndicesStrides(i, t.indicesStrides(i));
        }
        w.child(t, w.flyweights().buffer, SparseTensorIndexCOO::indicesBuffer, TableVisits::buffer);
        w.add(t.isCanonical());
        if (w.mayWrite(t, SparseTensorIndexCOO.IS_CANONICAL_SLOT)) {
            t.setIsCanonical(t.isCanonical());
        }
    }

    static void csx(FullWalk w, SparseMatrixIndexCSX t) {
        w.present(t);
        w.add(t.compressedAxis());
        if (w.mayWrite(t, SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT)) {
            t.setCompressedAxis(t.compressedAxis());
        }
        w.child(t, w.flyweights().int_, SparseMatrixIndexCSX::indptrType, TableVisits::int_);
        w.child(t, w.flyweights().buffer, SparseMatrixIndexCSX::indptrBuffer, TableVisits::buffer);
        w.child(t, w.flyweights().int_, SparseMatrixIndexCSX::indicesType, TableVisits::int_);
        w.child(t, w.flyweights().buffer, SparseMatrixIndexCSX::indicesBuffer, TableVisits::buffer);
    }

    static void csf(FullWalk w, SparseTensorIndexCSF t) {
        w.present(t);
        w.child(t, w.flyweights().int_, SparseTensorIndexCSF::indptrType, TableVisits::int_);
        w.elements(
                t,
                t.indptrBuffersCount(),
                w.flyweights().buffer,
                SparseTensorIndexCSF::indptrBuffers,
                TableVisits::buffer);
        w.copy(t, t.indptrBuffersCount(), 2, SparseTensorIndexCSF::copyIndptrBuffers);
        w.child(t, w.flyweights().int_, SparseTensorIndexCSF::indicesType, TableVisits::int_);
        w.elements(
                t,
                t.indicesBuffersCount(),
                w.flyweights().buffer,
                SparseTensorIndexCSF::indicesBuffers,
                TableVisits::buffer);
        w.copy(t, t.indicesBuffersCount(), 2, SparseTensorIndexCSF::copyIndicesBuffers);
        w.numbers(t, t.axisOrderCount(), SparseTensorIndexCSF::axisOrder);
        for (int i = 0; w.writes() && i < t.axisOrderCount(); i++) {
            t.setAxisOrder(i, t.axisOrder(i));
        }
    }
}
