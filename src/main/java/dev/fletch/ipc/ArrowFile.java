// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.IpcRules.BLOCK_BODY_LENGTH;
import static dev.fletch.ipc.IpcRules.BLOCK_KIND;
import static dev.fletch.ipc.IpcRules.BLOCK_METADATA_LENGTH;
import static dev.fletch.ipc.IpcRules.BLOCK_NEGATIVE;
import static dev.fletch.ipc.IpcRules.BLOCK_OUT_OF_FILE;
import static dev.fletch.ipc.IpcRules.BLOCK_WITHOUT_MESSAGE;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
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
/// [#recordBatch] and [#dictionary] open a batch by its place in the footer, in constant time: they read
/// only its block and its own metadata. [#message] opens all messages in the order of their offsets, by their
/// blocks too, as a file may have gaps between messages. Offsets and lengths are in bytes, and 64 bits wide.
///
/// **Allocation.** Opening a file allocates this, its flyweights and a verifier; the first [#message]
/// after the schema about 24 bytes per batch, to sort them. Opening a message allocates nothing.
///
/// **Verification.** The footer, and each message that this opens, must pass this file's [ReadOptions],
/// not those of the caller's [EncapsulatedMessage]. [#verified] verifies a part of the footer that
/// [Verification#TOUCHED] has left out.
///
/// **Byte order.** If the options refuse foreign bodies, opening checks the footer's schema.
///
/// **Errors.** Opening a file or a message throws an [ArrowFormatException] if the magic is missing at
/// either end, the footer does not fit or does not verify, a block leads out of the messages, is not
/// aligned to 8 bytes or differs from its message, or the options refuse the message. Each message's
/// version is checked; the footer's is not, as files of old writers leave it out.
///
/// **Lifetime and threads.** File, footer and all that is bound to them are valid until the memory is
/// freed; afterwards they throw an [IllegalStateException] or show what they decoded before. They belong
/// to one thread at a time. Other threads make files of their own over the same [#memory], if its arena
/// allows it.
///
/// **A file that is shortened** while it is mapped loses bytes that readers still use. Opening the file or a
/// message then throws an [UnreadableFileException]. Later reads throw an [InternalError] of the JVM, a few
/// steps late in compiled code, so catch it around a whole batch; [#unreadable] makes the same exception of
/// it.
///
/// Source: the chapter "IPC File Format" of Arrow's columnar format; `format/File.fbs`.
public final class ArrowFile implements AutoCloseable {
    /// Offset of the first message.
    public static final int FIRST_MESSAGE_OFFSET = 8;

    /// `ARROW1`, at both ends of a file.
    static final long MAGIC = 0x3157_4F52_5241L;

    static final int MAGIC_BYTES = 6;

    /// Footer length and magic.
    static final int TAIL_BYTES = Integer.BYTES + MAGIC_BYTES;

    private static final int LEAST_BYTES = FIRST_MESSAGE_OFFSET + TAIL_BYTES + 1;

    private final MemorySegment memory;
    // Null if it is not known.
    private final Path path;
    // Null if the caller frees the memory.
    private final Arena own;
    private final long footerOffset;
    private final int footerLength;
    private final MetadataChecks checks;
    private final Footer footer = new Footer();
    private final Block block = new Block();
    private KnownSchema knownSchema;
    // Indexes of the blocks, sorted by offset; those of dictionaries come before those of record
    // batches. Made at the first use.
    private Integer[] order;
    private boolean isStartChecked;
    private boolean hasSchemaMessage;

    private ArrowFile(MemorySegment memory, Path path, Arena own, ReadOptions options) {
        this.memory = memory;
        this.path = path;
        this.own = own;
        this.checks = new MetadataChecks(options);
        try {
            this.footerLength = checkedFooterLength();
            this.footerOffset = memory.byteSize() - TAIL_BYTES - footerLength;
            openFooter();
        } catch (ArrowFormatException e) {
            throw e.in(path);
        } catch (InternalError | UnreadableFileException e) {
            throw named(0, e);
        }
    }

    /// Checks both ends of the file.
    private int checkedFooterLength() {
        final long size = memory.byteSize();
        if (size == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes", 0);
        }
        if (size >= Long.BYTES
                && Wire.lowBits(Wire.int64(memory, 0), MAGIC_BYTES * Byte.SIZE) != MAGIC) {
            throw ArrowFormatException.of(IpcRules.NO_LEADING_MAGIC, 0, "size", size);
        }
        if (size < LEAST_BYTES) {
            throw ArrowFormatException.of(
                    IpcRules.FILE_TOO_SHORT, size, "size", size, "least", LEAST_BYTES);
        }
        if (Wire.int64(memory, size - Long.BYTES) >>> Short.SIZE != MAGIC) {
            throw ArrowFormatException.of(
                    IpcRules.NO_TRAILING_MAGIC, size - MAGIC_BYTES, "size", size);
        }
        final long lengthAt = size - TAIL_BYTES;
        final int length = Wire.int32(memory, lengthAt);
        final long limit = lengthAt - FIRST_MESSAGE_OFFSET;
        if (length <= 0 || length > limit) {
            throw ArrowFormatException.of(
                    IpcRules.FOOTER_LENGTH, lengthAt, "footerLength", length, "limit", limit);
        }
        return length;
    }

    private void openFooter() {
        if (!checks.footer(memory, footerOffset, footerLength)) {
            throw invalid();
        }
        try {
            knownSchema =
                    checks.footerSchema(
                            footer.wrap(memory, footerOffset, footerLength), footerOffset);
        } catch (ArrowFormatException e) {
            throw e;
        } catch (FlatBufferFormatException e) {
            throw ArrowFormatException.of(
                    IpcRules.FOOTER_MALFORMED,
                    e.offset(),
                    "footerOffset=" + footerOffset + ", footerLength=" + footerLength,
                    e);
        }
    }

    private ArrowFormatException invalid() {
        final Fault fault = checks.fault();
        return ArrowFormatException.of(IpcRules.FOOTER_INVALID, fault.position(), fault).in(path);
    }

    // ---- opening

    /// [#open(Path, ReadOptions)] with [ReadOptions#DEFAULT].
    ///
    /// @param path the file
    /// @return the file
    /// @throws IOException if it cannot be read
    public static ArrowFile open(Path path) throws IOException {
        return open(path, ReadOptions.DEFAULT);
    }

    /// Maps a file, which [#close] unmaps. Only the calling thread may use it; several threads use [#map] with
    /// a shared arena.
    ///
    /// @param path the file
    /// @param options what footer and messages must pass
    /// @return the file
    /// @throws IOException if it cannot be read
    public static ArrowFile open(Path path, ReadOptions options) throws IOException {
        final Arena arena = Arena.ofConfined();
        try {
            return new ArrowFile(memoryOf(path, arena), path, arena, options);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /// Maps a file for as long as an arena lives, also if an exception is thrown.
    ///
    /// @param path the file
    /// @param arena the caller's; [#close] does not close it
    /// @param options what footer and messages must pass
    /// @return the file
    /// @throws IOException if it cannot be read
    public static ArrowFile map(Path path, Arena arena, ReadOptions options) throws IOException {
        return new ArrowFile(memoryOf(path, arena), path, null, options);
    }

    /// [#of(MemorySegment, ReadOptions)] with [ReadOptions#DEFAULT].
    ///
    /// @param file all of the file, from its first byte to its last
    /// @return the file
    public static ArrowFile of(MemorySegment file) {
        return of(file, ReadOptions.DEFAULT);
    }

    /// Opens a file in memory.
    ///
    /// @param file all of the file, from its first byte to its last
    /// @param options what footer and messages must pass
    /// @return the file
    public static ArrowFile of(MemorySegment file, ReadOptions options) {
        return new ArrowFile(file, null, null, options);
    }

    /// Maps all of a file. Some exceptions of the JDK do not name the file; all of these do.
    private static MemorySegment memoryOf(Path path, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            final String reason = Files.isDirectory(path) ? "is a directory" : e.getMessage();
            final var named = new FileSystemException(path.toString(), null, reason);
            named.initCause(e);
            throw named;
        }
    }

    // ---- the footer

    /// {@return all of the file}
    public MemorySegment memory() {
        return memory;
    }

    /// {@return the footer, with the schema; always the same flyweight, which must not be bound again}
    public Footer footer() {
        return footer;
    }

    /// {@return what is known of the footer's schema, if the options have a set of known schemas; null if
    /// the schema is not in the set, or the footer has none}
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// Verifies a part of the footer with all that is below it, if [Verification#TOUCHED] has left it out;
    /// else does nothing. Limits and the fault's path count from that part on.
    ///
    /// ```java
    /// file.verified(schema.fields(i, field))
    /// ```
    ///
    /// @param bound a [dev.fletch.format.Field] or [dev.fletch.format.KeyValue] bound below [#footer]
    /// @param <T> its class
    /// @return `bound`
    /// @throws IllegalArgumentException if it is another table
    public <T extends Table> T verified(T bound) {
        if (!checks.touched(bound)) {
            throw invalid();
        }
        return bound;
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
    /// @param frame bound to its place
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    public void recordBatch(int index, EncapsulatedMessage frame, Message into) {
        open(MessageHeader.RECORD_BATCH, index, frame, into);
    }

    /// Opens a dictionary batch.
    ///
    /// @param index from 0 to [#dictionaryCount] - 1, in the footer's order
    /// @param frame bound to its place
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    public void dictionary(int index, EncapsulatedMessage frame, Message into) {
        open(MessageHeader.DICTIONARY_BATCH, index, frame, into);
    }

    private void open(int kind, int index, EncapsulatedMessage frame, Message into) {
        long at = kind == MessageHeader.SCHEMA ? FIRST_MESSAGE_OFFSET : footerOffset;
        try {
            if (kind == MessageHeader.SCHEMA) {
                openSchema(frame, into, checks);
                return;
            }
            if (kind == MessageHeader.RECORD_BATCH) {
                footer.recordBatches(index, block);
            } else {
                footer.dictionaries(index, block);
            }
            at = block.offset();
            openBlock(kind, index, frame, into);
        } catch (ArrowFormatException e) {
            throw e.in(path);
        } catch (InternalError | UnreadableFileException e) {
            throw named(at, e);
        }
    }

    private void openSchema(EncapsulatedMessage frame, Message into, MetadataChecks by) {
        final FrameKind kind = frame.prefix(memory, FIRST_MESSAGE_OFFSET, footerOffset);
        if (kind == FrameKind.MESSAGE) {
            frame.metadata(into, by);
        }
        if (kind != FrameKind.MESSAGE || into.headerType() != MessageHeader.SCHEMA) {
            throw ArrowFormatException.of(
                    IpcRules.NO_LEADING_SCHEMA,
                    FIRST_MESSAGE_OFFSET,
                    kind == FrameKind.MESSAGE
                            ? "kind=" + MessageHeader.NAMES.name(into.headerType())
                            : "found=" + kind);
        }
        frame.nextOffset();
    }

    /// Opens the message of [#block], and compares it with its block.
    private void openBlock(int kind, int index, EncapsulatedMessage frame, Message into) {
        final long at = block.offset();
        final int metadataBytes = block.metaDataLength();
        final long bodyBytes = block.bodyLength();
        final long all = at | metadataBytes | bodyBytes;
        if (all < 0) {
            throw wrong(BLOCK_NEGATIVE, kind, index, "");
        }
        if (at < FIRST_MESSAGE_OFFSET
                || metadataBytes > footerOffset - at
                || bodyBytes > footerOffset - at - metadataBytes) {
            throw wrong(BLOCK_OUT_OF_FILE, kind, index, ", footer=" + footerOffset);
        }
        if (frame.prefix(memory, at, footerOffset) != FrameKind.MESSAGE) {
            throw wrong(BLOCK_WITHOUT_MESSAGE, kind, index, ", found=" + frame.kind());
        }
        final long found = frame.bodyOffset() - at;
        if (found != metadataBytes) {
            throw wrong(BLOCK_METADATA_LENGTH, kind, index, ", found=" + found);
        }
        frame.metadata(into, checks);
        if (frame.bodyLength() != bodyBytes) {
            throw wrong(BLOCK_BODY_LENGTH, kind, index, ", found=" + frame.bodyLength());
        }
        if (into.headerType() != kind) {
            final String name = MessageHeader.NAMES.name(into.headerType());
            throw wrong(BLOCK_KIND, kind, index, ", found=" + name);
        }
    }

    /// The offset of the fault is that of the block, in the footer.
    private ArrowFormatException wrong(Rule fault, int kind, int index, String more) {
        final String text =
                String.format(
                        Locale.ROOT,
                        "block=%s[%d], blockOffset=%d, metaDataLength=%d, bodyLength=%d%s",
                        kind == MessageHeader.DICTIONARY_BATCH ? "dictionaries" : "recordBatches",
                        index,
                        block.offset(),
                        block.metaDataLength(),
                        block.bodyLength(),
                        more);
        return ArrowFormatException.of(fault, block.position(), text);
    }

    /// Tells whether the file begins with a schema message. Readers of files use the footer's schema, and
    /// some writers leave the message out. It is checked at the first call.
    ///
    /// @return whether there is a valid one
    public boolean hasSchemaMessage() {
        if (!isStartChecked) {
            // Without known schemas: only messages that the caller opens are counted and learned.
            final MetadataChecks unseen =
                    new MetadataChecks(checks.options().withKnownSchemas(null));
            try {
                openSchema(new EncapsulatedMessage(), new Message(), unseen);
                hasSchemaMessage = true;
            } catch (FlatBufferFormatException _) {
                hasSchemaMessage = false;
            } catch (InternalError | UnreadableFileException e) {
                throw named(FIRST_MESSAGE_OFFSET, e);
            }
            isStartChecked = true;
        }
        return hasSchemaMessage;
    }

    /// {@return number of messages: all batches and, [if there is one][#hasSchemaMessage], the schema}
    public int messageCount() {
        return (hasSchemaMessage() ? 1 : 0) + dictionaryCount() + recordBatchCount();
    }

    /// Opens a message by its place in the file: first the schema, if there is one, then all batches in
    /// the order of their offsets, which may differ from their order in the footer.
    ///
    /// @param index from 0 to [#messageCount] - 1
    /// @param frame bound to its place
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such message
    public void message(int index, EncapsulatedMessage frame, Message into) {
        Objects.checkIndex(index, messageCount());
        final int block = hasSchemaMessage() ? index - 1 : index;
        if (block < 0) {
            open(MessageHeader.SCHEMA, 0, frame, into);
            return;
        }
        final int number = sortedBlocks()[block];
        final int dictionaries = dictionaryCount();
        if (number < dictionaries) {
            dictionary(number, frame, into);
        } else {
            recordBatch(number - dictionaries, frame, into);
        }
    }

    /// Blocks with equal offsets keep their order.
    private Integer[] sortedBlocks() {
        if (order != null) {
            return order;
        }
        final int dictionaries = dictionaryCount();
        final long[] offsets = new long[Math.addExact(dictionaries, recordBatchCount())];
        final Integer[] numbers = new Integer[offsets.length];
        try {
            for (int i = 0; i < offsets.length; i++) {
                numbers[i] = i;
                if (i < dictionaries) {
                    footer.dictionaries(i, block);
                } else {
                    footer.recordBatches(i - dictionaries, block);
                }
                offsets[i] = block.offset();
            }
        } catch (InternalError | UnreadableFileException e) {
            throw named(footerOffset, e);
        }
        Arrays.sort(numbers, Comparator.comparingLong(number -> offsets[number]));
        order = numbers;
        return numbers;
    }

    // ---- what was recognized

    /// {@return how many of the messages that this has opened were recognized: see
    /// [EncapsulatedMessage#messagesRecognized]}
    public long messagesRecognized() {
        return checks.messagesRecognized;
    }

    /// {@return how many of them were not recognized}
    public long messagesParsed() {
        return checks.messagesParsed;
    }

    /// {@return how many schemas of footer and messages were recognized: see [KnownSchemas]}
    public long schemasRecognized() {
        return checks.schemasRecognized;
    }

    /// {@return how many schemas were not recognized}
    public long schemasParsed() {
        return checks.schemasParsed;
    }

    // ---- the end

    /// Makes the exception for a read without this class that the JVM has failed to do.
    ///
    /// @param offset of the first byte in the file
    /// @param cause thrown by the JVM
    /// @return an exception that names the file, unless this was made of a segment
    public UnreadableFileException unreadable(long offset, InternalError cause) {
        final long size = memory.byteSize();
        // An offset that is not in the file was itself read from a footer whose bytes are gone.
        final long at = offset >= 0 && offset < size ? offset : footerOffset;
        return UnreadableFileException.of(path, at, size, cause);
    }

    /// Names the file in a failure to read it.
    ///
    /// @param failure an [InternalError], or the exception that was made of it
    private UnreadableFileException named(long offset, Throwable failure) {
        Throwable cause = failure instanceof InternalError ? failure : failure.getCause();
        return unreadable(offset, (InternalError) cause);
    }

    /// Unmaps the file if [#open] has mapped it; else does nothing. A second time does nothing.
    @Override
    public void close() {
        if (own != null && own.scope().isAlive()) {
            own.close();
        }
    }
}
