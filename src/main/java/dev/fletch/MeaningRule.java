// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// The rules of the values in well-formed metadata, and of matching a batch with its schema. A
/// constant's description is its documentation.
///
/// "Value" is [Fault#value()]. A rule with a check is checked only if that is on. Rules whose id
/// ends in `-size` have the check [Check#BUFFER_SIZES].
///
/// Source: Arrow's columnar format, and the comments of `format/*.fbs`.
public enum MeaningRule implements Rule {
    // ---- messages

    /// V4 and V5 are. Value: the stored number, see [dev.fletch.format.ids.MetadataVersion].
    UNSUPPORTED_VERSION("metadata version is not supported"),

    /// Value: the header's type.
    NO_HEADER("message has no header"),

    /// Value: the type.
    UNKNOWN_HEADER("unknown message header"),

    /// Value: the header's type.
    HEADER_KIND("unexpected message kind"),

    /// Value: the body's length.
    SCHEMA_WITH_BODY(Severity.DEVIATION, "schema has a body"),

    /// Value: 0.
    FOOTER_WITHOUT_SCHEMA("footer has no schema"),

    /// Value: the dictionary's id.
    NO_DICTIONARY_DATA("dictionary batch has no data"),

    /// Value: 0.
    NO_KEY(Severity.DEVIATION, "custom metadata has no key"),

    /// Value: 0.
    NO_VALUE(Severity.DEVIATION, "custom metadata has no value"),

    /// Verifiers do not check this.
    NOT_WRITABLE("message cannot be rewritten"),

    // ---- schemas

    /// Value: the number.
    UNKNOWN_ENDIANNESS("endianness is unknown"),

    /// Check: [Check#LITTLE_ENDIAN]. Also thrown where a
    /// reader does not accept them, or cannot read their values. Value: the number.
    FOREIGN_ENDIANNESS("bodies are big-endian"),

    /// Check: [Check#FEATURES]. Value: the feature.
    UNKNOWN_FEATURE(Severity.NOTE, "feature is unknown"),

    /// Value: 0.
    NO_FIELDS(Severity.DEVIATION, "schema has no vector of fields, which may be empty"),

    /// Check: [Check#NESTING]. The column counts as a level.
    /// Reported once for a schema. Value: the level.
    NESTED_DEEPLY(Severity.NOTE, "fields are nested more than 64 levels deep"),

    /// The limit is that of [dev.fletch.format.internal.SchemaSize]. Value: the size.
    SCHEMA_TOO_LARGE("schema shares fields or texts too often"),

    /// The limit is [Limits#depth()].
    SCHEMA_TOO_DEEP("fields are nested too deeply"),

    /// The limit is [Limits#fields()].
    TOO_MANY_FIELDS("too many fields"),

    /// Names overlap, and take more than 2 GiB.
    TOO_LONG_NAMES("field names are too long in total"),

    /// No other rule is broken. The exception has the condition that does not hold.
    INVALID_SCHEMA("schema is invalid"),

    INVALID_JSON("JSON is invalid"),

    // ---- types

    /// Value: the type.
    UNKNOWN_TYPE("type is unknown"),

    /// Value: 0.
    NO_TYPE("field has no type"),

    /// The field has only the type's number. Value: the number.
    NO_TYPE_TABLE("type with parameters has no table"),

    /// The field has only the type's number. Value: the number.
    NO_EMPTY_TYPE_TABLE(Severity.DEVIATION, "type without parameters has no empty table"),

    /// Value: the width.
    INT_WIDTH("integer does not have 8, 16, 32 or 64 bits"),

    /// Value: the precision.
    FLOAT_PRECISION("precision of a floating-point number is unknown"),

    /// Value: the width.
    DECIMAL_WIDTH("decimal does not have 32, 64, 128 or 256 bits"),

    /// Value: the precision.
    DECIMAL_PRECISION(
            "decimal of 32, 64, 128 or 256 bits does not have 1 to 9, 18, 38 or 76 digits"),

    /// Value: the unit.
    DATE_UNIT("unit of a date is unknown"),

    /// Value: the unit.
    TIME_UNIT("unit of a time is unknown"),

    /// Value: the width.
    TIME_WIDTH(
            "width of a time does not suit its unit: 32 bits for seconds and milliseconds, else"
                    + " 64"),

    /// Value: the unit.
    TIMESTAMP_UNIT("unit of a timestamp is unknown"),

    /// Value: the unit.
    DURATION_UNIT("unit of a duration is unknown"),

    /// Value: the unit.
    INTERVAL_UNIT("unit of an interval is unknown"),

    /// Value: the width.
    BYTE_WIDTH("fixed-size binary has less than 0 bytes"),

    /// Value: the size.
    LIST_SIZE("fixed-size list has less than 0 elements"),

    /// Value: the mode.
    UNION_MODE("mode of a union is unknown"),

    // ---- children

    /// Value: the number of children.
    LEAF_CHILDREN("type that is not nested has children"),

    /// Value: the number of children.
    LIST_CHILDREN("list does not have one child"),

    /// Value: the number of children.
    MAP_CHILDREN("map does not have one child"),

    /// Value: their type's number.
    MAP_ENTRIES_TYPE("entries of a map are not structs"),

    /// Value: 1.
    MAP_ENTRIES_NULLABLE(Severity.DEVIATION, "entries of a map are nullable"),

    /// Value: the number of children.
    MAP_ENTRIES_CHILDREN("entries of a map do not have two children, key and value"),

    /// Value: 1.
    MAP_KEY_NULLABLE(Severity.DEVIATION, "keys of a map are nullable"),

    /// Value: the number of children.
    RUN_END_CHILDREN("run-end encoded field does not have two children, run ends and values"),

    /// Value: their type's number.
    RUN_ENDS_TYPE("run ends are not int16, int32 or int64"),

    /// Value: 1.
    RUN_ENDS_NULLABLE(Severity.DEVIATION, "run ends are nullable"),

    /// Value: the number of children.
    UNION_CHILDREN("union has more than 128 children"),

    /// Value: the number of type ids.
    UNION_TYPE_IDS("number of type ids is not that of the union's children"),

    /// Value: the id.
    UNION_TYPE_ID_RANGE("type id is not 0 to 127"),

    /// Value: the id.
    UNION_TYPE_ID_REPEATED("type id belongs to several children"),

    // ---- dictionaries

    /// Value: their width.
    INDEX_WIDTH("indices do not have 8, 16, 32 or 64 bits"),

    /// Value: the kind.
    DICTIONARY_KIND("kind of a dictionary is unknown"),

    /// Value: the id.
    DICTIONARY_TYPE("dictionary's values do not have one type"),

    /// In a stream. A record batch that needs it before it is defined breaks
    /// [#DICTIONARY_UNDEFINED]. Value: the id of the undefined dictionary.
    DICTIONARY_LATE(
            Severity.DEVIATION,
            "dictionary inside the values of another one is not defined first (arrow-java writes"
                    + " outer dictionaries first)"),

    /// Value: the id.
    UNUSED_DICTIONARY("no field is encoded by the dictionary"),

    /// Value: the id.
    DELTA_WITHOUT_DICTIONARY("delta precedes its dictionary"),

    /// By batches that are not deltas. Value: the id.
    DICTIONARY_REPLACED("dictionary is defined twice in a file"),

    /// A field's values are indices into it. Value: the id.
    DICTIONARY_UNDEFINED("dictionary is not defined"),

    // ---- batches

    /// Value: the number.
    NEGATIVE_ROWS("record batch has a negative number of rows"),

    /// It has fewer, or more if the check is exact. Value: their number.
    NODE_COUNT("batch does not have the layout's field nodes"),

    /// It has fewer, or more if the check is exact. Value: their number.
    BUFFER_COUNT("batch does not have the layout's buffers"),

    /// It has fewer, or more if the check is exact. Value: their number.
    VARIADIC_COUNTS("batch does not have the layout's variadic buffer counts"),

    /// It is negative, or above the number of buffers. Value: the count.
    VARIADIC_COUNT_RANGE("variadic buffer count is out of range"),

    /// Value: the codec.
    UNKNOWN_CODEC("codec of a compression is unknown"),

    /// In V4 messages: see [dev.fletch.format.BatchCodec]. Value: the length of the name.
    UNKNOWN_CODEC_NAME("codec that custom metadata names is not lz4 or zstd"),

    /// In V4 messages: see [dev.fletch.format.BatchCodec]. Value: the length of the name.
    CODEC_IN_METADATA(
            Severity.DEVIATION,
            "codec of buffers is in custom metadata of the message, not in the batch (Arrow"
                    + " 0.17 wrote it there)"),

    /// Value: the method.
    UNKNOWN_METHOD("method of a compression is unknown"),

    // ---- nodes

    /// Value: the length.
    NEGATIVE_LENGTH("column has a negative length"),

    /// Value: the null count.
    NULL_COUNT_RANGE("field has less than 0 nulls, or more than values"),

    /// Value: the length.
    COLUMN_LENGTH("column has another number of values than the batch has rows"),

    /// Value: -1.
    NULL_COUNT_UNKNOWN(
            Severity.DEVIATION,
            "null count of a column of type Null is not its length (arrow-js since 14 may write"
                    + " -1)"),

    /// Unions of metadata version 4 have a validity buffer. Value: the null count.
    NULL_COUNT_WITHOUT_VALIDITY(
            Severity.DEVIATION,
            "null count of a union or run-end encoded field is not 0, without validity buffer"),

    /// The node is too short for all structs that are not null. Value: the length.
    CHILD_LENGTH("child of a struct does not have the values of all structs"),

    /// It is shorter by no more values than there are nulls, which may be at the end. Value: the
    /// length.
    CHILD_SHORTER(
            Severity.DEVIATION,
            "child of a struct is shorter than the struct (arrow-js before 9 omits values of"
                    + " nulls at the end)"),

    /// Readers treat the missing values as null. Value: the length.
    UNION_CHILD_SHORTER(
            Severity.DEVIATION,
            "child of a sparse union is shorter than the union (arrow-js writes shorter"
                    + " ones)"),

    /// Check: [Check#EXACT_CHILDREN]. Value: the length.
    CHILD_LONGER(Severity.DEVIATION, "child of a struct or sparse union is longer than its parent"),

    /// The node is too short for all lists that are not null. Value: the length.
    LIST_CHILD_LENGTH("fixed-size list's child does not have the values of all lists"),

    /// It is shorter by no more lists than there are nulls, which may be at the end. Value: the
    /// length.
    LIST_CHILD_SHORTER(
            Severity.DEVIATION,
            "fixed-size list's child has no values for nulls (arrow-js before 21 omits those at"
                    + " the end)"),

    /// Value: the length of the node.
    RUN_COUNT("values without run end, or run ends without run value"),

    /// Check: [Check#EXACT_CHILDREN]. Value: the length of the
    /// node.
    RUN_CHILD_LONGER(
            Severity.DEVIATION,
            "run ends are more than the values, or run values more than the run ends"),

    /// Value: its null count.
    RUN_END_NULLS(Severity.DEVIATION, "run ends are null"),

    // ---- buffers

    /// Value: the offset.
    NEGATIVE_BUFFER_OFFSET("buffer's offset is negative"),

    /// Value: the length.
    NEGATIVE_BUFFER_LENGTH("buffer's length is negative"),

    /// Value: its length.
    BUFFER_OVERFLOW("buffer's end is 2^63 or more"),

    /// Value: its end, offset plus length.
    BUFFER_OUT_OF_BODY("buffer out of body"),

    /// Value: the offset.
    BUFFER_UNALIGNED(Severity.DEVIATION, "buffer's offset is not a multiple of 8"),

    /// Check: [Check#BUFFER_ORDER]. Value: its offset.
    BUFFER_ORDER(Severity.DEVIATION, "buffers overlap, or do not ascend"),

    /// 1 to 7 bytes are too few for the prefix. Value: its length.
    COMPRESSED_TOO_SHORT("compressed buffer has 1 to 7 bytes"),

    /// It is the prefix of a compressed buffer, and no more than the codec can store in the
    /// buffer's bytes. Value: the prefix.
    UNCOMPRESSED_LENGTH(
            "uncompressed length is less than -1, or does not fit the compressed bytes"),

    /// Value: its length.
    VALIDITY_SIZE("validity buffer is too short, and there are nulls"),

    /// Check: [Check#BUFFER_SIZES]. None has a length of 0. Value: its length.
    VALIDITY_SHORTER(Severity.DEVIATION, "validity buffer is too short, but there are no nulls"),

    /// Value: its length.
    OFFSETS_SIZE("offsets buffer does not have the offsets of all values"),

    /// Check: [Check#FIRST_OFFSET]. Reported once for a batch,
    /// and not for metadata version 4. Value: the buffer's length.
    NO_OFFSET(
            Severity.NOTE,
            "offsets buffer of an empty field has no offset"
                    + " (arrow-java before 19, arrow-rs before 58.2 and arrow-js write none)"),

    /// Value: its length.
    SIZES_SIZE("sizes buffer does not have a size for each value"),

    /// Value: its length.
    TYPE_IDS_SIZE("type id buffer does not have a byte for each value"),

    /// Value: its length.
    VIEWS_SIZE("views buffer does not have 16 bytes for each value"),

    /// Value: its length.
    DATA_SIZE("data buffer of fixed width does not have the bits of all values"),

    /// The buffer is empty, and all values are null. Value: its length.
    NO_DATA_OF_NULLS(
            Severity.DEVIATION,
            "data buffer of fixed width does not have the bits of nulls (arrow-js up to 21 writes"
                    + " none for booleans that are all null)"),

    // ---- tensors

    /// Value: the type's number.
    TENSOR_TYPE("cells of a tensor do not have a fixed number of bytes"),

    /// Value: the size.
    TENSOR_DIMENSION("dimension of a tensor has less than 0 cells"),

    /// Value: the number of strides.
    TENSOR_STRIDES("number of strides is not that of the dimensions"),

    /// Value: the stride.
    TENSOR_STRIDE("stride is negative"),

    /// Value: the buffer's length.
    TENSOR_SIZE("data of a tensor does not have the bytes of all its cells"),

    /// Coordinates that are not canonical may repeat: then only a tensor without cells has a limit.
    /// Value: the number of stored cells.
    NON_ZERO_LENGTH("number of stored cells is negative, or above that of all cells"),

    /// Value: its number.
    UNKNOWN_SPARSE_INDEX("index of a sparse tensor is of an unknown kind"),

    /// A compressed matrix has two, compressed fibers have at least one. Value: the number of
    /// dimensions.
    SPARSE_DIMENSIONS("number of dimensions does not suit the sparse index"),

    /// Value: the axis.
    COMPRESSED_AXIS("compressed axis of a sparse matrix is unknown"),

    /// They have one axis and one indices buffer for each dimension, and one pointers buffer for
    /// each dimension but the last. Value: how many there are.
    SPARSE_LEVELS("number of levels does not suit the dimensions"),

    /// Value: the axis.
    AXIS_ORDER("axis order is not a permutation of the dimensions"),

    /// Value: the buffer's length.
    SPARSE_INDEX_SIZE("buffer of a sparse index is too short"),

    // ---- columns: the bytes may be valid, but are not what their reader expects

    /// Verifiers do not check this.
    NO_COLUMN("no such column"),

    COLUMN_AMBIGUOUS("several columns have this name; choose by number"),

    /// It has neither a record batch nor a dictionary batch.
    NO_BATCH("message has no batch"),

    NO_DICTIONARY_BATCH("message has no dictionary batch"),

    /// The schema has unions, whose buffers depend on it.
    OTHER_VERSION("batch and layout differ in metadata version"),

    INCOMPLETE_BODY("body is incomplete"),
    SHARED_BYTES("buffers of a batch share bytes"),
    OTHER_TYPE("column has values of another type"),
    COMPRESSED_BUFFER("buffer must be decompressed first"),

    /// It is malformed, or has another length than its prefix claims.
    DECOMPRESSION("buffer cannot be decompressed"),

    /// The limit is that of [dev.fletch.batch.DecompressedBuffers], or of a reader.
    TOO_MUCH_MEMORY("decompressed buffers or dictionaries need too much memory"),

    // ---- arrow-java's vectors

    /// A type, codec, byte order or metadata version.
    VECTOR_UNSUPPORTED("not supported by arrow-java"),

    /// More values than a vector of arrow-java has room for, or more bytes for values without data.
    VECTOR_TOO_LARGE("too large for a vector");

    final RuleRow row;

    MeaningRule(String description) {
        this(Severity.ERROR, description);
    }

    MeaningRule(Severity severity, String description) {
        row = new RuleRow(severity, description);
    }
}
