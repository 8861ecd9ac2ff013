// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.*;
import static dev.fletch.corpus.FlatbufferBase.NONE;
import static dev.fletch.corpus.FlatbufferBase.SCHEMA;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCase.Reader;
import dev.fletch.format.ids.SparseTensorIndex;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;

/// Flatbuffers with a number, struct or union that is wrong in its table.
final class InlineCases {
    private static final String TYPE = "header.fields[0].type";

    private final FlatbufferList list = new FlatbufferList();

    private InlineCases() {}

    static List<CorpusCase> all() {
        InlineCases made = new InlineCases();
        made.numbers();
        made.atTheEnd();
        made.structs();
        made.required();
        made.tagsAlone();
        made.valuesAlone();
        return made.list.cases;
    }

    private void numbers() {
        list.add(
                FlatbufferBase.batchInStream(),
                SCALAR_MISALIGNED,
                "scalar-misaligned-rows",
                "a batch's number of rows is at 4 mod 8",
                each -> each.add16(each.slot("header.length"), 4));
        list.add(
                FlatbufferBase.schemaStream(schema(INT32)),
                SCALAR_MISALIGNED,
                "scalar-misaligned-bit-width",
                "the width of an integer is at 2 mod 4",
                each -> each.add16(each.slot(TYPE + ".bitWidth"), 2));
        list.add(
                FlatbufferBase.schemaStream(with(SCHEMA, "endianness", 1)),
                SCALAR_MISALIGNED,
                "scalar-misaligned-endianness",
                "the endianness is at an odd position",
                each -> each.add16(each.slot("header.endianness"), 1));
        list.add(
                FlatbufferBase.footer(),
                SCALAR_MISALIGNED,
                "scalar-misaligned-version",
                "the footer's version is at an odd position",
                each -> each.add16(each.slot("version"), 1));
        list.add(
                dictionary(),
                SCALAR_MISALIGNED,
                "scalar-misaligned-dictionary-id",
                "a dictionary's id is at 4 mod 8",
                each -> each.add16(each.slot("header.id"), 4));
    }

    /// A dictionary that another one replaces.
    private static FlatbufferBase dictionary() {
        Batch values = new Batch(1).node(1, 0, NONE, ints(0, 1), text("a"));
        FbsValue.Table header = table("DictionaryBatch", "id", 7, "data", values.table());
        return FlatbufferBase.inStream(
                schema(encoded(UTF8, 7)), message(header, values.body().length), values.body());
    }

    private void atTheEnd() {
        atTheEnd(
                SCALAR_OUT_OF_RANGE,
                "scalar-at-end-bit-width",
                "the width of an integer",
                FlatbufferBase.schemaStream(schema(INT32)),
                TYPE + ".bitWidth");
        atTheEnd(
                SCALAR_OUT_OF_RANGE,
                "scalar-at-end-rows",
                "a batch's number of rows",
                FlatbufferBase.batchInStream(),
                "header.length");
        atTheEnd(
                SCALAR_OUT_OF_RANGE,
                "scalar-at-end-version",
                "the footer's version",
                FlatbufferBase.footer(),
                "version");
        atTheEnd(
                UNION_TAG_OUT_OF_RANGE,
                "tag-at-end-type",
                "the tag of a field's type",
                FlatbufferBase.schemaStream(schema(UTF8)),
                TYPE + "_type");
        atTheEnd(
                UNION_TAG_OUT_OF_RANGE,
                "tag-at-end-header",
                "the tag of a message's header",
                FlatbufferBase.batchInFile(),
                "header_type");
        atTheEnd(
                STRUCT_OUT_OF_RANGE,
                "struct-at-end-tensor",
                "the data buffer of a tensor",
                tensorStream(),
                "header.data");
        atTheEnd(
                STRUCT_OUT_OF_RANGE,
                "struct-at-end-sparse-index",
                "the indices buffer of a sparse tensor",
                sparseStream(),
                "header.sparseIndex.indicesBuffer");
    }

    /// What is the last in the flatbuffer begins where it ends.
    private void atTheEnd(Rule rule, String name, String what, FlatbufferBase base, String path) {
        list.add(
                base,
                rule,
                name,
                what + " is at the end of the flatbuffer",
                each -> each.moveToEnd(path),
                each ->
                        each.u16(
                                each.slot(path),
                                each.u16(each.slot(path)) + each.size() - each.field(path)));
    }

    // ---- tensors

    /// A tensor of one byte for each cell.
    static FbsValue.Table tensor(FbsValue.Table... dimensions) {
        return message(bareTensor(dimensions), 8);
    }

    private static FbsValue.Table bareTensor(FbsValue.Table... dimensions) {
        return table(
                "Tensor",
                "type_type",
                Type.INT,
                "type",
                table("Int", "bitWidth", 8, "is_signed", 1),
                "shape",
                List.of(dimensions),
                "data",
                pair(0, 8));
    }

    private static FlatbufferBase tensorStream() {
        return FlatbufferBase.single(tensor(table("TensorDim", "size", 8)), new byte[8]);
    }

    private static FlatbufferBase sparseStream() {
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCOO",
                        "indicesType",
                        table("Int", "bitWidth", 16, "is_signed", 1),
                        "indicesBuffer",
                        pair(0, 4),
                        "isCanonical",
                        1);
        FbsValue.Table tensor =
                table(
                        "SparseTensor",
                        "type_type",
                        Type.INT,
                        "type",
                        table("Int", "bitWidth", 32, "is_signed", 1),
                        "shape",
                        List.of(table("TensorDim", "size", 3)),
                        "non_zero_length",
                        2,
                        "sparseIndex_type",
                        SparseTensorIndex.SPARSE_TENSOR_INDEX_COO,
                        "sparseIndex",
                        index,
                        "data",
                        pair(8, 8));
        return FlatbufferBase.single(message(tensor, 16), new byte[16]);
    }

    private void structs() {
        list.add(
                tensorStream(),
                STRUCT_MISALIGNED,
                "struct-misaligned-tensor",
                "the data buffer of a tensor is at 4 mod 8",
                each -> each.add16(each.slot("header.data"), 4));
        list.add(
                sparseStream(),
                STRUCT_MISALIGNED,
                "struct-misaligned-sparse-index",
                "the indices buffer of a sparse tensor is at 1 mod 8",
                each -> each.add16(each.slot("header.sparseIndex.indicesBuffer"), 1));
    }

    private void required() {
        required("tensor-type", tensorStream(), "header.type");
        required("tensor-shape", tensorStream(), "header.shape");
        required("tensor-data", tensorStream(), "header.data");
        required("sparse-index", sparseStream(), "header.sparseIndex");
        required("sparse-indices", sparseStream(), "header.sparseIndex.indicesBuffer");
    }

    private void required(String name, FlatbufferBase base, String path) {
        String field = path.substring(path.lastIndexOf('.') + 1);
        list.add(
                base,
                REQUIRED_FIELD_ABSENT,
                "required-absent-" + name,
                "the required field " + field + " is absent",
                each -> each.u16(each.slot(path), 0));
    }

    // ---- unions

    /// As in ClickHouse#110368: a reader that chooses by the tag then has no table.
    private void tagsAlone() {
        list.cases.add(
                FlatbufferBase.schemaStream(SCHEMA)
                        .toCase(
                                CorpusCase.of(
                                                UNION_TAG_WITHOUT_VALUE,
                                                "tag-without-value-utf8",
                                                "a field has the tag of a type without parameters,"
                                                        + " but no type")
                                        .layout("utf8")
                                        .implies(MeaningRule.NO_EMPTY_TYPE_TABLE),
                                each -> each.u16(each.slot(TYPE), 0)));
        list.cases.add(
                FlatbufferBase.schemaStream(schema(INT32))
                        .toCase(
                                CorpusCase.of(
                                                UNION_TAG_WITHOUT_VALUE,
                                                "tag-without-value-int",
                                                "a field has the tag of a type with parameters,"
                                                        + " but no type")
                                        .layout("int")
                                        .reader(Reader.MUST_REFUSE)
                                        .implies(MeaningRule.NO_TYPE_TABLE),
                                each -> each.u16(each.slot(TYPE), 0)));
        tagWithoutValue("schema", FlatbufferBase.schemaStream(SCHEMA));
        tagWithoutValue("batch", FlatbufferBase.batchInStream());
        tagWithoutValue("batch-of-file", FlatbufferBase.batchInFile());
        list.cases.add(
                FlatbufferBase.footer(schema(UTF8), _ -> {})
                        .toCase(
                                CorpusCase.of(
                                                UNION_TAG_WITHOUT_VALUE,
                                                "tag-without-value-footer",
                                                "a field of the footer has the tag of a type, but"
                                                        + " no type")
                                        .layout("utf8")
                                        .implies(MeaningRule.NO_EMPTY_TYPE_TABLE),
                                each -> each.u16(each.slot("schema.fields[0].type"), 0)));
    }

    private void tagWithoutValue(String name, FlatbufferBase base) {
        list.cases.add(
                base.toCase(
                        CorpusCase.of(
                                        UNION_TAG_WITHOUT_VALUE,
                                        "tag-without-value-header-" + name,
                                        "a message has the tag of a header, but no header")
                                .reader(Reader.MUST_REFUSE)
                                .implies(MeaningRule.NO_HEADER),
                        each -> each.u16(each.slot("header"), 0)));
    }

    private void valuesAlone() {
        list.cases.add(
                FlatbufferBase.schemaStream(schema(UTF8))
                        .toCase(
                                CorpusCase.of(
                                                UNION_VALUE_WITHOUT_TAG,
                                                "value-without-tag-slot",
                                                "a field has a type, but no tag")
                                        .layout("utf8")
                                        .reader(Reader.MUST_REFUSE)
                                        .implies(MeaningRule.NO_TYPE),
                                each -> each.u16(each.slot(TYPE + "_type"), 0)));
        list.cases.add(
                FlatbufferBase.bare(schema(INT32))
                        .toCase(
                                CorpusCase.of(
                                                UNION_VALUE_WITHOUT_TAG,
                                                "value-without-tag-none",
                                                "a field has a type, but its tag is NONE")
                                        .layout("int")
                                        .reader(Reader.MUST_REFUSE)
                                        .implies(MeaningRule.NO_TYPE),
                                each -> each.u8(each.field("fields[0].type_type"), 0)));
        list.cases.add(
                FlatbufferBase.batchInStream()
                        .toCase(
                                CorpusCase.of(
                                                UNION_VALUE_WITHOUT_TAG,
                                                "value-without-tag-header",
                                                "a message has a header, but its tag is NONE")
                                        .reader(Reader.MUST_REFUSE)
                                        .implies(MeaningRule.NO_HEADER),
                                each -> each.u8(each.field("header_type"), 0)));
    }
}
