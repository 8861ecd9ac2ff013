// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The footer of a file while it is written: schema and blocks. The schema is always that of the
/// first message.
final class FileFooter {
    private static final EmissionOrder ORDER = EmissionOrder.ARROW_JAVA;

    private final Blocks dictionaries = new Blocks();
    private final Blocks recordBatches = new Blocks();
    // The file's first message.
    byte[] schemaMessage;

    /// Blocks of one kind, as three numbers each: the form that [MetadataEdit] takes.
    private static final class Blocks {
        private static final int LONGS = Block.BYTES / Long.BYTES;

        private long[] numbers = new long[LONGS * 16];
        private int count;

        void add(long offset, long metadataBytes, long bodyBytes) {
            int position = LONGS * count;
            if (position == numbers.length) {
                numbers = Arrays.copyOf(numbers, Math.multiplyExact(2, position));
            }
            numbers[position] = offset;
            numbers[position + 1] = metadataBytes;
            numbers[position + 2] = bodyBytes;
            count++;
        }
    }

    /// Adds the block of a batch.
    ///
    /// @param kind one of [MessageHeader]
    void addBlock(int kind, long offset, long metadataBytes, long bodyBytes) {
        (kind == MessageHeader.DICTIONARY_BATCH ? dictionaries : recordBatches)
                .add(offset, metadataBytes, bodyBytes);
    }

    /// Encodes the footer.
    ///
    /// @param like a footer to copy except for its schema and blocks, or null
    MemorySegment encode(Footer like) {
        Message message = new Message().wrap(MemorySegment.ofArray(schemaMessage));
        Schema schema = new Schema();
        message.header(schema);
        if (like != null) {
            checkLike(like, message.version(), schema);
        }
        MetadataEdit edit = new MetadataEdit();
        // An empty vector is omitted only if the copied footer omits it.
        if (like == null || dictionaries.count != 0 || like.isPresent(Footer.DICTIONARIES_SLOT)) {
            edit.dictionaries(dictionaries.numbers, 0, dictionaries.count);
        }
        if (like == null
                || recordBatches.count != 0
                || like.isPresent(Footer.RECORD_BATCHES_SLOT)) {
            edit.recordBatches(recordBatches.numbers, 0, recordBatches.count);
        }
        FlatBufferWriter buffer = ORDER.newWriter().reset();
        MetadataWriter writer = new MetadataWriter(ORDER, buffer).limits(SchemaSize.OF_WRITERS);
        if (like == null) {
            edit.footerMetadata(new CustomMetadata().addAll(message));
            writer.schemaFooter(schema, message.version(), edit);
        } else {
            writer.footer(like, edit.footerSchema(schema));
        }
        return buffer.segment();
    }

    private static void checkLike(Footer like, int version, Schema schema) {
        if (VersionCheck.isStated(like) && like.version() != version) {
            String footer = "footer=" + VersionCheck.name(like.version());
            String written = "written=" + VersionCheck.name(version);
            throw new IllegalArgumentException(
                    "footer version differs from the schema message: " + footer + ", " + written);
        }
        Schema other = new Schema();
        if (!like.schema(other)) {
            throw new IllegalArgumentException("footer has no schema");
        }
        if (content(schema).mismatch(content(other)) >= 0) {
            throw new IllegalArgumentException("footer schema differs from the written schema");
        }
    }

    /// A schema's content, independent of its producer's order and padding, without custom
    /// metadata.
    private static MemorySegment content(Schema schema) {
        FlatBufferWriter buffer = ORDER.newWriter().reset();
        new MetadataWriter(ORDER, buffer)
                .limits(SchemaSize.OF_WRITERS)
                .schema(schema, new MetadataEdit().dropSchemaMetadata());
        return buffer.segment();
    }
}
