// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import java.util.Locale;

/// The rules of what metadata says, one constant each. Names and ids are stable.
///
/// Source: Arrow's columnar format, and the comments of `format/*.fbs`.
public enum SemanticRule {
    // ---- messages

    /// The version of a message, or one that a footer stores, is neither V4 nor V5. Value: the number
    /// that is stored, as [dev.fletch.format.MetadataVersion] counts.
    UNSUPPORTED_VERSION("metadata is of version 4 or 5"),
    /// A message has no header. Value: the header's type.
    NO_HEADER("a message has a header"),
    /// A header is of a type that the format does not declare. Value: the type.
    UNKNOWN_HEADER("the type of a message's header is known"),
    /// A message is not of the kind that belongs in its place. Value: the header's type.
    HEADER_KIND("a message is of the kind that its place wants"),
    /// A body's length is negative. Value: the length.
    NEGATIVE_BODY_LENGTH("a body has at least 0 bytes"),
    /// A body's length is not a multiple of 8. Value: the length.
    BODY_UNALIGNED("a body's length is a multiple of 8"),
    /// A schema's message has a body. Value: its length.
    SCHEMA_BODY("a schema has no body"),
    /// A footer has no schema. Value: 0.
    FOOTER_WITHOUT_SCHEMA("a footer has a schema"),
    /// A pair of metadata has no key. Value: 0.
    NO_KEY("a pair has a key"),
    /// A pair of metadata has no value. Value: 0.
    NO_VALUE("a pair has a value"),

    // ---- schemas

    /// The byte order is neither little nor big. Value: the number.
    UNKNOWN_ENDIANNESS("endianness is little or big"),
    /// Option [SemanticOptions#refuseBigEndian()]: bodies are big-endian. Value: the number.
    BIG_ENDIAN("bodies are little-endian"),
    /// Option [SemanticOptions#checkFeatures()]: a feature that the format does not declare. Value:
    /// the number.
    UNKNOWN_FEATURE("features are known"),
    /// Fields are nested deeper than the limit. Value: the limit.
    SCHEMA_TOO_DEEP("fields are not nested deeper than the limit"),
    /// The schema unfolds to more fields, pairs, type ids and texts than its bytes could hold if none
    /// were shared. Value: how many fields there may be.
    SCHEMA_TOO_LARGE("a schema does not unfold to more than its bytes"),

    // ---- types

    /// A field has no type. Value: 0.
    NO_TYPE("a field has a type"),
    /// A field has a type's number, but not the type's table. Value: the number.
    NO_TYPE_TABLE("a type has a table"),
    /// The format does not declare a field's type. Value: its number.
    UNKNOWN_TYPE("types are known"),
    /// An Int does not have 8, 16, 32 or 64 bits. Value: the width.
    INT_WIDTH("an integer has 8, 16, 32 or 64 bits"),
    /// The format does not declare a FloatingPoint's precision. Value: the number.
    FLOAT_PRECISION("the precision of a floating-point number is known"),
    /// A Decimal does not have 32, 64, 128 or 256 bits. Value: the width.
    DECIMAL_WIDTH("a decimal has 32, 64, 128 or 256 bits"),
    /// A Decimal has less than 1 digit, or more than its bits hold. Value: the precision.
    DECIMAL_PRECISION("a decimal has at least 1 digit and no more than its bits hold"),
    /// The format does not declare a Date's unit. Value: the number.
    DATE_UNIT("the unit of a date is known"),
    /// The format does not declare a Time's unit. Value: the number.
    TIME_UNIT("the unit of a time is known"),
    /// A Time's width does not fit its unit: 32 bits for seconds and milliseconds, else 64. Value: the
    /// width.
    TIME_WIDTH("a time has 32 bits in seconds and milliseconds, else 64"),
    /// The format does not declare a Timestamp's unit. Value: the number.
    TIMESTAMP_UNIT("the unit of a timestamp is known"),
    /// The format does not declare a Duration's unit. Value: the number.
    DURATION_UNIT("the unit of a duration is known"),
    /// The format does not declare an Interval's unit. Value: the number.
    INTERVAL_UNIT("the unit of an interval is known"),
    /// A FixedSizeBinary's width is negative. Value: the width.
    BYTE_WIDTH("a fixed-size binary has at least 0 bytes"),
    /// A FixedSizeList's size is negative. Value: the size.
    LIST_SIZE("a fixed-size list has at least 0 elements"),
    /// The format does not declare a Union's mode. Value: the number.
    UNION_MODE("the mode of a union is known"),

    // ---- children

    /// A type that is not nested has children. Value: how many.
    LEAF_CHILDREN("a type that is not nested has no children"),
    /// A list of any kind does not have exactly one child. Value: how many it has.
    LIST_CHILDREN("a list has one child"),
    /// A map does not have exactly one child. Value: how many it has.
    MAP_CHILDREN("a map has one child"),
    /// A map's entries are not a struct. Value: their type's number.
    MAP_ENTRIES_TYPE("the entries of a map are structs"),
    /// A map's entries are nullable. Value: 1.
    MAP_ENTRIES_NULLABLE("the entries of a map are not nullable"),
    /// A map's entries do not have exactly two children, key and value. Value: how many they have.
    MAP_ENTRIES_CHILDREN("the entries of a map have a key and a value"),
    /// A map's key is nullable. Value: 1.
    MAP_KEY_NULLABLE("the keys of a map are not nullable"),
    /// A run-end encoded field does not have exactly two children, run ends and values. Value: how
    /// many it has.
    RUN_END_CHILDREN("a run-end encoded field has run ends and values"),
    /// Run ends are not int16, int32 or int64. Value: their type's number.
    RUN_ENDS_TYPE("run ends are int16, int32 or int64"),
    /// Run ends are nullable. Value: 1.
    RUN_ENDS_NULLABLE("run ends are not nullable"),
    /// A union has more than 128 children. Value: how many it has.
    UNION_CHILDREN("a union has at most 128 children"),
    /// A union does not have one type id for each child. Value: how many type ids it has.
    UNION_TYPE_IDS("a union has a type id for each child"),
    /// One of a union's type ids is not 0 to 127. Value: the id.
    UNION_TYPE_ID_RANGE("a type id is 0 to 127"),
    /// One of a union's type ids stands for more than one child. Value: the id.
    UNION_TYPE_ID_REPEATED("a type id stands for one child"),

    // ---- dictionaries

    /// Indexes into a dictionary do not have 8, 16, 32 or 64 bits. Value: their width.
    INDEX_WIDTH("indexes have 8, 16, 32 or 64 bits"),
    /// The format does not declare a dictionary's kind. Value: the number.
    DICTIONARY_KIND("the kind of a dictionary is known"),
    /// Two fields have the same dictionary, but differ in the type of its values. Value: the id.
    DICTIONARY_TYPE("a dictionary's values have one type"),
    /// A dictionary batch has no data. Value: the id.
    NO_DICTIONARY_DATA("a dictionary batch has data"),
    /// No field is encoded by the dictionary of a dictionary batch. Value: the id.
    UNKNOWN_DICTIONARY("a field is encoded by each dictionary"),
    /// A field's values are indexes into a dictionary that is not defined. Value: the id.
    DICTIONARY_UNDEFINED("a dictionary is there before it is used"),
    /// A delta is appended to a dictionary that is not defined. Value: the id.
    DELTA_WITHOUT_DICTIONARY("a dictionary is there before something is appended to it"),
    /// A file defines a dictionary a second time. Value: the id.
    DICTIONARY_REPLACED("a file defines each dictionary once"),

    // ---- batches

    /// A record batch has a negative number of rows. Value: the number.
    NEGATIVE_ROWS("a batch has at least 0 rows"),
    /// The format does not declare a compression's codec. Value: the codec's number.
    UNKNOWN_CODEC("the codec of a compression is known"),
    /// The format does not declare a compression's method. Value: the method's number.
    UNKNOWN_METHOD("the method of a compression is known"),
    /// A batch has fewer nodes than fields, or with option [SemanticOptions#checkExactCounts()] more.
    /// Value: how many there are.
    NODE_COUNT("a batch has a node for each field"),
    /// A batch has fewer buffers than its fields need, or with option
    /// [SemanticOptions#checkExactCounts()] more. Value: how many there are.
    BUFFER_COUNT("a batch has the buffers of its fields"),
    /// A batch has fewer variadic buffer counts than fields of a view type, or with option
    /// [SemanticOptions#checkExactCounts()] more. Value: how many there are.
    VARIADIC_COUNTS("a batch has a variadic buffer count for each view field"),
    /// A variadic buffer count is negative, or above the number of buffers. Value: the count.
    VARIADIC_COUNT_RANGE("a variadic buffer count is 0 to the number of buffers"),

    // ---- nodes

    /// A node's length is negative. Value: the length.
    NEGATIVE_LENGTH("a field has at least 0 values"),
    /// A node's null count is negative, or above its length. Value: the null count.
    NULL_COUNT_RANGE("a field has at least 0 nulls and no more than values"),
    /// The node of a column has another length than the batch has rows. Value: the length.
    COLUMN_LENGTH("a column has as many values as the batch has rows"),
    /// The node of a child of a struct or sparse union is shorter than its parent's, or with option
    /// [SemanticOptions#checkExactChildren()] longer. Value: the length.
    CHILD_LENGTH("a child of a struct or sparse union has as many values as it"),
    /// The node of a fixed-size list's child is too short for all lists. Value: the length.
    LIST_CHILD_LENGTH("the child of a fixed-size list has the values of all lists"),
    /// There are more run ends than encoded values, or none although there are values; or there are
    /// not as many values of runs as run ends. Value: the length of the node.
    RUN_COUNT("there are as many values as run ends, and no more than are encoded"),
    /// The node of run ends has nulls. Value: its null count.
    RUN_END_NULLS("no run end is null"),

    // ---- buffers

    /// A buffer's offset is negative. Value: the offset.
    NEGATIVE_BUFFER_OFFSET("a buffer's offset is at least 0"),
    /// A buffer's length is negative. Value: the length.
    NEGATIVE_BUFFER_LENGTH("a buffer's length is at least 0"),
    /// The end of a buffer, offset and length together, is not below 2^63. Value: its length.
    BUFFER_OVERFLOW("a buffer's end is below 2^63"),
    /// A buffer does not end inside the body. Value: its end.
    BUFFER_OUT_OF_BODY("a buffer ends inside the body"),
    /// A buffer's offset is not a multiple of 8. Value: the offset.
    BUFFER_UNALIGNED("a buffer's offset is a multiple of 8"),
    /// Option [SemanticOptions#checkBufferOrder()]: a buffer begins before the end of one before it.
    /// Value: its offset.
    BUFFER_ORDER("buffers stand one behind the other"),
    /// A compressed buffer has fewer than the 8 bytes of its prefix, and not 0. Value: its length.
    COMPRESSED_TOO_SHORT("a compressed buffer has no bytes or at least 8"),
    /// A compressed buffer's prefix is below -1. Value: the number in it.
    UNCOMPRESSED_LENGTH("an uncompressed length is at least -1"),
    /// Option [SemanticOptions#checkBufferSizes()]: a validity buffer has too few bits
    /// for its values, of which some are null. Value: its length.
    VALIDITY_SIZE("a validity buffer has a bit for each value, if any is null"),
    /// Option [SemanticOptions#checkBufferSizes()]: an offsets buffer is too small for
    /// its values. Value: its length.
    OFFSETS_SIZE("an offsets buffer has an offset for each value, and for most types one more"),
    /// Option [SemanticOptions#checkBufferSizes()]: the sizes of a list view are too
    /// small for its values. Value: their length.
    SIZES_SIZE("a sizes buffer has a size for each value"),
    /// Option [SemanticOptions#checkBufferSizes()]: the type ids of a union are too
    /// small for its values. Value: their length.
    TYPE_IDS_SIZE("a type id buffer has a byte for each value"),
    /// Option [SemanticOptions#checkBufferSizes()]: views are too small for their
    /// values. Value: their length.
    VIEWS_SIZE("a views buffer has 16 bytes for each value"),
    /// Option [SemanticOptions#checkBufferSizes()]: a buffer of values of fixed width is
    /// too small for them. Value: its length.
    DATA_SIZE("a data buffer of fixed width has the bits of all values");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String rule;

    SemanticRule(String rule) {
        this.rule = rule;
    }

    /// {@return the name in texts and JSON, such as `map-key-nullable`}
    public String id() {
        return id;
    }

    /// {@return the rule that was broken, in a few words}
    public String rule() {
        return rule;
    }
}
