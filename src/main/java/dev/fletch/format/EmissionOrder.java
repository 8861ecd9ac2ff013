// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Dialect;

/// Whose way of writing a [MetadataWriter] follows: the order in which a producer writes objects
/// and adds their fields decides about the bytes. Found by taking the producers' output apart, and
/// held against it by the tests.
///
/// All of them write what lies below an object before it, strings once per use, and fields in one
/// of two orders: by size, that is 8, 4, 2, 1 bytes and inside a size the highest slot first, as
/// code that flatc generates does; or one by one as somebody has put them down.
///
/// Source: the producers' output; `docs/byte-agreement.md` lists them with their versions.
public enum EmissionOrder {
    /// flatc with `-b`, for a JSON document whose keys stand in the order of declaration: what lies
    /// below a table is written in that order too; fields by size. Of a document whose keys stand
    /// otherwise a flyweight does not show their order any more: to have flatc's bytes for it, call
    /// the encoders in the order of the document.
    FLATC(Dialect.CPP),

    /// arrow-java: a field's name, its type, its dictionary encoding, its children, its metadata.
    /// Numbers and offsets are added one by one. What it never writes, tensors say, goes in the
    /// order of declaration.
    ARROW_JAVA(Dialect.JAVA),

    /// Arrow C++ since 2.0: a field's children, its type, its dictionary encoding, its metadata,
    /// its name; fields by size. In a key/value pair the key goes first, and empty vectors are not
    /// aligned: so it is in release 25.0. Whether it was from the beginning is not known; the
    /// golden files of 2.0 and 3.0 have nothing that would tell.
    ARROW_CPP(Dialect.CPP),

    /// Arrow C++ up to 1.0: a field's name, its children, its type, its dictionary encoding, its
    /// metadata; fields by size. In a key/value pair the value goes first. Its builder aligned
    /// empty vectors, as flatbuffers-java does, so that is its dialect.
    ARROW_CPP_1(Dialect.JAVA);

    private final Dialect dialect;

    EmissionOrder(Dialect dialect) {
        this.dialect = dialect;
    }

    /// {@return whose builder the producer uses: that of the [dev.fletch.flatbuf.FlatBufferWriter]
    /// to write to}
    public Dialect dialect() {
        return dialect;
    }

    /// In which order a table's fields are added: see [EmitSlots].
    ///
    /// @param sizes the fields' sizes, as the flyweight has them
    long slots(long sizes) {
        return this == ARROW_JAVA ? EmitSlots.declared(sizes) : EmitSlots.bySize(sizes);
    }

    /// The same where arrow-java has an order that is not that of declaration.
    long slots(long sizes, long java) {
        return this == ARROW_JAVA ? java : EmitSlots.bySize(sizes);
    }
}
