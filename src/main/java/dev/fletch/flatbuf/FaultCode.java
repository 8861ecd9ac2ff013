// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Locale;

/// The rules of a verification, one constant each. Names and ids are stable.
public enum FaultCode {
    /// The buffer has fewer than 12 bytes. Value: its size.
    BUFFER_TOO_SMALL("a buffer has at least 12 bytes"),
    /// The buffer is larger than [VerifierOptions#maxSize()]. Value: its size.
    BUFFER_TOO_LARGE("a buffer is no larger than the limit"),

    /// An offset does not stand at a multiple of 4. Value: its distance from the table.
    OFFSET_MISALIGNED("an offset stands at a multiple of 4"),
    /// An offset does not lie inside the buffer. Value: its distance from the table.
    OFFSET_OUT_OF_RANGE("an offset lies inside the buffer"),
    /// An offset leads to itself. Value: 0.
    OFFSET_ZERO("an offset is not 0"),
    /// An offset is 2^31 or more. Value: the offset.
    OFFSET_TOO_LARGE("an offset is below 2^31"),
    /// An offset leads out of the buffer. Value: the offset.
    OFFSET_TARGET_OUT_OF_RANGE("an offset leads into the buffer"),

    /// A table does not begin at a multiple of 4. Value: its distance from the buffer's start.
    TABLE_MISALIGNED("a table begins at a multiple of 4"),
    /// A table's first 4 bytes do not lie inside the buffer. Value: its distance from the buffer's
    /// start.
    TABLE_OUT_OF_RANGE("a table begins inside the buffer"),
    /// Tables are nested deeper than [VerifierOptions#maxDepth()]. Value: the depth.
    DEPTH_LIMIT("tables are not nested deeper than the limit"),
    /// More tables were reached than [VerifierOptions#maxTables(long)]. Value: how many.
    TABLE_LIMIT("no more tables are reached than the limit"),

    /// A vtable does not begin at an even place. Value: the table's distance to it.
    VTABLE_MISALIGNED("a vtable begins at an even place"),
    /// A vtable's first 2 bytes do not lie inside the buffer. Value: the table's distance to it.
    VTABLE_OUT_OF_RANGE("a vtable begins inside the buffer"),
    /// A vtable's size is odd. Value: the size.
    VTABLE_SIZE_ODD("a vtable's size is even"),
    /// A vtable does not end inside the buffer, or takes all of it. Value: its size.
    VTABLE_SIZE_OUT_OF_RANGE("a vtable ends inside the buffer"),

    /// A number does not stand at a multiple of its size. Value: its distance from the table.
    SCALAR_MISALIGNED("a number stands at a multiple of its size"),
    /// A number does not lie inside the buffer. Value: its distance from the table.
    SCALAR_OUT_OF_RANGE("a number lies inside the buffer"),
    /// A union's tag does not lie inside the buffer. Value: its distance from the table.
    UNION_TAG_OUT_OF_RANGE("a union's tag lies inside the buffer"),
    /// A struct does not stand at a multiple of its alignment. Value: its distance from the table.
    STRUCT_MISALIGNED("a struct stands at a multiple of its alignment"),
    /// A struct does not lie inside the buffer. Value: its distance from the table.
    STRUCT_OUT_OF_RANGE("a struct lies inside the buffer"),
    /// A required field is absent. Value: its slot.
    REQUIRED_FIELD_ABSENT("a required field is present"),

    /// A string's length word does not stand at a multiple of 4. Value: its distance from the
    /// buffer's start.
    STRING_MISALIGNED("a string begins at a multiple of 4"),
    /// A string's length word does not lie inside the buffer. Value: its distance from the buffer's
    /// start.
    STRING_OUT_OF_RANGE("a string's length lies inside the buffer"),
    /// A string's length is 2^31 - 1 or more. Value: the length.
    STRING_TOO_LONG("a string is shorter than 2^31 - 1"),
    /// A string does not end inside the buffer. Value: its length.
    STRING_LENGTH_OUT_OF_RANGE("a string ends inside the buffer"),
    /// There is no NUL after a string. Value: the byte there, -1 if the buffer ends.
    STRING_UNTERMINATED("a NUL stands behind a string"),

    /// A vector's length word does not stand at a multiple of 4. Value: its distance from the
    /// buffer's start.
    VECTOR_MISALIGNED("a vector begins at a multiple of 4"),
    /// A vector's length word does not lie inside the buffer. Value: its distance from the buffer's
    /// start.
    VECTOR_OUT_OF_RANGE("a vector's count lies inside the buffer"),
    /// A vector's count is (2^31 - 1) / element size or more. Value: the count.
    VECTOR_TOO_LONG("a vector is shorter than 2^31 - 1 bytes"),
    /// A vector does not end inside the buffer. Value: its count.
    VECTOR_COUNT_OUT_OF_RANGE("a vector ends inside the buffer"),

    // Stricter rules, all behind the others: see isStricter.

    /// Option [VerifierOptions#checkUtf8()]: a string is not UTF-8. Value: its length.
    STRING_NOT_UTF8("a string is UTF-8"),
    /// Option [VerifierOptions#checkUnionPairs()]: a tag other than NONE, and no value. Value: the
    /// tag.
    UNION_TAG_WITHOUT_VALUE("a union's tag has a value"),
    /// Option [VerifierOptions#checkUnionPairs()]: a value, and no tag or NONE. Value: the value's
    /// distance from the table.
    UNION_VALUE_WITHOUT_TAG("a union's value has a tag"),
    /// Option [VerifierOptions#checkTableSize()]: the table's size is below 4. Value: the size.
    TABLE_SIZE_TOO_SMALL("a table's size is at least 4"),
    /// Option [VerifierOptions#checkTableSize()]: the table's size leads out of the buffer. Value:
    /// the size.
    TABLE_SIZE_OUT_OF_RANGE("a table ends inside the buffer"),
    /// Option [VerifierOptions#checkTableSize()]: a field does not end inside its table. Value: its
    /// distance from the table.
    FIELD_OUTSIDE_TABLE("a field lies inside its table"),
    /// Option [VerifierOptions#checkVtableSize()]: a vtable's size is below 4. Value: the size.
    VTABLE_TOO_SMALL("a vtable has at least 4 bytes"),
    /// Option [VerifierOptions#checkZeroOffsets()]: an element of a vector of tables leads to
    /// itself. Value: 0.
    ELEMENT_OFFSET_ZERO("an element's offset is not 0"),
    /// Option [VerifierOptions#vectorAlignment()]: a vector's elements do not stand at a multiple
    /// of their alignment. Value: the first one's distance from the buffer's start.
    ELEMENTS_MISALIGNED("a vector's elements are aligned");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String rule;

    FaultCode(String rule) {
        this.rule = rule;
    }

    /// {@return the name in texts and JSON, such as `vtable-size-odd`}
    public String id() {
        return id;
    }

    /// {@return whether this is one of the stricter rules, which the official verifier does not know:
    /// what breaks it can still be read}
    public boolean isStricter() {
        return compareTo(STRING_NOT_UTF8) >= 0;
    }

    /// {@return the rule that was broken, in a few words}
    public String rule() {
        return rule;
    }
}
