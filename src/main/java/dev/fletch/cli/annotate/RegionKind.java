// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import java.util.Locale;

/// What bytes are for. Names are stable: JSON has them.
public enum RegionKind {
    /// `ARROW1`, at an end of a file.
    MAGIC,
    /// The footer's length, in front of the last magic.
    FOOTER_LENGTH,
    /// `ff ff ff ff`, which begins a message.
    CONTINUATION,
    /// Size of a message's metadata.
    METADATA_LENGTH,
    /// A size of 0, which ends a stream.
    END_OF_STREAM,
    /// A message's body, which is not looked into.
    BODY,

    /// What a flatbuffer begins with.
    ROOT_OFFSET,
    /// A vtable's own size.
    VTABLE_SIZE,
    /// The size of the tables of a vtable.
    TABLE_SIZE,
    /// Where the tables of a vtable have a field.
    SLOT,
    /// What a table begins with.
    VTABLE_OFFSET,
    /// A field of a table, or a member of a struct that is one.
    FIELD,
    /// A field that the format does not declare.
    UNKNOWN_FIELD,
    /// Length of a string or vector.
    LENGTH,
    /// The text of a string.
    TEXT,
    /// The zero behind a text.
    TERMINATOR,
    /// An element of a vector, or a member of a struct that is one.
    ELEMENT,

    /// Zeros that fill up.
    PADDING,
    /// What nothing leads to.
    UNREFERENCED,
    /// What was not looked at, as there was too much before it.
    NOT_ANNOTATED;

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /// As it is spelled in JSON.
    String id() {
        return id;
    }

    /// Whether the bytes themselves are not shown.
    boolean isOpaque() {
        return this == BODY;
    }
}
