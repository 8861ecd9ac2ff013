// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Schema;

/// Writes footers again.
final class EmitFooters {
    /// What arrow-java adds in which order.
    private static final long JAVA_FOOTER_SLOTS =
            EmitSlots.of(
                    Footer.SCHEMA_SLOT,
                    Footer.DICTIONARIES_SLOT,
                    Footer.RECORD_BATCHES_SLOT,
                    Footer.CUSTOM_METADATA_SLOT,
                    Footer.VERSION_SLOT);

    private final Emission out;
    private final EmitKeyValues keyValues;
    private final EmitSchemas schemas;
    private final Schema schema = new Schema();
    private final long footerSlots;

    EmitFooters(Emission out, EmitKeyValues keyValues, EmitSchemas schemas) {
        this.out = out;
        this.keyValues = keyValues;
        this.schemas = schemas;
        footerSlots = out.order.slots("Footer", JAVA_FOOTER_SLOTS);
    }

    int of(Footer source, MetadataEdit edit) {
        final int columns = source.schema(schema) ? schemas.of(schema, edit) : 0;
        final int dictionaries = dictionaries(source, edit);
        final int recordBatches = recordBatches(source, edit);
        final int metadata =
                keyValues.of(
                        source,
                        Footer.CUSTOM_METADATA_SLOT,
                        source.customMetadataCount(),
                        edit.customMetadata());
        out.startTable();
        for (long o = footerSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            switch (slot) {
                case Footer.VERSION_SLOT -> version(source, edit);
                case Footer.SCHEMA_SLOT -> out.writer.addOffset(slot, columns);
                case Footer.DICTIONARIES_SLOT -> out.writer.addOffset(slot, dictionaries);
                case Footer.RECORD_BATCHES_SLOT -> out.writer.addOffset(slot, recordBatches);
                default -> out.writer.addOffset(slot, metadata);
            }
        }
        return out.endTable();
    }

    /// Writes a footer around a schema.
    int around(Schema source, int version, MetadataEdit edit) {
        final int columns = schemas.of(source, edit);
        final int dictionaries = blocks(edit.dictionaries());
        final int recordBatches = blocks(edit.recordBatches());
        final int metadata = keyValues.added(edit.customMetadata());
        out.startTable();
        for (long o = footerSlots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            switch (EmitSlots.first(o)) {
                case Footer.VERSION_SLOT -> FooterEncoder.addVersion(out.writer, version);
                case Footer.SCHEMA_SLOT -> FooterEncoder.addSchema(out.writer, columns);
                case Footer.DICTIONARIES_SLOT ->
                        FooterEncoder.addDictionaries(out.writer, dictionaries);
                case Footer.RECORD_BATCHES_SLOT ->
                        FooterEncoder.addRecordBatches(out.writer, recordBatches);
                default -> FooterEncoder.addCustomMetadata(out.writer, metadata);
            }
        }
        return out.endTable();
    }

    private void version(Footer source, MetadataEdit edit) {
        if (edit.changesVersion()) {
            FooterEncoder.addVersion(out.writer, edit.version());
        } else {
            out.int16(source, Footer.VERSION_SLOT, source.version());
        }
    }

    private int dictionaries(Footer source, MetadataEdit edit) {
        if (edit.dictionaries() != null) {
            return blocks(edit.dictionaries());
        }
        if (!source.isPresent(Footer.DICTIONARIES_SLOT)) {
            return 0;
        }
        final int count = source.dictionariesCount();
        final long[] numbers = out.numbers(count, Block.BYTES / Long.BYTES);
        source.copyDictionaries(numbers, 0);
        return BlockEncoder.createVector(out.writer, numbers, 0, count);
    }

    private int recordBatches(Footer source, MetadataEdit edit) {
        if (edit.recordBatches() != null) {
            return blocks(edit.recordBatches());
        }
        if (!source.isPresent(Footer.RECORD_BATCHES_SLOT)) {
            return 0;
        }
        final int count = source.recordBatchesCount();
        final long[] numbers = out.numbers(count, Block.BYTES / Long.BYTES);
        source.copyRecordBatches(numbers, 0);
        return BlockEncoder.createVector(out.writer, numbers, 0, count);
    }

    /// Writes a vector of blocks, which is there even without any, as all producers do.
    private int blocks(MetadataEdit.Blocks from) {
        return from == null
                ? BlockEncoder.createVector(out.writer, out.numbers(0, 1), 0, 0)
                : BlockEncoder.createVector(out.writer, from.numbers(), from.from(), from.count());
    }
}
