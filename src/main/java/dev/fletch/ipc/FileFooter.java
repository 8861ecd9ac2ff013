// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.Dialect;
import dev.fletch.flatbuf.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.EmissionOrder;
import dev.fletch.format.Footer;
import dev.fletch.format.FooterEncoder;
import dev.fletch.format.KeyValueEdit;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataEdit;
import dev.fletch.format.MetadataWriter;
import dev.fletch.format.Schema;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

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
    MemorySegment encode() {
        final Footer source = like == null ? footer() : like;
        final MetadataEdit edit = new MetadataEdit().customMetadata(metadata);
        if (isWanted(source, Footer.DICTIONARIES_SLOT, dictionaries)) {
            edit.dictionaries(dictionaries.numbers, 0, dictionaries.count);
        }
        if (isWanted(source, Footer.RECORD_BATCHES_SLOT, recordBatches)) {
            edit.recordBatches(recordBatches.numbers, 0, recordBatches.count);
        }
        final FlatBufferWriter writer = FlatBufferWriter.growing(order.dialect());
        new MetadataWriter(order, writer.reset()).footer(source, edit);
        return writer.segment();
    }

    /// A vector without blocks is absent only where it is in another file's footer.
    private boolean isWanted(Footer source, int slot, Blocks blocks) {
        return like == null || blocks.count != 0 || source.isPresent(slot);
    }

    /// Makes a footer around the schema as it lies in its message, of which all bytes come along as
    /// if they were a string's. That is for the writer to read, which follows offsets alone.
    private Footer footer() {
        final Message message = new Message().wrap(MemorySegment.ofArray(schemaMessage));
        final Schema schema = new Schema();
        message.header(schema);
        final FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.JAVA).reset();
        final int string = writer.createString(schemaMessage, 0, schemaMessage.length);
        final int table = string - Integer.BYTES - (int) schema.position();
        writer.finish(FooterEncoder.create(writer, message.version(), table, 0, 0, 0));
        return new Footer().wrap(writer.segment());
    }
}
