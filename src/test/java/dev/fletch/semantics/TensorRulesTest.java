// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.Tensor;
import dev.fletch.format.Type;
import dev.fletch.format.Verifier;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// One test for each rule of tensors, named as the rule's code: each tensor as a message, and as
/// the root of its buffer, whose body is not known.
class TensorRulesTest {
    private static final int BODY = 192;
    private static final FbsValue.Table INT32 = table("Int", "bitWidth", 32, "is_signed", 1);
    private static final long MAX = Long.MAX_VALUE;

    // ---- tensors to check

    private static List<FbsValue.Table> shape(long... sizes) {
        return LongStream.of(sizes).mapToObj(each -> table("TensorDim", "size", each)).toList();
    }

    private static List<Long> longs(long... numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    /// A tensor of 32-bit integers whose data begins at 0.
    private static FbsValue.Table tensor(long dataLength, long... sizes) {
        return table(
                "Tensor",
                "type_type",
                Type.INT,
                "type",
                INT32,
                "shape",
                shape(sizes),
                "data",
                new long[] {0, dataLength});
    }

    private static FbsValue.Table strided(long dataLength, long[] strides, long... sizes) {
        return with(tensor(dataLength, sizes), "strides", longs(strides));
    }

    /// A sparse tensor of 32-bit integers whose data is at 128.
    private static FbsValue.Table sparse(
            int kind, FbsValue.Table index, long nonZeros, long... sizes) {
        return table(
                "SparseTensor",
                "type_type",
                Type.INT,
                "type",
                INT32,
                "shape",
                shape(sizes),
                "non_zero_length",
                nonZeros,
                "sparseIndex_type",
                kind,
                "sparseIndex",
                index,
                "data",
                new long[] {128, nonZeros < 0 ? 8 : Math.min(4 * nonZeros, 64)});
    }

    /// Coordinates of 16 bits at 0.
    private static FbsValue.Table coo(long length, long nonZeros, long... sizes) {
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCOO",
                        "indicesType",
                        table("Int", "bitWidth", 16, "is_signed", 1),
                        "indicesBuffer",
                        new long[] {0, length},
                        "isCanonical",
                        1);
        return sparse(SparseTensorIndex.SPARSE_TENSOR_INDEX_COO, index, nonZeros, sizes);
    }

    /// Pointers of 32 bits at 0, indices of 16 bits at 64.
    private static FbsValue.Table csx(
            int axis, long pointers, long indices, long nonZeros, long... sizes) {
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
                        table("Int", "bitWidth", 16, "is_signed", 1),
                        "indicesBuffer",
                        new long[] {64, indices});
        return sparse(SparseTensorIndex.SPARSE_MATRIX_INDEX_CSX, index, nonZeros, sizes);
    }

    private static List<long[]> buffers(long... lengths) {
        return LongStream.of(lengths).mapToObj(each -> new long[] {0, each}).toList();
    }

    /// Pointers and indices of 8 bits.
    private static FbsValue.Table csf(
            long[] pointers, long[] indices, long[] axes, long nonZeros, long... sizes) {
        FbsValue.Table bits = table("Int", "bitWidth", 8, "is_signed", 1);
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCSF",
                        "indptrType",
                        bits,
                        "indptrBuffers",
                        buffers(pointers),
                        "indicesType",
                        bits,
                        "indicesBuffers",
                        buffers(indices),
                        "axisOrder",
                        longs(axes));
        return sparse(SparseTensorIndex.SPARSE_TENSOR_INDEX_CSF, index, nonZeros, sizes);
    }

    private static FbsValue.Table index(FbsValue.Table sparse, Object... namesAndValues) {
        var index = (FbsValue.Table) sparse.fields().get("sparseIndex");
        return with(sparse, "sparseIndex", with(index, namesAndValues));
    }

    // ---- verdicts

    /// What is found in a message, and in a root: rule, path and details.
    private static List<List<String>> found(FbsValue.Table tensor) {
        List<List<String>> both = new ArrayList<>();
        boolean isSparse = tensor.name().equals("SparseTensor");
        for (boolean isRoot : new boolean[] {false, true}) {
            List<String> found = new ArrayList<>();
            SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.DEFAULT);
            SemanticVerifier first = new SemanticVerifier(SemanticOptions.ARROW_CPP);
            meaning.collect(
                    fault -> found.add(fault.rule() + " " + fault.path() + " " + fault.details()),
                    20);
            boolean isRight;
            boolean isFirst;
            if (isRoot) {
                MemorySegment memory = MemorySegment.ofArray(bytes(tensor));
                Verifier verifier = new Verifier();
                var root = isSparse ? Verifier.Root.SPARSE_TENSOR : Verifier.Root.TENSOR;
                assertTrue(verifier.verify(root, memory), () -> verifier.fault().toString());
                isRight = root(meaning, isSparse, memory);
                isFirst = root(first, isSparse, memory);
            } else {
                Message message = bound(bytes(message(tensor, BODY)));
                isRight = meaning.message(message);
                isFirst = first.message(message);
            }
            assertEquals(found.isEmpty(), isRight);
            assertEquals(isRight, isFirst, first.fault()::toString);
            String prefix = isSparse ? "header.sparseTensor." : "header.tensor.";
            both.add(isRoot ? found : found.stream().map(f -> f.replace(prefix, "")).toList());
        }
        return both;
    }

    private static boolean root(SemanticVerifier meaning, boolean isSparse, MemorySegment memory) {
        return isSparse
                ? meaning.sparseTensor(new SparseTensor().wrap(memory))
                : meaning.tensor(new Tensor().wrap(memory));
    }

    private static void passes(FbsValue.Table tensor) {
        assertEquals(List.of(List.of(), List.of()), found(tensor));
    }

    private static void caught(FbsValue.Table tensor, Rule rule, String path, String details) {
        List<String> expected = List.of(rule + " " + path + " " + details);
        assertEquals(List.of(expected, expected), found(tensor));
    }

    // ---- both kinds

    @Test
    void tensorType() {
        Object[][] types = {
            {Type.UTF8, table("Utf8")},
            {Type.NULL, table("Null")},
            {Type.BOOL, table("Bool")},
            {Type.STRUCT_, table("Struct_")},
            {Type.LIST_VIEW, table("ListView")},
            {Type.UNION, table("Union")},
            {Type.BINARY_VIEW, table("BinaryView")}
        };
        for (Object[] each : types) {
            for (FbsValue.Table tensor : List.of(tensor(24, 2, 3), coo(8, 2, 2, 3))) {
                FbsValue.Table other = with(tensor, "type_type", each[0], "type", each[1]);
                caught(other, SemanticRules.TENSOR_TYPE, "typeType", "value=" + each[0]);
            }
        }
        FbsValue.Table odd = with(tensor(24, 2, 3), "type", table("Int", "bitWidth", 24));
        caught(odd, SemanticRules.INT_WIDTH, "type.bitWidth", "value=24");
        FbsValue.Table unknown = with(tensor(24, 2, 3), "type_type", 99);
        caught(unknown, FormatRules.UNKNOWN_TYPE, "typeType", "value=99");
        FbsValue.Table bytes = table("FixedSizeBinary", "byteWidth", 5);
        FbsValue.Table cells =
                with(tensor(30, 2, 3), "type_type", Type.FIXED_SIZE_BINARY, "type", bytes);
        passes(cells);
        caught(
                with(cells, "data", new long[] {0, 29}),
                SemanticRules.TENSOR_SIZE,
                "data.length",
                "value=29, needed=30");
    }

    @Test
    void tensorDimension() {
        for (long size : new long[] {-1, -2, Long.MIN_VALUE}) {
            String value = "value=" + size;
            String path = "shape[1].size";
            caught(tensor(24, 2, size), SemanticRules.TENSOR_DIMENSION, path, value);
            caught(coo(8, 2, 2, size), SemanticRules.TENSOR_DIMENSION, path, value);
            caught(csx(0, 12, 4, 2, 2, size), SemanticRules.TENSOR_DIMENSION, path, value);
        }
        // The product of two negative sizes is positive.
        assertEquals(
                List.of(
                        "tensor-dimension shape[0].size value=-2",
                        "tensor-dimension shape[1].size value=-3"),
                found(tensor(24, -2, -3)).getFirst());
        passes(tensor(0, 0, 3));
        passes(tensor(0, MAX, MAX, 0));
        passes(coo(0, 0, 0, 3));
    }

    @Test
    void tensorStrides() {
        passes(strided(24, new long[] {}, 2, 3));
        passes(strided(4, new long[] {}));
        for (long[] strides : new long[][] {{12}, {12, 4, 4}}) {
            caught(
                    strided(24, strides, 2, 3),
                    SemanticRules.TENSOR_STRIDES,
                    "strides",
                    "value=" + strides.length + ", needed=2");
        }
        caught(
                strided(24, new long[] {4}),
                SemanticRules.TENSOR_STRIDES,
                "strides",
                "value=1, needed=0");
        caught(
                index(coo(8, 2, 2, 3), "indicesStrides", longs(4)),
                SemanticRules.TENSOR_STRIDES,
                "sparseIndex.indicesStrides",
                "value=1, needed=2");
    }

    @Test
    void tensorStride() {
        passes(strided(24, new long[] {12, 4}, 2, 3));
        for (long stride : new long[] {-4, Long.MIN_VALUE}) {
            caught(
                    strided(24, new long[] {12, stride}, 2, 3),
                    SemanticRules.TENSOR_STRIDE,
                    "strides[1]",
                    "value=" + stride);
            caught(
                    index(coo(8, 2, 2, 3), "indicesStrides", longs(stride, 2)),
                    SemanticRules.TENSOR_STRIDE,
                    "sparseIndex.indicesStrides[0]",
                    "value=" + stride);
        }
    }

    @Test
    void tensorSize() {
        passes(tensor(4));
        less(tensor(3), 3, 4);
        passes(tensor(24, 2, 3));
        passes(tensor(64, 2, 3)); // padded
        less(tensor(23, 2, 3), 23, 24);
        less(tensor(0, 1), 0, 4);
        // Columns first, rows with gaps, cells that repeat, and one cell far away.
        passes(strided(24, new long[] {4, 8}, 2, 3));
        less(strided(23, new long[] {4, 8}, 2, 3), 23, 24);
        passes(strided(28, new long[] {16, 4}, 2, 3));
        less(strided(27, new long[] {16, 4}, 2, 3), 27, 28);
        passes(strided(4, new long[] {0, 0}, 2, 3));
        passes(strided(4, new long[] {MAX, MAX}, 1, 1));
        less(strided(64, new long[] {100, 4}, 2, 1), 64, 104);
        passes(strided(0, new long[] {100, 4}, 2, 0));
        // Products and sums above 2^63 - 1.
        less(tensor(64, MAX), 64, MAX);
        less(tensor(64, 1L << 61), 64, MAX);
        less(tensor(64, (1L << 61) - 1), 64, MAX - 3);
        less(tensor(64, 1L << 32, 1L << 32), 64, MAX);
        less(tensor(64, 3, MAX / 3), 64, MAX);
        less(strided(64, new long[] {MAX, 4}, 3, 1), 64, MAX);
        less(strided(64, new long[] {MAX, MAX}, 2, 2), 64, MAX);
        less(strided(64, new long[] {1, 1}, MAX, MAX), 64, MAX);
        caught(
                with(coo(8, 2, 2, 3), "data", new long[] {128, 7}),
                SemanticRules.TENSOR_SIZE,
                "data.length",
                "value=7, needed=8");
    }

    private static void less(FbsValue.Table tensor, long length, long needed) {
        String details = "value=" + length + ", needed=" + needed;
        caught(tensor, SemanticRules.TENSOR_SIZE, "data.length", details);
    }

    /// The rules of buffers in batches; the body of a root is not known.
    @Test
    void buffersOfTensorsFollowTheRulesOfBatches() {
        Object[][] cases = {
            {new long[] {BODY - 16, 24}, FormatRules.BUFFER_OUT_OF_BODY, "length", BODY + 8L},
            {new long[] {BODY + 8, 0}, FormatRules.BUFFER_OUT_OF_BODY, "length", BODY + 8L},
            {new long[] {MAX - 7, 24}, FormatRules.BUFFER_OVERFLOW, "length", 24L},
            {new long[] {-8, 24}, FormatRules.NEGATIVE_BUFFER_OFFSET, "offset", -8L},
            {new long[] {0, -24}, FormatRules.NEGATIVE_BUFFER_LENGTH, "length", -24L},
            {new long[] {4, 24}, FormatRules.BUFFER_UNALIGNED, "offset", 4L}
        };
        for (Object[] each : cases) {
            long[] buffer = (long[]) each[0];
            boolean isEmpty = buffer[1] == 0;
            FbsValue.Table dense = with(tensor(24, isEmpty ? 0 : 2, 3), "data", buffer);
            FbsValue.Table sparse =
                    with(coo(isEmpty ? 0 : 8, isEmpty ? 0 : 2, 2, 3), "data", buffer);
            FbsValue.Table index = index(coo(8, isEmpty ? 0 : 2, 2, 3), "indicesBuffer", buffer);
            boolean needsBody = each[1] == FormatRules.BUFFER_OUT_OF_BODY;
            String details =
                    each[1] == FormatRules.BUFFER_UNALIGNED
                            ? " value=" + each[3]
                            : " offset=%d, length=%d, body=%d"
                                    .formatted(buffer[0], buffer[1], BODY);
            for (var tensor : List.of(dense, sparse, index)) {
                String path = tensor == index ? "sparseIndex.indicesBuffer." : "data.";
                String fault = each[1] + " " + path + each[2] + details;
                SemanticVerifier meaning = new SemanticVerifier();
                List<String> found = new ArrayList<>();
                meaning.collect(f -> found.add(f.rule() + " " + f.path() + " " + f.details()), 20);
                meaning.message(bound(bytes(message(tensor, BODY))));
                String prefix = tensor == dense ? "header.tensor." : "header.sparseTensor.";
                assertEquals(
                        List.of(fault), found.stream().map(f -> f.replace(prefix, "")).toList());
                found.clear();
                MemorySegment memory = MemorySegment.ofArray(bytes(tensor));
                assertEquals(needsBody, root(meaning, tensor != dense, memory), fault);
                String unknown = fault.replace(", body=" + BODY, "");
                assertEquals(needsBody ? List.of() : List.of(unknown), found);
            }
        }
    }

    // ---- sparse tensors

    @Test
    void nonZeroLength() {
        passes(coo(0, 0, 2, 3));
        passes(coo(24, 6, 2, 3));
        caught(
                coo(64, 7, 2, 3),
                SemanticRules.NON_ZERO_LENGTH,
                "nonZeroLength",
                "value=7, limit=6");
        for (long count : new long[] {-1, Long.MIN_VALUE}) {
            for (var tensor :
                    List.of(
                            coo(8, count, 2, 3),
                            csx(0, 12, 4, count, 2, 3),
                            csf(
                                    new long[] {3},
                                    new long[] {2, 2},
                                    new long[] {0, 1},
                                    count,
                                    2,
                                    3))) {
                caught(tensor, SemanticRules.NON_ZERO_LENGTH, "nonZeroLength", "value=" + count);
            }
        }
        // Coordinates that are not canonical may repeat, but not those of no cell.
        passes(index(coo(28, 7, 2, 3), "isCanonical", 0));
        caught(
                index(coo(28, 7, 2, 0), "isCanonical", 0),
                SemanticRules.NON_ZERO_LENGTH,
                "nonZeroLength",
                "value=7, limit=0");
        caught(
                csx(0, 12, 14, 7, 2, 3),
                SemanticRules.NON_ZERO_LENGTH,
                "nonZeroLength",
                "value=7, limit=6");
        // More than 2^63 - 1 cells.
        passes(coo(8, 2, MAX, MAX));
    }

    @Test
    void unknownSparseIndex() {
        FbsValue.Table other = with(coo(8, 2, 2, 3), "sparseIndex_type", 4);
        caught(other, SemanticRules.UNKNOWN_SPARSE_INDEX, "sparseIndexType", "value=4");
    }

    @Test
    void sparseIndexSize() {
        String indices = "sparseIndex.indicesBuffer.length";
        Rule rule = SemanticRules.SPARSE_INDEX_SIZE;
        passes(coo(8, 2, 2, 3));
        caught(coo(7, 2, 2, 3), rule, indices, "value=7, needed=8");
        passes(coo(0, 1)); // one cell without coordinates
        FbsValue.Table columns = index(coo(8, 2, 2, 3), "indicesStrides", longs(2, 4));
        passes(columns);
        caught(
                index(columns, "indicesBuffer", new long[] {0, 7}),
                rule,
                indices,
                "value=7, needed=8");
        FbsValue.Table apart = index(coo(64, 2, 2, 3), "indicesStrides", longs(MAX, 2));
        caught(apart, rule, indices, "value=64, needed=" + MAX);
        FbsValue.Table many = with(coo(64, MAX, MAX, 3), "data", new long[] {128, 0});
        assertEquals(
                List.of(
                        rule + " " + indices + " value=64, needed=" + MAX,
                        "tensor-size data.length value=0, needed=" + MAX),
                found(many).getLast());
        // Rows, columns.
        String pointers = "sparseIndex.indptrBuffer.length";
        passes(csx(0, 12, 4, 2, 2, 3));
        caught(csx(0, 11, 4, 2, 2, 3), rule, pointers, "value=11, needed=12");
        caught(csx(0, 12, 3, 2, 2, 3), rule, indices, "value=3, needed=4");
        passes(csx(1, 16, 4, 2, 2, 3));
        caught(csx(1, 15, 4, 2, 2, 3), rule, pointers, "value=15, needed=16");
        caught(csx(0, 0, 0, 0, 0, 3), rule, pointers, "value=0, needed=4");
        caught(csx(0, 64, 4, 2, MAX, 3), rule, pointers, "value=64, needed=" + MAX);
        // Fibers: 5 cells in 3 lines of up to 3, in 2 planes of up to 2.
        long[] axes = {2, 0, 1};
        long[] sizes = {2, 3, 4};
        passes(csf(new long[] {2, 3}, new long[] {1, 2, 5}, axes, 5, sizes));
        Object[][] cases = {
            {new long[] {1, 3}, new long[] {1, 2, 5}, "indptrBuffers[0]", "value=1, needed=2"},
            {new long[] {2, 2}, new long[] {1, 2, 5}, "indptrBuffers[1]", "value=2, needed=3"},
            {new long[] {2, 3}, new long[] {0, 2, 5}, "indicesBuffers[0]", "value=0, needed=1"},
            {new long[] {2, 3}, new long[] {1, 1, 5}, "indicesBuffers[1]", "value=1, needed=2"},
            {new long[] {2, 3}, new long[] {1, 2, 4}, "indicesBuffers[2]", "value=4, needed=5"}
        };
        for (Object[] each : cases) {
            FbsValue.Table less = csf((long[]) each[0], (long[]) each[1], axes, 5, sizes);
            caught(less, rule, "sparseIndex." + each[2] + ".length", (String) each[3]);
        }
        passes(csf(new long[] {0, 0}, new long[] {0, 0, 0}, axes, 0, sizes));
        passes(csf(new long[] {}, new long[] {5}, new long[] {0}, 5, 7));
    }

    @Test
    void sparseDimensions() {
        Rule rule = SemanticRules.SPARSE_DIMENSIONS;
        caught(csx(0, 12, 4, 2, 2), rule, "shape", "value=1");
        caught(csx(0, 12, 4, 2, 2, 3, 4), rule, "shape", "value=3");
        caught(csf(new long[] {}, new long[] {}, new long[] {}, 1), rule, "shape", "value=0");
    }

    @Test
    void compressedAxis() {
        for (int axis : new int[] {2, -1}) {
            caught(
                    csx(axis, 12, 4, 2, 2, 3),
                    SemanticRules.COMPRESSED_AXIS,
                    "sparseIndex.compressedAxis",
                    "value=" + axis);
        }
    }

    @Test
    void sparseLevels() {
        Rule rule = SemanticRules.SPARSE_LEVELS;
        long[] axes = {0, 1};
        long[] one = {3};
        long[] two = {2, 2};
        passes(csf(one, two, axes, 2, 2, 3));
        caught(
                csf(two, two, axes, 2, 2, 3),
                rule,
                "sparseIndex.indptrBuffers",
                "value=2, needed=1");
        caught(
                csf(new long[] {}, two, axes, 2, 2, 3),
                rule,
                "sparseIndex.indptrBuffers",
                "value=0, needed=1");
        caught(
                csf(one, new long[] {2, 2, 2}, axes, 2, 2, 3),
                rule,
                "sparseIndex.indicesBuffers",
                "value=3, needed=2");
        caught(
                csf(one, two, new long[] {0}, 2, 2, 3),
                rule,
                "sparseIndex.axisOrder",
                "value=1, needed=2");
        caught(
                csf(one, two, new long[] {0, 1, 2}, 2, 2, 3),
                rule,
                "sparseIndex.axisOrder",
                "value=3, needed=2");
    }

    @Test
    void axisOrder() {
        for (long axis : new long[] {0, 2, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            FbsValue.Table odd =
                    csf(new long[] {3}, new long[] {2, 2}, new long[] {0, axis}, 2, 2, 3);
            caught(odd, SemanticRules.AXIS_ORDER, "sparseIndex.axisOrder[1]", "value=" + axis);
        }
    }

    @Test
    void indexTypesOfSparseTensorsAreChecked() {
        FbsValue.Table odd = table("Int", "bitWidth", 24);
        String width = ".bitWidth";
        for (String each : List.of("indicesType", "indptrType")) {
            List<FbsValue.Table> tensors =
                    new ArrayList<>(
                            List.of(
                                    csx(0, 12, 4, 2, 2, 3),
                                    csf(
                                            new long[] {3},
                                            new long[] {2, 2},
                                            new long[] {0, 1},
                                            2,
                                            2,
                                            3)));
            if (each.equals("indicesType")) {
                tensors.add(coo(8, 2, 2, 3));
            }
            for (FbsValue.Table tensor : tensors) {
                caught(
                        index(tensor, each, odd),
                        SemanticRules.INT_WIDTH,
                        "sparseIndex." + each + width,
                        "value=24");
            }
        }
    }

    // ---- others

    @Test
    void tensorsOfArrowCppHaveNoFault() throws IOException {
        int count = 0;
        try (Stream<Path> all = Files.list(Path.of("src/test/resources/arrow-cpp"))) {
            for (Path each : all.sorted().toList()) {
                if (!each.getFileName().toString().matches("(tensor_|coo_|cs).*[.]stream")) {
                    continue;
                }
                byte[] stream = Files.readAllBytes(each);
                assertEquals(List.of(), SemanticRun.stream(stream, SemanticOptions.STRICT));
                byte[] metadata =
                        SemanticRun.bytesOf(OracleListing.list(stream).messages().getFirst());
                Message message = new Message().wrap(MemorySegment.ofArray(metadata));
                assertTrue(asRoot(message), each.toString());
                count++;
            }
        }
        assertEquals(10, count);
    }

    /// Whether the message's tensor is right as the root of a buffer.
    private static boolean asRoot(Message message) {
        FlatBufferWriter target =
                new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect())
                        .wrap(MemorySegment.ofArray(new byte[1 << 12]));
        MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, target);
        Tensor tensor = new Tensor();
        SparseTensor sparse = new SparseTensor();
        SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.STRICT);
        if (message.header(tensor)) {
            writer.tensor(tensor);
            return meaning.tensor(new Tensor().wrap(MemorySegment.ofArray(target.toByteArray())));
        }
        assertTrue(message.header(sparse));
        writer.sparseTensor(sparse);
        byte[] bytes = target.toByteArray();
        return meaning.sparseTensor(new SparseTensor().wrap(MemorySegment.ofArray(bytes)));
    }

    /// A tensor outside of a message leaves the stream as it is.
    @Test
    void tensorOutsideAMessageDoesNotChangeTheStream() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.message(bound(bytes(message(Meant.schema(Meant.INT8), 0)))));
        MemorySegment memory = MemorySegment.ofArray(bytes(tensor(24, 2, -3)));
        assertFalse(meaning.tensor(new Tensor().wrap(memory)));
        assertEquals("shape[1].size", meaning.fault().path());
        FbsValue.Table batch =
                Meant.batch(
                        List.of(Meant.pair(3, 0)),
                        Arrays.asList(Meant.pair(0, 0), Meant.pair(0, 3)));
        assertTrue(meaning.message(bound(bytes(message(batch, 8)))));
    }
}
