// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.format.rules.ArrowRules;

/// Whose way of writing a [MetadataWriter] follows: the bytes depend on the order in which a producer
/// writes objects and adds their fields. The orders were found in the producers' output, and tests
/// hold them against it.
///
/// All producers write what lies below an object before it, and strings once per use. Fields are
/// written in one of two orders: by size, that is 8, 4, 2, 1 bytes and within a size the highest slot
/// first, as code that flatc generates does; or in an order chosen by hand.
///
/// Source: the producers' output; `docs/byte-agreement.md` lists them with their versions.
public enum EmissionOrder {
    /// flatc with `-b`, for a JSON document whose keys stand in the order of declaration: what lies
    /// below a table is written in that order too; fields by size. If the document's keys stand in
    /// another order, a flyweight no longer shows it: to get flatc's bytes for such a document, call
    /// the encoders in its order.
    FLATC(Dialect.CPP),

    /// arrow-java: a field's name, its type, its dictionary encoding, its children, its metadata.
    /// Numbers and offsets are added one by one, in its own order. What it never writes, such as
    /// tensors, is written in the order of declaration.
    ARROW_JAVA(Dialect.JAVA),

    /// Arrow C++ since 2.0: a field's children, its type, its dictionary encoding, its metadata,
    /// its name; fields by size. In a key/value pair the key goes first, and empty vectors are not
    /// aligned: this holds for release 25.0. Whether it held from the beginning is not known, as the
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

    /// {@return the dialect of the producer's builder, which the
    /// [dev.fletch.flatbuf.write.FlatBufferWriter] to write to must have}
    public Dialect dialect() {
        return dialect;
    }

    /// In which order a table's fields are added: see [EmitSlots].
    ///
    /// @param table the table's name
    long slots(String table) {
        return slots(table, EmitSlots.declared(sizes(table)));
    }

    /// The same where arrow-java has an order that is not that of declaration.
    long slots(String table, long java) {
        return this == ARROW_JAVA ? java : EmitSlots.bySize(sizes(table));
    }

    private static long sizes(String table) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(table)).sizes();
    }
}
