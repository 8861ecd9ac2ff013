// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryKind;
import dev.fletch.format.Schema;
import dev.fletch.format.write.DictionaryEncodingEncoder;
import dev.fletch.format.write.FieldEncoder;
import dev.fletch.format.write.IntEncoder;
import dev.fletch.format.write.KeyValueEncoder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.SchemaEncoder;

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
        to.finish(SchemaEncoder.create(to, schema.endianness().id(), fields, metadata, features));
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
        int type = TypeTables.write(field.type(), to);
        int dictionary = field.dictionary() == null ? 0 : dictionary(field.dictionary());
        int children = field.omitted().contains(Omitted.CHILDREN) ? 0 : fields(field.children());
        int metadata = field.omitted().contains(Omitted.METADATA) ? 0 : metadata(field.metadata());
        return FieldEncoder.create(
                to,
                name,
                field.isNullable(),
                TypeTables.id(field.type()),
                type,
                dictionary,
                children,
                metadata);
    }

    private int dictionary(DictionaryInfo dictionary) {
        ArrowType.Int indexes = dictionary.indexType();
        int indexType =
                dictionary.implicitIndexType()
                        ? 0
                        : IntEncoder.create(to, indexes.bitWidth(), indexes.isSigned());
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
