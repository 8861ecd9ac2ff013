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
    BUFFER_TOO_SMALL("a buffer has at least 12 bytes"),

    /// The limit is [Limits#metadataBytes()]. Value: its size.
    BUFFER_TOO_LARGE("a buffer is no larger than the limit"),

    /// Value: its distance from the table.
    OFFSET_MISALIGNED("an offset is at a multiple of 4"),

    /// Value: its distance from the table.
    OFFSET_OUT_OF_RANGE("an offset lies inside the buffer"),

    /// Value: 0.
    OFFSET_ZERO("an offset is not 0"),

    /// Value: the offset.
    OFFSET_TOO_LARGE("an offset is below 2^31"),

    /// Value: the offset.
    OFFSET_TARGET_OUT_OF_RANGE("an offset points into the buffer"),

    /// Value: its position.
    TABLE_MISALIGNED("a table begins at a multiple of 4"),

    /// Value: its position.
    TABLE_OUT_OF_RANGE("a table begins inside the buffer"),

    /// The limit is [Limits#depth()]. Value: the depth.
    DEPTH_LIMIT("tables are not nested deeper than the limit"),

    /// The limit is [Limits#tables(long)]. Value: the number of tables.
    TABLE_LIMIT("no more tables are reached than the limit"),

    /// Value: the table's distance to it.
    VTABLE_MISALIGNED("a vtable begins at a multiple of 2"),

    /// Value: the table's distance to it.
    VTABLE_OUT_OF_RANGE("a vtable begins inside the buffer"),

    /// Value: the size.
    VTABLE_SIZE_ODD("a vtable's size is even"),

    /// It may not fill the buffer completely. Value: the vtable's size.
    VTABLE_SIZE_OUT_OF_RANGE("a vtable ends inside the buffer"),

    /// Value: its distance from the table.
    SCALAR_MISALIGNED("a number is at a multiple of its size"),

    /// Value: its distance from the table.
    SCALAR_OUT_OF_RANGE("a number lies inside the buffer"),

    /// Value: its distance from the table.
    UNION_TAG_OUT_OF_RANGE("a union's tag lies inside the buffer"),

    /// Value: its distance from the table.
    STRUCT_MISALIGNED("a struct is at a multiple of its alignment"),

    /// Value: its distance from the table.
    STRUCT_OUT_OF_RANGE("a struct lies inside the buffer"),

    /// Value: its slot.
    REQUIRED_FIELD_ABSENT("a required field is present"),

    /// Value: its position.
    STRING_MISALIGNED("a string begins at a multiple of 4"),

    /// Value: its position.
    STRING_OUT_OF_RANGE("a string's length lies inside the buffer"),

    /// Value: the length.
    STRING_TOO_LONG("a string is shorter than 2^31 - 1"),

    /// Value: its length.
    STRING_LENGTH_OUT_OF_RANGE("a string ends inside the buffer"),

    /// Value: the byte found there; -1 if the buffer ends.
    STRING_UNTERMINATED("a NUL follows a string"),

    /// Value: its position.
    VECTOR_MISALIGNED("a vector begins at a multiple of 4"),

    /// Value: its position.
    VECTOR_OUT_OF_RANGE("a vector's count lies inside the buffer"),

    /// Value: the count.
    VECTOR_TOO_LONG("a vector is shorter than 2^31 - 1 bytes"),

    /// Value: its count.
    VECTOR_COUNT_OUT_OF_RANGE("a vector ends inside the buffer"),

    // Stricter rules, each with its option: the official verifier does not check them.

    /// Check: [Check#UTF8]. Value: its length.
    STRING_NOT_UTF8(Severity.DEVIATION, "a string is UTF-8"),

    /// Check: [Check#UNION_PAIRS]. Value: the tag.
    UNION_TAG_WITHOUT_VALUE(Severity.DEVIATION, "a union's tag has a value"),

    /// Check: [Check#UNION_PAIRS]. A tag is absent or NONE.
    /// Value: its distance from the table.
    UNION_VALUE_WITHOUT_TAG(Severity.DEVIATION, "a union's value has a tag"),

    /// Check: [Check#TABLE_SIZE]. Value: the size.
    TABLE_SIZE_TOO_SMALL(Severity.DEVIATION, "a table's size is at least 4"),

    /// Check: [Check#TABLE_SIZE]. Value: the table's size.
    TABLE_SIZE_OUT_OF_RANGE(Severity.DEVIATION, "a table ends inside the buffer"),

    /// Check: [Check#TABLE_SIZE]. Value: its distance from the
    /// table.
    FIELD_OUTSIDE_TABLE(Severity.DEVIATION, "a field lies inside its table"),

    /// Check: [Check#VTABLE_SIZE]. Value: the size.
    VTABLE_TOO_SMALL(Severity.DEVIATION, "a vtable has at least 4 bytes"),

    /// Check: [Check#ZERO_OFFSETS]. Value: 0.
    ELEMENT_OFFSET_ZERO(Severity.DEVIATION, "an element's offset is not 0"),

    /// Check: [Check#VECTOR_ALIGNMENT]. Value: the first one's
    /// position.
    ELEMENTS_MISALIGNED(Severity.DEVIATION, "a vector's elements are aligned"),

    /// Also padding, and that inside structs. Check: [Check#UNUSED_BYTES]. Value: the number of
    /// bytes.
    UNUSED_METADATA(Severity.NOTE, "bytes that no table, vtable, string or vector has are 0"),

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
