// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.Closing;
import dev.fletch.wire.MappedFile;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/// An Arrow IPC file: messages, and a footer with the schema and the offsets of all batches.
///
/// ```text
///   0               "ARROW1" and padding, usually 2 bytes: see [FileHead]
///   8               the messages, as in a stream; the first is the schema
///   footerOffset    flatbuffer `Footer`
///   size - 10       i32  footerLength
///   size - 6        "ARROW1"
/// ```
///
/// [#recordBatch] and [#dictionary] open a batch by its index in the footer, in constant time: they
/// read only its block and its metadata. [#message] opens messages in the order of their offsets,
/// also by their blocks, because a file may have gaps between messages. Offsets and lengths are in
/// bytes.
///
/// **Allocation.** Opening a file allocates this object, its flyweights and a verifier; the first
/// [#message] after the schema sorts the batches, and keeps 28 bytes for each. Opening a message
/// allocates nothing else.
///
/// **Verification.** The file's [ReadOptions] apply to the footer and to each message, not those of
/// the caller's [EncapsulatedMessage]. [#verified] verifies a part of the footer that
/// [ReadOptions.Level#TOUCHED] omits.
///
/// **Byte order.** If the options reject big-endian bodies, opening the file checks the footer's
/// schema.
///
/// **Errors.** Opening a file or a message throws a [FletchException] if the magic is missing
/// at either end, the footer does not fit the file, does not verify or has no schema, a block is
/// outside the messages or differs from its message, or the options reject the message. The
/// versions of footer and messages are checked; old writers omit that of the footer.
///
/// **Lifetime and threads.** File, footer and flyweights bound to them are valid until the memory
/// is freed; later they throw an [IllegalStateException] or return values decoded before. They
/// belong to one thread at a time. Other threads open their own file on the same [#memory], if its
/// arena permits.
///
/// **A file truncated while mapped** loses bytes that readers still use. Opening the file or a
/// message then throws an [UnreadableFileException]. Later reads throw an [InternalError] of the
/// JVM, possibly delayed in compiled code, so catch it around the code for one batch; [#unreadable]
/// converts it to an [UnreadableFileException].
///
/// Source: Columnar format, "IPC File Format"; File.fbs.
public final class ArrowFile implements AutoCloseable {
    private final MemorySegment memory;
    // Null if unknown.
    private final Path path;
    // Null if the caller frees the memory.
    private final MappedFile own;
    final FileIndex index;
    // Created at the first use.
    private FooterBlocks blocks;
    private FileHead.First first;
    private boolean hasSchemaMessage;

    /// @param length of the footer in bytes; -1 if it is not known
    private ArrowFile(
            MemorySegment memory, int length, Path path, MappedFile own, ReadOptions options) {
        this.memory = memory;
        this.path = path;
        this.own = own;
        long size = memory.byteSize();
        String name = Objects.toString(path, null);
        try {
            this.index =
                    length < 0
                            ? FileIndex.of(memory, size, options, name)
                            : FileIndex.of(memory, size, length, options, name);
        } catch (InternalError | UnreadableFileException e) {
            throw named(0, e);
        }
    }

    // ---- opening

    /// [#open(Path, ReadOptions)] with [ReadOptions#DEFAULT].
    public static ArrowFile open(Path path) throws IOException {
        return open(path, ReadOptions.DEFAULT);
    }

    /// Maps a file until [#close], or reads it if it is small: at most 32 KiB. Only the calling
    /// thread may use it, which makes closing cheap; for several threads, use [#map] with a shared
    /// arena, or [dev.fletch.arrow.Arrow#open(Path)].
    ///
    /// @throws IOException if the file cannot be read
    public static ArrowFile open(Path path, ReadOptions options) throws IOException {
        Arena arena = Arena.ofConfined();
        return Closing.onFailure(
                arena::close,
                () -> {
                    MappedFile file = MappedFile.readOrMap(path, arena);
                    return new ArrowFile(file.memory(), -1, path, file, options);
                });
    }

    /// Maps a file until an arena is closed, even if opening throws an exception.
    ///
    /// @param arena the caller's; [#close] does not close it
    /// @throws IOException if the file cannot be read
    public static ArrowFile map(Path path, Arena arena, ReadOptions options) throws IOException {
        Set<StandardOpenOption> how = Set.of(StandardOpenOption.READ);
        MemorySegment memory = MappedFile.map(path, how, MapMode.READ_ONLY, arena);
        return new ArrowFile(memory, -1, path, null, options);
    }

    /// [#of(MemorySegment, ReadOptions)] with [ReadOptions#DEFAULT].
    public static ArrowFile of(MemorySegment file) {
        return of(file, ReadOptions.DEFAULT);
    }

    /// Opens a file in memory.
    ///
    /// @param file all bytes of the file
    public static ArrowFile of(MemorySegment file, ReadOptions options) {
        return new ArrowFile(file, -1, null, null, options);
    }

    /// [#of(MemorySegment, ReadOptions)] of a file that the caller has mapped.
    ///
    /// @param path names the file in errors; null if it is not known
    public static ArrowFile of(MemorySegment file, ReadOptions options, Path path) {
        return new ArrowFile(file, -1, path, null, options);
    }

    /// Opens a file in memory whose footer is usable, but a magic may be damaged.
    ///
    /// @param footerLength length of the footer in bytes
    public static ArrowFile of(MemorySegment file, int footerLength, ReadOptions options) {
        return new ArrowFile(file, footerLength, null, null, options);
    }

    // ---- the footer

    /// {@return the bytes of the file}
    public MemorySegment memory() {
        return memory;
    }

    /// {@return the footer, with the schema; always the same flyweight, do not bind it again}
    public Footer footer() {
        return index.footer();
    }

    /// {@return the handle of the footer's schema in [ReadOptions#knownSchemas]; null if there is
    /// no such set, or the schema is not in it}
    public KnownSchema knownSchema() {
        return index.knownSchema();
    }

    /// Verifies a table of the footer with its descendants under [ReadOptions.Level#TOUCHED];
    /// otherwise does nothing. Limits and the fault's path start at that table.
    ///
    /// ```java
    /// file.verified(schema.fields(i, field))
    /// ```
    ///
    /// @param bound a [dev.fletch.format.Field] or [dev.fletch.format.KeyValue] bound below
    ///     [#footer]
    /// @return `bound`
    /// @throws IllegalArgumentException if `bound` is another table, under
    ///     [ReadOptions.Level#TOUCHED]
    /// @throws FletchException if the table does not verify
    public <T extends Table> T verified(T bound) {
        return index.verified(bound);
    }

    /// {@return offset of the footer's first byte}
    public long footerOffset() {
        return index.footerOffset();
    }

    /// {@return length of the footer in bytes}
    public int footerLength() {
        return index.footerLength();
    }

    /// {@return number of record batches}
    public int recordBatchCount() {
        return index.footer().recordBatchesCount();
    }

    /// {@return number of dictionary batches}
    public int dictionaryCount() {
        return index.footer().dictionariesCount();
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

    /// [#recordBatch] for dictionary batches.
    public void dictionary(int index, EncapsulatedMessage frame, Message into) {
        open(MessageHeader.DICTIONARY_BATCH, index, frame, into);
    }

    private void open(int kind, int number, EncapsulatedMessage frame, Message into) {
        try {
            index.open(kind, number, memory, 0, true, frame, into);
        } catch (InternalError | UnreadableFileException e) {
            throw named(index.offset, e);
        }
    }

    private void openFirst(EncapsulatedMessage frame, Message into, MetadataChecks checks) {
        long position = first.place().at();
        try {
            FrameKind kind = frame.prefix(memory, memory, position, position, footerOffset());
            if (kind == FrameKind.MESSAGE) {
                frame.metadata(into, checks);
            }
            FrameCheck.leadingSchema(position, kind, into, FletchException::raiseInInput);
            frame.nextOffset();
        } catch (FletchException e) {
            throw e.in(Objects.toString(path, null));
        } catch (InternalError | UnreadableFileException e) {
            throw named(position, e);
        }
    }

    /// Returns whether the file begins with a schema message that [#message] opens, and whose
    /// metadata ends before all batches. Some writers omit it: file readers use the footer's
    /// schema. The first call checks it, and goes through all blocks.
    boolean hasSchemaMessage() {
        if (first == null) {
            long read = footerOffset();
            try {
                blocks = new FooterBlocks(footer(), read);
                read = 0;
                first = FileHead.first(memory, blocks);
                hasSchemaMessage = first.isCounted() && opensFirst();
            } catch (InternalError | UnreadableFileException e) {
                first = null;
                throw named(read, e);
            }
        }
        return hasSchemaMessage;
    }

    /// Whether the options accept the schema message. Adds it to no set of known schemas.
    private boolean opensFirst() {
        ReadOptions options = index.checks.options.withKnownSchemas(null);
        try {
            openFirst(new EncapsulatedMessage(), new Message(), new MetadataChecks(options));
            return true;
        } catch (FletchException _) {
            return false;
        }
    }

    /// {@return number of messages: all batches, and the schema message if the file begins with one
    /// whose metadata ends before all batches, and that the options accept}
    public int messageCount() {
        return (hasSchemaMessage() ? 1 : 0) + dictionaryCount() + recordBatchCount();
    }

    /// Opens a message by its position in the file: first the schema message, if there is one, then
    /// all batches by ascending offset, which may differ from their order in the footer.
    ///
    /// @throws IndexOutOfBoundsException if there is no such message
    public void message(int index, EncapsulatedMessage frame, Message into) {
        Objects.checkIndex(index, messageCount());
        int block = hasSchemaMessage() ? index - 1 : index;
        if (block < 0) {
            openFirst(frame, into, this.index.checks);
            return;
        }
        open(blocks.kind(block), blocks.index(block), frame, into);
    }

    // ---- what was recognized

    /// {@return number of recognized schemas, in footer and messages: see [KnownSchemas]}
    public long schemasRecognized() {
        return index.checks.schemasRecognized;
    }

    // ---- the end

    /// Converts an [InternalError] of the JVM from reading mapped memory without this class.
    ///
    /// @param offset byte offset in the file of the data that was read
    /// @return an exception with the file's path, unless the file was opened from a segment
    public UnreadableFileException unreadable(long offset, InternalError cause) {
        long size = memory.byteSize();
        // An offset outside the file comes from a footer that was itself truncated.
        long position = offset >= 0 && offset < size ? offset : footerOffset();
        return UnreadableFileException.of(path, position, size, cause);
    }

    /// Adds the file's path to a failed read.
    ///
    /// @param failure an [InternalError], or an exception caused by one
    private UnreadableFileException named(long offset, Throwable failure) {
        Throwable cause = failure instanceof InternalError ? failure : failure.getCause();
        return unreadable(offset, (InternalError) cause);
    }

    /// Unmaps the file if [#open] has opened it. A second call does nothing.
    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}
