// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.text;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.Flyweight;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

import java.io.IOException;

/// Walks through a schema that [dev.fletch.format.SchemaSize] accepts: FlatBuffers may share
/// tables, so a few hundred bytes may expand to an exponential number of fields.
public final class SchemaWalk {
    private final Schema schema;
    private final Field[] levels;
    private final KeyValue pair = new KeyValue();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final AnyTable type = new AnyTable();

    /// @param schema bound to the schema
    public SchemaWalk(Schema schema) {
        this(schema, Limits.DEFAULT.depth());
    }

    /// @param schema bound to the schema
    /// @param maxDepth maximum levels of fields, the column included
    public SchemaWalk(Schema schema, int maxDepth) {
        this.schema = schema;
        levels = new Field[maxDepth];
    }

    // ---- fields and metadata

    public Schema schema() {
        return schema;
    }

    /// Receives selected fields.
    public interface Selection {
        /// @param field bound until the next call
        /// @param depth number of ancestors: 0 for a column
        void field(Field field, int depth) throws IOException;
    }

    /// Selects all columns, or the fields with a path. Names may repeat and may contain dots, so a
    /// path may match several fields, or none.
    ///
    /// @param path names joined by dots; null for all columns
    /// @return the number of selected fields
    public int select(String path, Selection selection) throws IOException {
        int count = 0;
        for (int i = 0; i < schema.fieldsCount(); i++) {
            count += select(column(i), 0, path, selection);
        }
        return count;
    }

    private int select(Field field, int depth, String path, Selection selection)
            throws IOException {
        if (path == null) {
            selection.field(field, depth);
            return 1;
        }
        int count = 0;
        String name = orEmpty(field.nameString());
        if (path.equals(name)) {
            selection.field(field, depth);
            count++;
        }
        if (path.startsWith(name) && path.startsWith(".", name.length())) {
            String rest = path.substring(name.length() + 1);
            for (int i = 0; i < field.childrenCount(); i++) {
                count += select(child(field, i, depth + 1), depth + 1, rest, selection);
            }
        }
        return count;
    }

    /// Binds to a column.
    public Field column(int index) {
        return schema.fields(index, level(schema, 0));
    }

    /// Binds to a child of a field.
    ///
    /// @param depth number of the child's ancestors: 1 for a column's child
    public Field child(Field parent, int index, int depth) {
        return parent.children(index, level(parent, depth));
    }

    private Field level(Flyweight parent, int depth) {
        if (depth >= levels.length) {
            throw new FlatBufferFormatException(
                    "fields are nested too deeply: limit=" + levels.length, parent.position());
        }
        if (levels[depth] == null) {
            levels[depth] = new Field();
        }
        return levels[depth];
    }

    /// Returns an empty text for an absent one, as the format defines.
    public static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    /// Binds to a pair of the schema's metadata.
    public KeyValue metadata(int index) {
        return schema.customMetadata(index, pair);
    }

    /// Binds to a pair of a field's metadata.
    public KeyValue metadata(Field field, int index) {
        return field.customMetadata(index, pair);
    }

    // ---- types

    /// Binds to the parameters of a field's type.
    ///
    /// @return null if they are absent, or the type is unknown
    public AnyTable type(Field field) {
        return type.bindType(field) ? type : null;
    }

    /// Returns a field's type for output, such as `int32` or `decimal(38, 10)`.
    public String typeText(Field field) {
        int id = field.typeType();
        TypeFacts facts = TypeFacts.of(id);
        if (!facts.isKnown()) {
            return id == Type.NONE ? "no type" : "unknown type " + id;
        }
        AnyTable parameters = type(field);
        return parameters == null
                ? facts.name() + " (without its table)"
                : TypeText.of(facts, parameters);
    }

    /// Returns a field's dictionary encoding for output, null if it has none.
    public String dictionaryText(Field field) {
        if (!field.dictionary(dictionary)) {
            return null;
        }
        AnyTable encoding = new AnyTable().bind(dictionary, "DictionaryEncoding");
        // An absent index type means signed 32 bits.
        boolean isStored = encoding.table(DictionaryEncoding.INDEX_TYPE_SLOT, type);
        String indexes = isStored ? TypeText.of(TypeFacts.of(Type.INT), type) : "int32";
        int kind = dictionary.dictionaryKind();
        return "dictionary "
                + dictionary.id()
                + (" (" + indexes)
                + (dictionary.isOrdered() ? ", ordered" : "")
                + (kind == DictionaryKind.DENSE_ARRAY ? "" : ", " + DictionaryKind.NAMES.name(kind))
                + ")";
    }
}
