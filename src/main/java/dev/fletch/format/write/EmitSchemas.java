// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Schema;

/// Writes schemas again.
final class EmitSchemas {
    private final Emission out;
    private final EmitKeyValues keyValues;
    private final EmitFields fields;
    private final long schemaSlots;

    EmitSchemas(Emission out, EmitTypes types, EmitKeyValues keyValues) {
        this.out = out;
        this.keyValues = keyValues;
        fields = new EmitFields(out, types, keyValues);
        schemaSlots = out.order.slots("Schema");
    }

    int of(Schema source, MetadataEdit edit) {
        final int columns = fields.of(source, edit);
        final int metadata =
                keyValues.of(
                        source,
                        Schema.CUSTOM_METADATA_SLOT,
                        source.customMetadataCount(),
                        edit.schemaMetadata());
        final int features = source.isPresent(Schema.FEATURES_SLOT) ? features(source) : 0;
        out.startTable();
        for (long o = schemaSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Schema.ENDIANNESS_SLOT -> out.int16(source, slot, source.endianness());
                case Schema.FIELDS_SLOT -> out.writer.addOffset(slot, columns);
                case Schema.CUSTOM_METADATA_SLOT -> out.writer.addOffset(slot, metadata);
                default -> out.writer.addOffset(slot, features);
            }
        }
        return out.endTable();
    }

    private int features(Schema source) {
        final int count = source.featuresCount();
        final long[] numbers = out.numbers(count, 1);
        source.copyFeatures(numbers, 0);
        return out.writer.createVector(numbers, 0, count);
    }
}
