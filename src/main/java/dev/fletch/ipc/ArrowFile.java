// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.IpcFault.BLOCK_BODY_LENGTH;
import static dev.fletch.ipc.IpcFault.BLOCK_KIND;
import static dev.fletch.ipc.IpcFault.BLOCK_METADATA_LENGTH;
import static dev.fletch.ipc.IpcFault.BLOCK_NEGATIVE;
import static dev.fletch.ipc.IpcFault.BLOCK_OUT_OF_FILE;
import static dev.fletch.ipc.IpcFault.BLOCK_UNALIGNED;
import static dev.fletch.ipc.IpcFault.BLOCK_WITHOUT_MESSAGE;

import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Objects;

/// A file of messages, with a footer that says where each of them is.
///
/// ```text
///   0               "ARROW1", 2 bytes of padding
///   8               the messages, as in a stream; the first is the schema
///   footerOffset    flatbuffer `Footer`
///   size - 10       i32  footerLength
///   size - 6        "ARROW1"
/// ```
///
/// Any batch is opened by its place in the footer, in constant time: nothing but its block and its
/// own metadata is read, so a mapped file's bodies are never touched. All messages in a row are
/// opened by [#message], which follows the blocks too: between messages a file may have gaps, which
/// a scan of the bytes cannot cross. Offsets and lengths are in bytes, and 64 bits wide: a file may
/// have any size.
///
/// **Set-up.** Opening allocates this and a footer flyweight, the first [#message] behind the
/// schema 16 bytes per batch to put them in order; opening a message allocates nothing.
///
/// **Errors.** A file without magic at both ends, with a footer that does not fit or is no
/// flatbuffer, a block that leads out of the messages, is not aligned to 8 bytes or differs from
/// its message: an [ArrowFormatException]. The footer's version is not held against anything: files
/// of old writers leave it out. Each message's is.
///
/// **Lifetime and threads.** File, footer and all that is bound to them are valid until the memory
/// is freed; afterwards they throw an [IllegalStateException] or show what they decoded before.
/// They belong to one thread at a time. Others make files of their own over the same [#memory],
/// where its arena allows them to. Whoever shortens a mapped file takes bytes away from under its
/// readers, and the JVM then throws an [InternalError].
///
/// Source: the chapter "IPC File Format" of Arrow's columnar format; `format/File.fbs`.
public final class ArrowFile implements AutoCloseable {
    /// Offset of the first message.
    public static final int FIRST_MESSAGE_OFFSET = 8;

    /// Footer length and magic.
    private static final int TAIL_BYTES = Integer.BYTES + Words.MAGIC_BYTES;

    private final MemorySegment memory;
    // Null where somebody else frees the memory.
    private final Arena own;
    private final long footerOffset;
    private final int footerLength;
    private final Footer footer = new Footer();
    private final Block block = new Block();
    // Numbers of the blocks by offset; made when it is first asked for.
    private int[] order;

    private ArrowFile(MemorySegment memory, Arena own) {
        this.memory = memory;
        this.own = own;
        this.footerLength = footerLength(memory);
        this.footerOffset = memory.byteSize() - TAIL_BYTES - footerLength;
        try {
            footer.wrap(memory, footerOffset, footerLength);
        } catch (FlatBufferFormatException e) {
            throw ArrowFormatException.of(
                    IpcFault.FOOTER_MALFORMED,
                    Math.clamp(e.position(), footerOffset, footerOffset + footerLength),
                    "footerOffset=" + footerOffset + ", footerLength=" + footerLength,
                    e);
        }
    }

    // ---- opening

    /// Maps a file, which [#close] unmaps. Only the calling thread may use it; for several threads
    /// there is [#map] with a shared arena.
    ///
    /// @param path the file
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile open(Path path) throws IOException {
        final Arena arena = Arena.ofConfined();
        try {
            return new ArrowFile(mapped(path, arena), arena);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /// Maps a file for as long as an arena lives, also if an exception is thrown.
    ///
    /// @param path the file
    /// @param arena the caller's; [#close] leaves it alone
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile map(Path path, Arena arena) throws IOException {
        return new ArrowFile(mapped(path, arena), null);
    }

    /// Takes a segment for a file.
    ///
    /// @param file all of the file, from its first byte to its last
    /// @return the file
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile of(MemorySegment file) {
        return new ArrowFile(file, null);
    }

    private static MemorySegment mapped(Path path, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    /// Checks both ends.
    private static int footerLength(MemorySegment memory) {
        final long size = memory.byteSize();
        if (size == 0) {
            throw ArrowFormatException.of(IpcFault.EMPTY_INPUT, 0, "bytes", 0);
        }
        final int leastSize = FIRST_MESSAGE_OFFSET + TAIL_BYTES;
        if (size >= Long.BYTES
                && Words.firstBytes(Words.int64(memory, 0), Words.MAGIC_BYTES) != Words.MAGIC) {
            throw ArrowFormatException.of(IpcFault.NO_LEADING_MAGIC, 0, "size", size);
        }
        if (size <= leastSize) {
            throw ArrowFormatException.of(
                    IpcFault.FILE_TOO_SHORT, size, "size", size, "least", leastSize + 1);
        }
        final long magicAt = size - Words.MAGIC_BYTES;
        if (Words.int64(memory, size - Long.BYTES) >>> Short.SIZE != Words.MAGIC) {
            throw ArrowFormatException.of(IpcFault.NO_TRAILING_MAGIC, magicAt, "size", size);
        }
        final long lengthAt = size - TAIL_BYTES;
        final int length = Words.int32(memory, lengthAt);
        if (length <= 0 || length > lengthAt - FIRST_MESSAGE_OFFSET) {
            throw ArrowFormatException.of(
                    IpcFault.FOOTER_LENGTH,
                    lengthAt,
                    "footerLength",
                    length,
                    "limit",
                    lengthAt - FIRST_MESSAGE_OFFSET);
        }
        return length;
    }

    // ---- the footer

    /// {@return all of the file}
    public MemorySegment memory() {
        return memory;
    }

    /// {@return the footer, with the schema; always the same flyweight, which must not be bound to
    /// anything else}
    public Footer footer() {
        return footer;
    }

    /// {@return offset of the footer's first byte}
    public long footerOffset() {
        return footerOffset;
    }

    /// {@return length of the footer in bytes}
    public int footerLength() {
        return footerLength;
    }

    /// {@return number of record batches}
    public int recordBatchCount() {
        return footer.recordBatchesCount();
    }

    /// {@return number of dictionary batches}
    public int dictionaryCount() {
        return footer.dictionariesCount();
    }

    // ---- messages

    /// Opens a record batch.
    ///
    /// @param index from 0 to [#recordBatchCount] - 1, in the footer's order
    /// @param frame bound to where it lies
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws ArrowFormatException if the block or the message is wrong
    public void recordBatch(int index, EncapsulatedMessage frame, Message into) {
        footer.recordBatches(index, block);
        openBlock(MessageHeader.RECORD_BATCH, index, frame, into);
    }

    /// Opens a dictionary batch.
    ///
    /// @param index from 0 to [#dictionaryCount] - 1, in the footer's order
    /// @param frame bound to where it lies
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws ArrowFormatException if the block or the message is wrong
    public void dictionary(int index, EncapsulatedMessage frame, Message into) {
        footer.dictionaries(index, block);
        openBlock(MessageHeader.DICTIONARY_BATCH, index, frame, into);
    }

    /// {@return number of messages: the schema and all batches}
    public int messageCount() {
        return 1 + dictionaryCount() + recordBatchCount();
    }

    /// Opens a message by its place in the file: first the schema, then all batches in the order of
    /// their offsets, whatever the footer's.
    ///
    /// @param index from 0 to [#messageCount] - 1
    /// @param frame bound to where it lies
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such message
    /// @throws ArrowFormatException if the block or the message is wrong, or the file does not
    ///     begin with a schema
    public void message(int index, EncapsulatedMessage frame, Message into) {
        Objects.checkIndex(index, messageCount());
        if (index == 0) {
            openSchema(frame, into);
            return;
        }
        if (order == null) {
            order = BlockOrder.of(footer);
        }
        final int number = order[index - 1];
        final int dictionaries = dictionaryCount();
        if (number < dictionaries) {
            dictionary(number, frame, into);
        } else {
            recordBatch(number - dictionaries, frame, into);
        }
    }

    /// Unmaps the file if [#open] has mapped it; else does nothing. A second time does nothing.
    @Override
    public void close() {
        if (own != null && own.scope().isAlive()) {
            own.close();
        }
    }

    private void openSchema(EncapsulatedMessage frame, Message into) {
        final FrameKind kind = frame.wrap(memory, FIRST_MESSAGE_OFFSET, footerOffset, into);
        if (kind != FrameKind.MESSAGE || into.headerType() != MessageHeader.SCHEMA) {
            throw ArrowFormatException.of(
                    IpcFault.NO_LEADING_SCHEMA,
                    FIRST_MESSAGE_OFFSET,
                    kind == FrameKind.MESSAGE
                            ? "kind=" + MessageHeader.name(into.headerType())
                            : "found=" + kind);
        }
        frame.nextOffset();
    }

    /// Opens the message of [#block].
    private void openBlock(int headerType, int index, EncapsulatedMessage frame, Message into) {
        final long at = block.offset();
        final int metadataBytes = block.metaDataLength();
        final long bodyBytes = block.bodyLength();
        final long all = at | metadataBytes | bodyBytes;
        if (all < 0) {
            throw wrongBlock(BLOCK_NEGATIVE, headerType, index, "");
        }
        if (all % Long.BYTES != 0) {
            throw wrongBlock(BLOCK_UNALIGNED, headerType, index, "");
        }
        if (at < FIRST_MESSAGE_OFFSET
                || metadataBytes > footerOffset - at
                || bodyBytes > footerOffset - at - metadataBytes) {
            throw wrongBlock(BLOCK_OUT_OF_FILE, headerType, index, "footer=" + footerOffset);
        }
        if (frame.prefix(memory, at, footerOffset) != FrameKind.MESSAGE) {
            throw wrongBlock(BLOCK_WITHOUT_MESSAGE, headerType, index, "found=" + frame.kind());
        }
        final long found = frame.bodyOffset() - at;
        if (found != metadataBytes) {
            throw wrongBlock(BLOCK_METADATA_LENGTH, headerType, index, "found=" + found);
        }
        frame.metadata(into);
        checkMessage(headerType, index, frame, into);
    }

    private void checkMessage(int headerType, int index, EncapsulatedMessage frame, Message into) {
        if (frame.bodyLength() != block.bodyLength()) {
            throw wrongBlock(BLOCK_BODY_LENGTH, headerType, index, "found=" + frame.bodyLength());
        }
        if (into.headerType() != headerType) {
            final String kind = MessageHeader.name(into.headerType());
            throw wrongBlock(BLOCK_KIND, headerType, index, "found=" + kind);
        }
    }

    /// The offset of the fault is that of the block, in the footer.
    private ArrowFormatException wrongBlock(
            IpcFault fault, int headerType, int index, String more) {
        final boolean dictionary = headerType == MessageHeader.DICTIONARY_BATCH;
        final String text =
                "block=%s[%d], blockOffset=%d, metaDataLength=%d, bodyLength=%d"
                        .formatted(
                                dictionary ? "dictionaries" : "recordBatches",
                                index,
                                block.offset(),
                                block.metaDataLength(),
                                block.bodyLength());
        return ArrowFormatException.of(
                fault, block.position(), more.isEmpty() ? text : text + ", " + more);
    }
}
