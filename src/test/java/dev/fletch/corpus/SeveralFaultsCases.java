// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.map;
import static dev.fletch.corpus.MeaningParts.moved;
import static dev.fletch.corpus.MeaningParts.prefixed;
import static dev.fletch.corpus.MeaningParts.runs;
import static dev.fletch.corpus.MeaningParts.without;
import static dev.fletch.corpus.TensorParts.COO;
import static dev.fletch.corpus.TensorParts.CSF;
import static dev.fletch.corpus.TensorParts.CSX;
import static dev.fletch.corpus.TensorParts.coo;
import static dev.fletch.corpus.TensorParts.csf;
import static dev.fletch.corpus.TensorParts.csx;
import static dev.fletch.corpus.TensorParts.index;
import static dev.fletch.corpus.TensorParts.longs;
import static dev.fletch.corpus.TensorParts.strided;
import static dev.fletch.corpus.TensorParts.typed;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Inputs with several faults in one message, which all are found, in the order of the metadata.
final class SeveralFaultsCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SeveralFaultsCases made = new SeveralFaultsCases();
        made.schemas();
        made.headsOfSchemas();
        made.nodes();
        made.buffers();
        made.compression();
        made.dictionaries();
        made.tensors();
        made.sparseTensors();
        return made.cases;
    }

    // ---- schemas

    private void schemas() {
        cases.add(
                CorpusCase.of(
                        MeaningRule.INT_WIDTH,
                        "types-of-many-columns",
                        "each of 16 columns has a wrong type or a wrong parameter of it")
                        .implies(
                                StructureRule.UNION_TAG_WITHOUT_VALUE,
                                MeaningRule.NO_TYPE,
                                MeaningRule.UNKNOWN_TYPE,
                                MeaningRule.NO_TYPE_TABLE,
                                MeaningRule.FLOAT_PRECISION,
                                MeaningRule.DECIMAL_WIDTH,
                                MeaningRule.DECIMAL_PRECISION,
                                MeaningRule.DATE_UNIT,
                                MeaningRule.TIME_UNIT,
                                MeaningRule.TIME_WIDTH,
                                MeaningRule.TIMESTAMP_UNIT,
                                MeaningRule.INTERVAL_UNIT,
                                MeaningRule.DURATION_UNIT,
                                MeaningRule.BYTE_WIDTH,
                                MeaningRule.LIST_SIZE,
                                MeaningRule.LIST_CHILDREN,
                                MeaningRule.UNION_MODE)
                        .stream(new HandmadeInput(types(true)), new HandmadeInput(types(false))));
        cases.add(
                CorpusCase.of(
                        MeaningRule.LIST_CHILDREN,
                        "children-of-many-columns",
                        "each of 11 columns has wrong children")
                        .implies(
                                MeaningRule.LEAF_CHILDREN,
                                MeaningRule.MAP_CHILDREN,
                                MeaningRule.MAP_ENTRIES_TYPE,
                                MeaningRule.MAP_ENTRIES_NULLABLE,
                                MeaningRule.MAP_ENTRIES_CHILDREN,
                                MeaningRule.MAP_KEY_NULLABLE,
                                MeaningRule.RUN_END_CHILDREN,
                                MeaningRule.RUN_ENDS_TYPE,
                                MeaningRule.RUN_ENDS_NULLABLE,
                                MeaningRule.UNION_TYPE_IDS,
                                MeaningRule.UNION_TYPE_ID_RANGE,
                                MeaningRule.UNION_TYPE_ID_REPEATED)
                        .stream(
                                new HandmadeInput(children(true)),
                                new HandmadeInput(children(false))));
        cases.add(
                CorpusCase.of(
                        MeaningRule.DICTIONARY_TYPE,
                        "metadata-and-dictionaries-of-schema",
                        "a schema and its columns have wrong features, pairs and encodings")
                        .layout("dictionary")
                        .implies(
                                MeaningRule.UNKNOWN_FEATURE,
                                MeaningRule.NO_KEY,
                                MeaningRule.NO_VALUE,
                                MeaningRule.INT_WIDTH,
                                MeaningRule.DICTIONARY_KIND,
                                MeaningRule.INDEX_WIDTH)
                        .stream(
                                new HandmadeInput(encodings(true)),
                                new HandmadeInput(encodings(false))));
    }

    private static FbsValue.Table types(boolean isSound) {
        FbsValue.Table none = leaf("none", Type.NULL, "Null");
        int listItems = isSound ? 1 : 0;
        return schema(
                isSound ? none : with(none, "type_type", null, "type", null),
                isSound ? UTF8 : with(UTF8, "type_type", 100),
                isSound ? INT8 : with(INT8, "type", null),
                integer("int", isSound ? 8 : 7),
                leaf("float", Type.FLOATING_POINT, "FloatingPoint", "precision", isSound ? 2 : 9),
                decimal("width", isSound ? 32 : 100, isSound ? 1 : 0),
                decimal("digits", 128, isSound ? 38 : 99),
                leaf("date", Type.DATE, "Date", "unit", isSound ? 0 : 9),
                leaf("unit", Type.TIME, "Time", "unit", isSound ? 0 : 9),
                leaf("bits", Type.TIME, "Time", "bitWidth", isSound ? 32 : 31),
                leaf("timestamp", Type.TIMESTAMP, "Timestamp", "unit", isSound ? 1 : 9),
                leaf("interval", Type.INTERVAL, "Interval", "unit", isSound ? 1 : 9),
                leaf("duration", Type.DURATION, "Duration", "unit", isSound ? 0 : 9),
                leaf(
                        "binary",
                        Type.FIXED_SIZE_BINARY,
                        "FixedSizeBinary",
                        "byteWidth",
                        isSound ? 3 : -1),
                field(
                        "list",
                        Type.FIXED_SIZE_LIST,
                        table("FixedSizeList", "listSize", isSound ? 1 : -1),
                        Collections.nCopies(listItems, INT8).toArray(FbsValue.Table[]::new)),
                leaf("union", Type.UNION, "Union", "mode", isSound ? 1 : 9));
    }

    private static FbsValue.Table decimal(String name, int bits, int digits) {
        return leaf(name, Type.DECIMAL, "Decimal", "bitWidth", bits, "precision", digits);
    }

    private static FbsValue.Table children(boolean isSound) {
        FbsValue.Table key = required(UTF8);
        FbsValue.Table entries = required(struct(key, INT8));
        FbsValue.Table ends = required(integer("run_ends", 16));
        return isSound
                ? schema(
                        UTF8,
                        list(INT8),
                        map(entries),
                        map(entries),
                        map(entries),
                        map(entries),
                        map(entries),
                        runs(ends, INT8),
                        runs(ends, INT8),
                        union(2, List.of(1, 0)),
                        union(5, List.of(1, 127, 4, 5, 6)))
                : schema(
                        with(UTF8, "children", List.of(INT8)),
                        list(),
                        map(),
                        map(INT8),
                        map(with(entries, "nullable", 1)),
                        map(required(struct(key))),
                        map(required(struct(UTF8, INT8))),
                        runs(INT8),
                        runs(INT8, INT8),
                        union(2, List.of(1)),
                        union(5, List.of(-1, 128, 4, 4, 4)));
    }

    private static FbsValue.Table union(int children, List<Integer> ids) {
        FbsValue.Table[] all = Collections.nCopies(children, INT8).toArray(FbsValue.Table[]::new);
        return field("union", Type.UNION, table("Union", "typeIds", ids), all);
    }

    private static FbsValue.Table encodings(boolean isSound) {
        FbsValue.Table full = table("KeyValue", "key", "k", "value", "v");
        List<FbsValue.Table> pairs = List.of(isSound ? full : table("KeyValue"));
        FbsValue.Table index = table("Int", "bitWidth", isSound ? 8 : 7);
        FbsValue.Table encoding =
                table(
                        "DictionaryEncoding",
                        "id",
                        4,
                        "dictionaryKind",
                        isSound ? 0 : 1,
                        "indexType",
                        index);
        FbsValue.Table number = with(integer("int", isSound ? 8 : 7), "custom_metadata", pairs);
        FbsValue.Table text =
                with(UTF8, "custom_metadata", pairs, "dictionary", encoding, "name", "word");
        FbsValue.Table other = encoded(isSound ? UTF8 : INT8, 4);
        return with(
                schema(number, text, other, INT32),
                "features",
                isSound ? List.of(2, 1, 2) : List.of(9, 1, 8),
                "custom_metadata",
                pairs);
    }

    private void headsOfSchemas() {
        FbsValue.Table sound = with(schema(INT8), "endianness", 1);
        FbsValue.Table broken = with(schema(integer("int8", 7)), "endianness", 2);
        cases.add(
                CorpusCase.of(
                        MeaningRule.UNKNOWN_ENDIANNESS,
                        "endianness-and-type",
                        "byte order and type of a schema are wrong")
                        .implies(MeaningRule.INT_WIDTH)
                        .stream(new HandmadeInput(sound), new HandmadeInput(broken)));
        FbsValue.Table pair = table("KeyValue", "key", "k", "value", "v");
        HandmadeInput none = new HandmadeInput(with(schema(), "custom_metadata", List.of(pair)));
        HandmadeInput noKey =
                new HandmadeInput(
                        with(schema(), "custom_metadata", List.of(with(pair, "key", null))));
        cases.add(
                CorpusCase.of(
                        MeaningRule.NO_FIELDS,
                        "no-fields-and-no-key",
                        "a schema has no vector of fields, and a pair without a key")
                        .implies(MeaningRule.NO_KEY)
                        .stream(none, without(noKey, schema -> schema, Schema.FIELDS_SLOT)));
        cases.add(
                CorpusCase.of(
                        MeaningRule.DICTIONARY_TYPE,
                        "dictionary-of-three-types",
                        "three columns have one dictionary, of int8, of int16 and of int32")
                        .layout("dictionary")
                        .stream(
                                new HandmadeInput(
                                        schema(
                                                encoded(INT8, 3),
                                                encoded(INT8, 3),
                                                encoded(INT8, 3))),
                                new HandmadeInput(
                                        schema(
                                                encoded(INT8, 3),
                                                encoded(integer("int8", 16), 3),
                                                encoded(integer("int8", 32), 3)))));
    }

    // ---- batches

    private void nodes() {
        FbsValue.Table ends = required(integer("run_ends", 32));
        FbsValue.Table schema =
                schema(
                        INT8,
                        INT8,
                        struct(INT8),
                        fixedList(2, INT8),
                        runs(ends, INT8),
                        MeaningParts.union(0, List.of(0), INT8));
        cases.add(
                inBatch(
                        MeaningRule.COLUMN_LENGTH,
                        "nodes-of-many-columns",
                        "",
                        "each of six columns has a wrong length or null count, or its child has")
                        .implies(
                                MeaningRule.NULL_COUNT_RANGE,
                                MeaningRule.CHILD_LENGTH,
                                MeaningRule.LIST_CHILD_LENGTH,
                                MeaningRule.RUN_COUNT,
                                MeaningRule.RUN_END_NULLS,
                                MeaningRule.NULL_COUNT_WITHOUT_VALIDITY,
                                MeaningRule.UNION_CHILD_SHORTER)
                        .stream(
                                new HandmadeInput(schema).batch(nodes(0)),
                                new HandmadeInput(schema).batch(nodes(1))));
    }

    /// @param wrong by how much lengths and null counts are wrong
    private static Batch nodes(int wrong) {
        return new Batch(2)
                .node(2 + wrong, 0, NONE, bytes(1, 2, 3))
                .node(2, 3 * wrong, bytes(3), bytes(1, 2))
                .node(2, 0, NONE)
                .node(2 - wrong, 0, NONE, bytes(1, 2))
                .node(2, 0, NONE)
                .node(4 - wrong, 0, NONE, bytes(1, 2, 3, 4))
                .node(2, 0)
                .node(2, wrong, bytes(3), ints(1, 2))
                .node(2 - wrong, 0, NONE, bytes(1, 2))
                .node(2, wrong, bytes(0, 0))
                .node(2 - wrong, 0, NONE, bytes(1, 2));
    }

    private void compression() {
        HandmadeInput sound = prefixes(8, 8, 8);
        cases.add(
                inBatch(
                        MeaningRule.UNCOMPRESSED_LENGTH,
                        "uncompressed-lengths-of-three-columns",
                        "int32",
                        "the uncompressed lengths of three buffers are -2, 7 and -2^63")
                        .implies(MeaningRule.DATA_SIZE)
                        .stream(sound, prefixes(-2, 7, Long.MIN_VALUE)));
        cases.add(
                inBatch(
                        MeaningRule.COMPRESSED_TOO_SHORT,
                        "compressed-buffers-of-7-bytes",
                        "int32",
                        "three compressed buffers have 7 bytes")
                        .stream(sound, columns(cut(lengths(8, 8, 8)))));
        Batch odd = moved(lengths(8, 8, 8), 5, 4, -4);
        cases.add(
                inBatch(
                        MeaningRule.UNKNOWN_CODEC,
                        "codec-method-and-buffer",
                        "int32",
                        "codec and method of a batch are wrong, and a buffer begins at 4 mod 8")
                        .implies(MeaningRule.UNKNOWN_METHOD, MeaningRule.BUFFER_UNALIGNED)
                        .stream(
                                sound,
                                new HandmadeInput(schema(INT32, INT32, INT32))
                                        .add(
                                                with(
                                                        odd.table(),
                                                        "compression",
                                                        MeaningParts.compression(2, 1)),
                                                odd.body())));
        FbsValue.Table texts = schema(UTF8, UTF8, INT8);
        cases.add(
                inBatch(
                                MeaningRule.NO_OFFSET,
                                "no-offsets-and-unaligned-buffer",
                                "utf8",
                                "two columns without values have no offset, and a third one begins"
                                        + " at 4 mod 8")
                        .implies(MeaningRule.BUFFER_UNALIGNED)
                        .file(
                                new HandmadeInput(texts).batch(noRows(ints(0))),
                                new HandmadeInput(texts).batch(moved(noRows(), 7, 4, 0))));
    }

    private static Batch noRows(byte... offset) {
        return new Batch(0)
                .node(0, 0, NONE, offset, NONE)
                .node(0, 0, NONE, offset, NONE)
                .node(0, 0, NONE, NONE)
                .add(new byte[8]);
    }

    /// Three columns of two numbers, whose buffers are stored with these uncompressed lengths.
    private static Batch lengths(long... lengths) {
        Batch batch = new Batch(2).compressed(CompressionType.LZ4_FRAME, bytes -> bytes);
        for (long each : lengths) {
            batch.node(2, 0, NONE, prefixed(each, MeaningParts.lz4(ints(7, 7))));
        }
        return batch;
    }

    private static HandmadeInput prefixes(long... lengths) {
        return columns(lengths(lengths));
    }

    private static Batch cut(Batch batch) {
        for (int i = 1; i < 6; i += 2) {
            batch.buffers().get(i)[1] = 7;
        }
        return batch;
    }

    private void buffers() {
        cases.add(
                inBatch(
                        MeaningRule.BUFFER_OUT_OF_BODY,
                        "buffers-of-three-columns",
                        "int32",
                        "each of the six buffers of three columns has another fault")
                        .implies(
                                MeaningRule.NEGATIVE_BUFFER_LENGTH,
                                MeaningRule.NEGATIVE_BUFFER_OFFSET,
                                MeaningRule.BUFFER_OVERFLOW,
                                MeaningRule.BUFFER_UNALIGNED,
                                MeaningRule.BUFFER_ORDER,
                                MeaningRule.DATA_SIZE)
                        .stream(columns(three()), columns(wrong(three()))));
        cases.add(
                inBatch(
                                MeaningRule.DATA_SIZE,
                                "data-size-behind-empty-list",
                                "int32",
                                "a data buffer of 3 values behind a list without items has 11"
                                        + " bytes")
                        .file(
                                behindList(noItems(new Batch(3))),
                                behindList(moved(noItems(new Batch(3)), 5, 0, -1))));
        cases.add(
                inBatch(
                        MeaningRule.UNCOMPRESSED_LENGTH,
                        "uncompressed-length-behind-empty-list",
                        "int32",
                        "a compressed buffer behind a list without items begins one byte late")
                        .implies(MeaningRule.BUFFER_UNALIGNED)
                        .stream(
                                behindList(noItems(compressed())),
                                behindList(moved(noItems(compressed()), 5, 1, -1))));
    }

    private static Batch three() {
        Batch batch = new Batch(3);
        for (int i = 0; i < 3; i++) {
            batch.node(3, 1, bytes(3), ints(1, 2, 3));
        }
        return batch;
    }

    private static Batch wrong(Batch batch) {
        List<long[]> wrong =
                List.of(
                        pair(0, -1),
                        pair(-8, 12),
                        pair(24, Long.MAX_VALUE),
                        pair(72, 12),
                        pair(1, 1),
                        pair(0, 11));
        Collections.copy(batch.buffers(), wrong);
        return batch;
    }

    private static HandmadeInput columns(Batch batch) {
        return new HandmadeInput(schema(INT32, INT32, INT32)).batch(batch);
    }

    private static Batch compressed() {
        return new Batch(3).compressed(CompressionType.LZ4_FRAME, Bodies::lz4);
    }

    private static Batch noItems(Batch batch) {
        return batch.node(3, 0, NONE, ints(0, 0, 0, 0))
                .node(0, 0, NONE, NONE)
                .node(3, 0, NONE, ints(1, 2, 3));
    }

    private static HandmadeInput behindList(Batch batch) {
        return new HandmadeInput(schema(list(INT32), INT32)).batch(batch);
    }

    // ---- dictionaries

    private void dictionaries() {
        cases.add(
                inBatch(
                        MeaningRule.DICTIONARY_UNDEFINED,
                        "dictionaries-undefined",
                        "dictionary",
                        "the first and the third column of a stream have no dictionary, the second"
                                + " needs none, as it is all null")
                        .stream(words(true), words(false)));
        cases.add(
                CorpusCase.of(
                        MeaningRule.DICTIONARY_LATE,
                        "dictionaries-late",
                        "two dictionaries in the values of another one are defined behind it")
                        .layout("dictionary")
                        .stream(inner(true), inner(false)));
        cases.add(
                inBatch(
                                MeaningRule.DICTIONARY_UNDEFINED,
                                "dictionaries-undefined-in-file",
                                "dictionary",
                                "a file has one of three dictionaries; two columns share one of"
                                        + " them, and one column needs none")
                        .file(many(7, 8, 9), many(9)));
        cases.add(
                inBatch(
                                MeaningRule.DELTA_WITHOUT_DICTIONARY,
                                "deltas-first-in-file",
                                "dictionary",
                                "a file has two deltas before or without their dictionaries")
                        .implies(MeaningRule.DICTIONARY_UNDEFINED)
                        .file(many(7, 8, 9), many(-7, -8, 7)));
        cases.add(
                inBatch(
                                MeaningRule.DICTIONARY_REPLACED,
                                "dictionary-replaced-by-wrong-buffer",
                                "dictionary",
                                "a file defines a dictionary again, with offsets of length -1")
                        .implies(MeaningRule.NEGATIVE_BUFFER_LENGTH)
                        .file(twice(true, texts()), twice(false, moved(texts(), 1, 0, -13))));
    }

    private static Batch texts() {
        return new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
    }

    private static HandmadeInput words(boolean isSound) {
        HandmadeInput input =
                new HandmadeInput(schema(encoded(UTF8, 1), encoded(UTF8, 2), encoded(UTF8, 3)));
        Batch batch =
                new Batch(2)
                        .node(2, 0, NONE, bytes(0, 1))
                        .node(2, 2, bytes(0), bytes(0, 0))
                        .node(2, 1, bytes(1), bytes(0, 0));
        if (!isSound) {
            input.batch(batch);
        }
        input.dictionary(1, false, texts()).dictionary(3, false, texts());
        return isSound ? input.batch(batch) : input;
    }

    /// Structs of a dictionary, whose two children have dictionaries.
    private static HandmadeInput inner(boolean innerFirst) {
        FbsValue.Table structs = struct(encoded(INT8, 4), encoded(INT8, 5));
        HandmadeInput input = new HandmadeInput(schema(encoded(structs, 3)));
        Batch numbers = new Batch(2).node(2, 0, NONE, bytes(5, 6));
        Batch outer =
                new Batch(2)
                        .node(2, 0, NONE)
                        .node(2, 0, NONE, bytes(0, 1))
                        .node(2, 0, NONE, bytes(1, 0));
        if (innerFirst) {
            input.dictionary(4, false, numbers).dictionary(5, false, numbers);
        }
        input.dictionary(3, false, outer);
        if (!innerFirst) {
            input.dictionary(4, false, numbers).dictionary(5, false, numbers);
        }
        return input.batch(new Batch(2).node(2, 0, NONE, bytes(0, 1)));
    }

    /// A file of one batch, which uses all dictionaries but the one whose column is null.
    ///
    /// @param ids of its dictionaries; negative for a delta
    private static HandmadeInput many(int... ids) {
        HandmadeInput input =
                new HandmadeInput(
                        schema(
                                encoded(INT8, 7),
                                struct(encoded(INT8, 8), encoded(INT8, 9)),
                                encoded(INT8, 7),
                                encoded(INT8, 11)));
        for (int each : ids) {
            Batch values = new Batch(2).node(2, 0, NONE, bytes(5, 6));
            input.dictionary(Math.abs(each), each < 0, values);
        }
        byte[] indices = bytes(0, 1);
        return input.batch(
                new Batch(2)
                        .node(2, 0, NONE, indices)
                        .node(2, 0, NONE)
                        .node(2, 0, NONE, indices)
                        .node(2, 0, NONE, indices)
                        .node(2, 0, NONE, indices)
                        .node(2, 2, bytes(0), bytes(0, 0)));
    }

    private static HandmadeInput twice(boolean isDelta, Batch second) {
        return new HandmadeInput(schema(encoded(UTF8, 3)))
                .dictionary(3, false, texts())
                .dictionary(3, isDelta, second);
    }

    // ---- tensors

    private static final long[] UNALIGNED = {4, 4};

    private void tensors() {
        FbsValue.Table sound = strided(new long[] {12, 4}, 2, 3);
        FbsValue.Table bits = typed(strided(new long[] {-1, -4}, -1, 3), Type.BOOL, table("Bool"));
        tensor(
                MeaningRule.TENSOR_DIMENSION,
                "tensor-of-many-faults",
                "tensor",
                "type, shape, strides and data of a tensor are wrong",
                sound,
                with(bits, "data", UNALIGNED),
                MeaningRule.TENSOR_TYPE,
                MeaningRule.TENSOR_STRIDE,
                MeaningRule.BUFFER_UNALIGNED);
        FbsValue.Table three = strided(new long[] {12, 4, 4}, 2, 3);
        tensor(
                MeaningRule.TENSOR_STRIDES,
                "strides-and-data-of-tensor",
                "tensor",
                "type, number of strides and data of a tensor are wrong",
                sound,
                with(three, "type", ODD_BITS, "data", UNALIGNED),
                MeaningRule.INT_WIDTH,
                MeaningRule.BUFFER_UNALIGNED);
    }

    private static final FbsValue.Table ODD_BITS = table("Int", "bitWidth", 24, "is_signed", 1);

    private void tensor(
            Rule rule,
            String name,
            String layout,
            String what,
            FbsValue.Table sound,
            FbsValue.Table broken,
            Rule... implied) {
        cases.add(
                CorpusCase.of(rule, name, what).layout(layout).implies(implied).stream(
                        TensorParts.stream(sound), TensorParts.stream(broken)));
    }

    private void sparseTensors() {
        FbsValue.Table coordinates =
                index(
                        coo(8, -1, 2, 3),
                        "indicesType",
                        ODD_BITS,
                        "indicesStrides",
                        longs(2),
                        "indicesBuffer",
                        UNALIGNED);
        tensor(
                MeaningRule.NON_ZERO_LENGTH,
                "sparse-tensor-of-many-faults",
                COO,
                "type, number of stored cells, coordinates and data of a sparse tensor are wrong",
                coo(8, 2, 2, 3),
                with(coordinates, "type", ODD_BITS, "data", UNALIGNED),
                MeaningRule.INT_WIDTH,
                MeaningRule.TENSOR_STRIDES,
                MeaningRule.BUFFER_UNALIGNED);
        tensor(
                MeaningRule.NON_ZERO_LENGTH,
                "stored-cells-and-sizes",
                COO,
                "a sparse tensor of 6 cells stores 7, and its buffers are too small",
                coo(8, 2, 2, 3),
                coo(8, 7, 2, 3),
                MeaningRule.SPARSE_INDEX_SIZE,
                MeaningRule.TENSOR_SIZE);
        FbsValue.Table unknown = with(coo(8, 2, 2, 3), "sparseIndex_type", 4);
        tensor(
                MeaningRule.UNKNOWN_SPARSE_INDEX,
                "sparse-index-4-and-data",
                COO,
                "index and data of a sparse tensor are wrong",
                coo(8, 2, 2, 3),
                with(unknown, "data", UNALIGNED),
                MeaningRule.BUFFER_UNALIGNED,
                MeaningRule.TENSOR_SIZE);
        FbsValue.Table matrix =
                index(
                        csx(2, 12, 4, 2, 2, 3, 4),
                        "indptrType",
                        ODD_BITS,
                        "indptrBuffer",
                        UNALIGNED,
                        "indicesType",
                        ODD_BITS,
                        "indicesBuffer",
                        UNALIGNED);
        tensor(
                MeaningRule.COMPRESSED_AXIS,
                "matrix-of-many-faults",
                CSX,
                "shape, axis, pointers, indices and data of a sparse matrix are wrong",
                csx(0, 12, 4, 2, 2, 3),
                with(matrix, "data", UNALIGNED),
                MeaningRule.SPARSE_DIMENSIONS,
                MeaningRule.INT_WIDTH,
                MeaningRule.BUFFER_UNALIGNED,
                MeaningRule.TENSOR_SIZE);
        long[] none = {};
        tensor(
                MeaningRule.SPARSE_DIMENSIONS,
                "fibers-without-dimension-and-data",
                CSF,
                "shape, axes and data of compressed fibers are wrong",
                csf(none, new long[] {1}, new long[] {0}, 1, 1),
                with(csf(none, new long[] {1}, new long[] {0}, 1), "data", UNALIGNED),
                MeaningRule.SPARSE_LEVELS,
                MeaningRule.BUFFER_UNALIGNED);
        FbsValue.Table sound = csf(new long[] {3}, new long[] {2, 2}, new long[] {0, 1}, 2, 2, 3);
        FbsValue.Table levels =
                index(
                        sound,
                        "indptrType",
                        ODD_BITS,
                        "indptrBuffers",
                        List.of(UNALIGNED, UNALIGNED),
                        "indicesType",
                        ODD_BITS,
                        "indicesBuffers",
                        List.of(UNALIGNED, UNALIGNED, UNALIGNED));
        tensor(
                MeaningRule.SPARSE_LEVELS,
                "fibers-of-many-faults",
                CSF,
                "pointers, indices and data of compressed fibers are wrong",
                sound,
                with(levels, "data", UNALIGNED),
                MeaningRule.INT_WIDTH,
                MeaningRule.BUFFER_UNALIGNED,
                MeaningRule.TENSOR_SIZE);
        tensor(
                MeaningRule.AXIS_ORDER,
                "axes-and-buffers-of-fibers",
                CSF,
                "the axis order of compressed fibers has two wrong axes, and data is unaligned",
                sound,
                with(index(sound, "axisOrder", longs(2, -1)), "data", UNALIGNED),
                MeaningRule.BUFFER_UNALIGNED,
                MeaningRule.TENSOR_SIZE);
    }
}
