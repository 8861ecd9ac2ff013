// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.KeyValueEdit;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// Writes a file: magic, messages, end mark, footer, magic. It never goes back, so any channel will do.
///
/// ```java
/// try (ArrowFileWriter writer = ArrowFileWriter.of(FileChannel.open(path, CREATE_NEW, WRITE))) {
///     for (int i = 0; i < file.messageCount(); i++) {
///         file.message(i, frame, message);
///         writer.copy(file.memory(), frame);
///     }
///     writer.finish(file.footer());
/// }
/// ```
///
/// **Allocation.** Besides what [MessageWriter] says, 24 bytes per batch for the footer's blocks, in arrays
/// that double; [#expect] makes them large enough at once. A copy of the schema is kept, and [#finish]
/// allocates the footer.
///
/// Checks, failures, threads: see [MessageWriter]. Settings before the first message throw an
/// [IllegalStateException] after it.
///
/// Source: the chapter "IPC File Format" of Arrow's columnar format; `format/File.fbs`.
public final class ArrowFileWriter extends MessageWriter {
    private static final int LEAD_PADDING_BYTES = Long.BYTES - Words.MAGIC_BYTES;

    private final Blocks dictionaries = new Blocks();
    private final Blocks recordBatches = new Blocks();
    private EmissionOrder order = EmissionOrder.ARROW_JAVA;
    // The file's first message.
    private byte[] schemaMessage;
    // Key/value pairs of the footer itself, or null.
    private KeyValueEdit metadata;

    /// Blocks of one kind, three numbers each, as the footer's encoder takes them.
    private static final class Blocks {
        private static final int LONGS = Block.BYTES / Long.BYTES;

        private long[] numbers = new long[LONGS * 16];
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
    }

    private ArrowFileWriter(MessageOutput output) {
        super(output, true);
    }

    /// Writes to a channel, from its current position. Offsets count from there, so it should be the
    /// channel's beginning.
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    /// @return a writer before its first message
    public static ArrowFileWriter of(WritableByteChannel channel) {
        return new ArrowFileWriter(output(channel));
    }

    /// Writes to an output stream. A [java.io.FileOutputStream] is written through its channel.
    ///
    /// @param out any stream; closed by [#close]
    /// @return a writer before its first message
    public static ArrowFileWriter of(OutputStream out) {
        return new ArrowFileWriter(output(out));
    }

    /// Writes to memory, which must not hold the bodies. Only the bytes that [#position] counts change.
    ///
    /// @param memory any kind of memory that can be written to
    /// @param at byte offset of the file's first byte
    /// @return a writer before its first message
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws IllegalArgumentException if `memory` is read-only
    public static ArrowFileWriter of(MemorySegment memory, long at) {
        return new ArrowFileWriter(output(memory, at));
    }

    // ---- settings

    /// Aligns bodies, counted from the file's first byte; to 8 bytes by default. The format recommends 64.
    /// [BodyParts] aligns what is inside a body.
    ///
    /// @param bytes a power of two from 8 to 4096
    /// @return this
    /// @throws IllegalArgumentException if it is not
    public ArrowFileWriter alignment(int bytes) {
        setAlignment(bytes);
        return this;
    }

    /// Leaves out continuation words, as writers before 0.15.0 did.
    ///
    /// @param legacy whether to
    /// @return this
    public ArrowFileWriter legacyPrefix(boolean legacy) {
        setLegacyPrefix(legacy);
        return this;
    }

    /// Sets the producer whose bytes the footer has; [EmissionOrder#ARROW_JAVA] by default.
    ///
    /// @param like a producer's order
    /// @return this
    public ArrowFileWriter footerOrder(EmissionOrder like) {
        order = Objects.requireNonNull(like, "order");
        return this;
    }

    /// Gives the footer key/value pairs of its own, besides those of the schema.
    ///
    /// @param pairs what to change; null for nothing
    /// @return this
    public ArrowFileWriter footerMetadata(KeyValueEdit pairs) {
        metadata = pairs;
        return this;
    }

    /// Makes room for the blocks of batches to come.
    ///
    /// @param dictionaryBatches how many dictionary batches there will be, at most
    /// @param recordBatches how many record batches there will be, at most
    /// @return this
    public ArrowFileWriter expect(int dictionaryBatches, int recordBatches) {
        dictionaries.expect(dictionaryBatches);
        this.recordBatches.expect(recordBatches);
        return this;
    }

    /// Finishes the file with the footer of another one that has the same schema: its version, schema and
    /// key/value pairs as they are there, with the blocks of this file. [#finish()] makes the footer of the
    /// schema that was written instead. Schemas are the same if they have the same content, in any order; a
    /// default that is written is not the same as one that is left out. After a refusal the file can be
    /// finished in another way.
    ///
    /// @param like the other file's footer
    /// @throws IOException if the target fails
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if the target has no room for it
    /// @throws dev.fletch.format.write.RewriteException if the footer cannot be written again
    /// @throws dev.fletch.FlatBufferFormatException if the footer is malformed
    /// @throws IllegalArgumentException if it has no schema, another one, or another version than the
    ///     schema's message, unless the version is left out, as by old writers
    /// @throws IllegalStateException if there was no message, or the writer was closed or has failed
    public void finish(Footer like) throws IOException {
        finishLike(like);
    }

    /// {@return number of record batches that were written}
    public int recordBatchCount() {
        return recordBatches.count;
    }

    /// {@return number of dictionary batches that were written}
    public int dictionaryCount() {
        return dictionaries.count;
    }

    // ---- before and after the messages

    @Override
    int leadBytes() {
        return ArrowFile.FIRST_MESSAGE_OFFSET;
    }

    @Override
    void lead(MessageFrame into) {
        into.putBytes(Words.MAGIC, Words.MAGIC_BYTES).putZeros(LEAD_PADDING_BYTES);
    }

    @Override
    void keepSchema(MemorySegment memory, long at, int length) {
        schemaMessage = memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    void addBlock(int kind, long start, int head, long bodyBytes) {
        final boolean isDictionary = kind == MessageHeader.DICTIONARY_BATCH;
        (isDictionary ? dictionaries : recordBatches).add(start, head, bodyBytes);
    }

    @Override
    void trail(MessageFrame into, Footer like) {
        final MemorySegment bytes = encodeFooter(like);
        final int length = (int) bytes.byteSize();
        into.put(bytes, 0, length).putInt32(length).putBytes(Words.MAGIC, Words.MAGIC_BYTES);
    }

    // ---- the footer

    private MemorySegment encodeFooter(Footer like) {
        final Message message = new Message().wrap(MemorySegment.ofArray(schemaMessage));
        final Schema schema = new Schema();
        message.header(schema);
        if (like != null) {
            checkLike(like, message.version(), schema);
        }
        final MetadataEdit edit = new MetadataEdit().customMetadata(metadata);
        // A vector without blocks is absent only if it is absent in the other file's footer.
        if (like == null || dictionaries.count != 0 || like.isPresent(Footer.DICTIONARIES_SLOT)) {
            edit.dictionaries(dictionaries.numbers, 0, dictionaries.count);
        }
        if (like == null
                || recordBatches.count != 0
                || like.isPresent(Footer.RECORD_BATCHES_SLOT)) {
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
    private static void checkLike(Footer like, int version, Schema schema) {
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
}
