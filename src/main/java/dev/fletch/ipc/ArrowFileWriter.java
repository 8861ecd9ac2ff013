// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.Footer;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.KeyValueEdit;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// Writes a file: magic, messages, the mark that ends them, footer, magic. It needs not go back, so
/// any channel will do.
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
/// **Allocation.** Besides what [MessageWriter] tells, 24 bytes per batch for the footer's blocks,
/// in arrays that double; [#expect] makes them large enough at once. A copy of the schema is kept,
/// and [#finish] allocates the footer.
///
/// Checks, failures, threads: see [MessageWriter].
///
/// Source: the chapter "IPC File Format" of Arrow's columnar format; `format/File.fbs`.
public final class ArrowFileWriter extends MessageWriter {
    private static final int LEAD_PADDING_BYTES = Long.BYTES - Words.MAGIC_BYTES;

    private final FileFooter footer = new FileFooter();

    private ArrowFileWriter(MessageOutput output) {
        super(output, true);
    }

    /// Writes to a channel, from where it stands; that is where offsets count from, so it should be
    /// the channel's beginning.
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

    /// Writes to memory, in which no body must lie that is written there. Nothing outside what
    /// [#position] counts is changed.
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

    /// Has bodies begin at multiples of a number of bytes, counted from the file's first byte; 8
    /// unless this says otherwise. What is inside a body is the caller's: see [BodyParts].
    /// The format recommends 64.
    ///
    /// @param bytes a power of two from 8 to 4096
    /// @return this
    /// @throws IllegalArgumentException if it is not
    /// @throws IllegalStateException if something was written already
    public ArrowFileWriter alignment(int bytes) {
        setAlignment(bytes);
        return this;
    }

    /// Leaves out continuation words, as writers before 0.15.0 did.
    ///
    /// @param legacy whether to
    /// @return this
    /// @throws IllegalStateException if something was written already
    public ArrowFileWriter legacyPrefix(boolean legacy) {
        setLegacyPrefix(legacy);
        return this;
    }

    /// Tells whose bytes the footer has; [EmissionOrder#ARROW_JAVA] unless this says otherwise.
    ///
    /// @param order a producer's order
    /// @return this
    public ArrowFileWriter footerOrder(EmissionOrder order) {
        footer.order = Objects.requireNonNull(order, "order");
        return this;
    }

    /// Gives the footer key/value pairs of its own, besides those of the schema.
    ///
    /// @param pairs what to change; null for nothing
    /// @return this
    public ArrowFileWriter footerMetadata(KeyValueEdit pairs) {
        footer.metadata = pairs;
        return this;
    }

    /// Makes room for the blocks of batches to come.
    ///
    /// @param dictionaryBatches how many dictionary batches there will be, at most
    /// @param recordBatches how many record batches there will be, at most
    /// @return this
    public ArrowFileWriter expect(int dictionaryBatches, int recordBatches) {
        footer.dictionaries.expect(dictionaryBatches);
        footer.recordBatches.expect(recordBatches);
        return this;
    }

    /// Finishes the file with the footer of another one that has the same schema: its version,
    /// schema and key/value pairs as they are there, with the blocks of this file. Else as
    /// [#finish()], which makes the footer of the schema that was written. Schemas are the same if
    /// they hold the same, in whatever order it lies; a default that is spelled out is not the same
    /// as one that is left out. After a refusal the file can be finished in another way.
    ///
    /// @param like the other file's footer
    /// @throws IOException if the target fails
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if the target has no room for it
    /// @throws dev.fletch.format.write.RewriteException if the footer cannot be written again
    /// @throws dev.fletch.FlatBufferFormatException if the footer is malformed
    /// @throws IllegalArgumentException if it has no schema, another one, or a version other than
    ///     that of the schema's message; one that leaves its version out, as old writers did, does
    ///     not
    /// @throws IllegalStateException if there was no message, or the writer was closed or has
    ///     failed
    public void finish(Footer like) throws IOException {
        footer.like = like;
        try {
            finish();
        } finally {
            footer.like = null;
        }
    }

    /// {@return number of record batches that were written}
    public int recordBatchCount() {
        return footer.recordBatches.count();
    }

    /// {@return number of dictionary batches that were written}
    public int dictionaryCount() {
        return footer.dictionaries.count();
    }

    // ---- what is around the messages

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
        footer.schemaMessage = memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    void addBlock(int kind, long start, int head, long bodyBytes) {
        final boolean isDictionary = kind == MessageHeader.DICTIONARY_BATCH;
        (isDictionary ? footer.dictionaries : footer.recordBatches).add(start, head, bodyBytes);
    }

    @Override
    void trail(MessageFrame into) {
        final MemorySegment bytes = footer.encode();
        final int length = (int) bytes.byteSize();
        into.put(bytes, 0, length).putInt32(length).putBytes(Words.MAGIC, Words.MAGIC_BYTES);
    }
}
