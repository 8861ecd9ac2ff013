// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.DictionaryKind;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.internal.tables.TypeParameters;
import dev.fletch.format.write.TableEncoder;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Writes a schema as tables, in any order. A [dev.fletch.format.write.MetadataWriter] then
/// rewrites them in the order of a producer.
final class SchemaTables {
    // The dialects differ in padding only.
    private final FlatBufferWriter to = new FlatBufferWriter();

    private SchemaTables() {}

    static Schema of(ArrowSchema schema) {
        SchemaTables tables = new SchemaTables();
        tables.write(schema);
        return new Schema().wrap(tables.to.segment());
    }

    private void write(ArrowSchema schema) {
        Set<Integer> absent = schema.absent();
        int fields = absent.contains(Schema.FIELDS_SLOT) ? 0 : fields(schema.fields());
        int metadata =
                absent.contains(Schema.CUSTOM_METADATA_SLOT) ? 0 : metadata(schema.metadata());
        int features = 0;
        if (!absent.contains(Schema.FEATURES_SLOT)) {
            long[] numbers = schema.features().stream().mapToLong(Long::longValue).toArray();
            features = to.createVector(numbers, 0, numbers.length, 1);
        }
        int endianness =
                schema.endianness() == ByteOrder.BIG_ENDIAN ? Endianness.BIG : Endianness.LITTLE;
        to.finish(TableEncoder.createSchema(to, endianness, fields, metadata, features));
    }

    private int fields(List<ArrowField> fields) {
        int[] tables = new int[fields.size()];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = field(fields.get(i));
        }
        return to.createOffsetVector(tables, 0, tables.length);
    }

    private int field(ArrowField field) {
        Set<Integer> absent = field.absent();
        int name = absent.contains(Field.NAME_SLOT) ? 0 : to.createString(field.name());
        int type = field.type().id();
        int parameters = parameters(field.type());
        int dictionary = field.dictionary() == null ? 0 : dictionary(field.dictionary());
        int children = absent.contains(Field.CHILDREN_SLOT) ? 0 : fields(field.children());
        int metadata = absent.contains(Field.CUSTOM_METADATA_SLOT) ? 0 : metadata(field.metadata());
        return TableEncoder.createField(
                to, name, field.isNullable(), type, parameters, dictionary, children, metadata);
    }

    /// Writes the table of a type's parameters.
    private int parameters(ArrowType arrowType) {
        TypeParameters type = TypeValues.of(arrowType);
        TypeFacts facts = TypeFacts.of(arrowType.id());
        int offset = 0; // no type has two strings or vectors
        for (FieldDeclaration each : facts.parameters()) {
            int slot = each.slot();
            if (each.isOffset() && type.isPresent(slot)) {
                boolean isText = each.kind() == FieldDeclaration.Kind.STRING;
                offset = isText ? to.createString(type.string(slot)) : typeIds(type, slot);
            }
        }
        to.startTable();
        for (FieldDeclaration each : facts.parameters()) {
            int slot = each.slot();
            if (each.isOffset()) {
                to.addOffset(slot, offset);
            } else {
                to.addNumber(slot, each.bytes(), type.number(slot), each.absent());
            }
        }
        return to.endTable();
    }

    private int typeIds(TypeParameters type, int slot) {
        int[] ids =
                IntStream.range(0, type.count(slot))
                        .map(i -> (int) type.element(slot, i))
                        .toArray();
        return to.createVector(ids, 0, ids.length);
    }

    private int dictionary(DictionaryInfo dictionary) {
        int indexType = dictionary.implicitIndexType() ? 0 : parameters(dictionary.indexType());
        int isOrdered = dictionary.ordered() ? 1 : 0;
        return TableEncoder.create(
                to,
                "DictionaryEncoding",
                dictionary.id(),
                indexType,
                isOrdered,
                DictionaryKind.DENSE_ARRAY);
    }

    private int metadata(Metadata metadata) {
        int[] tables = new int[metadata.entries().size()];
        for (int i = 0; i < tables.length; i++) {
            Map.Entry<String, String> entry = metadata.entries().get(i);
            int key = entry.getKey() == null ? 0 : to.createString(entry.getKey());
            int value = entry.getValue() == null ? 0 : to.createString(entry.getValue());
            tables[i] = TableEncoder.createKeyValue(to, key, value);
        }
        return to.createOffsetVector(tables, 0, tables.length);
    }
}
