// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.TensorParts.COO;
import static dev.fletch.corpus.TensorParts.CSX;
import static dev.fletch.corpus.TensorParts.coo;
import static dev.fletch.corpus.TensorParts.csx;
import static dev.fletch.corpus.TensorParts.index;
import static dev.fletch.corpus.TensorParts.longs;
import static dev.fletch.corpus.TensorParts.recounted;
import static dev.fletch.corpus.TensorParts.stream;
import static dev.fletch.corpus.TensorParts.strided;
import static dev.fletch.corpus.TensorParts.tensor;
import static dev.fletch.corpus.TensorParts.typed;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.FileRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Inputs with tensors that do not fit their data.
final class TensorCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        TensorCases made = new TensorCases();
        made.cells();
        made.strides();
        made.sizes();
        made.places();
        made.kinds();
        return made.cases;
    }

    private void kinds() {
        HandmadeInput sound = new HandmadeInput(schema());
        HandmadeInput broken = new HandmadeInput(schema()).add(tensor(24, 2, 3), new byte[24]);
        add(
                MeaningRule.HEADER_KIND,
                "tensor-behind-schema",
                "tensor",
                "a tensor follows the schema of a stream",
                sound.stream(),
                broken.stream());
        cases.add(
                CorpusCase.of(
                        FileRule.NO_LEADING_SCHEMA,
                        "batch-behind-tensor",
                        "a record batch follows a tensor, without a schema before it")
                        .layout("tensor")
                        .stream(tensorAlone(), tensorAlone().batch(new Batch(3))));
    }

    private static HandmadeInput tensorAlone() {
        return new HandmadeInput(schema()).schemaMessage(null).add(tensor(24, 2, 3), new byte[24]);
    }

    private void add(
            Rule rule,
            String name,
            String layout,
            String what,
            FbsValue.Table sound,
            FbsValue.Table broken) {
        cases.add(TensorParts.of(rule, name, layout, what, sound, broken));
    }

    private void add(
            Rule rule, String name, String layout, String what, byte[] sound, byte[] broken) {
        cases.add(TensorParts.of(rule, name, layout, what, sound, broken));
    }

    private void cells() {
        Rule type = MeaningRule.TENSOR_TYPE;
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
                MeaningRule.INT_WIDTH,
                "tensor-of-24-bits",
                "tensor",
                "the cells of a tensor have 24 bits",
                tensor(24, 2, 3),
                with(tensor(24, 2, 3), "type", table("Int", "bitWidth", 24, "is_signed", 1)));
        add(
                MeaningRule.INT_WIDTH,
                "sparse-indices-of-24-bits",
                COO,
                "the indices of a sparse tensor have 24 bits",
                coo(8, 2, 2, 3),
                index(
                        coo(8, 2, 2, 3),
                        "indicesType",
                        table("Int", "bitWidth", 24, "is_signed", 1)));
        add(
                MeaningRule.UNKNOWN_TYPE,
                "tensor-of-type-99",
                "tensor",
                "the cells of a tensor have type 99",
                tensor(24, 2, 3),
                with(tensor(24, 2, 3), "type_type", 99));
        Rule dimension = MeaningRule.TENSOR_DIMENSION;
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
        add(
                dimension,
                "dimensions-negative",
                "tensor",
                "two dimensions of a tensor have -2 and -3 cells, whose product is 6",
                tensor(24, 2, 3),
                tensor(24, -2, -3));
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
        Rule count = MeaningRule.TENSOR_STRIDES;
        byte[] two = stream(strided(new long[] {12, 4}, 2, 3));
        byte[] three = stream(strided(new long[] {12, 4, 4}, 2, 3));
        int slot = Tensor.STRIDES_SLOT;
        add(
                count,
                "strides-fewer-than-dimensions",
                "tensor",
                "a tensor of two dimensions has one stride",
                two,
                recounted(two, TensorParts::dense, slot, 1));
        add(
                count,
                "strides-more-than-dimensions",
                "tensor",
                "a tensor of two dimensions has three strides",
                recounted(three, TensorParts::dense, slot, 2),
                three);
        byte[] scalar = stream(strided(new long[] {4}));
        add(
                count,
                "strides-of-scalar",
                "tensor",
                "a tensor without dimensions has one stride",
                recounted(scalar, TensorParts::dense, slot, 0),
                scalar);
        byte[] strides = stream(index(coo(8, 2, 2, 3), "indicesStrides", longs(4, 2)));
        add(
                count,
                "strides-of-coordinates",
                COO,
                "the matrix of coordinates of a sparse tensor has one stride",
                strides,
                recounted(
                        strides,
                        TensorParts::coordinates,
                        SparseTensorIndexCOO.INDICES_STRIDES_SLOT,
                        1));
        Rule stride = MeaningRule.TENSOR_STRIDE;
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
        Rule rule = MeaningRule.TENSOR_SIZE;
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
                "tensor-size-of-bytes-overflows",
                "tensor",
                "a tensor has 2^61 cells of 4 bytes, which are 2^63 bytes",
                tensor(24, 6),
                tensor(24, 1L << 61));
        add(
                rule,
                "tensor-size-of-two-strides-overflows",
                "tensor",
                "two strides of 2^63 - 1 bytes lead to the last of four cells",
                strided(new long[] {Long.MAX_VALUE, Long.MAX_VALUE}, 1, 1),
                strided(new long[] {Long.MAX_VALUE, Long.MAX_VALUE}, 2, 2));
        add(
                rule,
                "tensor-size-of-one-cell",
                "tensor",
                "a dimension of a tensor has one cell instead of none, beside others of 2^63 - 1",
                tensor(24, Long.MAX_VALUE, Long.MAX_VALUE, 0),
                tensor(24, Long.MAX_VALUE, Long.MAX_VALUE, 1));
        add(
                rule,
                "tensor-size-of-far-cell",
                "tensor",
                "a dimension of a tensor with a stride of 100 bytes has two lines of one cell"
                        + " instead of none",
                strided(new long[] {100, 4}, 2, 0),
                strided(new long[] {100, 4}, 2, 1));
        FbsValue.Table wide =
                typed(
                        tensor(24, 2, 3),
                        Type.FIXED_SIZE_BINARY,
                        table("FixedSizeBinary", "byteWidth", 4));
        add(
                rule,
                "tensor-size-of-fixed-size-binary",
                "tensor",
                "the data of 6 cells of 5 bytes has 24 bytes",
                wide,
                with(wide, "type", table("FixedSizeBinary", "byteWidth", 5)));
        add(
                rule,
                "tensor-size-sparse",
                COO,
                "the data of a sparse tensor of 2 stored cells has 7 bytes",
                with(coo(8, 2, 2, 3), "data", new long[] {56, 8}),
                with(coo(8, 2, 2, 3), "data", new long[] {56, 7}));
    }

    private void places() {
        FbsValue.Table sparse = coo(8, 2, 2, 3);
        add(
                MeaningRule.BUFFER_OUT_OF_BODY,
                "buffer-ends-behind-body-tensor",
                "tensor",
                "the data of a tensor ends one byte behind the body",
                tensor(24, 2, 3),
                tensor(25, 2, 3));
        add(
                MeaningRule.BUFFER_OUT_OF_BODY,
                "buffer-ends-behind-body-sparse-index",
                COO,
                "the coordinates of a sparse tensor end one byte behind the body",
                index(sparse, "indicesBuffer", new long[] {56, 8}),
                index(sparse, "indicesBuffer", new long[] {56, 9}));
        add(
                MeaningRule.NEGATIVE_BUFFER_OFFSET,
                "buffer-offset-negative-tensor",
                "tensor",
                "the data of a tensor begins 8 bytes before the body",
                tensor(24, 2, 3),
                with(tensor(24, 2, 3), "data", new long[] {-8, 24}));
        add(
                MeaningRule.NEGATIVE_BUFFER_LENGTH,
                "buffer-length-negative-sparse-index",
                COO,
                "the length of the coordinates of a sparse tensor is -1",
                coo(0, 0, 2, 3),
                coo(-1, 0, 2, 3));
        add(
                MeaningRule.BUFFER_OVERFLOW,
                "buffer-end-2-to-the-63-tensor",
                "tensor",
                "offset and length of the data of a tensor are 2^63 together",
                with(tensor(24, 2), "data", new long[] {8, 8}),
                with(tensor(24, 2), "data", new long[] {8, Long.MAX_VALUE - 7}));
        add(
                MeaningRule.BUFFER_UNALIGNED,
                "buffer-at-4-tensor",
                "tensor",
                "the data of a tensor begins at 4",
                with(tensor(24, 2), "data", new long[] {0, 8}),
                with(tensor(24, 2), "data", new long[] {4, 8}));
    }
}
