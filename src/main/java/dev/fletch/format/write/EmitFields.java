// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Schema;

import java.util.Arrays;

/// Writes the fields of a schema again, however deep they are nested.
final class EmitFields {
    private static final int INITIAL_LEVELS = 8;

    /// What arrow-java adds in which order.
    private static final long JAVA_SLOTS =
            EmitSlots.of(
                    Field.NAME_SLOT,
                    Field.NULLABLE_SLOT,
                    Field.TYPE_TYPE_SLOT,
                    Field.TYPE_SLOT,
                    Field.CHILDREN_SLOT,
                    Field.CUSTOM_METADATA_SLOT,
                    Field.DICTIONARY_SLOT);

    private static final long JAVA_DICTIONARY_SLOTS =
            EmitSlots.of(
                    DictionaryEncoding.ID_SLOT,
                    DictionaryEncoding.IS_ORDERED_SLOT,
                    DictionaryEncoding.INDEX_TYPE_SLOT,
                    DictionaryEncoding.DICTIONARY_KIND_SLOT);

    private final Emission out;
    private final EmitTypes types;
    private final EmitKeyValues keyValues;
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int indexType = new Int();
    private final long slots;
    private final long dictionarySlots;

    /// The way from the schema down to the field that is being written; the schema is level 0.
    private EmitLevel[] levels = new EmitLevel[INITIAL_LEVELS];

    private MetadataEdit edit;

    EmitFields(Emission out, EmitTypes types, EmitKeyValues keyValues) {
        this.out = out;
        this.types = types;
        this.keyValues = keyValues;
        slots = out.order.slots("Field", JAVA_SLOTS);
        dictionarySlots = out.order.slots("DictionaryEncoding", JAVA_DICTIONARY_SLOTS);
    }

    /// Writes the vector of a schema's fields, and all that is below.
    ///
    /// @return where it is, 0 if it is absent
    int of(Schema schema, MetadataEdit changes) {
        edit = changes;
        level(0).open(schema, changes.fields(), out.mark());
        int depth = 0;
        while (true) {
            final EmitLevel level = level(depth);
            if (level.hasNext()) {
                depth++;
                final EmitLevel child = level(depth);
                level.next(child);
                before(child);
                child.mark = out.mark();
            } else if (depth > 0) {
                out.push(after(level));
                depth--;
            } else {
                return vector(level);
            }
        }
    }

    private EmitLevel level(int depth) {
        if (depth > out.maxDepth) {
            throw Emission.limit("levels of fields", out.maxDepth);
        }
        if (depth == levels.length) {
            levels = Arrays.copyOf(levels, 2 * depth);
        }
        if (levels[depth] == null) {
            levels[depth] = new EmitLevel();
        }
        return levels[depth];
    }

    private int vector(EmitLevel level) {
        return level.hasVector(out.mark() > level.mark) ? out.vector(level.mark) : 0;
    }

    /// Writes what the producer writes before the field's children.
    private void before(EmitLevel level) {
        switch (out.order) {
            case FLATC, ARROW_JAVA -> {
                level.name = name(level);
                level.type = types.of(level.field);
                level.dictionary = dictionary(level);
            }
            case ARROW_CPP_1 -> level.name = name(level);
            case ARROW_CPP -> {}
        }
    }

    /// Writes what comes after the field's children, and the field itself.
    ///
    /// @return where it is
    private int after(EmitLevel level) {
        final int children;
        final int metadata;
        switch (out.order) {
            case ARROW_CPP_1 -> {
                level.type = types.of(level.field);
                children = vector(level);
                level.dictionary = dictionary(level);
                metadata = metadata(level);
            }
            case ARROW_CPP -> {
                level.type = types.of(level.field);
                level.dictionary = dictionary(level);
                metadata = metadata(level);
                level.name = name(level);
                children = vector(level);
            }
            default -> {
                children = vector(level);
                metadata = metadata(level);
            }
        }
        return table(level, children, metadata);
    }

    private int table(EmitLevel level, int children, int metadata) {
        final Field field = level.field;
        out.startTable();
        for (long o = slots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Field.NAME_SLOT -> out.writer.addOffset(slot, level.name);
                case Field.NULLABLE_SLOT -> nullable(level);
                case Field.TYPE_TYPE_SLOT -> out.int8(field, slot, field.typeType());
                case Field.TYPE_SLOT -> out.writer.addOffset(slot, level.type);
                case Field.DICTIONARY_SLOT -> out.writer.addOffset(slot, level.dictionary);
                case Field.CHILDREN_SLOT -> out.writer.addOffset(slot, children);
                default -> out.writer.addOffset(slot, metadata);
            }
        }
        return out.endTable();
    }

    private void nullable(EmitLevel level) {
        final FieldEdit changes = level.edit;
        if (changes != null && changes.changesNullable()) {
            FieldEncoder.addNullable(out.writer, changes.nullable());
        } else {
            out.bool(level.field, Field.NULLABLE_SLOT, level.field.nullable());
        }
    }

    private int name(EmitLevel level) {
        if (level.edit != null && level.edit.name() != null) {
            return out.string(level.edit.name());
        }
        return out.string(level.field.name(out.text));
    }

    private int metadata(EmitLevel level) {
        return keyValues.of(
                level.field,
                Field.CUSTOM_METADATA_SLOT,
                level.field.customMetadataCount(),
                level.edit == null ? null : level.edit.customMetadata());
    }

    private int dictionary(EmitLevel level) {
        final boolean drops = level.edit != null && level.edit.dropsDictionary();
        if (drops || !level.field.dictionary(encoding)) {
            return 0;
        }
        final int index = encoding.indexType(indexType) ? types.table(indexType) : 0;
        final long id = encoding.id();
        final long newId =
                level.edit != null && level.edit.changesDictionaryId()
                        ? level.edit.dictionaryId()
                        : edit.dictionaryId(id);
        out.startTable();
        for (long o = dictionarySlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case DictionaryEncoding.ID_SLOT ->
                        out.changed64(encoding, slot, id, newId, DictionaryEncoding.ID_DEFAULT);
                case DictionaryEncoding.INDEX_TYPE_SLOT -> out.writer.addOffset(slot, index);
                case DictionaryEncoding.IS_ORDERED_SLOT ->
                        out.bool(encoding, slot, encoding.isOrdered());
                default -> out.int16(encoding, slot, encoding.dictionaryKind());
            }
        }
        return out.endTable();
    }
}
