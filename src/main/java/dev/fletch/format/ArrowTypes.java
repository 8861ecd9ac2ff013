// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.InlineType;
import dev.fletch.flatbuf.InlineType.Member;

import java.util.List;

/// The numbers, enums and structs of Arrow's tables, with the names of what is in them: for the
/// rules. Held against `format/*.fbs` with these.
final class ArrowTypes {
    static final InlineType LONG = InlineType.number("long", Long.BYTES);
    static final InlineType INT = InlineType.number("int", Integer.BYTES);
    static final InlineType BOOL = InlineType.symbols("bool", Byte.BYTES, List.of("false", "true"));

    static final InlineType METADATA_VERSION = ids(MetadataVersion.NAMES, Short.BYTES);
    static final InlineType ENDIANNESS = ids(Endianness.NAMES, Short.BYTES);
    static final InlineType FEATURE = ids(Feature.NAMES, Long.BYTES);
    static final InlineType DICTIONARY_KIND = ids(DictionaryKind.NAMES, Short.BYTES);
    static final InlineType PRECISION = ids(Precision.NAMES, Short.BYTES);
    static final InlineType DATE_UNIT = ids(DateUnit.NAMES, Short.BYTES);
    static final InlineType TIME_UNIT = ids(TimeUnit.NAMES, Short.BYTES);
    static final InlineType INTERVAL_UNIT = ids(IntervalUnit.NAMES, Short.BYTES);
    static final InlineType UNION_MODE = ids(UnionMode.NAMES, Short.BYTES);
    static final InlineType COMPRESSION_TYPE = ids(CompressionType.NAMES, Byte.BYTES);
    static final InlineType BODY_COMPRESSION_METHOD = ids(BodyCompressionMethod.NAMES, Byte.BYTES);
    static final InlineType COMPRESSED_AXIS = ids(SparseMatrixCompressedAxis.NAMES, Short.BYTES);

    static final List<String> TYPES = Type.NAMES.from(1);
    static final List<String> HEADERS = MessageHeader.NAMES.from(1);
    static final List<String> SPARSE_INDEXES = SparseTensorIndex.NAMES.from(1);

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

    private static InlineType ids(IdNames names, int bytes) {
        return InlineType.symbols(names.idName(), bytes, names.from(0));
    }
}
