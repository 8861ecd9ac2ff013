// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// The rules of a FlatBuffer. A constant's description is its documentation.
///
/// "Value" is [Fault#value()]. Sizes and positions are in bytes: a position is the distance
/// from the buffer's start. A rule with a check is checked only if that is on.
public enum StructureRule implements Rule {
    // Errors of all verifiers.

    /// Value: its size.
    BUFFER_TOO_SMALL("buffer has less than 12 bytes"),

    /// The limit is [Limits#metadataBytes()]. Value: its size.
    BUFFER_TOO_LARGE("buffer is larger than the limit"),

    /// Value: its distance from the table.
    OFFSET_MISALIGNED("offset is not at a multiple of 4"),

    /// Value: its distance from the table.
    OFFSET_OUT_OF_RANGE("offset is not inside the buffer"),

    /// Value: 0.
    OFFSET_ZERO("offset is 0"),

    /// Value: the offset.
    OFFSET_TOO_LARGE("offset is 2^31 or more"),

    /// Value: the offset.
    OFFSET_TARGET_OUT_OF_RANGE("offset points outside the buffer"),

    /// Value: its position.
    TABLE_MISALIGNED("table does not begin at a multiple of 4"),

    /// Value: its position.
    TABLE_OUT_OF_RANGE("table's first 4 bytes are not inside the buffer"),

    /// The limit is [Limits#depth()]. Value: the depth.
    DEPTH_LIMIT("tables are nested deeper than the limit"),

    /// The limit is [Limits#tables(long)]. Value: the number of tables.
    TABLE_LIMIT("more tables are reached than the limit"),

    /// Value: the table's distance to it.
    VTABLE_MISALIGNED("vtable does not begin at a multiple of 2"),

    /// Value: the table's distance to it.
    VTABLE_OUT_OF_RANGE("vtable's first 2 bytes are not inside the buffer"),

    /// Value: the size.
    VTABLE_SIZE_ODD("vtable's size is odd"),

    /// It may not fill the buffer completely. Value: the vtable's size.
    VTABLE_SIZE_OUT_OF_RANGE("vtable ends outside the buffer, or fills it"),

    /// Value: its distance from the table.
    SCALAR_MISALIGNED("number is not at a multiple of its size"),

    /// Value: its distance from the table.
    SCALAR_OUT_OF_RANGE("number is not inside the buffer"),

    /// Value: its distance from the table.
    UNION_TAG_OUT_OF_RANGE("union's tag is not inside the buffer"),

    /// Value: its distance from the table.
    STRUCT_MISALIGNED("struct is not at a multiple of its alignment"),

    /// Value: its distance from the table.
    STRUCT_OUT_OF_RANGE("struct is not inside the buffer"),

    /// Value: its slot.
    REQUIRED_FIELD_ABSENT("required field is absent"),

    /// Value: its position.
    STRING_MISALIGNED("string does not begin at a multiple of 4"),

    /// Value: its position.
    STRING_OUT_OF_RANGE("string's length is not inside the buffer"),

    /// Value: the length.
    STRING_TOO_LONG("string has 2^31 - 1 bytes or more"),

    /// Value: its length.
    STRING_LENGTH_OUT_OF_RANGE("string ends outside the buffer"),

    /// Value: the byte found there; -1 if the buffer ends.
    STRING_UNTERMINATED("no NUL follows the string"),

    /// Value: its position.
    VECTOR_MISALIGNED("vector does not begin at a multiple of 4"),

    /// Value: its position.
    VECTOR_OUT_OF_RANGE("vector's count is not inside the buffer"),

    /// Value: the count.
    VECTOR_TOO_LONG("vector has too many elements for 2^31 - 1 bytes"),

    /// Value: its count.
    VECTOR_COUNT_OUT_OF_RANGE("vector ends outside the buffer"),

    // Stricter rules, each with its option: the official verifier does not check them.

    /// Check: [Check#UTF8]. Value: its length.
    STRING_NOT_UTF8(Severity.DEVIATION, "string is not UTF-8"),

    /// Check: [Check#UNION_PAIRS]. Value: the tag.
    UNION_TAG_WITHOUT_VALUE(Severity.DEVIATION, "union's tag has no value"),

    /// Check: [Check#UNION_PAIRS]. A tag is absent or NONE.
    /// Value: its distance from the table.
    UNION_VALUE_WITHOUT_TAG(Severity.DEVIATION, "union's value has no tag"),

    /// Check: [Check#TABLE_SIZE]. Value: the size.
    TABLE_SIZE_TOO_SMALL(Severity.DEVIATION, "table's size is less than 4"),

    /// Check: [Check#TABLE_SIZE]. Value: the table's size.
    TABLE_SIZE_OUT_OF_RANGE(Severity.DEVIATION, "table ends outside the buffer"),

    /// Check: [Check#TABLE_SIZE]. Value: its distance from the
    /// table.
    FIELD_OUTSIDE_TABLE(Severity.DEVIATION, "field is outside its table"),

    /// Check: [Check#VTABLE_SIZE]. Value: the size.
    VTABLE_TOO_SMALL(Severity.DEVIATION, "vtable has less than 4 bytes"),

    /// Check: [Check#ZERO_OFFSETS]. Value: 0.
    ELEMENT_OFFSET_ZERO(Severity.DEVIATION, "element's offset is 0"),

    /// Check: [Check#VECTOR_ALIGNMENT]. Value: the first one's
    /// position.
    ELEMENTS_MISALIGNED(Severity.DEVIATION, "vector's elements are not aligned"),

    /// Also padding, and that inside structs. Check: [Check#UNUSED_BYTES]. Value: the number of
    /// bytes.
    UNUSED_METADATA(Severity.NOTE, "bytes that no table, vtable, string or vector has are not 0"),

    // Bytes that are read without a verifier.

    /// They were not verified, and refer to a position outside their range.
    MALFORMED("bytes are not a well-formed FlatBuffer");

    final RuleRow row;

    StructureRule(String description) {
        this(Severity.ERROR, description);
    }

    StructureRule(Severity severity, String description) {
        row = new RuleRow(severity, description);
    }
}
