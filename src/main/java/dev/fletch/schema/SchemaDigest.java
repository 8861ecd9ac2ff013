// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// A digest of exactly the properties that [SchemaDiff] compares.
final class SchemaDigest {
    private final MessageDigest digest;
    private final boolean hasMetadata;

    private SchemaDigest(boolean hasMetadata) {
        this.hasMetadata = hasMetadata;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The digest of a schema, as hexadecimal digits.
    static String of(ArrowSchema schema, boolean hasMetadata) {
        SchemaDigest all = new SchemaDigest(hasMetadata);
        all.add(SchemaDiff.endianness(schema));
        all.add(SchemaDiff.features(schema));
        all.add(schema.metadata());
        all.add(schema.fields(), SchemaDiff.Match.BY_NAME, false);
        return HexFormat.of().formatHex(all.digest.digest());
    }

    /// Adds siblings.
    ///
    /// @param areEntries whether they are children of maps
    private void add(List<ArrowField> fields, SchemaDiff.Match match, boolean areEntries) {
        add(fields.size());
        for (ArrowField field : fields) {
            ArrowType type = SchemaDiff.explicit(field.type());
            add(match == SchemaDiff.Match.BY_PLACE ? null : field.name());
            add(type.toString());
            if (type instanceof ArrowType.Timestamp(var _, String timezone)) {
                add(timezone); // the type has the same text for none and for "null"
            }
            add(SchemaDiff.nullability(field));
            add(SchemaDiff.dictionary(field));
            add(field.metadata());
            add(
                    field.children(),
                    SchemaDiff.match(type, type, areEntries),
                    type instanceof ArrowType.Map);
        }
    }

    private void add(Metadata metadata) {
        if (!hasMetadata) {
            return;
        }
        TreeMap<String, List<String>> sorted = new TreeMap<>(metadata.byKey());
        add(sorted.size());
        sorted.forEach(
                (key, values) -> {
                    add(key);
                    add(values.size());
                    values.forEach(this::add);
                });
    }

    /// Adds a text with its length, so that different lists of texts have different bytes.
    private void add(String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
        add(text == null ? -1 : bytes.length);
        digest.update(bytes);
    }

    private void add(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }
}
