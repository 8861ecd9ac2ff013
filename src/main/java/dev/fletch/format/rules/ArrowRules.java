// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import static dev.fletch.flatbuf.verify.FieldRule.scalar;
import static dev.fletch.flatbuf.verify.FieldRule.string;
import static dev.fletch.flatbuf.verify.FieldRule.struct;
import static dev.fletch.flatbuf.verify.FieldRule.table;
import static dev.fletch.flatbuf.verify.FieldRule.tables;
import static dev.fletch.flatbuf.verify.FieldRule.union;
import static dev.fletch.flatbuf.verify.FieldRule.unionTag;
import static dev.fletch.flatbuf.verify.FieldRule.vector;

import dev.fletch.flatbuf.verify.RuleSet;
import dev.fletch.flatbuf.verify.TableRules;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Date;
import dev.fletch.format.DateUnit;
import dev.fletch.format.Decimal;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Duration;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Footer;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Map;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseMatrixIndexCSX;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.SparseTensorIndexCOO;
import dev.fletch.format.SparseTensorIndexCSF;
import dev.fletch.format.Tensor;
import dev.fletch.format.TensorDim;
import dev.fletch.format.Time;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What Arrow's tables are made of, field by field, for verifiers and for whatever names each byte. A
/// test holds it against `format/*.fbs`. Immutable.
///
/// In paths only a message's header shows which member of the union it is (`header.recordBatch`): what
/// it holds differs from kind to kind, while a type is always called `type`.
///
/// Source: the tables of `format/*.fbs`.
public final class ArrowRules {
    /// All tables. Types that have no fields stand behind the others.
    public static final List<TableRules> ALL = all();

    /// The rules of all tables, with a number for each.
    public static final RuleSet SET = RuleSet.of(ALL);

    private ArrowRules() {}

    private static List<TableRules> all() {
        final List<TableRules> all = new ArrayList<>(schemaTables());
        all.addAll(typeTables());
        all.addAll(messageTables());
        all.addAll(tensorTables());
        final Set<String> names = new HashSet<>();
        for (TableRules table : all) {
            names.add(table.name());
        }
        for (String type : ArrowTypes.TYPES) {
            if (!names.contains(type)) {
                all.add(TableRules.of(type));
            }
        }
        return List.copyOf(all);
    }

    private static List<TableRules> schemaTables() {
        return List.of(
                TableRules.of(
                        "KeyValue",
                        string(KeyValue.KEY_SLOT, "key"),
                        string(KeyValue.VALUE_SLOT, "value")),
                TableRules.of(
                        "DictionaryEncoding",
                        scalar(DictionaryEncoding.ID_SLOT, "id", ArrowTypes.LONG),
                        table(DictionaryEncoding.INDEX_TYPE_SLOT, "indexType", "Int"),
                        scalar(DictionaryEncoding.IS_ORDERED_SLOT, "isOrdered", ArrowTypes.BOOL),
                        scalar(
                                DictionaryEncoding.DICTIONARY_KIND_SLOT,
                                "dictionaryKind",
                                ArrowTypes.DICTIONARY_KIND)),
                TableRules.of(
                        "Field",
                        string(Field.NAME_SLOT, "name"),
                        scalar(Field.NULLABLE_SLOT, "nullable", ArrowTypes.BOOL),
                        unionTag(Field.TYPE_TYPE_SLOT, "typeType", ArrowTypes.TYPE_TAG),
                        union(Field.TYPE_SLOT, "type", Field.TYPE_TYPE_SLOT, ArrowTypes.TYPES),
                        table(Field.DICTIONARY_SLOT, "dictionary", "DictionaryEncoding"),
                        tables(Field.CHILDREN_SLOT, "children", "Field"),
                        tables(Field.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")),
                TableRules.of(
                        "Schema",
                        scalar(Schema.ENDIANNESS_SLOT, "endianness", ArrowTypes.ENDIANNESS),
                        tables(Schema.FIELDS_SLOT, "fields", "Field"),
                        tables(Schema.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue"),
                        vector(Schema.FEATURES_SLOT, "features", ArrowTypes.FEATURE)));
    }

    private static List<TableRules> typeTables() {
        return List.of(
                TableRules.of(
                        "Int",
                        scalar(Int.BIT_WIDTH_SLOT, "bitWidth", ArrowTypes.INT),
                        scalar(Int.IS_SIGNED_SLOT, "isSigned", ArrowTypes.BOOL)),
                TableRules.of(
                        "FloatingPoint",
                        scalar(FloatingPoint.PRECISION_SLOT, "precision", ArrowTypes.PRECISION)),
                TableRules.of(
                        "Decimal",
                        scalar(Decimal.PRECISION_SLOT, "precision", ArrowTypes.INT),
                        scalar(Decimal.SCALE_SLOT, "scale", ArrowTypes.INT),
                        scalar(Decimal.BIT_WIDTH_SLOT, "bitWidth", ArrowTypes.INT).withAbsent(128)),
                TableRules.of(
                        "Date",
                        scalar(Date.UNIT_SLOT, "unit", ArrowTypes.DATE_UNIT)
                                .withAbsent(DateUnit.MILLISECOND)),
                TableRules.of(
                        "Time",
                        scalar(Time.UNIT_SLOT, "unit", ArrowTypes.TIME_UNIT)
                                .withAbsent(TimeUnit.MILLISECOND),
                        scalar(Time.BIT_WIDTH_SLOT, "bitWidth", ArrowTypes.INT).withAbsent(32)),
                TableRules.of(
                        "Timestamp",
                        scalar(Timestamp.UNIT_SLOT, "unit", ArrowTypes.TIME_UNIT),
                        string(Timestamp.TIMEZONE_SLOT, "timezone")),
                TableRules.of(
                        "Interval", scalar(Interval.UNIT_SLOT, "unit", ArrowTypes.INTERVAL_UNIT)),
                TableRules.of(
                        "Union",
                        scalar(Union.MODE_SLOT, "mode", ArrowTypes.UNION_MODE),
                        vector(Union.TYPE_IDS_SLOT, "typeIds", ArrowTypes.INT)),
                TableRules.of(
                        "FixedSizeBinary",
                        scalar(FixedSizeBinary.BYTE_WIDTH_SLOT, "byteWidth", ArrowTypes.INT)),
                TableRules.of(
                        "FixedSizeList",
                        scalar(FixedSizeList.LIST_SIZE_SLOT, "listSize", ArrowTypes.INT)),
                TableRules.of("Map", scalar(Map.KEYS_SORTED_SLOT, "keysSorted", ArrowTypes.BOOL)),
                TableRules.of(
                        "Duration",
                        scalar(Duration.UNIT_SLOT, "unit", ArrowTypes.TIME_UNIT)
                                .withAbsent(TimeUnit.MILLISECOND)));
    }

    private static List<TableRules> messageTables() {
        return List.of(
                TableRules.of(
                        "BodyCompression",
                        scalar(BodyCompression.CODEC_SLOT, "codec", ArrowTypes.COMPRESSION_TYPE),
                        scalar(
                                BodyCompression.METHOD_SLOT,
                                "method",
                                ArrowTypes.BODY_COMPRESSION_METHOD)),
                TableRules.of(
                        "RecordBatch",
                        scalar(RecordBatch.LENGTH_SLOT, "length", ArrowTypes.LONG),
                        vector(RecordBatch.NODES_SLOT, "nodes", ArrowTypes.FIELD_NODE),
                        vector(RecordBatch.BUFFERS_SLOT, "buffers", ArrowTypes.BUFFER),
                        table(RecordBatch.COMPRESSION_SLOT, "compression", "BodyCompression"),
                        vector(
                                RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT,
                                "variadicBufferCounts",
                                ArrowTypes.LONG)),
                TableRules.of(
                        "DictionaryBatch",
                        scalar(DictionaryBatch.ID_SLOT, "id", ArrowTypes.LONG),
                        table(DictionaryBatch.DATA_SLOT, "data", "RecordBatch"),
                        scalar(DictionaryBatch.IS_DELTA_SLOT, "isDelta", ArrowTypes.BOOL)),
                TableRules.of(
                        "Message",
                        scalar(Message.VERSION_SLOT, "version", ArrowTypes.METADATA_VERSION),
                        unionTag(Message.HEADER_TYPE_SLOT, "headerType", ArrowTypes.HEADER_TAG),
                        union(
                                        Message.HEADER_SLOT,
                                        "header",
                                        Message.HEADER_TYPE_SLOT,
                                        ArrowTypes.HEADERS)
                                .namingMember(),
                        scalar(Message.BODY_LENGTH_SLOT, "bodyLength", ArrowTypes.LONG),
                        tables(Message.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")),
                TableRules.of(
                        "Footer",
                        scalar(Footer.VERSION_SLOT, "version", ArrowTypes.METADATA_VERSION),
                        table(Footer.SCHEMA_SLOT, "schema", "Schema"),
                        vector(Footer.DICTIONARIES_SLOT, "dictionaries", ArrowTypes.BLOCK),
                        vector(Footer.RECORD_BATCHES_SLOT, "recordBatches", ArrowTypes.BLOCK),
                        tables(Footer.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")));
    }

    private static List<TableRules> tensorTables() {
        return List.of(
                TableRules.of(
                        "TensorDim",
                        scalar(TensorDim.SIZE_SLOT, "size", ArrowTypes.LONG),
                        string(TensorDim.NAME_SLOT, "name")),
                TableRules.of(
                        "Tensor",
                        unionTag(Tensor.TYPE_TYPE_SLOT, "typeType", ArrowTypes.TYPE_TAG),
                        union(Tensor.TYPE_SLOT, "type", Tensor.TYPE_TYPE_SLOT, ArrowTypes.TYPES)
                                .asRequired(),
                        tables(Tensor.SHAPE_SLOT, "shape", "TensorDim").asRequired(),
                        vector(Tensor.STRIDES_SLOT, "strides", ArrowTypes.LONG),
                        struct(Tensor.DATA_SLOT, "data", ArrowTypes.BUFFER).asRequired()),
                TableRules.of(
                        "SparseTensorIndexCOO",
                        table(SparseTensorIndexCOO.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        vector(
                                SparseTensorIndexCOO.INDICES_STRIDES_SLOT,
                                "indicesStrides",
                                ArrowTypes.LONG),
                        struct(
                                        SparseTensorIndexCOO.INDICES_BUFFER_SLOT,
                                        "indicesBuffer",
                                        ArrowTypes.BUFFER)
                                .asRequired(),
                        scalar(
                                SparseTensorIndexCOO.IS_CANONICAL_SLOT,
                                "isCanonical",
                                ArrowTypes.BOOL)),
                TableRules.of(
                        "SparseMatrixIndexCSX",
                        scalar(
                                SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT,
                                "compressedAxis",
                                ArrowTypes.COMPRESSED_AXIS),
                        table(SparseMatrixIndexCSX.INDPTR_TYPE_SLOT, "indptrType", "Int")
                                .asRequired(),
                        struct(
                                        SparseMatrixIndexCSX.INDPTR_BUFFER_SLOT,
                                        "indptrBuffer",
                                        ArrowTypes.BUFFER)
                                .asRequired(),
                        table(SparseMatrixIndexCSX.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        struct(
                                        SparseMatrixIndexCSX.INDICES_BUFFER_SLOT,
                                        "indicesBuffer",
                                        ArrowTypes.BUFFER)
                                .asRequired()),
                TableRules.of(
                        "SparseTensorIndexCSF",
                        table(SparseTensorIndexCSF.INDPTR_TYPE_SLOT, "indptrType", "Int")
                                .asRequired(),
                        vector(
                                        SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT,
                                        "indptrBuffers",
                                        ArrowTypes.BUFFER)
                                .asRequired(),
                        table(SparseTensorIndexCSF.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        vector(
                                        SparseTensorIndexCSF.INDICES_BUFFERS_SLOT,
                                        "indicesBuffers",
                                        ArrowTypes.BUFFER)
                                .asRequired(),
                        vector(SparseTensorIndexCSF.AXIS_ORDER_SLOT, "axisOrder", ArrowTypes.INT)
                                .asRequired()),
                TableRules.of(
                        "SparseTensor",
                        unionTag(SparseTensor.TYPE_TYPE_SLOT, "typeType", ArrowTypes.TYPE_TAG),
                        union(
                                        SparseTensor.TYPE_SLOT,
                                        "type",
                                        SparseTensor.TYPE_TYPE_SLOT,
                                        ArrowTypes.TYPES)
                                .asRequired(),
                        tables(SparseTensor.SHAPE_SLOT, "shape", "TensorDim").asRequired(),
                        scalar(SparseTensor.NON_ZERO_LENGTH_SLOT, "nonZeroLength", ArrowTypes.LONG),
                        unionTag(
                                SparseTensor.SPARSE_INDEX_TYPE_SLOT,
                                "sparseIndexType",
                                ArrowTypes.SPARSE_INDEX_TAG),
                        union(
                                        SparseTensor.SPARSE_INDEX_SLOT,
                                        "sparseIndex",
                                        SparseTensor.SPARSE_INDEX_TYPE_SLOT,
                                        ArrowTypes.SPARSE_INDEXES)
                                .asRequired(),
                        struct(SparseTensor.DATA_SLOT, "data", ArrowTypes.BUFFER).asRequired()));
    }
}
