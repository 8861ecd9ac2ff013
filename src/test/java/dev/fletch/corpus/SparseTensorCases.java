// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.TensorParts.COO;
import static dev.fletch.corpus.TensorParts.CSF;
import static dev.fletch.corpus.TensorParts.CSX;
import static dev.fletch.corpus.TensorParts.buffers;
import static dev.fletch.corpus.TensorParts.coo;
import static dev.fletch.corpus.TensorParts.csf;
import static dev.fletch.corpus.TensorParts.csx;
import static dev.fletch.corpus.TensorParts.index;
import static dev.fletch.corpus.TensorParts.longs;
import static dev.fletch.corpus.TensorParts.recounted;
import static dev.fletch.corpus.TensorParts.stream;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.testdata.FbsValue;

import java.util.ArrayList;
import java.util.List;

/// Inputs with sparse tensors that do not fit their index.
final class SparseTensorCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SparseTensorCases made = new SparseTensorCases();
        made.storedCells();
        made.sparseShapes();
        made.compressedFibers();
        made.indexSizes();
        made.indexTypes();
        return made.cases;
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

    private void storedCells() {
        Rule rule = MeaningRule.NON_ZERO_LENGTH;
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
        add(
                rule,
                "stored-cells-of-none-canonical",
                COO,
                "a sparse tensor has no cells instead of more than 2^63 - 1, and stores 2",
                coo(8, 2, Long.MAX_VALUE, Long.MAX_VALUE),
                coo(8, 2, Long.MAX_VALUE, 0));
        add(
                rule,
                "stored-cells-above-one",
                COO,
                "a sparse tensor without dimensions, which has one cell, stores two",
                coo(0, 1),
                coo(0, 2));
        add(
                rule,
                "stored-cells-negative-matrix",
                CSX,
                "a sparse matrix stores -1 cells",
                csx(0, 12, 4, 0, 2, 3),
                csx(0, 12, 4, -1, 2, 3));
        add(
                rule,
                "stored-cells-above-all-canonical",
                COO,
                "a sparse tensor of 2 cells stores 3, and is canonical, so it may not repeat them",
                index(coo(12, 3, 1, 2), "isCanonical", 0),
                index(coo(12, 3, 1, 2), "isCanonical", 1));
        FbsValue.Table unknown = with(coo(8, 2, 2, 3), "sparseIndex_type", 4);
        add(
                MeaningRule.UNKNOWN_SPARSE_INDEX,
                "sparse-index-4",
                COO,
                "the index of a sparse tensor is of kind 4, behind CSF, which is 3",
                coo(8, 2, 2, 3),
                unknown);
    }

    private void sparseShapes() {
        Rule rule = MeaningRule.SPARSE_DIMENSIONS;
        byte[] matrix = stream(csx(0, 12, 4, 2, 2, 3));
        byte[] cube = stream(csx(0, 12, 4, 2, 2, 3, 4));
        int shape = SparseTensor.SHAPE_SLOT;
        add(
                rule,
                "matrix-of-one-dimension",
                CSX,
                "a sparse matrix has one dimension",
                matrix,
                recounted(matrix, TensorParts::sparse, shape, 1));
        add(
                rule,
                "matrix-of-three-dimensions",
                CSX,
                "a sparse matrix has three dimensions",
                recounted(cube, TensorParts::sparse, shape, 2),
                cube);
        add(
                rule,
                "fibers-without-dimension",
                CSF,
                "compressed fibers have no dimension",
                csf(new long[] {}, new long[] {1}, new long[] {0}, 1, 1),
                csf(new long[] {}, new long[] {}, new long[] {}, 1));
        Rule axis = MeaningRule.COMPRESSED_AXIS;
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

    private void compressedFibers() {
        Rule rule = MeaningRule.SPARSE_LEVELS;
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
                recounted(pointers, TensorParts::fibers, ofPointers, 1),
                pointers);
        add(
                rule,
                "fibers-pointers-missing",
                CSF,
                what + "no buffer of pointers" + report,
                right,
                recounted(right, TensorParts::fibers, ofPointers, 0));
        add(
                rule,
                "fibers-indices-missing",
                CSF,
                what + "one buffer of indices" + report,
                right,
                recounted(right, TensorParts::fibers, ofIndices, 1));
        add(
                rule,
                "fibers-axes-missing",
                CSF,
                what + "one axis",
                right,
                recounted(right, TensorParts::fibers, ofAxes, 1));
        add(
                rule,
                "fibers-axes-too-many",
                CSF,
                what + "three axes",
                recounted(threeAxes, TensorParts::fibers, ofAxes, 2),
                threeAxes);
        byte[] indices = stream(index(sound, "indicesBuffers", buffers(1, 2, 2, 2)));
        add(
                rule,
                "fibers-indices-too-many",
                CSF,
                what + "three buffers of indices",
                recounted(indices, TensorParts::fibers, ofIndices, 2),
                indices);
        Rule order = MeaningRule.AXIS_ORDER;
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
        Rule rule = MeaningRule.SPARSE_INDEX_SIZE;
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
        add(
                rule,
                "coordinates-size-of-strides-overflows",
                COO,
                "the stride from one coordinate to the next is 2^63 - 1",
                index(coo(8, 1, 2, 3), "indicesStrides", longs(Long.MAX_VALUE, 2)),
                index(coo(8, 2, 2, 3), "indicesStrides", longs(Long.MAX_VALUE, 2)));
        add(
                rule,
                "pointers-size-of-no-rows",
                CSX,
                "the pointers of no rows have 3 bytes, too few for the first one",
                csx(0, 4, 0, 0, 0, 3),
                csx(0, 3, 0, 0, 0, 3));
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
                "first-pointers-size-of-fibers",
                CSF,
                "the first pointers of compressed fibers have 1 byte, too few for 1 plane",
                sound,
                csf(new long[] {1, 3}, indices, axes, 5, sizes));
        add(
                rule,
                "first-indices-size-of-fibers",
                CSF,
                "the first indices of compressed fibers of 1 plane have no byte",
                sound,
                csf(pointers, new long[] {0, 2, 5}, axes, 5, sizes));
        add(
                rule,
                "pointers-size-of-first-fiber",
                CSF,
                "compressed fibers without cells need no pointers, with a cell they need two",
                csf(new long[] {0}, new long[] {1, 1}, new long[] {0, 1}, 0, 2, 3),
                csf(new long[] {0}, new long[] {1, 1}, new long[] {0, 1}, 1, 2, 3));
        add(
                rule,
                "cells-stored-in-empty-fibers",
                CSF,
                "the indices of compressed fibers are empty, but store one cell",
                csf(new long[] {}, new long[] {0}, new long[] {0}, 0, 7),
                csf(new long[] {}, new long[] {0}, new long[] {0}, 1, 7));
        add(
                rule,
                "indices-size-of-fibers",
                CSF,
                "the last indices of compressed fibers of 5 cells have 4 bytes",
                sound,
                csf(pointers, new long[] {1, 2, 4}, axes, 5, sizes));
    }

    private void indexTypes() {
        FbsValue.Table matrix = csx(0, 12, 4, 2, 2, 3);
        FbsValue.Table fibers = csf(new long[] {3}, new long[] {2, 2}, new long[] {0, 1}, 2, 2, 3);
        narrow("pointers-of-24-bits-matrix", CSX, matrix, "indptrType");
        narrow("indices-of-24-bits-matrix", CSX, matrix, "indicesType");
        narrow("pointers-of-24-bits-fibers", CSF, fibers, "indptrType");
        narrow("indices-of-24-bits-fibers", CSF, fibers, "indicesType");
    }

    private void narrow(String name, String layout, FbsValue.Table tensor, String type) {
        String what = type.equals("indptrType") ? "pointers" : "indices";
        add(
                MeaningRule.INT_WIDTH,
                name,
                layout,
                "the %s of a sparse tensor have 24 bits".formatted(what),
                tensor,
                index(tensor, type, table("Int", "bitWidth", 24, "is_signed", 1)));
    }
}
