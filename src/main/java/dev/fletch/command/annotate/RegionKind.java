// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import java.util.Locale;

/// The purpose of bytes. Names are stable: they appear in JSON.
enum RegionKind {
    /// `ARROW1`, at both ends of a file.
    MAGIC("magic", null),
    FOOTER_LENGTH("footer length", "int"),
    /// `ff ff ff ff`, the first bytes of a message.
    CONTINUATION("continuation word", null),
    METADATA_LENGTH("metadata length", "int"),
    /// An end-of-stream marker: a metadata length of 0.
    END_OF_STREAM("end of stream", null),
    /// A message's body, which is not read.
    BODY("body", null),

    /// The first word of a flatbuffer.
    ROOT_OFFSET("root offset", "uint"),
    VTABLE_SIZE("vtable size", "ushort"),
    /// Size of the tables that use a vtable.
    TABLE_SIZE("table size", "ushort"),
    /// Distance of a field from the first byte of its table.
    SLOT("slot", "ushort"),
    /// The first word of a table.
    VTABLE_OFFSET("vtable offset", "int"),
    /// A field of a table, or a member of its struct.
    FIELD("field", null),
    /// A field that the format does not declare.
    UNKNOWN_FIELD("unknown field of slot", null),
    /// Length of a string or vector.
    LENGTH("length", "uint"),
    /// The text of a string.
    TEXT("text", null),
    TERMINATOR("terminating zero", null),
    /// An element of a vector, or a member of its struct.
    ELEMENT("element", null),

    /// Zeros up to an aligned position.
    PADDING("padding", null),
    /// Bytes without a reference.
    UNREFERENCED("unreferenced", null),
    /// Bytes after the limit of regions.
    NOT_ANNOTATED("not annotated", null);

    /// The name in text.
    final String title;

    /// The type of the number in `.fbs` syntax; null if the kind does not determine it.
    final String type;

    RegionKind(String title, String type) {
        this.title = title;
        this.type = type;
    }

    /// Whether the number of bytes follows from neither kind nor type.
    boolean hasAnyLength() {
        return switch (this) {
            case BODY, TEXT, PADDING, UNREFERENCED, NOT_ANNOTATED, UNKNOWN_FIELD -> true;
            default -> false;
        };
    }

    /// The name in JSON.
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
