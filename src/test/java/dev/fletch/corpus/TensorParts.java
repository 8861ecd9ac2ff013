// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.edited;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Message;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.SparseTensorIndex;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/// Tensors, and streams of one tensor.
final class TensorParts {
    private static final FbsValue.Table INT32 = table("Int", "bitWidth", 32, "is_signed", 1);
    private static final FbsValue.Table INT16 = table("Int", "bitWidth", 16, "is_signed", 1);
    private static final FbsValue.Table INT8 = table("Int", "bitWidth", 8, "is_signed", 1);
    static final String COO = "sparse_coo";
    static final String CSX = "sparse_csx";
    static final String CSF = "sparse_csf";

    private TensorParts() {}

    static CorpusCase of(
            Rule rule,
            String name,
            String layout,
            String what,
            FbsValue.Table sound,
            FbsValue.Table broken) {
        return of(rule, name, layout, what, stream(sound), stream(broken));
    }

    static CorpusCase of(
            Rule rule, String name, String layout, String what, byte[] sound, byte[] broken) {
        return CorpusCase.of(rule, name, what).layout(layout).stream(sound, broken);
    }

    /// The same stream with another number of elements in one of the tensor's vectors.
    ///
    /// @param table that has the vector
    static byte[] recounted(byte[] stream, Function<Message, Table> table, int slot, int to) {
        return edited(
                stream,
                0,
                bytes -> MeaningParts.recounted(bytes, table.apply(bound(bytes)), slot, to));
    }

    static Tensor dense(Message message) {
        Tensor tensor = new Tensor();
        message.header(tensor);
        return tensor;
    }

    static SparseTensor sparse(Message message) {
        SparseTensor tensor = new SparseTensor();
        message.header(tensor);
        return tensor;
    }

    static Table coordinates(Message message) {
        SparseTensorIndexCOO index = new SparseTensorIndexCOO();
        sparse(message).sparseIndex(index);
        return index;
    }

    static Table fibers(Message message) {
        SparseTensorIndexCSF index = new SparseTensorIndexCSF();
        sparse(message).sparseIndex(index);
        return index;
    }

    /// A stream of one tensor, with a body that ends with the data.
    static byte[] stream(FbsValue.Table tensor) {
        byte[] body = new byte[tensor.name().equals("Tensor") ? 24 : 64];
        HandmadeInput behind = new HandmadeInput(schema()).schemaMessage(null).add(tensor, body);
        return behind.stream();
    }

    // ---- tensors

    private static List<FbsValue.Table> shape(long... sizes) {
        return LongStream.of(sizes).mapToObj(each -> table("TensorDim", "size", each)).toList();
    }

    static List<Long> longs(long... numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    /// A tensor of 32-bit numbers.
    static FbsValue.Table tensor(long bytes, long... sizes) {
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

    static FbsValue.Table strided(long[] strides, long... sizes) {
        return with(tensor(24, sizes), "strides", longs(strides));
    }

    /// A sparse tensor of 32-bit numbers, which are the last 8 bytes of the body.
    static FbsValue.Table sparse(int kind, FbsValue.Table index, long stored, long... sizes) {
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
    static FbsValue.Table coo(long bytes, long stored, long... sizes) {
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
    static FbsValue.Table csx(int axis, long pointers, long indices, long stored, long... sizes) {
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
    static FbsValue.Table csf(
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

    static List<long[]> buffers(int before, long... lengths) {
        List<long[]> buffers = new ArrayList<>();
        for (long each : lengths) {
            buffers.add(new long[] {8L * (before + buffers.size()), each});
        }
        return buffers;
    }

    static FbsValue.Table index(FbsValue.Table sparse, Object... namesAndValues) {
        FbsValue.Table index = (FbsValue.Table) sparse.fields().get("sparseIndex");
        return with(sparse, "sparseIndex", with(index, namesAndValues));
    }

    static FbsValue.Table typed(FbsValue.Table tensor, int type, FbsValue.Table table) {
        return with(tensor, "type_type", type, "type", table);
    }
}
