// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.Timestamp;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Reads one schema from its bytes, which [dev.fletch.format.internal.SchemaCheck] has checked.
final class SchemaReader {
    /// Replaces malformed bytes in decoded text.
    private static final char REPLACEMENT = '\uFFFD';

    // Whether text that is not UTF-8 is read with escapes; else it is refused.
    private final boolean escapes;
    private final AnyTable type = new AnyTable();
    private final AnyTable keyValue = new AnyTable();
    private final AnyTable encoding = new AnyTable();
    private final Utf8Slice slice = new Utf8Slice();

    SchemaReader(boolean escapes) {
        this.escapes = escapes;
    }

    ArrowSchema schema(Schema flyweight) {
        AnyTable schema = new AnyTable().bind(flyweight, "Schema");
        long endianness = schema.number(Schema.ENDIANNESS_SLOT);
        Metadata metadata = metadata(null, schema, Schema.CUSTOM_METADATA_SLOT);
        List<Long> features = new ArrayList<>();
        for (int i = 0; i < schema.count(Schema.FEATURES_SLOT); i++) {
            features.add(schema.element(Schema.FEATURES_SLOT, i));
        }
        return new ArrowSchema(
                endianness == Endianness.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                fields(null, schema, Schema.FIELDS_SLOT),
                metadata,
                features,
                AbsentSlots.of(
                        schema,
                        Schema.FIELDS_SLOT,
                        Schema.CUSTOM_METADATA_SLOT,
                        Schema.FEATURES_SLOT));
    }

    private List<ArrowField> fields(FieldPath parent, AnyTable owner, int slot) {
        int count = owner.count(slot);
        if (count == 0) {
            return List.of();
        }
        List<ArrowField> fields = new ArrayList<>();
        AnyTable field = new AnyTable();
        for (int i = 0; i < count; i++) {
            owner.table(slot, i, field);
            fields.add(field(parent, field));
        }
        return fields;
    }

    private ArrowField field(FieldPath parent, AnyTable field) {
        String decoded = decoded(field, Field.NAME_SLOT);
        String name = decoded == null ? "" : decoded;
        FieldPath path = parent == null ? FieldPath.of(name) : parent.child(name);
        requireUtf8(path, field, Field.NAME_SLOT, decoded, "name");
        ArrowType arrowType = type(path, field);
        DictionaryInfo dictionary = dictionary(field);
        Metadata metadata = metadata(path, field, Field.CUSTOM_METADATA_SLOT);
        return new ArrowField(
                name,
                arrowType,
                field.number(Field.NULLABLE_SLOT) != 0,
                dictionary,
                fields(path, field, Field.CHILDREN_SLOT),
                metadata,
                AbsentSlots.of(
                        field, Field.NAME_SLOT, Field.CHILDREN_SLOT, Field.CUSTOM_METADATA_SLOT));
    }

    private ArrowType type(FieldPath path, AnyTable field) {
        int id = (int) field.number(Field.TYPE_TYPE_SLOT);
        field.table(Field.TYPE_SLOT, type); // may be absent if it has no parameters
        ArrowType read = TypeValues.type(id, type, field.count(Field.CHILDREN_SLOT));
        return read instanceof ArrowType.Timestamp(ArrowType.TimeResolution unit, _)
                ? new ArrowType.Timestamp(
                        unit, text(path, type, Timestamp.TIMEZONE_SLOT, "timezone"))
                : read;
    }

    private DictionaryInfo dictionary(AnyTable field) {
        if (!field.table(Field.DICTIONARY_SLOT, encoding)) {
            return null;
        }
        long id = encoding.number(DictionaryEncoding.ID_SLOT);
        boolean isOrdered = encoding.number(DictionaryEncoding.IS_ORDERED_SLOT) != 0;
        if (!encoding.table(DictionaryEncoding.INDEX_TYPE_SLOT, type)) {
            return DictionaryInfo.implicit(id, isOrdered);
        }
        ArrowType.Int indexType = (ArrowType.Int) TypeValues.type(Type.INT, type, 0);
        return new DictionaryInfo(id, indexType, isOrdered, false);
    }

    private Metadata metadata(FieldPath path, AnyTable owner, int slot) {
        int count = owner.count(slot);
        if (count == 0) {
            return Metadata.EMPTY;
        }
        List<String> keysAndValues = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            owner.table(slot, i, keyValue);
            keysAndValues.add(text(path, keyValue, KeyValue.KEY_SLOT, "metadata key"));
            keysAndValues.add(text(path, keyValue, KeyValue.VALUE_SLOT, "metadata value"));
        }
        return Metadata.of(keysAndValues.toArray(String[]::new));
    }

    // ---- text

    /// {@return a text; null if absent}
    private String text(FieldPath path, AnyTable from, int slot, String parameter) {
        String text = decoded(from, slot);
        requireUtf8(path, from, slot, text, parameter);
        return text;
    }

    private String decoded(AnyTable from, int slot) {
        if (!from.string(slot, slice)) {
            return null;
        }
        String text = slice.toString();
        return escapes && isMalformed(text) ? escaped(slice.toByteArray()) : text;
    }

    /// Whether the text of the slice has lost bytes that are not UTF-8.
    private boolean isMalformed(String text) {
        return text.indexOf(REPLACEMENT) >= 0 && !slice.contentEquals(text);
    }

    /// The text of bytes, with `\xff` for each byte that is not UTF-8.
    private static String escaped(byte[] text) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(text);
        CharBuffer chars = CharBuffer.allocate(text.length);
        StringBuilder out = new StringBuilder();
        while (true) {
            CoderResult end = decoder.decode(bytes, chars, true);
            out.append(chars.flip());
            if (!end.isError()) {
                return out.toString();
            }
            for (int i = 0; i < end.length(); i++) {
                out.append("\\x").append(HexFormat.of().toHexDigits(bytes.get()));
            }
            chars.clear();
        }
    }

    /// Rejects malformed bytes, which would change when the schema is written.
    ///
    /// @param text the latest result of [#decoded]
    private void requireUtf8(
            FieldPath path, AnyTable from, int slot, String text, String parameter) {
        if (text == null || escapes || !isMalformed(text)) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(slice.toByteArray());
        CharBuffer chars = CharBuffer.allocate(bytes.capacity());
        StandardCharsets.UTF_8.newDecoder().decode(bytes, chars, true);
        throw new InvalidSchemaException(
                "text must be UTF-8",
                path,
                from.targetPosition(slot) + Integer.BYTES + bytes.position(),
                parameter,
                text);
    }
}
