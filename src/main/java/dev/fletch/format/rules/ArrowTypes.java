// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.flatbuf.verify.InlineType;
import dev.fletch.flatbuf.verify.InlineType.Member;
import dev.fletch.format.Block;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.Buffer;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DateUnit;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Endianness;
import dev.fletch.format.EnumNames;
import dev.fletch.format.Feature;
import dev.fletch.format.FieldNode;
import dev.fletch.format.IntervalUnit;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Precision;
import dev.fletch.format.SparseMatrixCompressedAxis;
import dev.fletch.format.SparseTensorIndex;
import dev.fletch.format.TimeUnit;
import dev.fletch.format.Type;
import dev.fletch.format.UnionMode;

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

    static final List<String> TYPES = members(Type.NAMES);
    static final List<String> HEADERS = members(MessageHeader.NAMES);
    static final List<String> SPARSE_INDEXES = members(SparseTensorIndex.NAMES);

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

    /// The members of a union: all values but 0, which is "none".
    private static List<String> members(EnumNames union) {
        return union.all().subList(1, union.all().size());
    }

    private static InlineType ids(EnumNames names, int bytes) {
        return InlineType.symbols(names.enumName(), bytes, names.all());
    }
}
