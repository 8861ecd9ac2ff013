// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.Flyweight;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;

/// A walk through one schema that comes to an end whatever the bytes are.
///
/// Tables, vectors and strings of a FlatBuffer may be shared: where each field has the same child
/// twice, a few hundred bytes stand for more fields than anyone can print. So the walk goes down
/// [#MAX_DEPTH] levels, and what it reads is paid for out of a budget that grows with the bytes the
/// schema was read from. A schema that shares nothing costs a fraction of it.
public final class SchemaWalk {
    /// Nested fields, the column included. Arrow's own readers stop at 64 levels.
    public static final int MAX_DEPTH = 128;

    // Each object costs as much as one byte of metadata brings in: no more objects than bytes. Text
    // may be repeated that many times.
    private static final long OBJECT_COST = 64;

    private final Schema schema;
    private final Field[] levels = new Field[MAX_DEPTH];
    private final KeyValue pair = new KeyValue();
    private final long budget;
    private long spent;

    /// @param schema bound to the schema
    /// @param metadataBytes how many bytes it was read from
    public SchemaWalk(Schema schema, long metadataBytes) {
        this.schema = schema;
        this.budget = metadataBytes * OBJECT_COST;
    }

    /// A walk for who goes no further than the verifier has, and bounds the texts by himself.
    ///
    /// @param schema bound to the schema
    public static SchemaWalk unlimited(Schema schema) {
        return new SchemaWalk(schema, Long.MAX_VALUE / OBJECT_COST);
    }

    public Schema schema() {
        return schema;
    }

    /// Binds to a column.
    public Field column(int index) {
        spend(schema, OBJECT_COST);
        return schema.fields(index, level(schema, 0));
    }

    /// Binds to a child of a field.
    ///
    /// @param depth levels above the child: 1 for a column's child
    public Field child(Field parent, int index, int depth) {
        spend(parent, OBJECT_COST);
        return parent.children(index, level(parent, depth));
    }

    private Field level(Flyweight parent, int depth) {
        if (depth >= MAX_DEPTH) {
            throw new FlatBufferFormatException(
                    "fields are nested too deep: limit=" + MAX_DEPTH, parent.position());
        }
        if (levels[depth] == null) {
            levels[depth] = new Field();
        }
        return levels[depth];
    }

    /// A field's name, null if it is absent.
    public String name(Field field) {
        spend(field, field.nameLength());
        return field.nameString();
    }

    /// The format takes an absent text for an empty one.
    public static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    /// Binds to a pair of the schema's metadata.
    public KeyValue metadata(int index) {
        spend(schema, OBJECT_COST);
        return schema.customMetadata(index, pair);
    }

    /// Binds to a pair of a field's metadata.
    public KeyValue metadata(Field field, int index) {
        spend(field, OBJECT_COST);
        return field.customMetadata(index, pair);
    }

    /// A pair's key, null if it is absent.
    String key(KeyValue of) {
        spend(of, of.keyLength());
        return of.keyString();
    }

    /// A pair's value, null if it is absent.
    String value(KeyValue of) {
        spend(of, of.valueLength());
        return of.valueString();
    }

    /// The time zone, null if it is absent.
    String timezone(Timestamp type) {
        spend(type, type.timezoneLength());
        return type.timezoneString();
    }

    /// One of a union's type ids; where the vector is absent, a child's id is its index.
    int typeId(Union type, int index) {
        spend(type, OBJECT_COST);
        return type.isPresent(Union.TYPE_IDS_SLOT) ? type.typeIds(index) : index;
    }

    /// One of the schema's features.
    long feature(int index) {
        spend(schema, OBJECT_COST);
        return schema.features(index);
    }

    private void spend(Flyweight at, long cost) {
        spent += cost;
        if (spent > budget) {
            throw new FlatBufferFormatException(
                    "schema is larger than its bytes can tell: fields or texts are shared"
                            + " too often",
                    at.position());
        }
    }
}
