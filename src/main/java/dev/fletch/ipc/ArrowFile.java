// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.Block;
import dev.fletch.format.Endianness;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
/// **Set-up.** Opening allocates this, its flyweights and a verifier, the first [#message] behind
/// the schema 16 bytes per batch to put them in order; opening a message allocates nothing.
///
/// **Verification.** The footer when it is opened, and each message when it is opened by this, pass
/// what this file's [ReadOptions] ask, whatever those of the caller's [EncapsulatedMessage] are.
///
/// **Byte order.** [#endianness] tells that of the bodies' numbers; metadata is little-endian
/// always. Where the options refuse foreign bodies, opening reads the schema in front besides the
/// footer's, and refuses a file if either is foreign, or if there is none in front.
///
/// **Errors.** A file without magic at both ends, with a footer that does not fit or does not
/// verify, a block that leads out of the messages, is not aligned to 8 bytes or differs from its
/// message: an [ArrowFormatException]. The footer's version is not held against anything: files of
/// old writers leave it out. Each message's is.
///
/// **Lifetime and threads.** File, footer and all that is bound to them are valid until the memory
/// is freed; afterwards they throw an [IllegalStateException] or show what they decoded before.
/// They belong to one thread at a time. Others make files of their own over the same [#memory],
/// where its arena allows them to.
///
/// **A file that is shortened** while it is mapped loses bytes from under its readers. Opening the
/// file or a message then is an [UnreadableFileException]. What flyweights and the caller read
/// behind that is an [InternalError] of the JVM, thrown a few steps late in compiled code, so it is
/// best caught around a whole batch; [#unreadable] makes the same exception of it.
///
/// Source: the chapter "IPC File Format" of Arrow's columnar format; `format/File.fbs`.
public final class ArrowFile implements AutoCloseable {
    /// Offset of the first message.
    public static final int FIRST_MESSAGE_OFFSET = 8;

    private final MemorySegment memory;
    // Null where it is not known.
    private final Path path;
    // Null where somebody else frees the memory.
    private final Arena own;
    private final long footerOffset;
    private final int footerLength;
    private final MetadataChecks checks;
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final Block block = new Block();
    private final BlockOpener opener;
    private KnownSchema knownSchema;
    // Numbers of the blocks by offset; made when it is first asked for.
    private int[] order;

    private ArrowFile(MemorySegment memory, Path path, Arena own, ReadOptions options) {
        this.memory = memory;
        this.path = path;
        this.own = own;
        this.checks = new MetadataChecks(options);
        try {
            this.footerLength = FileEnds.footerLength(memory);
            this.footerOffset = FileEnds.footerOffset(memory, footerLength);
            this.opener = new BlockOpener(memory, footerOffset, checks);
            openFooter(options);
        } catch (ArrowFormatException e) {
            throw e.in(path);
        } catch (InternalError e) {
            throw unreadable(0, e);
        }
    }

    private void openFooter(ReadOptions options) {
        if (!checks.footer(memory, footerOffset, footerLength)) {
            throw invalid();
        }
        final int endianness;
        try {
            footer.wrap(memory, footerOffset, footerLength);
            endianness = options.refusesForeignEndianness() ? endianness() : Endianness.LITTLE;
        } catch (FlatBufferFormatException e) {
            throw malformed(e);
        }
        checks.requireLittle(endianness, footerOffset);
        knownSchema = footer.isPresent(Footer.SCHEMA_SLOT) ? checks.footerSchema() : null;
        if (options.refusesForeignEndianness()) {
            // Footer and first message need not agree; this one refuses, too.
            openSchema(new EncapsulatedMessage(options), new Message());
        }
    }

    private ArrowFormatException invalid() {
        final Fault fault = checks.fault();
        return ArrowFormatException.of(IpcRules.FOOTER_INVALID, fault.position(), fault).in(path);
    }

    private ArrowFormatException malformed(FlatBufferFormatException cause) {
        return ArrowFormatException.of(
                IpcRules.FOOTER_MALFORMED,
                cause.offset(),
                "footerOffset=" + footerOffset + ", footerLength=" + footerLength,
                cause);
    }

    // ---- opening

    /// Maps a file with [ReadOptions#DEFAULT], which [#close] unmaps. Only the calling thread may
    /// use it; for several threads there is [#map] with a shared arena.
    ///
    /// @param path the file
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile open(Path path) throws IOException {
        return open(path, ReadOptions.DEFAULT);
    }

    /// [#open(Path)] with other options.
    ///
    /// @param path the file
    /// @param options what footer and messages must pass
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file, or the options refuse it
    public static ArrowFile open(Path path, ReadOptions options) throws IOException {
        final Arena arena = Arena.ofConfined();
        try {
            return new ArrowFile(MappedFile.map(path, arena), path, arena, options);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /// Maps a file with [ReadOptions#DEFAULT] for as long as an arena lives, also if an exception
    /// is thrown.
    ///
    /// @param path the file
    /// @param arena the caller's; [#close] leaves it alone
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile map(Path path, Arena arena) throws IOException {
        return map(path, arena, ReadOptions.DEFAULT);
    }

    /// [#map(Path, Arena)] with other options.
    ///
    /// @param path the file
    /// @param arena the caller's; [#close] leaves it alone
    /// @param options what footer and messages must pass
    /// @return the file
    /// @throws IOException if it cannot be read
    /// @throws ArrowFormatException if it is no Arrow file, or the options refuse it
    public static ArrowFile map(Path path, Arena arena, ReadOptions options) throws IOException {
        return new ArrowFile(MappedFile.map(path, arena), path, null, options);
    }

    /// Takes a segment for a file, with [ReadOptions#DEFAULT].
    ///
    /// @param file all of the file, from its first byte to its last
    /// @return the file
    /// @throws ArrowFormatException if it is no Arrow file
    public static ArrowFile of(MemorySegment file) {
        return of(file, ReadOptions.DEFAULT);
    }

    /// [#of(MemorySegment)] with other options.
    ///
    /// @param file all of the file, from its first byte to its last
    /// @param options what footer and messages must pass
    /// @return the file
    /// @throws ArrowFormatException if it is no Arrow file, or the options refuse it
    public static ArrowFile of(MemorySegment file, ReadOptions options) {
        return new ArrowFile(file, null, null, options);
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

    /// The byte order of the numbers in bodies, as the footer's schema says. Footer and messages
    /// themselves are little-endian always.
    ///
    /// @return one of [Endianness], or a number that is not known; [Endianness#LITTLE] if the
    ///     footer has no schema
    /// @throws FlatBufferFormatException if the schema cannot be bound, which only one that was not
    ///     verified cannot
    public int endianness() {
        return footer.schema(schema) ? schema.endianness() : Endianness.LITTLE;
    }

    /// What is known of the footer's schema, if the options have a set of known schemas.
    ///
    /// @return null if the schema is not in the set, or the footer has none
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// {@return how many schemas were recognized, of the footer and of messages, and not verified
    /// again: see [KnownSchemas]}
    public long schemasRecognized() {
        return checks.schemasRecognized();
    }

    /// {@return how many schemas were opened without recognizing them}
    public long schemasParsed() {
        return checks.schemasParsed();
    }

    /// Verifies a column of the footer with all that is below it, if that was left for when it is
    /// touched: with [Verification#TOUCHED]; else does nothing. Limits and the fault's path
    /// count from the column on.
    ///
    /// ```java
    /// file.verified(schema.fields(i, field))
    /// ```
    ///
    /// @param bound bound below [#footer]
    /// @return `bound`
    /// @throws ArrowFormatException if it does not verify
    public Field verified(Field bound) {
        if (!checks.touched(bound)) {
            throw invalid();
        }
        return bound;
    }

    /// Verifies one of the application's key/value pairs in the footer, if that was left for when
    /// it is touched: with [Verification#TOUCHED]; else does nothing.
    ///
    /// @param bound bound below [#footer]
    /// @return `bound`
    /// @throws ArrowFormatException if it does not verify
    public KeyValue verified(KeyValue bound) {
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

    /// How many batch messages were recognized: verified, unless that is off, and bound in one step, as
    /// they differ from one before only in bytes that decide nothing.
    ///
    /// @return their number of those opened by this
    public long messagesRecognized() {
        return checks.messagesRecognized();
    }

    /// {@return how many messages were parsed, as they were not recognized; of those opened by this}
    public long messagesParsed() {
        return checks.messagesParsed();
    }

    /// Opens a record batch.
    ///
    /// @param index from 0 to [#recordBatchCount] - 1, in the footer's order
    /// @param frame bound to where it lies
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws ArrowFormatException if the block or the message is wrong
    /// @throws UnreadableFileException if the file has been shortened since it was mapped
    public void recordBatch(int index, EncapsulatedMessage frame, Message into) {
        batch(MessageHeader.RECORD_BATCH, index, frame, into);
    }

    /// Opens a dictionary batch.
    ///
    /// @param index from 0 to [#dictionaryCount] - 1, in the footer's order
    /// @param frame bound to where it lies
    /// @param into bound to its metadata
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws ArrowFormatException if the block or the message is wrong
    /// @throws UnreadableFileException if the file has been shortened since it was mapped
    public void dictionary(int index, EncapsulatedMessage frame, Message into) {
        batch(MessageHeader.DICTIONARY_BATCH, index, frame, into);
    }

    private void batch(int kind, int index, EncapsulatedMessage frame, Message into) {
        long at = footerOffset;
        try {
            if (kind == MessageHeader.RECORD_BATCH) {
                footer.recordBatches(index, block);
            } else {
                footer.dictionaries(index, block);
            }
            at = block.offset();
            opener.open(block, kind, index, frame, into);
        } catch (ArrowFormatException e) {
            throw e.in(path);
        } catch (InternalError e) {
            throw unreadable(at, e);
        }
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
    /// @throws UnreadableFileException if the file has been shortened since it was mapped
    public void message(int index, EncapsulatedMessage frame, Message into) {
        Objects.checkIndex(index, messageCount());
        try {
            if (index == 0) {
                openSchema(frame, into);
                return;
            }
            if (order == null) {
                order = BlockOrder.of(footer);
            }
        } catch (ArrowFormatException e) {
            throw e.in(path);
        } catch (InternalError e) {
            throw unreadable(index == 0 ? FIRST_MESSAGE_OFFSET : footerOffset, e);
        }
        final int number = order[index - 1];
        final int dictionaries = dictionaryCount();
        if (number < dictionaries) {
            dictionary(number, frame, into);
        } else {
            recordBatch(number - dictionaries, frame, into);
        }
    }

    /// What to throw where bytes of the file were read without this class, and the JVM could not get
    /// them.
    ///
    /// @param offset where in the file those bytes begin
    /// @param cause what the JVM has thrown
    /// @return an exception that names the file, unless this was made of a segment
    public UnreadableFileException unreadable(long offset, InternalError cause) {
        final long size = memory.byteSize();
        // One that is not in the file was itself read where nothing is any more, in the footer.
        final long at = offset >= 0 && offset < size ? offset : footerOffset;
        return UnreadableFileException.of(path, at, size, cause);
    }

    /// Unmaps the file if [#open] has mapped it; else does nothing. A second time does nothing.
    @Override
    public void close() {
        if (own != null && own.scope().isAlive()) {
            own.close();
        }
    }

    private void openSchema(EncapsulatedMessage frame, Message into) {
        final FrameKind kind = frame.prefix(memory, FIRST_MESSAGE_OFFSET, footerOffset);
        if (kind == FrameKind.MESSAGE) {
            frame.metadata(into, checks);
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
}
