// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.FormatRules;
import dev.fletch.format.Type;

import java.util.Objects;

/// What [BatchCursor] throws, and its words.
final class CursorFaults {
    private CursorFaults() {}

    static IllegalStateException unbound() {
        return new IllegalStateException("cursor is bound to no batch");
    }

    static IllegalStateException noField() {
        return new IllegalStateException("cursor is at no field");
    }

    static IllegalStateException noBody() {
        return new IllegalStateException("cursor is bound without a body");
    }

    /// A role that the type of a field does not have.
    static IllegalArgumentException noRole(FieldLayout layout, int number, BufferRole role) {
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i < layout.bufferCount(number); i++) {
            all.append(i == 0 ? "" : " ").append(layout.role(number, i).text());
        }
        return new IllegalArgumentException(
                (role == BufferRole.VARIADIC
                                ? "variadic buffers are found by index only"
                                : "type has no such buffer")
                        + ": column="
                        + layout.pathString(number)
                        + ", type="
                        + Type.NAMES.name(layout.typeType(number))
                        + ", role="
                        + role.text()
                        + ", roles="
                        + all);
    }

    /// A field that cannot be placed.
    ///
    /// @throws IndexOutOfBoundsException if there is no such field
    static LayoutException noPlace(FieldLayout layout, int number, int placeable) {
        Objects.checkIndex(number, layout.fieldCount());
        return new LayoutException(
                FormatRules.UNKNOWN_TYPE,
                "column="
                        + layout.pathString(number)
                        + ", field="
                        + number
                        + ", first="
                        + placeable);
    }

    /// A buffer that is not inside the body.
    static LayoutException outOfBody(
            BatchCursor cursor, FieldLayout layout, int index, long bodyLength) {
        return new LayoutException(
                LayoutRules.BUFFER_OUT_OF_BODY, buffer(cursor, layout, index, bodyLength));
    }

    /// A compressed buffer whose prefix is cut off, or tells no length.
    static LayoutException prefix(
            BatchCursor cursor, FieldLayout layout, int index, long bodyLength, long claim) {
        final boolean isCut = cursor.bufferLength(index) < BatchBody.PREFIX_BYTES;
        return new LayoutException(
                LayoutRules.COMPRESSED_PREFIX,
                buffer(cursor, layout, index, bodyLength)
                        + (isCut ? "" : ", uncompressed=" + claim));
    }

    private static String buffer(
            BatchCursor cursor, FieldLayout layout, int index, long bodyLength) {
        final String buffer =
                "column="
                        + layout.pathString(cursor.fieldNumber())
                        + ", buffer="
                        + cursor.bufferIndex(index);
        final String range =
                ", offset=" + cursor.bufferOffset(index) + ", length=" + cursor.bufferLength(index);
        return buffer + ", role=" + cursor.role(index).text() + range + ", body=" + bodyLength;
    }
}
