// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.edited;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.Type;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/// Inputs with tensors that do not fit their data.
final class TensorCases {
    private static final FbsValue.Table INT32 = table("Int", "bitWidth", 32, "is_signed", 1);
    private static final FbsValue.Table INT16 = table("Int", "bitWidth", 16, "is_signed", 1);
    private static final FbsValue.Table INT8 = table("Int", "bitWidth", 8, "is_signed", 1);
    private static final String COO = "sparse_coo";
    private static final String CSX = "sparse_csx";
    private static final String CSF = "sparse_csf";

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        TensorCases made = new TensorCases();
        made.cells();
        made.strides();
        made.sizes();
        made.buffers();
        made.storedCells();
        made.sparseShapes();
        made.fibers();
        made.indexSizes();
        return made.cases;
    }

    private void add(
            Rule rule,
            String name,
            String layout,
            String what,
            FbsValue.Table sound,
            FbsValue.Table broken) {
        add(rule, name, layout, what, stream(sound), stream(broken));
    }

    private void add(
            Rule rule, String name, String layout, String what, byte[] sound, byte[] broken) {
        cases.add(CorpusCase.of(rule, name, what).layout(layout).stream(sound, broken));
    }

    /// The same stream with another number of elements in one of the tensor's vectors.
    ///
    /// @param table that has the vector
    private static byte[] recounted(
            byte[] stream, Function<Message, Table> table, int slot, int to) {
        return edited(
                stream,
                0,
                bytes -> MeaningParts.recounted(bytes, table.apply(bound(bytes)), slot, to));
    }

    private static Tensor dense(Message message) {
        Tensor tensor = new Tensor();
        message.header(tensor);
        return tensor;
    }

    private static SparseTensor sparse(Message message) {
        SparseTensor tensor = new SparseTensor();
        message.header(tensor);
        return tensor;
    }

    private static Table coordinates(Message message) {
        SparseTensorIndexCOO index = new SparseTensorIndexCOO();
        sparse(message).sparseIndex(index);
        return index;
    }

    private static Table fibers(Message message) {
        SparseTensorIndexCSF index = new SparseTensorIndexCSF();
        sparse(message).sparseIndex(index);
        return index;
    }

    /// A stream of one tensor, with a body that ends with the data.
    private static byte[] stream(FbsValue.Table tensor) {
        byte[] body = new byte[tensor.name().equals("Tensor") ? 24 : 64];
        HandmadeInput behind = new HandmadeInput(schema()).schemaMessage(null).add(tensor, body);
        return behind.stream();
    }

    // ---- tensors

    private static List<FbsValue.Table> shape(long... sizes) {
        return LongStream.of(sizes).mapToObj(each -> table("TensorDim", "size", each)).toList();
    }

    private static List<Long> longs(long... numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    /// A tensor of 32-bit numbers.
    private static FbsValue.Table tensor(long bytes, long... sizes) {
        return table(
                "Tensor",
                "type_type",
                Type.INT,
                "type",
                INT32,
                "shape",
                shape(sizes),
                "data",
                new long[] {0, bytes});
    }

    private static FbsValue.Table strided(long[] strides, long... sizes) {
        return with(tensor(24, sizes), "strides", longs(strides));
    }

    /// A sparse tensor of 32-bit numbers, which are the last 8 bytes of the body.
    private static FbsValue.Table sparse(
            int kind, FbsValue.Table index, long stored, long... sizes) {
        return table(
                "SparseTensor",
                "type_type",
                Type.INT,
                "type",
                INT32,
                "shape",
                shape(sizes),
                "non_zero_length",
                stored,
                "sparseIndex_type",
                kind,
                "sparseIndex",
                index,
                "data",
                new long[] {40, 24});
    }

    /// Coordinates of 16 bits.
    private static FbsValue.Table coo(long bytes, long stored, long... sizes) {
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCOO",
                        "indicesType",
                        INT16,
                        "indicesBuffer",
                        new long[] {0, bytes},
                        "isCanonical",
                        1);
        return sparse(SparseTensorIndex.SPARSE_TENSOR_INDEX_COO, index, stored, sizes);
    }

    /// Pointers of 32 bits, indices of 16 bits.
    private static FbsValue.Table csx(
            int axis, long pointers, long indices, long stored, long... sizes) {
        FbsValue.Table index =
                table(
                        "SparseMatrixIndexCSX",
                        "compressedAxis",
                        axis,
                        "indptrType",
                        INT32,
                        "indptrBuffer",
                        new long[] {0, pointers},
                        "indicesType",
                        INT16,
                        "indicesBuffer",
                        new long[] {16, indices});
        return sparse(SparseTensorIndex.SPARSE_MATRIX_INDEX_CSX, index, stored, sizes);
    }

    /// Pointers and indices of 8 bits, each buffer 8 bytes behind the other.
    private static FbsValue.Table csf(
            long[] pointers, long[] indices, long[] axes, long stored, long... sizes) {
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCSF",
                        "indptrType",
                        INT8,
                        "indptrBuffers",
                        buffers(0, pointers),
                        "indicesType",
                        INT8,
                        "indicesBuffers",
                        buffers(pointers.length, indices),
                        "axisOrder",
                        longs(axes));
        return sparse(SparseTensorIndex.SPARSE_TENSOR_INDEX_CSF, index, stored, sizes);
    }

    private static List<long[]> buffers(int before, long... lengths) {
        List<long[]> buffers = new ArrayList<>();
        for (long each : lengths) {
            buffers.add(new long[] {8L * (before + buffers.size()), each});
        }
        return buffers;
    }

    private static FbsValue.Table index(FbsValue.Table sparse, Object... namesAndValues) {
        FbsValue.Table index = (FbsValue.Table) sparse.fields().get("sparseIndex");
        return with(sparse, "sparseIndex", with(index, namesAndValues));
    }

    private static FbsValue.Table typed(FbsValue.Table tensor, int type, FbsValue.Table table) {
        return with(tensor, "type_type", type, "type", table);
    }

    // ---- both kinds

    private void cells() {
        Rule type = SemanticRules.TENSOR_TYPE;
        FbsValue.Table none = typed(tensor(24, 2, 3), Type.NULL, table("Null"));
        FbsValue.Table bool = typed(tensor(24, 2, 3), Type.BOOL, table("Bool"));
        FbsValue.Table date = typed(tensor(24, 2, 3), Type.DATE, table("Date", "unit", 0));
        add(
                type,
                "tensor-of-bool",
                "tensor",
                "the cells of a tensor are booleans",
                typed(
                        tensor(24, 2, 3),
                        Type.FLOATING_POINT,
                        table("FloatingPoint", "precision", 1)),
                bool);
        add(type, "tensor-of-null", "tensor", "the cells of a tensor are nulls", date, none);
        FbsValue.Table texts = typed(coo(8, 2, 2, 3), Type.UTF8, table("Utf8"));
        add(
                type,
                "sparse-tensor-of-utf8",
                COO,
                "the cells of a sparse tensor are texts",
                coo(8, 2, 2, 3),
                texts);
        add(
                SemanticRules.INT_WIDTH,
                "tensor-of-24-bits",
                "tensor",
                "the cells of a tensor have 24 bits",
                tensor(24, 2, 3),
                with(tensor(24, 2, 3), "type", table("Int", "bitWidth", 24, "is_signed", 1)));
        add(
                SemanticRules.INT_WIDTH,
                "sparse-indices-of-24-bits",
                COO,
                "the indices of a sparse tensor have 24 bits",
                coo(8, 2, 2, 3),
                index(
                        coo(8, 2, 2, 3),
                        "indicesType",
                        table("Int", "bitWidth", 24, "is_signed", 1)));
        Rule dimension = SemanticRules.TENSOR_DIMENSION;
        String what = "a dimension of a %s has -1 cells";
        add(
                dimension,
                "dimension-negative",
                "tensor",
                what.formatted("tensor"),
                tensor(24, 2, 0),
                tensor(24, 2, -1));
        add(
                dimension,
                "dimension-negative-sparse",
                COO,
                what.formatted("sparse tensor") + " (apache/arrow#50304)",
                coo(0, 0, 2, 0),
                coo(0, 0, 2, -1));
        add(
                dimension,
                "dimension-negative-matrix",
                CSX,
                what.formatted("sparse matrix"),
                csx(0, 12, 0, 0, 2, 0),
                csx(0, 12, 0, 0, 2, -1));
        byte[] sound = bytes(message(tensor(24, 2, 0), 24));
        byte[] broken = bytes(message(tensor(24, 2, Long.MIN_VALUE), 24));
        cases.add(
                CorpusCase.of(
                                dimension,
                                "dimension-smallest",
                                "a dimension of a tensor has -9223372036854775808 cells")
                        .layout("tensor")
                        .in(Container.FLATBUFFER, sound, broken));
    }

    private void strides() {
        Rule count = SemanticRules.TENSOR_STRIDES;
        byte[] two = stream(strided(new long[] {12, 4}, 2, 3));
        byte[] three = stream(strided(new long[] {12, 4, 4}, 2, 3));
        int slot = Tensor.STRIDES_SLOT;
        add(
                count,
                "strides-fewer-than-dimensions",
                "tensor",
                "a tensor of two dimensions has one stride",
                two,
                recounted(two, TensorCases::dense, slot, 1));
        add(
                count,
                "strides-more-than-dimensions",
                "tensor",
                "a tensor of two dimensions has three strides",
                recounted(three, TensorCases::dense, slot, 2),
                three);
        byte[] strides = stream(index(coo(8, 2, 2, 3), "indicesStrides", longs(4, 2)));
        add(
                count,
                "strides-of-coordinates",
                COO,
                "the matrix of coordinates of a sparse tensor has one stride",
                strides,
                recounted(
                        strides,
                        TensorCases::coordinates,
                        SparseTensorIndexCOO.INDICES_STRIDES_SLOT,
                        1));
        Rule stride = SemanticRules.TENSOR_STRIDE;
        add(
                stride,
                "stride-negative",
                "tensor",
                "a stride of a tensor is -1",
                strided(new long[] {12, 0}, 2, 3),
                strided(new long[] {12, -1}, 2, 3));
        add(
                stride,
                "stride-of-coordinates-negative",
                COO,
                "a stride of the coordinates of a sparse tensor is -4",
                index(coo(8, 2, 2, 3), "indicesStrides", longs(4, 2)),
                index(coo(8, 2, 2, 3), "indicesStrides", longs(-4, 2)));
    }

    private void sizes() {
        Rule rule = SemanticRules.TENSOR_SIZE;
        add(
                rule,
                "tensor-size",
                "tensor",
                "the data of a tensor of 6 cells has 23 bytes",
                tensor(24, 2, 3),
                tensor(23, 2, 3));
        add(
                rule,
                "tensor-size-scalar",
                "tensor",
                "the data of a tensor without dimensions has 3 bytes",
                tensor(4),
                tensor(3));
        add(
                rule,
                "tensor-size-of-strides",
                "tensor",
                "the last cell of a tensor ends one byte behind the data",
                strided(new long[] {16, 4}, 2, 2),
                strided(new long[] {17, 4}, 2, 2));
        add(
                rule,
                "tensor-size-overflows",
                "tensor",
                "a tensor has 2^32 times 2^32 cells, whose number is 0 in 64 bits",
                tensor(24, 1, 1),
                tensor(24, 1L << 32, 1L << 32));
        add(
                rule,
                "tensor-size-of-strides-overflows",
                "tensor",
                "the last of three cells is 2 times 2^63 - 1 bytes behind the first",
                strided(new long[] {Long.MAX_VALUE, 4}, 1, 3),
                strided(new long[] {Long.MAX_VALUE, 4}, 3, 3));
        add(
                rule,
                "tensor-size-sparse",
                COO,
                "the data of a sparse tensor of 2 stored cells has 7 bytes",
                with(coo(8, 2, 2, 3), "data", new long[] {56, 8}),
                with(coo(8, 2, 2, 3), "data", new long[] {56, 7}));
    }

    private void buffers() {
        FbsValue.Table sparse = coo(8, 2, 2, 3);
        add(
                FormatRules.BUFFER_OUT_OF_BODY,
                "buffer-ends-behind-body-tensor",
                "tensor",
                "the data of a tensor ends one byte behind the body",
                tensor(24, 2, 3),
                tensor(25, 2, 3));
        add(
                FormatRules.BUFFER_OUT_OF_BODY,
                "buffer-ends-behind-body-sparse-index",
                COO,
                "the coordinates of a sparse tensor end one byte behind the body",
                index(sparse, "indicesBuffer", new long[] {56, 8}),
                index(sparse, "indicesBuffer", new long[] {56, 9}));
        add(
                FormatRules.NEGATIVE_BUFFER_OFFSET,
                "buffer-offset-negative-tensor",
                "tensor",
                "the data of a tensor begins 8 bytes before the body",
                tensor(24, 2, 3),
                with(tensor(24, 2, 3), "data", new long[] {-8, 24}));
        add(
                FormatRules.NEGATIVE_BUFFER_LENGTH,
                "buffer-length-negative-sparse-index",
                COO,
                "the length of the coordinates of a sparse tensor is -1",
                coo(0, 0, 2, 3),
                coo(-1, 0, 2, 3));
        add(
                FormatRules.BUFFER_OVERFLOW,
                "buffer-end-2-to-the-63-tensor",
                "tensor",
                "offset and length of the data of a tensor are 2^63 together",
                with(tensor(24, 2), "data", new long[] {8, 8}),
                with(tensor(24, 2), "data", new long[] {8, Long.MAX_VALUE - 7}));
        add(
                FormatRules.BUFFER_UNALIGNED,
                "buffer-at-4-tensor",
                "tensor",
                "the data of a tensor begins at 4",
                with(tensor(24, 2), "data", new long[] {0, 8}),
                with(tensor(24, 2), "data", new long[] {4, 8}));
    }

    // ---- sparse tensors

    private void storedCells() {
        Rule rule = SemanticRules.NON_ZERO_LENGTH;
        add(
                rule,
                "stored-cells-negative",
                COO,
                "a sparse tensor stores -1 cells (apache/arrow#50304)",
                coo(0, 0, 2, 3),
                coo(0, -1, 2, 3));
        add(
                rule,
                "stored-cells-above-all",
                COO,
                "a canonical sparse tensor of 2 cells stores 3",
                coo(12, 2, 1, 2),
                coo(12, 3, 1, 2));
        add(
                rule,
                "stored-cells-above-all-matrix",
                CSX,
                "a sparse matrix of 2 cells stores 3",
                csx(0, 8, 6, 2, 1, 2),
                csx(0, 8, 6, 3, 1, 2));
        add(
                rule,
                "stored-cells-of-none",
                COO,
                "a sparse tensor without cells stores one",
                index(coo(4, 0, 2, 0), "isCanonical", 0),
                index(coo(4, 1, 2, 0), "isCanonical", 0));
        FbsValue.Table unknown = with(coo(8, 2, 2, 3), "sparseIndex_type", 4);
        add(
                SemanticRules.UNKNOWN_SPARSE_INDEX,
                "sparse-index-4",
                COO,
                "the index of a sparse tensor is of kind 4, behind CSF, which is 3",
                coo(8, 2, 2, 3),
                unknown);
    }

    private void sparseShapes() {
        Rule rule = SemanticRules.SPARSE_DIMENSIONS;
        byte[] matrix = stream(csx(0, 12, 4, 2, 2, 3));
        byte[] cube = stream(csx(0, 12, 4, 2, 2, 3, 4));
        int shape = SparseTensor.SHAPE_SLOT;
        add(
                rule,
                "matrix-of-one-dimension",
                CSX,
                "a sparse matrix has one dimension",
                matrix,
                recounted(matrix, TensorCases::sparse, shape, 1));
        add(
                rule,
                "matrix-of-three-dimensions",
                CSX,
                "a sparse matrix has three dimensions",
                recounted(cube, TensorCases::sparse, shape, 2),
                cube);
        add(
                rule,
                "fibers-without-dimension",
                CSF,
                "compressed fibers have no dimension",
                csf(new long[] {}, new long[] {1}, new long[] {0}, 1, 1),
                csf(new long[] {}, new long[] {}, new long[] {}, 1));
        Rule axis = SemanticRules.COMPRESSED_AXIS;
        add(
                axis,
                "compressed-axis-2",
                CSX,
                "the compressed axis of a sparse matrix is 2",
                csx(1, 16, 4, 2, 2, 3),
                csx(2, 16, 4, 2, 2, 3));
        add(
                axis,
                "compressed-axis-negative",
                CSX,
                "the compressed axis of a sparse matrix is -1",
                csx(0, 12, 4, 2, 2, 3),
                csx(-1, 12, 4, 2, 2, 3));
    }

    private void fibers() {
        Rule rule = SemanticRules.SPARSE_LEVELS;
        long[] axes = {0, 1};
        long[] one = {3};
        long[] two = {2, 2};
        FbsValue.Table sound = csf(one, two, axes, 2, 2, 3);
        byte[] right = stream(sound);
        byte[] pointers = stream(index(sound, "indptrBuffers", buffers(0, 3, 3)));
        byte[] threeAxes = stream(index(sound, "axisOrder", longs(0, 1, 1)));
        int ofPointers = SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT;
        int ofIndices = SparseTensorIndexCSF.INDICES_BUFFERS_SLOT;
        int ofAxes = SparseTensorIndexCSF.AXIS_ORDER_SLOT;
        String what = "compressed fibers of two dimensions have ";
        String report = " (apache/arrow#50161)";
        add(
                rule,
                "fibers-pointers-too-many",
                CSF,
                what + "two buffers of pointers",
                recounted(pointers, TensorCases::fibers, ofPointers, 1),
                pointers);
        add(
                rule,
                "fibers-pointers-missing",
                CSF,
                what + "no buffer of pointers" + report,
                right,
                recounted(right, TensorCases::fibers, ofPointers, 0));
        add(
                rule,
                "fibers-indices-missing",
                CSF,
                what + "one buffer of indices" + report,
                right,
                recounted(right, TensorCases::fibers, ofIndices, 1));
        add(
                rule,
                "fibers-axes-missing",
                CSF,
                what + "one axis",
                right,
                recounted(right, TensorCases::fibers, ofAxes, 1));
        add(
                rule,
                "fibers-axes-too-many",
                CSF,
                what + "three axes",
                recounted(threeAxes, TensorCases::fibers, ofAxes, 2),
                threeAxes);
        Rule order = SemanticRules.AXIS_ORDER;
        String of = "the axis order of compressed fibers of two dimensions has ";
        add(
                order,
                "axis-repeated",
                CSF,
                of + "one axis twice",
                sound,
                csf(one, two, new long[] {0, 0}, 2, 2, 3));
        add(
                order,
                "axis-2",
                CSF,
                of + "the axis 2",
                sound,
                csf(one, two, new long[] {0, 2}, 2, 2, 3));
        add(
                order,
                "axis-negative",
                CSF,
                of + "the axis -1",
                csf(new long[] {4}, two, new long[] {1, 0}, 2, 2, 3),
                csf(new long[] {4}, two, new long[] {1, -1}, 2, 2, 3));
    }

    private void indexSizes() {
        Rule rule = SemanticRules.SPARSE_INDEX_SIZE;
        add(
                rule,
                "coordinates-size",
                COO,
                "the coordinates of 2 cells of two dimensions have 7 bytes (apache/arrow#50054)",
                coo(8, 2, 2, 3),
                coo(7, 2, 2, 3));
        add(
                rule,
                "coordinates-size-of-strides",
                COO,
                "the last coordinate of a sparse tensor ends one byte behind the buffer",
                index(coo(8, 2, 2, 3), "indicesStrides", longs(2, 4)),
                index(coo(8, 2, 2, 3), "indicesStrides", longs(2, 5)));
        add(
                rule,
                "pointers-size-of-rows",
                CSX,
                "the pointers of two rows have 11 bytes",
                csx(0, 12, 4, 2, 2, 3),
                csx(0, 11, 4, 2, 2, 3));
        add(
                rule,
                "pointers-size-of-columns",
                CSX,
                "the pointers of three columns have 15 bytes",
                csx(1, 16, 4, 2, 2, 3),
                csx(1, 15, 4, 2, 2, 3));
        add(
                rule,
                "pointers-size-overflows",
                CSX,
                "a sparse matrix has 2^63 - 1 rows, whose pointers are more than fit a 64-bit"
                    + " number (apache/arrow#50077)",
                csx(0, 12, 4, 2, 2, 3),
                csx(0, 12, 4, 2, Long.MAX_VALUE, 3));
        add(
                rule,
                "indices-size-of-matrix",
                CSX,
                "the indices of 2 cells of a sparse matrix have 3 bytes",
                csx(0, 12, 4, 2, 2, 3),
                csx(0, 12, 3, 2, 2, 3));
        long[] axes = {2, 0, 1};
        long[] sizes = {2, 3, 4};
        long[] pointers = {2, 3};
        long[] indices = {1, 2, 5};
        FbsValue.Table sound = csf(pointers, indices, axes, 5, sizes);
        add(
                rule,
                "pointers-size-of-fibers",
                CSF,
                "the second pointers of compressed fibers have 2 bytes, too few for 2 lines",
                sound,
                csf(new long[] {2, 2}, indices, axes, 5, sizes));
        add(
                rule,
                "indices-size-of-fibers",
                CSF,
                "the last indices of compressed fibers of 5 cells have 4 bytes",
                sound,
                csf(pointers, new long[] {1, 2, 4}, axes, 5, sizes));
    }
}
