// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;
import dev.fletch.format.FormatRules;

import java.util.List;

/// The rules of the values in metadata, in addition to [FormatRules] and
/// [dev.fletch.layout.LayoutRules]. Ids are stable. Each constant documents
/// [dev.fletch.Fault#value()].
///
/// Rules whose id ends in `-size` are checked with [SemanticOptions.Check#BUFFER_SIZES].
///
/// Source: Arrow's columnar format, and the comments of `format/*.fbs`.
public final class SemanticRules {
    private static final RuleList ALL = new RuleList(Level.MEANING);

    // ---- messages

    /// An entry of custom metadata has no key. Value: 0.
    public static final Rule NO_KEY = ALL.deviation("no-key", "custom metadata has a key");

    /// An entry of custom metadata has no value. Value: 0.
    public static final Rule NO_VALUE = ALL.deviation("no-value", "custom metadata has a value");

    // ---- schemas

    /// Option [SemanticOptions.Check#LITTLE_ENDIAN]: bodies are big-endian. Value: the number.
    public static final Rule FOREIGN_ENDIANNESS = ALL.add(FormatRules.FOREIGN_ENDIANNESS);

    /// Option [SemanticOptions.Check#FEATURES]: a feature is undeclared. Value: the feature.
    public static final Rule UNKNOWN_FEATURE = ALL.note("unknown-feature", "features are known");

    /// A schema has no vector of fields. Value: 0.
    public static final Rule NO_FIELDS =
            ALL.deviation("no-fields", "a schema has a vector of fields, which may be empty");

    /// Option [SemanticOptions.Check#NESTING]: fields are nested deeper than 64 levels, the column
    /// included. Reported once for a schema. Value: the level.
    public static final Rule NESTED_DEEPLY =
            ALL.note("nested-deeply", "fields are nested at most 64 levels deep");

    // ---- types

    /// A field has no type. Value: 0.
    public static final Rule NO_TYPE = ALL.error("no-type", "a field has a type");

    /// A field has the number of a type with parameters, but not the type's table. Value: the
    /// number.
    public static final Rule NO_TYPE_TABLE =
            ALL.error("no-type-table", "a type with parameters has a table");

    /// A field has the number of a type without parameters, but not the type's table, which would
    /// be empty. Value: the number.
    public static final Rule NO_EMPTY_TYPE_TABLE =
            ALL.deviation("no-empty-type-table", "a type without parameters has an empty table");

    /// An Int does not have 8, 16, 32 or 64 bits. Value: the width.
    public static final Rule INT_WIDTH =
            ALL.error("int-width", "an integer has 8, 16, 32 or 64 bits");

    /// A FloatingPoint's precision is not declared in the format. Value: the precision.
    public static final Rule FLOAT_PRECISION =
            ALL.error("float-precision", "the precision of a floating-point number is known");

    /// A Decimal does not have 32, 64, 128 or 256 bits. Value: the width.
    public static final Rule DECIMAL_WIDTH =
            ALL.error("decimal-width", "a decimal has 32, 64, 128 or 256 bits");

    /// A Decimal's precision is less than 1, or more than its width allows. Value: the precision.
    public static final Rule DECIMAL_PRECISION =
            ALL.error(
                    "decimal-precision",
                    "a decimal of 32, 64, 128 or 256 bits has 1 to 9, 18, 38 or 76 digits");

    /// A Date's unit is not declared in the format. Value: the unit.
    public static final Rule DATE_UNIT = ALL.error("date-unit", "the unit of a date is known");

    /// A Time's unit is not declared in the format. Value: the unit.
    public static final Rule TIME_UNIT = ALL.error("time-unit", "the unit of a time is known");

    /// A Time's width does not match its unit. Value: the width.
    public static final Rule TIME_WIDTH =
            ALL.error("time-width", "a time has 32 bits in seconds and milliseconds, else 64");

    /// A Timestamp's unit is not declared in the format. Value: the unit.
    public static final Rule TIMESTAMP_UNIT =
            ALL.error("timestamp-unit", "the unit of a timestamp is known");

    /// A Duration's unit is not declared in the format. Value: the unit.
    public static final Rule DURATION_UNIT =
            ALL.error("duration-unit", "the unit of a duration is known");

    /// An Interval's unit is not declared in the format. Value: the unit.
    public static final Rule INTERVAL_UNIT =
            ALL.error("interval-unit", "the unit of an interval is known");

    /// A FixedSizeBinary's width is negative. Value: the width.
    public static final Rule BYTE_WIDTH =
            ALL.error("byte-width", "a fixed-size binary has at least 0 bytes");

    /// A FixedSizeList's size is negative. Value: the size.
    public static final Rule LIST_SIZE =
            ALL.error("list-size", "a fixed-size list has at least 0 elements");

    /// A Union's mode is not declared in the format. Value: the mode.
    public static final Rule UNION_MODE = ALL.error("union-mode", "the mode of a union is known");

    // ---- children

    /// A type that is not nested has children. Value: the number of children.
    public static final Rule LEAF_CHILDREN =
            ALL.error("leaf-children", "a type that is not nested has no children");

    /// A list of any kind does not have exactly one child. Value: the number of children.
    public static final Rule LIST_CHILDREN = ALL.error("list-children", "a list has one child");

    /// A map does not have exactly one child. Value: the number of children.
    public static final Rule MAP_CHILDREN = ALL.error("map-children", "a map has one child");

    /// A map's entries are not a struct. Value: their type's number.
    public static final Rule MAP_ENTRIES_TYPE =
            ALL.error("map-entries-type", "the entries of a map are structs");

    /// A map's entries are nullable. Value: 1.
    public static final Rule MAP_ENTRIES_NULLABLE =
            ALL.deviation("map-entries-nullable", "the entries of a map are not nullable");

    /// A map's entries do not have exactly two children. Value: the number of children.
    public static final Rule MAP_ENTRIES_CHILDREN =
            ALL.error("map-entries-children", "the entries of a map have a key and a value");

    /// A map's key is nullable. Value: 1.
    public static final Rule MAP_KEY_NULLABLE =
            ALL.deviation("map-key-nullable", "the keys of a map are not nullable");

    /// A run-end encoded field does not have exactly two children. Value: the number of children.
    public static final Rule RUN_END_CHILDREN =
            ALL.error("run-end-children", "a run-end encoded field has run ends and values");

    /// Run ends are not int16, int32 or int64. Value: their type's number.
    public static final Rule RUN_ENDS_TYPE =
            ALL.error("run-ends-type", "run ends are int16, int32 or int64");

    /// Run ends are nullable. Value: 1.
    public static final Rule RUN_ENDS_NULLABLE =
            ALL.deviation("run-ends-nullable", "run ends are not nullable");

    /// A union has more than 128 children. Value: the number of children.
    public static final Rule UNION_CHILDREN =
            ALL.error("union-children", "a union has at most 128 children");

    /// A union does not have one type id for each child. Value: the number of type ids.
    public static final Rule UNION_TYPE_IDS =
            ALL.error("union-type-ids", "a union has a type id for each child");

    /// One of a union's type ids is not 0 to 127. Value: the id.
    public static final Rule UNION_TYPE_ID_RANGE =
            ALL.error("union-type-id-range", "a type id is 0 to 127");

    /// One of a union's type ids belongs to more than one child. Value: the id.
    public static final Rule UNION_TYPE_ID_REPEATED =
            ALL.error("union-type-id-repeated", "a type id belongs to one child");

    // ---- dictionaries

    /// Indices into a dictionary do not have 8, 16, 32 or 64 bits. Value: their width.
    public static final Rule INDEX_WIDTH =
            ALL.error("index-width", "indexes have 8, 16, 32 or 64 bits");

    /// A dictionary's kind is not declared in the format. Value: the kind.
    public static final Rule DICTIONARY_KIND =
            ALL.error("dictionary-kind", "the kind of a dictionary is known");

    /// Two fields have the same dictionary, but different types of its values. Value: the id.
    public static final Rule DICTIONARY_TYPE =
            ALL.error("dictionary-type", "a dictionary's values have one type");

    /// In a stream, values of a dictionary are from another one that is not defined yet. A record
    /// batch that needs it before it is defined breaks
    /// [FormatRules#DICTIONARY_UNDEFINED]. Value: the id of the undefined
    /// dictionary.
    public static final Rule DICTIONARY_LATE =
            ALL.deviation(
                    "dictionary-late",
                    "a dictionary inside the values of another one is defined first (arrow-java"
                            + " writes outer dictionaries first)");

    // ---- batches

    /// A codec is not declared in the format. Value: the codec.
    public static final Rule UNKNOWN_CODEC =
            ALL.error("unknown-codec", "the codec of a compression is known");

    /// A compression method is not declared in the format. Value: the method.
    public static final Rule UNKNOWN_METHOD =
            ALL.error("unknown-method", "the method of a compression is known");

    // ---- nodes

    /// The null count of a column of type Null is -1. Value: -1.
    public static final Rule NULL_COUNT_UNKNOWN =
            ALL.deviation(
                    "null-count-unknown",
                    "the null count of a column of type Null is its length (arrow-js since 14 may"
                            + " write -1)");

    /// A union or a run-end encoded field, which has no validity buffer, has a null count other
    /// than 0. Unions of metadata version 4 have one. Value: the null count.
    public static final Rule NULL_COUNT_WITHOUT_VALIDITY =
            ALL.deviation(
                    "null-count-without-validity",
                    "a union or run-end encoded field has null count 0, as it has no validity"
                            + " buffer");

    /// The node of a struct's child is too short for all structs that are not null. Value: the
    /// length.
    public static final Rule CHILD_LENGTH =
            ALL.error("child-length", "a child of a struct has the values of all structs");

    /// The node of a struct's child is shorter than the struct's node, by no more values than there
    /// are nulls, which may be at the end. Value: the length.
    public static final Rule CHILD_SHORTER =
            ALL.deviation(
                    "child-shorter",
                    "a child of a struct is not shorter than the struct (arrow-js before 9 omits"
                            + " values of nulls at the end)");

    /// The node of a sparse union's child is shorter than the union's node. Readers treat the
    /// missing values as null. Value: the length.
    public static final Rule UNION_CHILD_SHORTER =
            ALL.deviation(
                    "union-child-shorter",
                    "a child of a sparse union is not shorter than the union (arrow-js writes"
                            + " shorter ones)");

    /// Option [SemanticOptions.Check#EXACT_CHILDREN]: the node of a child of a struct or sparse
    /// union is longer than its parent's node. Value: the length.
    public static final Rule CHILD_LONGER =
            ALL.deviation(
                    "child-longer",
                    "a child of a struct or sparse union is not longer than its parent");

    /// The node of a fixed-size list's child is too short for all lists that are not null. Value:
    /// the length.
    public static final Rule LIST_CHILD_LENGTH =
            ALL.error("list-child-length", "a fixed-size list's child has the values of all lists");

    /// The node of a fixed-size list's child is too short for all lists, by no more lists than
    /// there are nulls, which may be at the end. Value: the length.
    public static final Rule LIST_CHILD_SHORTER =
            ALL.deviation(
                    "list-child-shorter",
                    "a fixed-size list's child also has values for nulls (arrow-js before 21 omits"
                            + " those at the end)");

    /// There are no run ends although there are values, or there are fewer run values than run ends.
    /// Value: the length of the node.
    public static final Rule RUN_COUNT =
            ALL.error("run-count", "each value has a run end, and each run end a run value");

    /// Option [SemanticOptions.Check#EXACT_CHILDREN]: there are more run ends than encoded values, or
    /// more run values than run ends. Value: the length of the node.
    public static final Rule RUN_CHILD_LONGER =
            ALL.deviation(
                    "run-child-longer",
                    "run ends are not more than the values, and run values not more than the run"
                            + " ends");

    /// The node of run ends has nulls. Value: its null count.
    public static final Rule RUN_END_NULLS = ALL.deviation("run-end-nulls", "no run end is null");

    // ---- buffers

    /// Option [SemanticOptions.Check#BUFFER_ORDER]: a buffer begins before the end of an earlier
    /// buffer. Value: its offset.
    public static final Rule BUFFER_ORDER =
            ALL.deviation("buffer-order", "buffers ascend without overlapping");

    /// A validity buffer has too few bits for its values, if any is null. Value: its length.
    public static final Rule VALIDITY_SIZE = ALL.add(FormatRules.VALIDITY_SIZE);

    /// An offsets buffer is too small for its values. Value: its length.
    public static final Rule OFFSETS_SIZE = ALL.add(FormatRules.OFFSETS_SIZE);

    /// Option [SemanticOptions.Check#FIRST_OFFSET]: a field of variable size without values has no
    /// offset; it should have one, 0. Reported once for a batch, and not for metadata version 4.
    /// Value: the buffer's length.
    public static final Rule NO_OFFSET =
            ALL.note(
                    "no-offset",
                    "a field of variable size has one offset more than values, so one if it is"
                        + " empty (arrow-java before 19, arrow-rs before 58.2 and arrow-js write"
                        + " none)");

    /// A sizes buffer is too small for its values. Value: its length.
    public static final Rule SIZES_SIZE = ALL.add(FormatRules.SIZES_SIZE);

    /// A type id buffer is too small for its values. Value: its length.
    public static final Rule TYPE_IDS_SIZE = ALL.add(FormatRules.TYPE_IDS_SIZE);

    /// A views buffer is too small for its values. Value: its length.
    public static final Rule VIEWS_SIZE = ALL.add(FormatRules.VIEWS_SIZE);

    /// A data buffer of fixed width is too small for its values. Value: its length.
    public static final Rule DATA_SIZE = ALL.add(FormatRules.DATA_SIZE);

    /// A data buffer of fixed width is empty, and all its values are null. Value: its length.
    public static final Rule NO_DATA_OF_NULLS =
            ALL.deviation(
                    "no-data-of-nulls",
                    "a data buffer of fixed width also has the bits of nulls (arrow-js up to 21"
                            + " writes none for booleans that are all null)");

    // ---- tensors

    /// The cells of a tensor have no fixed width in bytes. Value: the type's number.
    public static final Rule TENSOR_TYPE =
            ALL.error("tensor-type", "the cells of a tensor have a fixed number of bytes");

    /// A dimension of a tensor has a negative size. Value: the size.
    public static final Rule TENSOR_DIMENSION =
            ALL.error("tensor-dimension", "a dimension of a tensor has at least 0 cells");

    /// Strides are neither absent nor as many as the dimensions. Value: the number of strides.
    public static final Rule TENSOR_STRIDES =
            ALL.error("tensor-strides", "strides are absent, or there is one for each dimension");

    /// A stride is negative. Value: the stride.
    public static final Rule TENSOR_STRIDE = ALL.error("tensor-stride", "a stride is at least 0");

    /// The data of a tensor is too small for its cells. Value: the buffer's length.
    public static final Rule TENSOR_SIZE =
            ALL.error("tensor-size", "the data of a tensor has the bytes of all its cells");

    /// The number of stored cells of a sparse tensor is negative, or above the number of all its
    /// cells. Coordinates that are not canonical may repeat: then only a tensor without cells has a
    /// limit. Value: the number of stored cells.
    public static final Rule NON_ZERO_LENGTH =
            ALL.error("non-zero-length", "a sparse tensor stores at most all its cells");

    /// The index of a sparse tensor is of no declared kind. Value: its number.
    public static final Rule UNKNOWN_SPARSE_INDEX =
            ALL.error("unknown-sparse-index", "the index of a sparse tensor is of a known kind");

    /// The number of dimensions does not suit the index of a sparse tensor: a compressed matrix has
    /// two, compressed fibers have at least one. Value: the number of dimensions.
    public static final Rule SPARSE_DIMENSIONS =
            ALL.error("sparse-dimensions", "the number of dimensions suits the sparse index");

    /// The compressed axis of a sparse matrix is not declared in the format. Value: the axis.
    public static final Rule COMPRESSED_AXIS =
            ALL.error("compressed-axis", "the compressed axis of a sparse matrix is known");

    /// The index of compressed fibers does not have one axis and one indices buffer for each
    /// dimension, and one pointers buffer for each dimension but the last. Value: how many there
    /// are.
    public static final Rule SPARSE_LEVELS =
            ALL.error("sparse-levels", "compressed fibers have a level for each dimension");

    /// An axis of compressed fibers is no dimension, or occurs before. Value: the axis.
    public static final Rule AXIS_ORDER =
            ALL.error("axis-order", "the axis order is a permutation of the dimensions");

    /// A buffer of a sparse index is too small for the shape and the number of stored cells. Value:
    /// the buffer's length.
    public static final Rule SPARSE_INDEX_SIZE =
            ALL.error("sparse-index-size", "a sparse index has the indices of all stored cells");

    private SemanticRules() {}

    /// {@return all rules above, in declaration order}
    public static List<Rule> all() {
        return ALL.all();
    }
}
