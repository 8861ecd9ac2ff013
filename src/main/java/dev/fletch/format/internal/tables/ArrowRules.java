// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

import static dev.fletch.flatbuf.internal.FieldDeclaration.scalar;
import static dev.fletch.flatbuf.internal.FieldDeclaration.string;
import static dev.fletch.flatbuf.internal.FieldDeclaration.struct;
import static dev.fletch.flatbuf.internal.FieldDeclaration.table;
import static dev.fletch.flatbuf.internal.FieldDeclaration.tables;
import static dev.fletch.flatbuf.internal.FieldDeclaration.union;
import static dev.fletch.flatbuf.internal.FieldDeclaration.unionTag;
import static dev.fletch.flatbuf.internal.FieldDeclaration.vector;

import dev.fletch.flatbuf.internal.DeclaredTables;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.DateUnit;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.EnumNames;
import dev.fletch.format.ids.Feature;
import dev.fletch.format.ids.IntervalUnit;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Precision;
import dev.fletch.format.ids.SparseMatrixCompressedAxis;
import dev.fletch.format.ids.SparseTensorIndex;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The fields of Arrow's tables, described once for verifying, rewriting and naming them. A field
/// has a slot, a name in Java's spelling and a type. A test compares all of them with
/// `format/*.fbs`. Immutable.
///
/// In paths, only a message's header includes the union's member (`header.recordBatch`), because
/// its content differs from member to member. A type is always called `type`.
///
/// Source: the tables of `format/*.fbs`.
public final class ArrowRules {
    private static final InlineType LONG = InlineType.number("long", Long.BYTES);
    private static final InlineType INT = InlineType.number("int", Integer.BYTES);
    private static final InlineType BOOL =
            InlineType.symbols("bool", Byte.BYTES, List.of("false", "true"));

    private static final List<String> TYPES = members(Type.NAMES);
    private static final List<String> HEADERS = members(MessageHeader.NAMES);
    private static final List<String> SPARSE_INDEXES = members(SparseTensorIndex.NAMES);

    private static final InlineType TYPE_TAG = InlineType.tag("Type", Type.NAMES.all());
    private static final InlineType HEADER_TAG =
            InlineType.tag("MessageHeader", MessageHeader.NAMES.all());
    private static final InlineType SPARSE_INDEX_TAG =
            InlineType.tag("SparseTensorIndex", SparseTensorIndex.NAMES.all());

    private static final InlineType FIELD_NODE =
            InlineType.struct("FieldNode", List.of("length", "nullCount"), LONG, LONG);
    private static final InlineType BUFFER =
            InlineType.struct("Buffer", List.of("offset", "length"), LONG, LONG);
    private static final InlineType BLOCK =
            InlineType.struct(
                    "Block", List.of("offset", "metaDataLength", "bodyLength"), LONG, INT, LONG);

    /// All tables; types without fields come last.
    public static final List<TableDeclaration> ALL = all();

    /// The declarations of all tables, with a number for each.
    public static final DeclaredTables SET = new DeclaredTables(ALL);

    private ArrowRules() {}

    /// The members of a union: all values except 0, which is "none".
    private static List<String> members(EnumNames union) {
        return union.all().subList(1, union.all().size());
    }

    private static InlineType ids(EnumNames names) {
        return ids(names, Short.BYTES);
    }

    private static InlineType ids(EnumNames names, int bytes) {
        return InlineType.symbols(names.enumName(), bytes, names.all());
    }

    private static List<TableDeclaration> all() {
        List<TableDeclaration> all = new ArrayList<>(withFields());
        Set<String> names = new HashSet<>();
        all.forEach(table -> names.add(table.name()));
        for (String type : TYPES) {
            if (names.add(type)) {
                all.add(TableDeclaration.of(type));
            }
        }
        return List.copyOf(all);
    }

    private static List<TableDeclaration> withFields() {
        return List.of(
                TableDeclaration.of("KeyValue", string(0, "key"), string(1, "value")),
                TableDeclaration.of(
                        "DictionaryEncoding",
                        scalar(0, "id", LONG),
                        table(1, "indexType", "Int"),
                        scalar(2, "isOrdered", BOOL),
                        scalar(3, "dictionaryKind", ids(DictionaryKind.NAMES))),
                TableDeclaration.of(
                        "Field",
                        string(0, "name"),
                        scalar(1, "nullable", BOOL),
                        unionTag(2, "typeType", TYPE_TAG),
                        union(3, "type", 2, TYPES),
                        table(4, "dictionary", "DictionaryEncoding"),
                        tables(5, "children", "Field"),
                        tables(6, "customMetadata", "KeyValue")),
                TableDeclaration.of(
                        "Schema",
                        scalar(0, "endianness", ids(Endianness.NAMES)),
                        tables(1, "fields", "Field"),
                        tables(2, "customMetadata", "KeyValue"),
                        vector(3, "features", ids(Feature.NAMES, Long.BYTES))),
                TableDeclaration.of("Int", scalar(0, "bitWidth", INT), scalar(1, "isSigned", BOOL)),
                TableDeclaration.of("FloatingPoint", scalar(0, "precision", ids(Precision.NAMES))),
                TableDeclaration.of(
                        "Decimal",
                        scalar(0, "precision", INT),
                        scalar(1, "scale", INT),
                        scalar(2, "bitWidth", INT).withAbsent(128)),
                TableDeclaration.of(
                        "Date",
                        scalar(0, "unit", ids(DateUnit.NAMES)).withAbsent(DateUnit.MILLISECOND)),
                TableDeclaration.of(
                        "Time",
                        scalar(0, "unit", ids(TimeUnit.NAMES)).withAbsent(TimeUnit.MILLISECOND),
                        scalar(1, "bitWidth", INT).withAbsent(32)),
                TableDeclaration.of(
                        "Timestamp", scalar(0, "unit", ids(TimeUnit.NAMES)), string(1, "timezone")),
                TableDeclaration.of("Interval", scalar(0, "unit", ids(IntervalUnit.NAMES))),
                TableDeclaration.of(
                        "Union",
                        scalar(0, "mode", ids(UnionMode.NAMES)),
                        vector(1, "typeIds", INT)),
                TableDeclaration.of("FixedSizeBinary", scalar(0, "byteWidth", INT)),
                TableDeclaration.of("FixedSizeList", scalar(0, "listSize", INT)),
                TableDeclaration.of("Map", scalar(0, "keysSorted", BOOL)),
                TableDeclaration.of(
                        "Duration",
                        scalar(0, "unit", ids(TimeUnit.NAMES)).withAbsent(TimeUnit.MILLISECOND)),
                TableDeclaration.of(
                        "BodyCompression",
                        scalar(0, "codec", ids(CompressionType.NAMES, Byte.BYTES)),
                        scalar(1, "method", ids(BodyCompressionMethod.NAMES, Byte.BYTES))),
                TableDeclaration.of(
                        "RecordBatch",
                        scalar(0, "length", LONG),
                        vector(1, "nodes", FIELD_NODE),
                        vector(2, "buffers", BUFFER),
                        table(3, "compression", "BodyCompression"),
                        vector(4, "variadicBufferCounts", LONG)),
                TableDeclaration.of(
                        "DictionaryBatch",
                        scalar(0, "id", LONG),
                        table(1, "data", "RecordBatch"),
                        scalar(2, "isDelta", BOOL)),
                TableDeclaration.of(
                        "Message",
                        scalar(0, "version", ids(MetadataVersion.NAMES)),
                        unionTag(1, "headerType", HEADER_TAG),
                        union(2, "header", 1, HEADERS).namingMember(),
                        scalar(3, "bodyLength", LONG),
                        tables(4, "customMetadata", "KeyValue")),
                TableDeclaration.of(
                        "Footer",
                        scalar(0, "version", ids(MetadataVersion.NAMES)),
                        table(1, "schema", "Schema"),
                        vector(2, "dictionaries", BLOCK),
                        vector(3, "recordBatches", BLOCK),
                        tables(4, "customMetadata", "KeyValue")),
                TableDeclaration.of("TensorDim", scalar(0, "size", LONG), string(1, "name")),
                TableDeclaration.of(
                        "Tensor",
                        unionTag(0, "typeType", TYPE_TAG),
                        union(1, "type", 0, TYPES).asRequired(),
                        tables(2, "shape", "TensorDim").asRequired(),
                        vector(3, "strides", LONG),
                        struct(4, "data", BUFFER).asRequired()),
                TableDeclaration.of(
                        "SparseTensorIndexCOO",
                        table(0, "indicesType", "Int").asRequired(),
                        vector(1, "indicesStrides", LONG),
                        struct(2, "indicesBuffer", BUFFER).asRequired(),
                        scalar(3, "isCanonical", BOOL)),
                TableDeclaration.of(
                        "SparseMatrixIndexCSX",
                        scalar(0, "compressedAxis", ids(SparseMatrixCompressedAxis.NAMES)),
                        table(1, "indptrType", "Int").asRequired(),
                        struct(2, "indptrBuffer", BUFFER).asRequired(),
                        table(3, "indicesType", "Int").asRequired(),
                        struct(4, "indicesBuffer", BUFFER).asRequired()),
                TableDeclaration.of(
                        "SparseTensorIndexCSF",
                        table(0, "indptrType", "Int").asRequired(),
                        vector(1, "indptrBuffers", BUFFER).asRequired(),
                        table(2, "indicesType", "Int").asRequired(),
                        vector(3, "indicesBuffers", BUFFER).asRequired(),
                        vector(4, "axisOrder", INT).asRequired()),
                TableDeclaration.of(
                        "SparseTensor",
                        unionTag(0, "typeType", TYPE_TAG),
                        union(1, "type", 0, TYPES).asRequired(),
                        tables(2, "shape", "TensorDim").asRequired(),
                        scalar(3, "nonZeroLength", LONG),
                        unionTag(4, "sparseIndexType", SPARSE_INDEX_TAG),
                        union(5, "sparseIndex", 4, SPARSE_INDEXES).asRequired(),
                        struct(6, "data", BUFFER).asRequired()));
    }
}
