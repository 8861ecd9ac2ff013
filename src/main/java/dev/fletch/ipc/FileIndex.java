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
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// The verified footer of a file whose bytes may be anywhere. It reads nothing: the caller brings the end of
/// the file, and later the bytes of each message that it opens. [ArrowFile] has all of a file in memory.
///
/// ```java
/// int footerLength = FileIndex.footerLength(end, size, name);
/// … // the footer and the FileIndex.TAIL_BYTES behind it are needed
/// FileIndex index = FileIndex.of(end, size, options, name);
/// Block block = index.block(MessageHeader.RECORD_BATCH, 3);
/// … // get index.headerLength(block) bytes from block.offset() on
/// index.open(MessageHeader.RECORD_BATCH, 3, header, block.offset(), frame, message);
/// ```
///
/// All offsets count from the file's first byte, those of faults too. A kind is
/// [MessageHeader#RECORD_BATCH] or [MessageHeader#DICTIONARY_BATCH]; another one is an
/// [IllegalArgumentException]. Opening a message allocates nothing.
///
/// **Errors.** An [ArrowFormatException] with the file's name, as those of [ArrowFile].
///
/// **Lifetime and threads.** Valid as long as the memory of the footer; one thread at a time.
public final class FileIndex {
    /// Footer length and magic, the last bytes of a file.
    public static final int TAIL_BYTES = Integer.BYTES + ArrowFile.MAGIC_BYTES;

    private static final int LEAST_BYTES = ArrowFile.FIRST_MESSAGE_OFFSET + TAIL_BYTES + 1;

    // Null if it is not known.
    private final String name;
    private final long footerOffset;
    private final int footerLength;
    // Offset in the file of the memory that holds the footer.
    private final long shift;
    private final MetadataChecks checks;
    private final Footer footer = new Footer();
    private final Block block = new Block();
    private final KnownSchema knownSchema;
    // Of what is being opened.
    private long offset;

    private FileIndex(MemorySegment end, long size, ReadOptions options, String name) {
        this.name = name;
        checks = new MetadataChecks(options);
        footerLength = footerLength(end, size, name);
        footerOffset = size - TAIL_BYTES - footerLength;
        shift = size - end.byteSize();
        Objects.checkFromIndexSize(footerOffset - shift, footerLength, end.byteSize());
        try {
            knownSchema = bind(end);
        } catch (ArrowFormatException e) {
            throw e.in(name);
        }
    }

    /// Makes the index of a file.
    ///
    /// @param end the file's last bytes, or all of it; its last byte is that of the file
    /// @param size number of bytes in the file
    /// @param options what footer and messages must pass
    /// @param name of the file, for errors; may be null
    /// @return the index
    /// @throws IndexOutOfBoundsException if the footer is not inside `end`
    public static FileIndex of(MemorySegment end, long size, ReadOptions options, String name) {
        return new FileIndex(end, size, options, name);
    }

    /// Decodes the end of a file. If all of the file is there, its first bytes are checked too.
    ///
    /// @param end the file's last bytes: at least 10, or all of it
    /// @param size number of bytes in the file
    /// @param name of the file, for errors; may be null
    /// @return length of the footer, which ends [#TAIL_BYTES] before the file does; it fits the file
    public static int footerLength(MemorySegment end, long size, String name) {
        if (size == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes", 0).in(name);
        }
        final long have = end.byteSize();
        if (have == size
                && size >= Long.BYTES
                && Wire.lowBits(Wire.int64(end, 0), ArrowFile.MAGIC_BYTES * Byte.SIZE)
                        != ArrowFile.MAGIC) {
            throw ArrowFormatException.of(IpcRules.NO_LEADING_MAGIC, 0, "size", size).in(name);
        }
        if (size < LEAST_BYTES) {
            throw ArrowFormatException.of(
                            IpcRules.FILE_TOO_SHORT, size, "size", size, "least", LEAST_BYTES)
                    .in(name);
        }
        if (Wire.int64(end, have - Long.BYTES) >>> Short.SIZE != ArrowFile.MAGIC) {
            final long at = size - ArrowFile.MAGIC_BYTES;
            throw ArrowFormatException.of(IpcRules.NO_TRAILING_MAGIC, at, "size", size).in(name);
        }
        final long lengthAt = size - TAIL_BYTES;
        final int length = Wire.int32(end, have - TAIL_BYTES);
        final long limit = lengthAt - ArrowFile.FIRST_MESSAGE_OFFSET;
        if (length <= 0 || length > limit) {
            throw ArrowFormatException.of(
                            IpcRules.FOOTER_LENGTH,
                            lengthAt,
                            "footerLength",
                            length,
                            "limit",
                            limit)
                    .in(name);
        }
        return length;
    }

    private KnownSchema bind(MemorySegment end) {
        final long at = footerOffset - shift;
        if (!checks.footer(end, at, footerLength)) {
            throw invalid();
        }
        try {
            return checks.footerSchema(footer.wrap(end, at, footerLength), footerOffset);
        } catch (ArrowFormatException e) {
            throw e;
        } catch (FlatBufferFormatException e) {
            final String where = "footerOffset=" + footerOffset + ", footerLength=" + footerLength;
            throw ArrowFormatException.of(
                    IpcRules.FOOTER_MALFORMED,
                    e.offset() + shift,
                    shift == 0 ? where : where + ", and counted from " + shift,
                    e);
        }
    }

    private ArrowFormatException invalid() {
        final Fault fault = checks.fault();
        return ArrowFormatException.of(IpcRules.FOOTER_INVALID, fault.position() + shift, fault)
                .in(name);
    }

    // ---- the footer

    /// {@return the footer, with the schema; always the same flyweight, which must not be bound again}
    public Footer footer() {
        return footer;
    }

    /// {@return what is known of the footer's schema: see [ArrowFile#knownSchema]}
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// Verifies a part of the footer: see [ArrowFile#verified].
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

    /// {@return number of batches}
    ///
    /// @param kind of the batches
    public int count(int kind) {
        return isDictionary(kind) ? footer.dictionariesCount() : footer.recordBatchesCount();
    }

    private static boolean isDictionary(int kind) {
        if (kind != MessageHeader.RECORD_BATCH && kind != MessageHeader.DICTIONARY_BATCH) {
            throw new IllegalArgumentException(
                    "footer has no blocks of this kind: kind=" + MessageHeader.NAMES.name(kind));
        }
        return kind == MessageHeader.DICTIONARY_BATCH;
    }

    // ---- messages

    /// Finds a batch by its place in the footer. Its block is inside the file's messages.
    ///
    /// @param kind of the batch
    /// @param index from 0 to [#count] - 1
    /// @return always the same flyweight, valid until the next call of this class
    /// @throws IndexOutOfBoundsException if there is no such batch
    public Block block(int kind, int index) {
        offset = footerOffset;
        if (isDictionary(kind)) {
            footer.dictionaries(index, block);
        } else {
            footer.recordBatches(index, block);
        }
        offset = block.offset();
        final int metadataBytes = block.metaDataLength();
        final long bodyBytes = block.bodyLength();
        if ((offset | metadataBytes | bodyBytes) < 0) {
            throw wrong(BLOCK_NEGATIVE, kind, index, "");
        }
        if (offset < ArrowFile.FIRST_MESSAGE_OFFSET
                || metadataBytes > footerOffset - offset
                || bodyBytes > footerOffset - offset - metadataBytes) {
            throw wrong(BLOCK_OUT_OF_FILE, kind, index, ", footer=" + footerOffset);
        }
        return block;
    }

    /// {@return number of bytes, from the block's offset on, that [#open] needs: prefix and metadata}
    ///
    /// @param found by [#block]
    public int headerLength(Block found) {
        final int least = EncapsulatedMessage.PREFIX_BYTES;
        return found.metaDataLength() >= least
                ? found.metaDataLength()
                : (int) Math.min(least, footerOffset - found.offset());
    }

    /// Opens a batch whose prefix and metadata are in a memory. Its body is in none: see
    /// [EncapsulatedMessage#bodySlice].
    ///
    /// @param kind of the batch
    /// @param index from 0 to [#count] - 1
    /// @param holder any bytes of the file that include the message's header
    /// @param holderOffset offset in the file of the holder's first byte
    /// @param frame bound to the message's place in the file
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch, or the header is not in the holder
    public void open(
            int kind,
            int index,
            MemorySegment holder,
            long holderOffset,
            EncapsulatedMessage frame,
            Message into) {
        final Block found = block(kind, index);
        Objects.checkFromIndexSize(offset - holderOffset, headerLength(found), holder.byteSize());
        open(kind, index, holder, holderOffset, false, frame, into);
    }

    /// Opens a batch, and compares it with its block.
    ///
    /// @param hasBody whether the holder is all of the file
    void open(
            int kind,
            int index,
            MemorySegment holder,
            long holderOffset,
            boolean hasBody,
            EncapsulatedMessage frame,
            Message into) {
        block(kind, index);
        final long at = offset - holderOffset;
        try {
            final FrameKind found =
                    hasBody
                            ? frame.prefix(holder, at, footerOffset)
                            : frame.prefix(holder, at, offset, footerOffset);
            if (found != FrameKind.MESSAGE) {
                throw wrong(BLOCK_WITHOUT_MESSAGE, kind, index, ", found=" + found);
            }
            final long headerBytes = frame.bodyOffset() - offset;
            if (headerBytes != block.metaDataLength()) {
                throw wrong(BLOCK_METADATA_LENGTH, kind, index, ", found=" + headerBytes);
            }
            frame.metadata(holder, at + frame.prefixLength(), into, checks);
        } catch (ArrowFormatException e) {
            throw e.in(name);
        }
        if (frame.bodyLength() != block.bodyLength()) {
            throw wrong(BLOCK_BODY_LENGTH, kind, index, ", found=" + frame.bodyLength());
        }
        if (into.headerType() != kind) {
            final String other = MessageHeader.NAMES.name(into.headerType());
            throw wrong(BLOCK_KIND, kind, index, ", found=" + other);
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
        return ArrowFormatException.of(fault, block.position() + shift, text).in(name);
    }

    MetadataChecks checks() {
        return checks;
    }

    /// Where the message or footer begins that was last being read.
    long lastOffset() {
        return offset;
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
}
