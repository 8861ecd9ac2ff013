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
    NO_KEY(Severity.DEVIATION, "custom metadata has a key"),

    /// Value: 0.
    NO_VALUE(Severity.DEVIATION, "custom metadata has a value"),

    /// Verifiers do not check this.
    NOT_WRITABLE("message cannot be rewritten"),

    // ---- schemas

    /// Value: the number.
    UNKNOWN_ENDIANNESS("endianness is unknown"),

    /// Check: [Check#LITTLE_ENDIAN]. Also thrown where a
    /// reader does not accept them, or cannot read their values. Value: the number.
    FOREIGN_ENDIANNESS("bodies are big-endian"),

    /// Check: [Check#FEATURES]. Value: the feature.
    UNKNOWN_FEATURE(Severity.NOTE, "features are known"),

    /// Value: 0.
    NO_FIELDS(Severity.DEVIATION, "a schema has a vector of fields, which may be empty"),

    /// Check: [Check#NESTING]. The column counts as a level.
    /// Reported once for a schema. Value: the level.
    NESTED_DEEPLY(Severity.NOTE, "fields are nested at most 64 levels deep"),

    /// The limit is that of [dev.fletch.format.internal.SchemaSize]. Value: the size.
    SCHEMA_TOO_LARGE("a schema does not share fields or texts too often"),

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
    NO_TYPE("a field has a type"),

    /// The field has only the type's number. Value: the number.
    NO_TYPE_TABLE("a type with parameters has a table"),

    /// The field has only the type's number. Value: the number.
    NO_EMPTY_TYPE_TABLE(Severity.DEVIATION, "a type without parameters has an empty table"),

    /// Value: the width.
    INT_WIDTH("an integer has 8, 16, 32 or 64 bits"),

    /// Value: the precision.
    FLOAT_PRECISION("the precision of a floating-point number is known"),

    /// Value: the width.
    DECIMAL_WIDTH("a decimal has 32, 64, 128 or 256 bits"),

    /// Value: the precision.
    DECIMAL_PRECISION("a decimal of 32, 64, 128 or 256 bits has 1 to 9, 18, 38 or 76 digits"),

    /// Value: the unit.
    DATE_UNIT("the unit of a date is known"),

    /// Value: the unit.
    TIME_UNIT("the unit of a time is known"),

    /// Value: the width.
    TIME_WIDTH("a time has 32 bits in seconds and milliseconds, else 64"),

    /// Value: the unit.
    TIMESTAMP_UNIT("the unit of a timestamp is known"),

    /// Value: the unit.
    DURATION_UNIT("the unit of a duration is known"),

    /// Value: the unit.
    INTERVAL_UNIT("the unit of an interval is known"),

    /// Value: the width.
    BYTE_WIDTH("a fixed-size binary has at least 0 bytes"),

    /// Value: the size.
    LIST_SIZE("a fixed-size list has at least 0 elements"),

    /// Value: the mode.
    UNION_MODE("the mode of a union is known"),

    // ---- children

    /// Value: the number of children.
    LEAF_CHILDREN("a type that is not nested has no children"),

    /// Value: the number of children.
    LIST_CHILDREN("a list has one child"),

    /// Value: the number of children.
    MAP_CHILDREN("a map has one child"),

    /// Value: their type's number.
    MAP_ENTRIES_TYPE("the entries of a map are structs"),

    /// Value: 1.
    MAP_ENTRIES_NULLABLE(Severity.DEVIATION, "the entries of a map are not nullable"),

    /// Value: the number of children.
    MAP_ENTRIES_CHILDREN("the entries of a map have a key and a value"),

    /// Value: 1.
    MAP_KEY_NULLABLE(Severity.DEVIATION, "the keys of a map are not nullable"),

    /// Value: the number of children.
    RUN_END_CHILDREN("a run-end encoded field has run ends and values"),

    /// Value: their type's number.
    RUN_ENDS_TYPE("run ends are int16, int32 or int64"),

    /// Value: 1.
    RUN_ENDS_NULLABLE(Severity.DEVIATION, "run ends are not nullable"),

    /// Value: the number of children.
    UNION_CHILDREN("a union has at most 128 children"),

    /// Value: the number of type ids.
    UNION_TYPE_IDS("a union has a type id for each child"),

    /// Value: the id.
    UNION_TYPE_ID_RANGE("a type id is 0 to 127"),

    /// Value: the id.
    UNION_TYPE_ID_REPEATED("a type id belongs to one child"),

    // ---- dictionaries

    /// Value: their width.
    INDEX_WIDTH("indexes have 8, 16, 32 or 64 bits"),

    /// Value: the kind.
    DICTIONARY_KIND("the kind of a dictionary is known"),

    /// Value: the id.
    DICTIONARY_TYPE("a dictionary's values have one type"),

    /// In a stream. A record batch that needs it before it is defined breaks
    /// [#DICTIONARY_UNDEFINED]. Value: the id of the undefined dictionary.
    DICTIONARY_LATE(
            Severity.DEVIATION,
            "a dictionary inside the values of another one is defined first (arrow-java writes"
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
    UNKNOWN_CODEC("the codec of a compression is known"),

    /// In V4 messages: see [dev.fletch.format.BatchCodec]. Value: the length of the name.
    UNKNOWN_CODEC_NAME("the codec that custom metadata names is lz4 or zstd"),

    /// In V4 messages: see [dev.fletch.format.BatchCodec]. Value: the length of the name.
    CODEC_IN_METADATA(
            Severity.DEVIATION,
            "a batch has the codec of its buffers, not the custom metadata of its message (Arrow"
                    + " 0.17 wrote it there)"),

    /// Value: the method.
    UNKNOWN_METHOD("the method of a compression is known"),

    // ---- nodes

    /// Value: the length.
    NEGATIVE_LENGTH("column has a negative length"),

    /// Value: the null count.
    NULL_COUNT_RANGE("a field has at least 0 nulls and no more than values"),

    /// Value: the length.
    COLUMN_LENGTH("a column has as many values as the batch has rows"),

    /// Value: -1.
    NULL_COUNT_UNKNOWN(
            Severity.DEVIATION,
            "the null count of a column of type Null is its length (arrow-js since 14 may write"
                    + " -1)"),

    /// Unions of metadata version 4 have a validity buffer. Value: the null count.
    NULL_COUNT_WITHOUT_VALIDITY(
            Severity.DEVIATION,
            "a union or run-end encoded field has null count 0, as it has no validity buffer"),

    /// The node is too short for all structs that are not null. Value: the length.
    CHILD_LENGTH("a child of a struct has the values of all structs"),

    /// It is shorter by no more values than there are nulls, which may be at the end. Value: the
    /// length.
    CHILD_SHORTER(
            Severity.DEVIATION,
            "a child of a struct is not shorter than the struct (arrow-js before 9 omits values of"
                    + " nulls at the end)"),

    /// Readers treat the missing values as null. Value: the length.
    UNION_CHILD_SHORTER(
            Severity.DEVIATION,
            "a child of a sparse union is not shorter than the union (arrow-js writes shorter"
                    + " ones)"),

    /// Check: [Check#EXACT_CHILDREN]. Value: the length.
    CHILD_LONGER(
            Severity.DEVIATION,
            "a child of a struct or sparse union is not longer than its parent"),

    /// The node is too short for all lists that are not null. Value: the length.
    LIST_CHILD_LENGTH("a fixed-size list's child has the values of all lists"),

    /// It is shorter by no more lists than there are nulls, which may be at the end. Value: the
    /// length.
    LIST_CHILD_SHORTER(
            Severity.DEVIATION,
            "a fixed-size list's child also has values for nulls (arrow-js before 21 omits those at"
                    + " the end)"),

    /// Value: the length of the node.
    RUN_COUNT("each value has a run end, and each run end a run value"),

    /// Check: [Check#EXACT_CHILDREN]. Value: the length of the
    /// node.
    RUN_CHILD_LONGER(
            Severity.DEVIATION,
            "run ends are not more than the values, and run values not more than the run ends"),

    /// Value: its null count.
    RUN_END_NULLS(Severity.DEVIATION, "no run end is null"),

    // ---- buffers

    /// Value: the offset.
    NEGATIVE_BUFFER_OFFSET("a buffer's offset is at least 0"),

    /// Value: the length.
    NEGATIVE_BUFFER_LENGTH("a buffer's length is at least 0"),

    /// Value: its length.
    BUFFER_OVERFLOW("a buffer's end is below 2^63"),

    /// Value: its end, offset plus length.
    BUFFER_OUT_OF_BODY("buffer out of body"),

    /// Value: the offset.
    BUFFER_UNALIGNED(Severity.DEVIATION, "a buffer's offset is a multiple of 8"),

    /// Check: [Check#BUFFER_ORDER]. Value: its offset.
    BUFFER_ORDER(Severity.DEVIATION, "buffers ascend without overlapping"),

    /// 1 to 7 bytes are too few for the prefix. Value: its length.
    COMPRESSED_TOO_SHORT("a compressed buffer has no bytes or at least 8"),

    /// It is the prefix of a compressed buffer, and no more than the codec can store in the
    /// buffer's bytes. Value: the prefix.
    UNCOMPRESSED_LENGTH("an uncompressed length is at least -1, and fits the compressed bytes"),

    /// Value: its length.
    VALIDITY_SIZE("a validity buffer has a bit for each value, if any is null"),

    /// Value: its length.
    OFFSETS_SIZE("an offsets buffer has the offsets of all values"),

    /// Check: [Check#FIRST_OFFSET]. Reported once for a batch,
    /// and not for metadata version 4. Value: the buffer's length.
    NO_OFFSET(
            Severity.NOTE,
            "a field of variable size has one offset more than values, so one if it is empty"
                    + " (arrow-java before 19, arrow-rs before 58.2 and arrow-js write none)"),

    /// Value: its length.
    SIZES_SIZE("a sizes buffer has a size for each value"),

    /// Value: its length.
    TYPE_IDS_SIZE("a type id buffer has a byte for each value"),

    /// Value: its length.
    VIEWS_SIZE("a views buffer has 16 bytes for each value"),

    /// Value: its length.
    DATA_SIZE("a data buffer of fixed width has the bits of all values"),

    /// The buffer is empty, and all values are null. Value: its length.
    NO_DATA_OF_NULLS(
            Severity.DEVIATION,
            "a data buffer of fixed width also has the bits of nulls (arrow-js up to 21 writes none"
                    + " for booleans that are all null)"),

    // ---- tensors

    /// Value: the type's number.
    TENSOR_TYPE("the cells of a tensor have a fixed number of bytes"),

    /// Value: the size.
    TENSOR_DIMENSION("a dimension of a tensor has at least 0 cells"),

    /// Value: the number of strides.
    TENSOR_STRIDES("strides are absent, or there is one for each dimension"),

    /// Value: the stride.
    TENSOR_STRIDE("a stride is at least 0"),

    /// Value: the buffer's length.
    TENSOR_SIZE("the data of a tensor has the bytes of all its cells"),

    /// Coordinates that are not canonical may repeat: then only a tensor without cells has a limit.
    /// Value: the number of stored cells.
    NON_ZERO_LENGTH("a sparse tensor stores at most all its cells"),

    /// Value: its number.
    UNKNOWN_SPARSE_INDEX("the index of a sparse tensor is of a known kind"),

    /// A compressed matrix has two, compressed fibers have at least one. Value: the number of
    /// dimensions.
    SPARSE_DIMENSIONS("the number of dimensions suits the sparse index"),

    /// Value: the axis.
    COMPRESSED_AXIS("the compressed axis of a sparse matrix is known"),

    /// They have one axis and one indices buffer for each dimension, and one pointers buffer for
    /// each dimension but the last. Value: how many there are.
    SPARSE_LEVELS("compressed fibers have a level for each dimension"),

    /// Value: the axis.
    AXIS_ORDER("the axis order is a permutation of the dimensions"),

    /// Value: the buffer's length.
    SPARSE_INDEX_SIZE("a sparse index has the indices of all stored cells"),

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

    /// The limit is that of [dev.fletch.batch.DecompressedBuffers].
    TOO_MUCH_MEMORY("decompressed buffers need too much memory"),

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
