// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.KeyValueEdit;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/// What a file's footer will have in it.
final class FileFooter {
    /// Blocks of one kind, three numbers each, as the footer's encoder takes them.
    static final class Blocks {
        private static final int LONGS = Block.BYTES / Long.BYTES;
        private static final int INITIAL = 16;

        private long[] numbers = new long[LONGS * INITIAL];
        private int count;

        void expect(int blocks) {
            if (blocks < 0 || blocks > Integer.MAX_VALUE / Block.BYTES) {
                throw new IllegalArgumentException("number of batches: count=" + blocks);
            }
            if (blocks > numbers.length / LONGS) {
                numbers = Arrays.copyOf(numbers, LONGS * blocks);
            }
        }

        void add(long offset, int metadataBytes, long bodyBytes) {
            if (count == numbers.length / LONGS) {
                expect(2 * count);
            }
            numbers[LONGS * count] = offset;
            numbers[LONGS * count + 1] = metadataBytes;
            numbers[LONGS * count + 2] = bodyBytes;
            count++;
        }

        int count() {
            return count;
        }
    }

    final Blocks dictionaries = new Blocks();
    final Blocks recordBatches = new Blocks();
    EmissionOrder order = EmissionOrder.ARROW_JAVA;

    /// The file's first message.
    byte[] schemaMessage;

    /// Key/value pairs of the footer itself, or null.
    KeyValueEdit metadata;

    /// The footer to take all but the blocks from, or null.
    Footer like;

    /// Encodes the footer.
    ///
    /// @throws IllegalArgumentException if the one to take from is that of another schema
    MemorySegment encode() {
        final Message message = new Message().wrap(MemorySegment.ofArray(schemaMessage));
        final Schema schema = new Schema();
        message.header(schema);
        if (like != null) {
            checkLike(message.version(), schema);
        }
        final MetadataEdit edit = new MetadataEdit().customMetadata(metadata);
        if (isWanted(Footer.DICTIONARIES_SLOT, dictionaries)) {
            edit.dictionaries(dictionaries.numbers, 0, dictionaries.count);
        }
        if (isWanted(Footer.RECORD_BATCHES_SLOT, recordBatches)) {
            edit.recordBatches(recordBatches.numbers, 0, recordBatches.count);
        }
        final FlatBufferWriter buffer = FlatBufferWriter.growing(order.dialect()).reset();
        final MetadataWriter writer = new MetadataWriter(order, buffer);
        if (like == null) {
            writer.schemaFooter(schema, message.version(), edit);
        } else {
            writer.footer(like, edit);
        }
        return buffer.segment();
    }

    /// Old writers leave the footer's version out, so an absent one is not compared.
    private void checkLike(int version, Schema schema) {
        if (like.isPresent(Footer.VERSION_SLOT) && like.version() != version) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "footer is of another version: footer=%s, written=%s",
                            SupportedVersions.name(like.version()),
                            SupportedVersions.name(version)));
        }
        final Schema other = new Schema();
        if (!like.schema(other)) {
            throw new IllegalArgumentException("footer has no schema");
        }
        if (content(schema).mismatch(content(other)) >= 0) {
            throw new IllegalArgumentException(
                    "footer has another schema than the one that was written");
        }
    }

    /// A schema's content alone: without what its producer decided about order and padding.
    private static MemorySegment content(Schema schema) {
        final FlatBufferWriter buffer =
                FlatBufferWriter.growing(EmissionOrder.ARROW_JAVA.dialect()).reset();
        new MetadataWriter(EmissionOrder.ARROW_JAVA, buffer).schema(schema);
        return buffer.segment();
    }

    /// A vector without blocks is absent only where it is in another file's footer.
    private boolean isWanted(int slot, Blocks blocks) {
        return like == null || blocks.count != 0 || like.isPresent(slot);
    }
}
