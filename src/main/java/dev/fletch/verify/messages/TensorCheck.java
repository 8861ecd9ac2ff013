// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Buffer;
import dev.fletch.format.Int;
import dev.fletch.format.SparseMatrixIndexCSX;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.TensorDim;
import dev.fletch.format.ids.SparseMatrixCompressedAxis;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.FaultPlace;
import dev.fletch.format.internal.FieldCheck;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;

import java.util.Arrays;
import java.util.BitSet;

/// The rules of tensors and sparse tensors: type, shape, strides, and buffers with room for all
/// cells and indices. Values in the body are not read. Each check returns whether to continue.
///
/// Numbers of cells and bytes are [Long#MAX_VALUE] if they are larger, and [#UNKNOWN] after a fault
/// that leaves them undefined; buffers are then checked without them.
///
/// Source: `format/Tensor.fbs`, `format/SparseTensor.fbs`.
final class TensorCheck {
    /// An unknown number of cells or bytes.
    private static final long UNKNOWN = -1;

    private static final int MATRIX_DIMENSIONS = 2;
    private static final String SHAPE = "shape";
    private static final String INDICES = "sparseIndex.indicesBuffer";
    private static final String INDICES_WIDTH = "sparseIndex.indicesType.bitWidth";
    private static final String POINTERS = "sparseIndex.indptrBuffer";
    private static final String POINTERS_WIDTH = "sparseIndex.indptrType.bitWidth";
    private static final String AXES = "sparseIndex.axisOrder";

    private final FaultPlace faults;
    private final FieldCheck types;
    private final BufferRange ranges;
    private final AnyTable table = new AnyTable();
    private final AnyTable dimension = new AnyTable();
    private final Buffer buffer = new Buffer();
    private final Int integer = new Int();
    private final SparseTensorIndexCOO coordinates = new SparseTensorIndexCOO();
    private final SparseMatrixIndexCSX matrix = new SparseMatrixIndexCSX();
    private final SparseTensorIndexCSF fibers = new SparseTensorIndexCSF();

    private long bodyLength;
    // Sizes of the dimensions, and their product.
    private long[] shape;
    private long cells;
    private long cellBytes;
    // Number of stored cells of a sparse tensor.
    private long stored;
    // Whether the last strides, axes or levels are sound.
    private boolean isSound;

    TensorCheck(FaultPlace faults, Checks options) {
        this.faults = faults;
        types = new FieldCheck(faults);
        ranges = new BufferRange(faults, options.has(Check.EMPTY_BUFFERS));
    }

    // ---- tensors

    /// Checks a tensor.
    ///
    /// @param length of the body in bytes
    void check(Tensor tensor, long length) {
        bodyLength = length;
        table.bind(tensor, "Tensor");
        if (!cell() || !shape()) {
            return;
        }
        long[] strides = new long[tensor.stridesCount()];
        Arrays.setAll(strides, tensor::strides);
        if (strides(strides, shape.length, tensor, Tensor.STRIDES_SLOT, "strides")) {
            tensor.data(buffer);
            buffer(TENSOR_SIZE, extent(strides, cellBytes, shape), "data", BufferRange.NO_INDEX);
        }
    }

    /// Checks the type, whose slots are those of a sparse tensor, too.
    private boolean cell() {
        cellBytes = UNKNOWN;
        int before = faults.count();
        int id = (int) table.number(Tensor.TYPE_TYPE_SLOT);
        boolean goOn = types.type(table, id, Tensor.TYPE_TYPE_SLOT, Tensor.TYPE_SLOT);
        if (faults.count() != before) {
            return goOn;
        }
        long bits = types.valueBits(id);
        if (TypeFacts.of(id).width() == TypeFacts.Width.VARIABLE || bits % Byte.SIZE != 0) {
            long position = table.position(Tensor.TYPE_TYPE_SLOT);
            return faults.add(TENSOR_TYPE, position, id, "typeType");
        }
        cellBytes = bits / Byte.SIZE;
        return true;
    }

    /// Reads and checks the sizes of the dimensions, in the same slot for both kinds of tensors.
    private boolean shape() {
        int slot = Tensor.SHAPE_SLOT;
        shape = new long[table.count(slot)];
        cells = 1;
        boolean goOn = true;
        for (int i = 0; i < shape.length && goOn; i++) {
            table.table(slot, i, dimension);
            long size = dimension.number(TensorDim.SIZE_SLOT);
            shape[i] = size;
            cells = times(cells, size);
            long position = dimension.position(TensorDim.SIZE_SLOT);
            goOn = size >= 0 || faults.add(TENSOR_DIMENSION, position, size, SHAPE, i, "size");
        }
        return goOn;
    }

    /// Checks strides, and sets [#isSound].
    ///
    /// @param dimensions as many strides are expected, or none
    /// @param slot of the strides in `table`
    private boolean strides(long[] strides, int dimensions, Table table, int slot, String name) {
        isSound = strides.length == 0 || strides.length == dimensions;
        long position = table.targetPosition(slot);
        if (!isSound) {
            return add(TENSOR_STRIDES, position, strides.length, name, dimensions);
        }
        boolean goOn = true;
        for (int i = 0; i < strides.length && goOn; i++) {
            if (strides[i] < 0) {
                isSound = false;
                long stride = position + Integer.BYTES + (long) i * Long.BYTES;
                goOn = faults.add(TENSOR_STRIDE, stride, strides[i], name, i, "");
            }
        }
        return goOn;
    }

    /// Returns the bytes from the first cell to the end of the last; 0 if strides, sizes or cells
    /// are not sound.
    ///
    /// @param strides empty for cells without gaps
    /// @param width bytes of a cell
    private long extent(long[] strides, long width, long... sizes) {
        if (!isSound || width == UNKNOWN) {
            return 0;
        }
        long count = 1;
        long last = 0;
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] < 0) {
                return 0;
            }
            count = TypeFacts.product(count, sizes[i]);
            last = strides.length == 0 ? 0 : sum(last, bytesTo(sizes[i] - 1, strides[i]));
        }
        return count == 0 || strides.length == 0
                ? TypeFacts.product(count, width)
                : sum(last, width);
    }

    private static long bytesTo(long index, long stride) {
        return index <= 0 ? 0 : TypeFacts.product(index, stride);
    }

    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /// Checks the bound buffer.
    ///
    /// @param tooSmall the rule of its size
    /// @param needed bytes; [#UNKNOWN] if unknown
    private boolean buffer(Rule tooSmall, long needed, String name, int index) {
        boolean goOn = ranges.check(buffer, bodyLength, name, index);
        if (!goOn || !ranges.isInside() || buffer.length() >= needed) {
            return goOn;
        }
        Fault fault = ranges.atLength(tooSmall, buffer.length());
        return faults.add(fault.with("value", buffer.length()).with("needed", needed));
    }

    private boolean add(Rule rule, long position, long found, String path, long needed) {
        Fault fault = Fault.of(rule, position, found).at(path);
        return faults.add(fault.with("value", found).with("needed", needed));
    }

    // ---- sparse tensors

    /// Checks a sparse tensor.
    ///
    /// @param length of the body in bytes
    void check(SparseTensor tensor, long length) {
        bodyLength = length;
        table.bind(tensor, "SparseTensor");
        if (!cell() || !shape()) {
            return;
        }
        if (stored(tensor) && index(tensor)) {
            tensor.data(buffer);
            buffer(TENSOR_SIZE, times(stored, cellBytes), "data", BufferRange.NO_INDEX);
        }
    }

    private boolean stored(SparseTensor tensor) {
        stored = tensor.nonZeroLength();
        long position = tensor.position(SparseTensor.NON_ZERO_LENGTH_SLOT);
        if (stored < 0) {
            long found = stored;
            stored = UNKNOWN;
            return faults.add(NON_ZERO_LENGTH, position, found, "nonZeroLength");
        }
        boolean mayRepeat = tensor.sparseIndex(coordinates) && !coordinates.isCanonical();
        if (cells == UNKNOWN || stored <= cells || mayRepeat && cells > 0) {
            return true;
        }
        Fault fault = Fault.of(NON_ZERO_LENGTH, position, stored).at("nonZeroLength");
        return faults.add(fault.with("value", stored).with("limit", cells));
    }

    private boolean index(SparseTensor tensor) {
        if (tensor.sparseIndex(coordinates)) {
            return coordinates();
        }
        if (tensor.sparseIndex(matrix)) {
            return matrix(tensor);
        }
        if (tensor.sparseIndex(fibers)) {
            return fibers(tensor);
        }
        long position = tensor.position(SparseTensor.SPARSE_INDEX_TYPE_SLOT);
        return faults.add(
                UNKNOWN_SPARSE_INDEX, position, tensor.sparseIndexType(), "sparseIndexType");
    }

    /// A product; [#UNKNOWN] if a factor is.
    private static long times(long a, long b) {
        return a < 0 || b < 0 ? UNKNOWN : TypeFacts.product(a, b);
    }

    /// Bytes of the bound integer type; [#UNKNOWN] if it is not sound.
    private long indexBytes() {
        int bits = integer.bitWidth();
        return TypeFacts.isIntWidth(bits) ? bits / Byte.SIZE : UNKNOWN;
    }

    private boolean indexType(String path) {
        int bits = integer.bitWidth();
        long position = integer.position(Int.BIT_WIDTH_SLOT);
        return faults.holds(TypeCheck.intWidth(bits), position, bits, path);
    }

    private boolean dimensions(SparseTensor tensor, boolean isRight) {
        long position = tensor.targetPosition(SparseTensor.SHAPE_SLOT);
        return isRight || faults.add(SPARSE_DIMENSIONS, position, shape.length, SHAPE);
    }

    /// A matrix of a row for each stored cell, and a column for each dimension.
    private boolean coordinates() {
        coordinates.indicesType(integer);
        if (!indexType(INDICES_WIDTH)) {
            return false;
        }
        long[] strides = new long[coordinates.indicesStridesCount()];
        Arrays.setAll(strides, coordinates::indicesStrides);
        int slot = SparseTensorIndexCOO.INDICES_STRIDES_SLOT;
        String name = "sparseIndex.indicesStrides";
        if (!strides(strides, MATRIX_DIMENSIONS, coordinates, slot, name)) {
            return false;
        }
        coordinates.indicesBuffer(buffer);
        long needed = extent(strides, indexBytes(), stored, shape.length);
        return buffer(SPARSE_INDEX_SIZE, needed, INDICES, BufferRange.NO_INDEX);
    }

    private boolean matrix(SparseTensor tensor) {
        int axis = matrix.compressedAxis();
        boolean isMatrix = shape.length == MATRIX_DIMENSIONS;
        boolean isAxis = SparseMatrixCompressedAxis.NAMES.isKnown(axis);
        long position = matrix.position(SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT);
        if (!dimensions(tensor, isMatrix)
                || !isAxis
                        && !faults.add(
                                COMPRESSED_AXIS, position, axis, "sparseIndex.compressedAxis")) {
            return false;
        }
        long lines = isMatrix && isAxis ? shape[axis] : UNKNOWN;
        matrix.indptrType(integer);
        matrix.indptrBuffer(buffer);
        long pointers = lines < 0 ? UNKNOWN : times(sum(lines, 1), indexBytes());
        if (!indexType(POINTERS_WIDTH)
                || !buffer(SPARSE_INDEX_SIZE, pointers, POINTERS, BufferRange.NO_INDEX)) {
            return false;
        }
        matrix.indicesType(integer);
        matrix.indicesBuffer(buffer);
        return indexType(INDICES_WIDTH)
                && buffer(
                        SPARSE_INDEX_SIZE,
                        times(stored, indexBytes()),
                        INDICES,
                        BufferRange.NO_INDEX);
    }

    /// Arrow C++ up to 25, the only writer of compressed fibers, has numbers of indices as lengths
    /// of their buffers, not bytes: so a length is at least the number of indices.
    private boolean fibers(SparseTensor tensor) {
        int axes = fibers.axisOrderCount();
        int pointers = fibers.indptrBuffersCount();
        int indices = fibers.indicesBuffersCount();
        isSound = shape.length > 0;
        if (!dimensions(tensor, isSound)
                || !axes(axes)
                || isSound
                        && (!levels(pointers, shape.length - 1, true)
                                || !levels(indices, shape.length, false))) {
            return false;
        }
        long[] nodes = nodes();
        fibers.indptrType(integer);
        boolean goOn = indexType(POINTERS_WIDTH);
        for (int i = 0; i < pointers && goOn; i++) {
            fibers.indptrBuffers(i, buffer);
            long count = nodes == null ? UNKNOWN : nodes[i] == 0 ? 0 : sum(nodes[i], 1);
            goOn = buffer(SPARSE_INDEX_SIZE, count, "sparseIndex.indptrBuffers", i);
        }
        fibers.indicesType(integer);
        goOn = goOn && indexType(INDICES_WIDTH);
        for (int i = 0; i < indices && goOn; i++) {
            fibers.indicesBuffers(i, buffer);
            long count = nodes == null ? UNKNOWN : nodes[i];
            goOn = buffer(SPARSE_INDEX_SIZE, count, "sparseIndex.indicesBuffers", i);
        }
        return goOn;
    }

    /// Checks that the axes are a permutation of the dimensions.
    private boolean axes(int count) {
        long position = fibers.targetPosition(SparseTensorIndexCSF.AXIS_ORDER_SLOT);
        if (count != shape.length) {
            isSound = false;
            return add(SPARSE_LEVELS, position, count, AXES, shape.length);
        }
        BitSet seen = new BitSet();
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            int axis = fibers.axisOrder(i);
            if (axis < 0 || axis >= count || seen.get(axis)) {
                isSound = false;
                long element = position + Integer.BYTES + (long) i * Integer.BYTES;
                goOn = faults.add(AXIS_ORDER, element, axis, AXES, i, "");
            } else {
                seen.set(axis);
            }
        }
        return goOn;
    }

    private boolean levels(int found, int needed, boolean ofPointers) {
        if (found == needed) {
            return true;
        }
        isSound = false;
        int slot =
                ofPointers
                        ? SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT
                        : SparseTensorIndexCSF.INDICES_BUFFERS_SLOT;
        String path = ofPointers ? "sparseIndex.indptrBuffers" : "sparseIndex.indicesBuffers";
        return add(SPARSE_LEVELS, fibers.targetPosition(slot), found, path, needed);
    }

    /// Returns the least number of nodes at each level of compressed fibers: the last has the
    /// stored cells, and a node has at most one child for each index of the next level's dimension.
    /// Null if unknown.
    private long[] nodes() {
        if (!isSound || cells == UNKNOWN || stored == UNKNOWN || stored > cells) {
            return null;
        }
        long[] nodes = new long[shape.length];
        long count = stored;
        for (int i = nodes.length - 1; i >= 0; i--) {
            nodes[i] = count;
            long children = shape[fibers.axisOrder(i)];
            count = count == 0 ? 0 : Math.ceilDiv(count, children);
        }
        return nodes;
    }
}
