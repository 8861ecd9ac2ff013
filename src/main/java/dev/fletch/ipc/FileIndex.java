// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.events.Events;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The verified footer of a file that is not in memory, such as a remote one. The caller reads the
/// end of the file, and later the header of each message, and passes the bytes. For a mapped file,
/// use [ArrowFile].
///
/// ```java
/// int footerLength = FileIndex.footerLength(end, size, name);
/// … // read the footer and the FileIndex.TAIL_BYTES after it
/// FileIndex index = FileIndex.of(end, size, options, name);
/// Block block = index.block(MessageHeader.RECORD_BATCH, 3);
/// … // read index.headerLength(block) bytes at block.offset()
/// index.open(MessageHeader.RECORD_BATCH, 3, header, block.offset(), frame, message);
/// ```
///
/// All offsets count from the file's first byte, also those of faults. A kind is
/// [MessageHeader#RECORD_BATCH] or [MessageHeader#DICTIONARY_BATCH]; others throw an
/// [IllegalArgumentException]. Opening a message allocates nothing.
///
/// **Errors.** The [FletchException]s of [ArrowFile], with the file's name.
///
/// **Lifetime and threads.** Valid as long as the memory of the footer; belongs to one thread at a
/// time.
public final class FileIndex {
    /// Bytes after the footer: footer length and magic.
    public static final int TAIL_BYTES = FileTail.BYTES;

    private static final FaultSink THROWING = FletchException::raiseInInput;

    private static final String FOOTER = "footer";

    // Null if unknown.
    private final String name;
    private final long footerOffset;
    private final int footerLength;
    // Offset in the file of the memory that holds the footer.
    private final long shift;
    final MetadataChecks checks;
    private final Footer footer = new Footer();
    private final BlockCheck blocks;
    private final KnownSchema knownSchema;
    // Offset in the file of the message or footer read last.
    long offset;

    /// @param length of the footer in bytes
    private FileIndex(MemorySegment end, long size, int length, ReadOptions options, String name) {
        this.name = name;
        checks = new MetadataChecks(options);
        footerLength = length;
        footerOffset = FileTail.footerOffset(size, footerLength);
        FrameCheck.footerLimit(
                footerOffset, footerLength, options.limits().metadataBytes(), this::raise);
        shift = size - end.byteSize();
        Objects.checkFromIndexSize(footerOffset - shift, footerLength, end.byteSize());
        try {
            knownSchema = bind(end);
        } catch (FletchException e) {
            throw e.in(name);
        }
        blocks = new BlockCheck(footer, footerOffset, shift, this::raise);
    }

    private void raise(Fault fault) {
        throw FletchException.inInput(BlockCheck.named(fault)).in(name);
    }

    /// Creates the index of a file.
    ///
    /// @param end the file's last bytes, or all bytes
    /// @param size number of bytes in the file
    /// @param name of the file, for errors; may be null
    /// @throws IndexOutOfBoundsException if the footer is not inside `end`
    public static FileIndex of(MemorySegment end, long size, ReadOptions options, String name) {
        return of(end, size, footerLength(end, size, name), options, name);
    }

    /// @param length of the footer in bytes
    static FileIndex of(
            MemorySegment end, long size, int length, ReadOptions options, String name) {
        Object event = Events.openingBegins();
        FileIndex index = new FileIndex(end, size, length, options, name);
        if (event != null) {
            int batches = index.footer.recordBatchesCount();
            Events.fileOpened(event, name, size, index.footerLength, batches);
        }
        return index;
    }

    /// Checks the end of a file and returns the footer's length. If `end` has all bytes, checks the
    /// leading magic too.
    ///
    /// @param end the file's last bytes: at least 10, or all bytes
    /// @return length of the footer in bytes; it fits the file and ends [#TAIL_BYTES] before its
    ///     end
    public static int footerLength(MemorySegment end, long size, String name) {
        try {
            FrameCheck.hasBytes(size, THROWING);
            FileTail.leadingMagic(end, size, THROWING);
            return FileTail.footerLength(end, size, THROWING);
        } catch (FletchException e) {
            throw e.in(name);
        }
    }

    private KnownSchema bind(MemorySegment end) {
        long position = footerOffset - shift;
        if (!checks.footer(end, position, footerLength)) {
            throw invalid();
        }
        footer.wrap(end, position, footerLength);
        // Other bytes may verify as such a footer.
        FileTail.schema(footer, shift, new Schema(), this::raise);
        return checks.footerSchema(footer, footerOffset);
    }

    private FletchException invalid() {
        Fault fault = checks.fault();
        return MetadataChecks.invalid(FOOTER, fault.position() + shift, fault).in(name);
    }

    // ---- the footer

    /// {@return the footer, with the schema; always the same flyweight, do not bind it again}
    public Footer footer() {
        return footer;
    }

    /// {@return the handle of the footer's schema: see [ArrowFile#knownSchema]}
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// Verifies a table of the footer: see [ArrowFile#verified].
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
    public int count(int kind) {
        return requireBatch(kind) == MessageHeader.DICTIONARY_BATCH
                ? footer.dictionariesCount()
                : footer.recordBatchesCount();
    }

    private static int requireBatch(int kind) {
        if (!BatchCounts.isBatch(kind)) {
            throw new IllegalArgumentException(
                    "expected RecordBatch or DictionaryBatch: kind="
                            + MessageHeader.NAMES.name(kind));
        }
        return kind;
    }

    // ---- messages

    /// Returns a batch's block, after checking that it is inside the file's messages.
    ///
    /// @param index from 0 to [#count] - 1
    /// @return always the same flyweight, valid until the next call on this index
    /// @throws IndexOutOfBoundsException if there is no such batch
    public Block block(int kind, int index) {
        offset = footerOffset;
        Block block = blocks.bind(requireBatch(kind), index);
        offset = block.offset();
        blocks.isInside();
        return block;
    }

    /// {@return number of bytes at the block's offset that [#open] needs: prefix and metadata; or
    /// only the prefix, if the metadata is longer than the limit}
    ///
    /// @param block returned by [#block]
    public int headerLength(Block block) {
        int least = MessagePrefix.BYTES;
        int metadata = block.metaDataLength() - least;
        return metadata >= 0 && metadata <= checks.maxMetadataBytes
                ? block.metaDataLength()
                : (int) Math.min(least, footerOffset - block.offset());
    }

    /// Opens a batch from its prefix and metadata. Its body is not in memory:
    /// [EncapsulatedMessage#bodySlice] throws.
    ///
    /// @param index from 0 to [#count] - 1
    /// @param holder bytes of the file that include prefix and metadata
    /// @param holderOffset offset in the file of the holder's first byte
    /// @param frame bound to the message's place in the file
    /// @throws IndexOutOfBoundsException if there is no such batch, or `holder` lacks prefix or
    ///     metadata
    public void open(
            int kind,
            int index,
            MemorySegment holder,
            long holderOffset,
            EncapsulatedMessage frame,
            Message into) {
        Block block = block(kind, index);
        Objects.checkFromIndexSize(offset - holderOffset, headerLength(block), holder.byteSize());
        open(kind, index, holder, holderOffset, false, frame, into);
    }

    /// Opens a batch and compares it with its block.
    ///
    /// @param hasBody whether `holder` has all bytes of the file
    void open(
            int kind,
            int index,
            MemorySegment holder,
            long holderOffset,
            boolean hasBody,
            EncapsulatedMessage frame,
            Message into) {
        block(kind, index);
        long position = offset - holderOffset;
        try {
            MemorySegment whole = hasBody ? holder : null;
            FrameKind found = frame.prefix(whole, holder, position, offset, footerOffset);
            blocks.hasPrefix(found, frame.prefixLength(), frame.metadataLength());
            frame.metadata(holder, position + frame.prefixLength(), into, checks);
            frame.nextOffset(); // throws if the body is not inside the file
        } catch (FletchException e) {
            throw e.in(name);
        }
        blocks.hasMessage(frame.bodyLength(), into.headerType());
    }
}
