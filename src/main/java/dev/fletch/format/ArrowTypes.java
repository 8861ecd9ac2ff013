// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.InlineType;
import dev.fletch.flatbuf.InlineType.Member;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// The numbers, enums and structs of Arrow's tables, with the names of what is in them: for the
/// rules. Held against `format/*.fbs` with these.
final class ArrowTypes {
    static final InlineType LONG = InlineType.number("long", Long.BYTES);
    static final InlineType INT = InlineType.number("int", Integer.BYTES);
    static final InlineType BOOL = InlineType.symbols("bool", Byte.BYTES, List.of("false", "true"));

    static final InlineType METADATA_VERSION =
            ids("MetadataVersion", Short.BYTES, MetadataVersion::isKnown, MetadataVersion::name);
    static final InlineType ENDIANNESS =
            ids("Endianness", Short.BYTES, Endianness::isKnown, Endianness::name);
    static final InlineType FEATURE = ids("Feature", Long.BYTES, Feature::isKnown, Feature::name);
    static final InlineType DICTIONARY_KIND =
            ids("DictionaryKind", Short.BYTES, DictionaryKind::isKnown, DictionaryKind::name);
    static final InlineType PRECISION =
            ids("Precision", Short.BYTES, Precision::isKnown, Precision::name);
    static final InlineType DATE_UNIT =
            ids("DateUnit", Short.BYTES, DateUnit::isKnown, DateUnit::name);
    static final InlineType TIME_UNIT =
            ids("TimeUnit", Short.BYTES, TimeUnit::isKnown, TimeUnit::name);
    static final InlineType INTERVAL_UNIT =
            ids("IntervalUnit", Short.BYTES, IntervalUnit::isKnown, IntervalUnit::name);
    static final InlineType UNION_MODE =
            ids("UnionMode", Short.BYTES, UnionMode::isKnown, UnionMode::name);
    static final InlineType COMPRESSION_TYPE =
            ids("CompressionType", Byte.BYTES, CompressionType::isKnown, CompressionType::name);
    static final InlineType BODY_COMPRESSION_METHOD =
            ids(
                    "BodyCompressionMethod",
                    Byte.BYTES,
                    BodyCompressionMethod::isKnown,
                    BodyCompressionMethod::name);
    static final InlineType COMPRESSED_AXIS =
            ids(
                    "SparseMatrixCompressedAxis",
                    Short.BYTES,
                    SparseMatrixCompressedAxis::isKnown,
                    SparseMatrixCompressedAxis::name);

    static final List<String> TYPES = names(1, Type::isKnown, Type::name);
    static final List<String> HEADERS = names(1, MessageHeader::isKnown, MessageHeader::name);
    static final List<String> SPARSE_INDEXES =
            names(1, SparseTensorIndex::isKnown, SparseTensorIndex::name);

    static final InlineType TYPE_TAG = InlineType.tag("Type", TYPES);
    static final InlineType HEADER_TAG = InlineType.tag("MessageHeader", HEADERS);
    static final InlineType SPARSE_INDEX_TAG = InlineType.tag("SparseTensorIndex", SPARSE_INDEXES);

    static final InlineType FIELD_NODE =
            InlineType.struct(
                    "FieldNode",
                    FieldNode.BYTES,
                    Long.BYTES,
                    new Member("length", LONG, FieldNode.LENGTH_AT),
                    new Member("nullCount", LONG, FieldNode.NULL_COUNT_AT));
    static final InlineType BUFFER =
            InlineType.struct(
                    "Buffer",
                    Buffer.BYTES,
                    Long.BYTES,
                    new Member("offset", LONG, Buffer.OFFSET_AT),
                    new Member("length", LONG, Buffer.LENGTH_AT));
    static final InlineType BLOCK =
            InlineType.struct(
                    "Block",
                    Block.BYTES,
                    Long.BYTES,
                    new Member("offset", LONG, Block.OFFSET_AT),
                    new Member("metaDataLength", INT, Block.META_DATA_LENGTH_AT),
                    new Member("bodyLength", LONG, Block.BODY_LENGTH_AT));

    private ArrowTypes() {}

    private static InlineType ids(
            String name, int bytes, IntPredicate known, IntFunction<String> symbol) {
        return InlineType.symbols(name, bytes, names(0, known, symbol));
    }

    private static List<String> names(int first, IntPredicate known, IntFunction<String> name) {
        return IntStream.iterate(first, known, id -> id + 1).mapToObj(name).toList();
    }
}
