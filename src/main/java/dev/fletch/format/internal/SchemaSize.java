// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;

import java.util.List;

/// The size of a schema if it shared nothing, and the limit of that size.
///
/// Tables, vectors and texts of a FlatBuffer may be shared: if each field has the same child twice,
/// a few hundred bytes describe more fields than fit into any memory; if all fields have the same
/// long name, a reader that copies names needs far more memory than the schema has bytes. So each
/// field and text counts as often as it is used:
///
/// | part | size |
/// |---|---|
/// | field | 256 |
/// | pair of custom metadata, type id, feature | 64 |
/// | text: name, key, value, time zone | its length in bytes |
///
/// The limit is [Limits#unfoldedBytes(long)]. A schema that shares nothing has a size below 20 for
/// each byte of the buffer. Above that, some columns may share long texts, and up to 65,536 columns
/// may share one table.
///
/// Classes that copy a complete schema, or verify it, count all parts, so that they accept the same
/// schemas. Layouts count only what they keep: fields and names. A layout of some columns counts
/// all fields, and of its columns also the names.
///
/// Walks through a schema stop at the limit: [#begin(Schema)], then [#add] for each field; or
/// [#begin(long)], then [#addField], [#addPair] and [#addText]. Methods that add return whether the
/// size is still within the limit. Allocates nothing after its first schema. One thread at a time.
///
/// **Errors.** [#check] and [#require] throw a [FletchException] if the limit is exceeded, as do
/// methods that read a schema or field if its bytes point out of the range.
///
/// Source: `format/Schema.fbs`, table `Schema`.
public final class SchemaSize {
    /// Limits of a schema that a caller writes: what it has is the caller's choice. Only shared
    /// parts, which are copied, are limited.
    public static final Limits OF_WRITERS =
            Limits.DEFAULT
                    .withDepth(Integer.MAX_VALUE)
                    .withFields(Integer.MAX_VALUE)
                    .withMetadataBytes(Integer.MAX_VALUE);

    private static final long FIELD_SIZE = 256;
    private static final long ELEMENT_SIZE = 64;

    private final Limits limits;
    // Null until needed: others measure only fields and names, or walk through the schema
    // themselves.
    private KeyValue pair;
    private AnyTable type;
    private FieldWalk walk;
    private long size;
    private long limit;

    /// Creates a measure.
    public SchemaSize(Limits limits) {
        this.limits = limits;
    }

    /// Checks a complete schema.
    public static void check(Schema schema, Limits limits) {
        new SchemaSize(limits).require(schema);
    }

    /// Checks a complete schema, as [#check] does; allocates nothing after the first.
    public void require(Schema schema) {
        if (!begin(schema)) {
            throw tooLarge(schema);
        }
        if (walk == null) {
            walk = new FieldWalk();
        }
        walk.wrap(schema);
        while (walk.next()) {
            if (!add(walk.field())) {
                throw tooLarge(walk.field());
            }
        }
    }

    /// Starts to measure fields and names only, without anything else of the schema.
    ///
    /// @param bytes length of the buffer that contains the schema
    public void begin(long bytes) {
        limit = limits.unfoldedBytes(bytes);
        size = 0;
    }

    /// Starts to measure a schema: its features and custom metadata, without fields.
    public boolean begin(Schema schema) {
        begin(schema.bufferLength());
        size = schema.featuresCount() * ELEMENT_SIZE;
        for (int i = 0; i < schema.customMetadataCount() && size <= limit; i++) {
            add(schema.customMetadata(i, pair()));
        }
        return size <= limit;
    }

    /// Adds a field with its type and custom metadata, without its children.
    public boolean add(Field field) {
        if (type == null) {
            type = new AnyTable();
        }
        addField(field.nameLength());
        List<FieldDeclaration> parameters = TypeFacts.of(field.typeType()).parameters();
        for (int i = 0; i < parameters.size(); i++) {
            FieldDeclaration each = parameters.get(i);
            if (each.isOffset() && type.bindType(field, field.typeType(), Field.TYPE_SLOT)) {
                boolean isText = each.kind() == FieldDeclaration.Kind.STRING;
                long count = type.count(each.slot());
                addText(isText ? count : count * ELEMENT_SIZE);
            }
        }
        int count = field.customMetadataCount();
        for (int i = 0; i < count && size <= limit; i++) {
            add(field.customMetadata(i, pair()));
        }
        return size <= limit;
    }

    /// Adds a field with its name, without its type, custom metadata and children.
    ///
    /// @param nameBytes length of the name
    public boolean addField(long nameBytes) {
        return addText(FIELD_SIZE + nameBytes);
    }

    /// Adds fields without their names.
    public void addFields(int count) {
        size += count * FIELD_SIZE;
    }

    /// {@return number of fields without names that may be added}
    public long fieldsLeft() {
        return (limit - size) / FIELD_SIZE;
    }

    /// Adds a pair of custom metadata.
    ///
    /// @param textBytes length of key and value
    public boolean addPair(long textBytes) {
        return addText(ELEMENT_SIZE + textBytes);
    }

    /// Adds a text.
    public boolean addText(long bytes) {
        size += bytes;
        return size <= limit;
    }

    private KeyValue pair() {
        if (pair == null) {
            pair = new KeyValue();
        }
        return pair;
    }

    private void add(KeyValue pair) {
        addPair((long) pair.keyLength() + pair.valueLength());
    }

    /// {@return the size of the parts so far}
    public long size() {
        return size;
    }

    /// {@return the maximum size}
    public long limit() {
        return limit;
    }

    /// {@return the exception for a part that exceeds the limit}
    ///
    /// @param table the schema or field that was added last
    public FletchException tooLarge(Table table) {
        return tooLarge(size, limit, table.position());
    }

    /// {@return the exception for a part that exceeds the limit}
    ///
    /// @param offset byte offset of the first part over the limit
    public static FletchException tooLarge(long size, long limit, long offset) {
        return tooLarge("fields or texts are shared too often", size, limit, offset);
    }

    /// {@return the exception for a schema that exceeds its limit}
    ///
    /// @param what which parts are too large
    /// @param offset byte offset of the first part over the limit
    public static FletchException tooLarge(String what, long size, long limit, long offset) {
        Fault fault = Fault.of(MeaningRule.SCHEMA_TOO_LARGE, offset, size).with("limit", limit);
        String sizes = ", code=" + fault.rule().id() + ", size=" + size + ", limit=" + limit;
        return FletchException.of(
                fault.withText("schema is too large for its bytes: " + what + sizes));
    }
}
