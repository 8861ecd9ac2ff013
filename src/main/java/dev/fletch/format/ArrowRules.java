// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.flatbuf.FieldRule.scalar;
import static dev.fletch.flatbuf.FieldRule.string;
import static dev.fletch.flatbuf.FieldRule.struct;
import static dev.fletch.flatbuf.FieldRule.table;
import static dev.fletch.flatbuf.FieldRule.tables;
import static dev.fletch.flatbuf.FieldRule.union;
import static dev.fletch.flatbuf.FieldRule.unionTag;
import static dev.fletch.flatbuf.FieldRule.vector;

import dev.fletch.flatbuf.RuleSet;
import dev.fletch.flatbuf.TableRules;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How each of Arrow's tables is verified, field by field. Held against `format/*.fbs` by a test.
///
/// Paths show the member of a union only for a message's header: what that holds differs from kind
/// to kind, while a type is always the one of its field.
final class ArrowRules {
    private static final List<String> TYPES = members(Type::isKnown, Type::name);
    private static final List<String> HEADERS =
            members(MessageHeader::isKnown, MessageHeader::name);
    private static final List<String> SPARSE_INDEXES =
            members(SparseTensorIndex::isKnown, SparseTensorIndex::name);

    /// All tables. Types that have no fields stand behind the others.
    static final List<TableRules> ALL =
            Stream.of(schemaTables(), typeTables(), messageTables(), tensorTables(), emptyTables())
                    .flatMap(List::stream)
                    .toList();

    /// The same, for verifiers.
    static final RuleSet SET = RuleSet.of(ALL);

    private ArrowRules() {}

    /// The names of a union's members from 1 on.
    private static List<String> members(IntPredicate known, IntFunction<String> name) {
        return IntStream.iterate(1, known, tag -> tag + 1).mapToObj(name).toList();
    }

    private static List<TableRules> schemaTables() {
        return List.of(
                TableRules.of(
                        "KeyValue",
                        string(KeyValue.KEY_SLOT, "key"),
                        string(KeyValue.VALUE_SLOT, "value")),
                TableRules.of(
                        "DictionaryEncoding",
                        scalar(DictionaryEncoding.ID_SLOT, "id", Long.BYTES),
                        table(DictionaryEncoding.INDEX_TYPE_SLOT, "indexType", "Int"),
                        scalar(DictionaryEncoding.IS_ORDERED_SLOT, "isOrdered", Byte.BYTES),
                        scalar(
                                DictionaryEncoding.DICTIONARY_KIND_SLOT,
                                "dictionaryKind",
                                Short.BYTES)),
                TableRules.of(
                        "Field",
                        string(Field.NAME_SLOT, "name"),
                        scalar(Field.NULLABLE_SLOT, "nullable", Byte.BYTES),
                        unionTag(Field.TYPE_TYPE_SLOT, "typeType"),
                        union(Field.TYPE_SLOT, "type", Field.TYPE_TYPE_SLOT, TYPES),
                        table(Field.DICTIONARY_SLOT, "dictionary", "DictionaryEncoding"),
                        tables(Field.CHILDREN_SLOT, "children", "Field"),
                        tables(Field.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")),
                TableRules.of(
                        "Schema",
                        scalar(Schema.ENDIANNESS_SLOT, "endianness", Short.BYTES),
                        tables(Schema.FIELDS_SLOT, "fields", "Field"),
                        tables(Schema.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue"),
                        vector(Schema.FEATURES_SLOT, "features", Long.BYTES, Long.BYTES)));
    }

    private static List<TableRules> typeTables() {
        return List.of(
                TableRules.of(
                        "Int",
                        scalar(Int.BIT_WIDTH_SLOT, "bitWidth", Integer.BYTES),
                        scalar(Int.IS_SIGNED_SLOT, "isSigned", Byte.BYTES)),
                TableRules.of(
                        "FloatingPoint",
                        scalar(FloatingPoint.PRECISION_SLOT, "precision", Short.BYTES)),
                TableRules.of(
                        "Decimal",
                        scalar(Decimal.PRECISION_SLOT, "precision", Integer.BYTES),
                        scalar(Decimal.SCALE_SLOT, "scale", Integer.BYTES),
                        scalar(Decimal.BIT_WIDTH_SLOT, "bitWidth", Integer.BYTES)),
                TableRules.of("Date", scalar(Date.UNIT_SLOT, "unit", Short.BYTES)),
                TableRules.of(
                        "Time",
                        scalar(Time.UNIT_SLOT, "unit", Short.BYTES),
                        scalar(Time.BIT_WIDTH_SLOT, "bitWidth", Integer.BYTES)),
                TableRules.of(
                        "Timestamp",
                        scalar(Timestamp.UNIT_SLOT, "unit", Short.BYTES),
                        string(Timestamp.TIMEZONE_SLOT, "timezone")),
                TableRules.of("Interval", scalar(Interval.UNIT_SLOT, "unit", Short.BYTES)),
                TableRules.of(
                        "Union",
                        scalar(Union.MODE_SLOT, "mode", Short.BYTES),
                        vector(Union.TYPE_IDS_SLOT, "typeIds", Integer.BYTES, Integer.BYTES)),
                TableRules.of(
                        "FixedSizeBinary",
                        scalar(FixedSizeBinary.BYTE_WIDTH_SLOT, "byteWidth", Integer.BYTES)),
                TableRules.of(
                        "FixedSizeList",
                        scalar(FixedSizeList.LIST_SIZE_SLOT, "listSize", Integer.BYTES)),
                TableRules.of("Map", scalar(Map.KEYS_SORTED_SLOT, "keysSorted", Byte.BYTES)),
                TableRules.of("Duration", scalar(Duration.UNIT_SLOT, "unit", Short.BYTES)));
    }

    private static List<TableRules> messageTables() {
        return List.of(
                TableRules.of(
                        "BodyCompression",
                        scalar(BodyCompression.CODEC_SLOT, "codec", Byte.BYTES),
                        scalar(BodyCompression.METHOD_SLOT, "method", Byte.BYTES)),
                TableRules.of(
                        "RecordBatch",
                        scalar(RecordBatch.LENGTH_SLOT, "length", Long.BYTES),
                        vector(RecordBatch.NODES_SLOT, "nodes", FieldNode.BYTES, Long.BYTES),
                        vector(RecordBatch.BUFFERS_SLOT, "buffers", Buffer.BYTES, Long.BYTES),
                        table(RecordBatch.COMPRESSION_SLOT, "compression", "BodyCompression"),
                        vector(
                                RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT,
                                "variadicBufferCounts",
                                Long.BYTES,
                                Long.BYTES)),
                TableRules.of(
                        "DictionaryBatch",
                        scalar(DictionaryBatch.ID_SLOT, "id", Long.BYTES),
                        table(DictionaryBatch.DATA_SLOT, "data", "RecordBatch"),
                        scalar(DictionaryBatch.IS_DELTA_SLOT, "isDelta", Byte.BYTES)),
                TableRules.of(
                        "Message",
                        scalar(Message.VERSION_SLOT, "version", Short.BYTES),
                        unionTag(Message.HEADER_TYPE_SLOT, "headerType"),
                        union(Message.HEADER_SLOT, "header", Message.HEADER_TYPE_SLOT, HEADERS)
                                .namingMember(),
                        scalar(Message.BODY_LENGTH_SLOT, "bodyLength", Long.BYTES),
                        tables(Message.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")),
                TableRules.of(
                        "Footer",
                        scalar(Footer.VERSION_SLOT, "version", Short.BYTES),
                        table(Footer.SCHEMA_SLOT, "schema", "Schema"),
                        vector(Footer.DICTIONARIES_SLOT, "dictionaries", Block.BYTES, Long.BYTES),
                        vector(
                                Footer.RECORD_BATCHES_SLOT,
                                "recordBatches",
                                Block.BYTES,
                                Long.BYTES),
                        tables(Footer.CUSTOM_METADATA_SLOT, "customMetadata", "KeyValue")));
    }

    private static List<TableRules> tensorTables() {
        return List.of(
                TableRules.of(
                        "TensorDim",
                        scalar(TensorDim.SIZE_SLOT, "size", Long.BYTES),
                        string(TensorDim.NAME_SLOT, "name")),
                TableRules.of(
                        "Tensor",
                        unionTag(Tensor.TYPE_TYPE_SLOT, "typeType"),
                        union(Tensor.TYPE_SLOT, "type", Tensor.TYPE_TYPE_SLOT, TYPES).asRequired(),
                        tables(Tensor.SHAPE_SLOT, "shape", "TensorDim").asRequired(),
                        vector(Tensor.STRIDES_SLOT, "strides", Long.BYTES, Long.BYTES),
                        struct(Tensor.DATA_SLOT, "data", Buffer.BYTES, Long.BYTES).asRequired()),
                TableRules.of(
                        "SparseTensorIndexCOO",
                        table(SparseTensorIndexCOO.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        vector(
                                SparseTensorIndexCOO.INDICES_STRIDES_SLOT,
                                "indicesStrides",
                                Long.BYTES,
                                Long.BYTES),
                        struct(
                                        SparseTensorIndexCOO.INDICES_BUFFER_SLOT,
                                        "indicesBuffer",
                                        Buffer.BYTES,
                                        Long.BYTES)
                                .asRequired(),
                        scalar(SparseTensorIndexCOO.IS_CANONICAL_SLOT, "isCanonical", Byte.BYTES)),
                TableRules.of(
                        "SparseMatrixIndexCSX",
                        scalar(
                                SparseMatrixIndexCSX.COMPRESSED_AXIS_SLOT,
                                "compressedAxis",
                                Short.BYTES),
                        table(SparseMatrixIndexCSX.INDPTR_TYPE_SLOT, "indptrType", "Int")
                                .asRequired(),
                        struct(
                                        SparseMatrixIndexCSX.INDPTR_BUFFER_SLOT,
                                        "indptrBuffer",
                                        Buffer.BYTES,
                                        Long.BYTES)
                                .asRequired(),
                        table(SparseMatrixIndexCSX.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        struct(
                                        SparseMatrixIndexCSX.INDICES_BUFFER_SLOT,
                                        "indicesBuffer",
                                        Buffer.BYTES,
                                        Long.BYTES)
                                .asRequired()),
                TableRules.of(
                        "SparseTensorIndexCSF",
                        table(SparseTensorIndexCSF.INDPTR_TYPE_SLOT, "indptrType", "Int")
                                .asRequired(),
                        vector(
                                        SparseTensorIndexCSF.INDPTR_BUFFERS_SLOT,
                                        "indptrBuffers",
                                        Buffer.BYTES,
                                        Long.BYTES)
                                .asRequired(),
                        table(SparseTensorIndexCSF.INDICES_TYPE_SLOT, "indicesType", "Int")
                                .asRequired(),
                        vector(
                                        SparseTensorIndexCSF.INDICES_BUFFERS_SLOT,
                                        "indicesBuffers",
                                        Buffer.BYTES,
                                        Long.BYTES)
                                .asRequired(),
                        vector(
                                        SparseTensorIndexCSF.AXIS_ORDER_SLOT,
                                        "axisOrder",
                                        Integer.BYTES,
                                        Integer.BYTES)
                                .asRequired()),
                TableRules.of(
                        "SparseTensor",
                        unionTag(SparseTensor.TYPE_TYPE_SLOT, "typeType"),
                        union(SparseTensor.TYPE_SLOT, "type", SparseTensor.TYPE_TYPE_SLOT, TYPES)
                                .asRequired(),
                        tables(SparseTensor.SHAPE_SLOT, "shape", "TensorDim").asRequired(),
                        scalar(SparseTensor.NON_ZERO_LENGTH_SLOT, "nonZeroLength", Long.BYTES),
                        unionTag(SparseTensor.SPARSE_INDEX_TYPE_SLOT, "sparseIndexType"),
                        union(
                                        SparseTensor.SPARSE_INDEX_SLOT,
                                        "sparseIndex",
                                        SparseTensor.SPARSE_INDEX_TYPE_SLOT,
                                        SPARSE_INDEXES)
                                .asRequired(),
                        struct(SparseTensor.DATA_SLOT, "data", Buffer.BYTES, Long.BYTES)
                                .asRequired()));
    }

    private static List<TableRules> emptyTables() {
        return TYPES.stream().filter(ArrowRules::isEmpty).map(TableRules::of).toList();
    }

    private static boolean isEmpty(String type) {
        return typeTables().stream().noneMatch(each -> each.name().equals(type));
    }
}
