// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Schema;
import dev.fletch.format.write.DictionaryEncodingEncoder;
import dev.fletch.format.write.FieldEncoder;
import dev.fletch.format.write.KeyValueEncoder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.SchemaEncoder;

import java.util.Arrays;
import java.util.List;

/// Writes a schema of values as tables, in whichever order is at hand: a [MetadataWriter] brings
/// them into that of a producer.
final class SchemaTables {
    // The dialects differ in padding only.
    private final FlatBufferWriter to = FlatBufferWriter.growing(Dialect.CPP);

    private SchemaTables() {}

    /// Writes a schema to memory of its own.
    ///
    /// @return bound to it
    static Schema of(ArrowSchema schema) {
        FlatBufferWriter written = new SchemaTables().write(schema);
        return new Schema().wrap(written.segment());
    }

    private FlatBufferWriter write(ArrowSchema schema) {
        int fields = schema.omitted().contains(Omitted.FIELDS) ? 0 : fields(schema.fields());
        int metadata =
                schema.omitted().contains(Omitted.METADATA) ? 0 : metadata(schema.metadata());
        int features = 0;
        if (!schema.omitted().contains(Omitted.FEATURES)) {
            long[] numbers = schema.features().stream().mapToLong(Long::longValue).toArray();
            features = to.createVector(numbers, 0, numbers.length);
        }
        int endianness = schema.endianness().ordinal();
        to.finish(SchemaEncoder.create(to, endianness, fields, metadata, features));
        return to;
    }

    private int fields(List<ArrowField> fields) {
        int[] tables = new int[fields.size()];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = field(fields.get(i));
        }
        return to.createOffsetVector(tables, 0, tables.length);
    }

    private int field(ArrowField field) {
        int name = field.omitted().contains(Omitted.NAME) ? 0 : to.createString(field.name());
        TypeValues type = TypeValues.of(field.type());
        int parameters = parameters(type);
        int dictionary = field.dictionary() == null ? 0 : dictionary(field.dictionary());
        int children = field.omitted().contains(Omitted.CHILDREN) ? 0 : fields(field.children());
        int metadata = field.omitted().contains(Omitted.METADATA) ? 0 : metadata(field.metadata());
        return FieldEncoder.create(
                to,
                name,
                field.isNullable(),
                type.facts().id(),
                parameters,
                dictionary,
                children,
                metadata);
    }

    /// Writes the table of a type's parameters.
    private int parameters(TypeValues type) {
        int offset = 0; // no type has two
        for (FieldRule each : type.facts().parameters()) {
            if (type.isPresent(each.slot())) {
                switch (each.kind()) {
                    case STRING -> offset = to.createString(type.string(each.slot()));
                    case VECTOR -> offset = typeIds(type, each.slot());
                    default -> {}
                }
            }
        }
        to.startTable();
        for (FieldRule each : type.facts().parameters()) {
            int slot = each.slot();
            if (each.isOffset()) {
                to.addOffset(slot, offset);
                continue;
            }
            int value = (int) type.number(slot);
            int absent = (int) each.absent();
            switch (each.bytes()) {
                case Byte.BYTES -> to.addInt8(slot, value, absent);
                case Short.BYTES -> to.addInt16(slot, value, absent);
                default -> to.addInt32(slot, value, absent);
            }
        }
        return to.endTable();
    }

    private int typeIds(TypeValues type, int slot) {
        int[] ids = new int[type.count(slot)];
        Arrays.setAll(ids, i -> (int) type.element(slot, i));
        return to.createVector(ids, 0, ids.length);
    }

    private int dictionary(DictionaryInfo dictionary) {
        int indexType =
                dictionary.implicitIndexType()
                        ? 0
                        : parameters(TypeValues.of(dictionary.indexType()));
        return DictionaryEncodingEncoder.create(
                to, dictionary.id(), indexType, dictionary.ordered(), DictionaryKind.DENSE_ARRAY);
    }

    private int metadata(Metadata metadata) {
        int[] tables = new int[metadata.size()];
        for (int i = 0; i < tables.length; i++) {
            Metadata.Pair pair = metadata.pairs().get(i);
            int key = text(pair.key());
            tables[i] = KeyValueEncoder.create(to, key, text(pair.value()));
        }
        return to.createOffsetVector(tables, 0, tables.length);
    }

    /// @param text null if it is absent
    private int text(String text) {
        return text == null ? 0 : to.createString(text);
    }
}
