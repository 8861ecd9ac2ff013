// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;
import dev.fletch.RuleList;
import dev.fletch.flatbuf.VerifierOptions.Check;

import java.util.List;

/// The structural rules of a FlatBuffer that the verifier checks. Ids are stable.
///
/// Each constant documents [dev.fletch.Fault#value()]. Sizes and positions are in bytes: a position
/// is the distance from the buffer's start.
public final class StructureRules {
    private static final RuleList ALL = new RuleList(Level.STRUCTURE);

    /// The buffer has fewer than 12 bytes. Value: its size.
    public static final Rule BUFFER_TOO_SMALL =
            ALL.error("buffer-too-small", "a buffer has at least 12 bytes");

    /// The buffer is larger than [dev.fletch.Limits#metadataBytes()]. Value: its size.
    public static final Rule BUFFER_TOO_LARGE =
            ALL.error("buffer-too-large", "a buffer is no larger than the limit");

    /// An offset is not at a multiple of 4. Value: its distance from the table.
    public static final Rule OFFSET_MISALIGNED =
            ALL.error("offset-misaligned", "an offset is at a multiple of 4");

    /// An offset does not lie inside the buffer. Value: its distance from the table.
    public static final Rule OFFSET_OUT_OF_RANGE =
            ALL.error("offset-out-of-range", "an offset lies inside the buffer");

    /// An offset is 0 and so refers to itself. Value: 0.
    public static final Rule OFFSET_ZERO = ALL.error("offset-zero", "an offset is not 0");

    /// An offset is 2^31 or more. Value: the offset.
    public static final Rule OFFSET_TOO_LARGE =
            ALL.error("offset-too-large", "an offset is below 2^31");

    /// An offset points out of the buffer. Value: the offset.
    public static final Rule OFFSET_TARGET_OUT_OF_RANGE =
            ALL.error("offset-target-out-of-range", "an offset points into the buffer");

    /// A table does not begin at a multiple of 4. Value: its position.
    public static final Rule TABLE_MISALIGNED =
            ALL.error("table-misaligned", "a table begins at a multiple of 4");

    /// A table's first 4 bytes do not lie inside the buffer. Value: its position.
    public static final Rule TABLE_OUT_OF_RANGE =
            ALL.error("table-out-of-range", "a table begins inside the buffer");

    /// Tables are nested deeper than [dev.fletch.Limits#depth()]. Value: the depth.
    public static final Rule DEPTH_LIMIT =
            ALL.error("depth-limit", "tables are not nested deeper than the limit");

    /// More tables than [dev.fletch.Limits#tables(long)] are reached. Value: the number of tables.
    public static final Rule TABLE_LIMIT =
            ALL.error("table-limit", "no more tables are reached than the limit");

    /// A vtable does not begin at a multiple of 2. Value: the table's distance to it.
    public static final Rule VTABLE_MISALIGNED =
            ALL.error("vtable-misaligned", "a vtable begins at a multiple of 2");

    /// A vtable's first 2 bytes do not lie inside the buffer. Value: the table's distance to it.
    public static final Rule VTABLE_OUT_OF_RANGE =
            ALL.error("vtable-out-of-range", "a vtable begins inside the buffer");

    /// A vtable's size is odd. Value: the size.
    public static final Rule VTABLE_SIZE_ODD =
            ALL.error("vtable-size-odd", "a vtable's size is even");

    /// A vtable does not end inside the buffer, or fills it completely. Value: the vtable's size.
    public static final Rule VTABLE_SIZE_OUT_OF_RANGE =
            ALL.error("vtable-size-out-of-range", "a vtable ends inside the buffer");

    /// A number is not at a multiple of its size. Value: its distance from the table.
    public static final Rule SCALAR_MISALIGNED =
            ALL.error("scalar-misaligned", "a number is at a multiple of its size");

    /// A number does not lie inside the buffer. Value: its distance from the table.
    public static final Rule SCALAR_OUT_OF_RANGE =
            ALL.error("scalar-out-of-range", "a number lies inside the buffer");

    /// A union's tag does not lie inside the buffer. Value: its distance from the table.
    public static final Rule UNION_TAG_OUT_OF_RANGE =
            ALL.error("union-tag-out-of-range", "a union's tag lies inside the buffer");

    /// A struct is not at a multiple of its alignment. Value: its distance from the table.
    public static final Rule STRUCT_MISALIGNED =
            ALL.error("struct-misaligned", "a struct is at a multiple of its alignment");

    /// A struct does not lie inside the buffer. Value: its distance from the table.
    public static final Rule STRUCT_OUT_OF_RANGE =
            ALL.error("struct-out-of-range", "a struct lies inside the buffer");

    /// A required field is absent. Value: its slot.
    public static final Rule REQUIRED_FIELD_ABSENT =
            ALL.error("required-field-absent", "a required field is present");

    /// A string's length word is not at a multiple of 4. Value: its position.
    public static final Rule STRING_MISALIGNED =
            ALL.error("string-misaligned", "a string begins at a multiple of 4");

    /// A string's length word does not lie inside the buffer. Value: its position.
    public static final Rule STRING_OUT_OF_RANGE =
            ALL.error("string-out-of-range", "a string's length lies inside the buffer");

    /// A string's length is 2^31 - 1 or more. Value: the length.
    public static final Rule STRING_TOO_LONG =
            ALL.error("string-too-long", "a string is shorter than 2^31 - 1");

    /// A string does not end inside the buffer. Value: its length.
    public static final Rule STRING_LENGTH_OUT_OF_RANGE =
            ALL.error("string-length-out-of-range", "a string ends inside the buffer");

    /// A string has no NUL terminator. Value: the byte found there; -1 if the buffer ends.
    public static final Rule STRING_UNTERMINATED =
            ALL.error("string-unterminated", "a NUL follows a string");

    /// A vector's length word is not at a multiple of 4. Value: its position.
    public static final Rule VECTOR_MISALIGNED =
            ALL.error("vector-misaligned", "a vector begins at a multiple of 4");

    /// A vector's length word does not lie inside the buffer. Value: its position.
    public static final Rule VECTOR_OUT_OF_RANGE =
            ALL.error("vector-out-of-range", "a vector's count lies inside the buffer");

    /// A vector's count is (2^31 - 1) / element size or more. Value: the count.
    public static final Rule VECTOR_TOO_LONG =
            ALL.error("vector-too-long", "a vector is shorter than 2^31 - 1 bytes");

    /// A vector does not end inside the buffer. Value: its count.
    public static final Rule VECTOR_COUNT_OUT_OF_RANGE =
            ALL.error("vector-count-out-of-range", "a vector ends inside the buffer");

    // Stricter rules, each with its option: the official verifier does not check them.

    /// [Check#UTF8]: a string is not UTF-8. Value: its length.
    public static final Rule STRING_NOT_UTF8 =
            ALL.deviation("string-not-utf8", "a string is UTF-8");

    /// [Check#UNION_PAIRS]: a tag other than NONE has no value. Value: the tag.
    public static final Rule UNION_TAG_WITHOUT_VALUE =
            ALL.deviation("union-tag-without-value", "a union's tag has a value");

    /// [Check#UNION_PAIRS]: a value without a tag or with NONE. Value: its distance from the table.
    public static final Rule UNION_VALUE_WITHOUT_TAG =
            ALL.deviation("union-value-without-tag", "a union's value has a tag");

    /// [Check#TABLE_SIZE]: the table's size is below 4. Value: the size.
    public static final Rule TABLE_SIZE_TOO_SMALL =
            ALL.deviation("table-size-too-small", "a table's size is at least 4");

    /// [Check#TABLE_SIZE]: the table ends outside the buffer. Value: the table's size.
    public static final Rule TABLE_SIZE_OUT_OF_RANGE =
            ALL.deviation("table-size-out-of-range", "a table ends inside the buffer");

    /// [Check#TABLE_SIZE]: a field does not end inside its table. Value: its distance from the
    /// table.
    public static final Rule FIELD_OUTSIDE_TABLE =
            ALL.deviation("field-outside-table", "a field lies inside its table");

    /// [Check#VTABLE_SIZE]: a vtable's size is below 4. Value: the size.
    public static final Rule VTABLE_TOO_SMALL =
            ALL.deviation("vtable-too-small", "a vtable has at least 4 bytes");

    /// [Check#ZERO_OFFSETS]: an element of a vector of tables has the offset 0. Value: 0.
    public static final Rule ELEMENT_OFFSET_ZERO =
            ALL.deviation("element-offset-zero", "an element's offset is not 0");

    /// [Check#VECTOR_ALIGNMENT]: a vector's elements are not at a multiple of their alignment.
    /// Value: the first one's position.
    public static final Rule ELEMENTS_MISALIGNED =
            ALL.deviation("elements-misaligned", "a vector's elements are aligned");

    /// A buffer does not fit into the target of a writer. Not in [#all()]: verifiers do not check
    /// it.
    public static final Rule TARGET_TOO_SMALL =
            new Rule("target-too-small", Level.STRUCTURE, Severity.ERROR, "target too small");

    private StructureRules() {}

    /// {@return all rules that verifiers check, in declaration order}
    public static List<Rule> all() {
        return ALL.all();
    }
}
