// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.rules.VersionCheck;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.walk.FileTail;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;
import java.util.Objects;

/// Writes a stream or a file: messages, the end-of-stream marker, and for a file the footer. Writes
/// are sequential, so any channel is suitable.
///
/// ```java
/// try (MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, channel)) {
///     for (int i = 0; i < file.messageCount(); i++) {
///         file.message(i, frame, message);
///         writer.copy(file.memory(), frame);
///     }
///     writer.finish(file.footer());
/// }
/// ```
///
/// Metadata is a complete flatbuffer: from a [dev.fletch.flatbuf.write.FlatBufferWriter], from a
/// template, or as read. Memory targets receive one copy of the body. A gathering channel receives
/// a message in one gathering write, without a copy. Other targets, and messages with a part of
/// more than 2 GiB or in an array other than `byte[]`, use a buffer of 64 KiB.
///
/// **Checks** before any byte of a message is written. [IllegalArgumentException]: the message has
/// an unsupported version or no header, or its body length differs from `bodyLength` or is not a
/// multiple of 8 bytes. [IllegalStateException]: the body's memory cannot be read; the message is
/// out of order (the schema is first and unique, each dictionary is in the schema, a delta follows
/// its dictionary, a file defines a dictionary once); or the writer is finished, closed or failed.
/// [dev.fletch.FlatBufferFormatException]: the message is malformed, or a schema shares its parts
/// too often ([dev.fletch.format.SchemaTooLargeException]). After these exceptions, or a
/// [TargetTooSmallException], the writer's state is unchanged.
///
/// **Failures.** Exceptions of the target pass through. A message may then be partly written, so
/// only [#close] is permitted; [#position] stays at the start of that message.
///
/// **Allocation.** None per message after set-up if its segments are the same objects as for the
/// previous message, at any offset. For a channel, each new segment costs a view, and so does each
/// part of a segment larger than 2 GiB. A file takes 24 bytes per batch for its blocks, in arrays
/// that double, and a copy of the schema. Channels of the JDK may allocate too: they copy heap
/// memory into native memory, and keep arenas of native memory alive.
///
/// **Threads.** Belongs to one thread at a time.
///
/// Source: Columnar format, "Encapsulated message format", "IPC Streaming Format", "IPC File
/// Format"; File.fbs.
public final class MessageWriter implements AutoCloseable {
    private static final BodyParts NO_BODY = new BodyParts();

    // Layout of `words`: all that is written besides metadata, body and padding.
    private static final int MAGIC_AT = 0;
    private static final int PREFIX_AT = 8;
    private static final int SIZE_AT = 12;
    private static final int FOOTER_LENGTH_AT = 16;
    private static final int WORDS_BYTES = FOOTER_LENGTH_AT + FileIndex.TAIL_BYTES;

    private enum State {
        NEW,
        OPEN,
        FINISHED,
        FAILED,
        CLOSED
    }

    private final MessageOutput output;
    // Null for a stream.
    private final FileFooter footer;
    private final MessageOrder order;
    private final Message message = new Message();
    private final BodyParts whole = new BodyParts();
    private final ByteBuffer words =
            ByteBuffer.allocate(WORDS_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment wordBytes = MemorySegment.ofBuffer(words);
    // Magic, prefix, metadata and padding.
    private final BodyParts head = new BodyParts();
    private int alignment = BodyLayout.LEAST_ALIGNMENT;
    private boolean legacy;
    private long position;
    private State state = State.NEW;

    private MessageWriter(ArrowContainer container, MessageOutput output) {
        boolean isFile = container == ArrowContainer.FILE;
        this.output = output;
        this.footer = isFile ? new FileFooter() : null;
        this.order = new MessageOrder(isFile);
        words.putLong(MAGIC_AT, FileTail.MAGIC).putLong(PREFIX_AT, MessagePrefix.of(0));
        int tail = FOOTER_LENGTH_AT + Integer.BYTES;
        MemorySegment.copy(wordBytes, MAGIC_AT, wordBytes, tail, FileTail.MAGIC_BYTES);
    }

    /// Writes to a channel, from its current position. Offsets count from there, so it should be
    /// the channel's start.
    ///
    /// @param container whether to write a stream or a file
    /// @param channel any channel in blocking mode; closed by [#close]
    /// @return a writer at position 0
    public static MessageWriter of(ArrowContainer container, WritableByteChannel channel) {
        return new MessageWriter(container, MessageOutput.of(channel));
    }

    /// Writes to an output stream. A [java.io.FileOutputStream] is written through its channel.
    ///
    /// @param container whether to write a stream or a file
    /// @param out any stream; closed by [#close]
    /// @return a writer at position 0
    public static MessageWriter of(ArrowContainer container, OutputStream out) {
        return new MessageWriter(container, MessageOutput.of(out));
    }

    /// Writes to memory that does not overlap the bodies. Changes only the bytes that [#position]
    /// counts.
    ///
    /// @param container whether to write a stream or a file
    /// @param memory any kind of writable memory
    /// @param at byte offset of the first byte
    /// @return a writer at position 0
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws IllegalArgumentException if `memory` is read-only
    public static MessageWriter of(ArrowContainer container, MemorySegment memory, long at) {
        return new MessageWriter(container, MessageOutput.of(memory, at));
    }

    // ---- settings; after the first message they throw an IllegalStateException

    /// Sets the alignment of bodies, counted from the writer's first byte; 8 bytes by default. The
    /// format recommends 64, and requires it for tensors. [BodyParts] aligns buffers inside a body.
    ///
    /// @param bytes a power of two from 8 to 4096
    /// @return this
    /// @throws IllegalArgumentException if `bytes` is another number
    public MessageWriter alignment(int bytes) {
        requireNew();
        alignment = BodyParts.checkAlignment(bytes);
        return this;
    }

    /// Omits the continuation indicator, as writers before Arrow 0.15.0 did.
    ///
    /// @param omitted whether to omit it
    /// @return this
    public MessageWriter legacyPrefix(boolean omitted) {
        requireNew();
        legacy = omitted;
        return this;
    }

    private void requireNew() {
        if (state != State.NEW) {
            throw new IllegalStateException(
                    "setting follows the first message: position=" + position);
        }
    }

    /// Sets the producer whose byte layout the footer follows; [EmissionOrder#ARROW_JAVA] by
    /// default. May be called at any time before [#finish].
    ///
    /// @param like a producer's order
    /// @return this
    /// @throws IllegalStateException if this writes a stream
    public MessageWriter footerOrder(EmissionOrder like) {
        requireFile();
        footer.order = Objects.requireNonNull(like, "order");
        return this;
    }

    private void requireFile() {
        if (footer == null) {
            throw new IllegalStateException("a stream has no footer");
        }
    }

    // ---- messages

    /// Writes a message without a body, such as a schema.
    ///
    /// @param metadata exactly the message's flatbuffer
    /// @throws IOException if the target fails
    public void write(MemorySegment metadata) throws IOException {
        write(metadata, NO_BODY);
    }

    /// Writes a message with a body.
    ///
    /// @param metadata exactly the message's flatbuffer
    /// @param body its body
    /// @throws IOException if the target fails
    public void write(MemorySegment metadata, BodyParts body) throws IOException {
        if (metadata.byteSize() > Integer.MAX_VALUE) {
            throw tooLong(metadata.byteSize());
        }
        write(metadata, 0, (int) metadata.byteSize(), body);
    }

    private static IllegalArgumentException tooLong(long bytes) {
        return new IllegalArgumentException("metadata is too long: bytes=" + bytes);
    }

    /// Writes a message with its metadata and body as read, and with this writer's prefix and
    /// padding.
    ///
    /// @param input the memory that `read` is bound to, or that of its [ArrowFile]
    /// @param read bound to a message in `input`
    /// @throws IOException if the target fails
    /// @throws ArrowFormatException if the body does not fit the input
    public void copy(MemorySegment input, EncapsulatedMessage read) throws IOException {
        if (read.kind() != FrameKind.MESSAGE) {
            throw new IllegalArgumentException(
                    "frame is not bound to a message: found=" + read.kind());
        }
        long at = read.bodyOffset();
        whole.reset().add(input, at, read.nextOffset() - at);
        write(input, read.metadataOffset(), read.metadataLength(), whole);
    }

    /// Writes a message with a body, with metadata at an offset.
    ///
    /// @param memory holds the metadata; any kind of memory
    /// @param at byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @param body its body
    /// @throws IOException if the target fails
    /// @throws IndexOutOfBoundsException if the metadata is not inside `memory`
    public void write(MemorySegment memory, long at, int length, BodyParts body)
            throws IOException {
        body.requireReadable();
        write(memory, at, length, body, null, 0);
    }

    /// Writes a message whose body is in a file. The operating system copies it where possible, so
    /// large bodies need no memory.
    ///
    /// @param memory holds the metadata; any kind of memory
    /// @param at byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @param source contains the body, of the message's `bodyLength`
    /// @param bodyAt byte offset of the body in the file
    /// @throws IOException if the target or the source fails, or the source ends inside the body
    /// @throws IndexOutOfBoundsException if the metadata is not inside `memory`, or `bodyAt` is
    ///     negative
    public void write(MemorySegment memory, long at, int length, FileChannel source, long bodyAt)
            throws IOException {
        Objects.checkIndex(bodyAt, Long.MAX_VALUE);
        write(memory, at, length, NO_BODY, Objects.requireNonNull(source, "source"), bodyAt);
    }

    /// @param source contains the body; null if `body` does
    private void write(
            MemorySegment memory,
            long at,
            int length,
            BodyParts body,
            FileChannel source,
            long bodyAt)
            throws IOException {
        requireOpen();
        message.wrap(memory, at, length);
        long bodyBytes = source == null ? body.length() : message.bodyLength();
        checkContent(bodyBytes);
        order.check(message);
        int kind = message.headerType();
        int lead = footer != null && state == State.NEW ? FileHead.USUAL_BYTES : 0;
        long start = position + lead;
        int from = legacy ? SIZE_AT : PREFIX_AT;
        int prefix = FOOTER_LENGTH_AT - from;
        int padding = (int) -(start + prefix + length) & alignment - 1;
        if (length > Integer.MAX_VALUE - padding) {
            throw tooLong(length);
        }
        words.putInt(SIZE_AT, length + padding);
        head.reset().add(wordBytes, MAGIC_AT, lead).add(wordBytes, from, prefix);
        head.add(memory, at, length).addPadding(padding);
        send(body, source, bodyAt, bodyBytes);
        order.written(kind);
        long headBytes = head.length() - lead;
        position = start + headBytes + bodyBytes;
        if (footer == null) {
            return;
        }
        if (kind == MessageHeader.SCHEMA) {
            footer.setSchema(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
        } else {
            footer.addBlock(kind, start, headBytes, bodyBytes);
        }
    }

    private void checkContent(long bodyBytes) {
        int version = message.version();
        if (!VersionCheck.isSupported(version)) {
            throw new IllegalArgumentException(
                    "metadata version is not supported: version=" + VersionCheck.name(version));
        }
        long bytes = message.bodyLength();
        if (bytes != bodyBytes) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "body length differs from the message: bodyLength=%d, body=%d",
                            bytes,
                            bodyBytes));
        }
        if (bytes < 0) { // for a body in a file, the two are always equal
            throw new IllegalArgumentException("body length is negative: bodyLength=" + bytes);
        }
        if (bytes % BodyLayout.LEAST_ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "body length is not a multiple of 8: bodyLength=" + bytes);
        }
        if (bytes != 0 && message.headerType() == MessageHeader.SCHEMA) {
            throw new IllegalArgumentException("schema message has a body: bodyLength=" + bytes);
        }
    }

    /// Writes the head and a body.
    private void send(BodyParts body, FileChannel source, long at, long bytes) throws IOException {
        State before = state;
        state = State.FAILED;
        try {
            if (source == null) {
                output.write(head, body);
            } else {
                output.write(head, source, at, bytes);
            }
        } catch (TargetTooSmallException e) {
            state = before; // nothing was written
            throw e;
        }
        state = State.OPEN;
    }

    private void requireOpen() {
        if (state != State.NEW && state != State.OPEN) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "writer accepts no more messages: state=%s, position=%d",
                            state,
                            position));
        }
    }

    // ---- the end

    /// Writes the end-of-stream marker and the footer of a file, and flushes an output stream. The
    /// target stays open. The footer has the schema of the first message, with its custom metadata.
    /// A second call does nothing.
    ///
    /// @throws IOException if the target fails
    /// @throws TargetTooSmallException if the target has no room for it
    /// @throws IllegalStateException if no message was written, or the writer is closed or failed
    public void finish() throws IOException {
        end(null);
    }

    /// Finishes a file with another file's footer for the same schema: its version and custom
    /// metadata, with the schema and blocks of this file. Schemas are the same if their content
    /// without custom metadata is equal, in any byte layout; an explicit default differs from an
    /// absent one. After an [IllegalArgumentException], the file can still be finished.
    ///
    /// @param like the other file's footer
    /// @throws IOException if the target fails
    /// @throws TargetTooSmallException if the target has no room for it
    /// @throws dev.fletch.format.write.RewriteException if the footer cannot be rewritten
    /// @throws dev.fletch.FlatBufferFormatException if the footer is malformed
    /// @throws IllegalArgumentException if the footer has no schema, another schema, or a version
    ///     that is present and differs from the schema message
    /// @throws IllegalStateException as for [#finish()], or if this writes a stream
    public void finish(Footer like) throws IOException {
        requireFile();
        end(like);
    }

    private void end(Footer like) throws IOException {
        if (state == State.FINISHED) {
            return;
        }
        requireOpen();
        if (order.isEmpty()) {
            throw new IllegalStateException(
                    "no message was written: the first message must be a schema");
        }
        words.putInt(SIZE_AT, 0);
        int from = legacy ? SIZE_AT : PREFIX_AT;
        head.reset().add(wordBytes, from, FOOTER_LENGTH_AT - from);
        if (footer != null) {
            MemorySegment bytes = footer.encode(like);
            words.putInt(FOOTER_LENGTH_AT, (int) bytes.byteSize());
            head.add(bytes, 0, bytes.byteSize());
            head.add(wordBytes, FOOTER_LENGTH_AT, FileIndex.TAIL_BYTES);
        }
        send(NO_BODY, null, 0, 0);
        position += head.length();
        state = State.FAILED;
        output.flush();
        state = State.FINISHED;
    }

    /// {@return number of bytes written, which is the offset of the next message; after a failure,
    /// the offset of the failed message}
    public long position() {
        return position;
    }

    /// Closes the channel or output stream; does nothing for memory. Does not call [#finish], so
    /// readers can detect an unfinished file. A second call does nothing.
    ///
    /// @throws IOException if the target fails
    @Override
    public void close() throws IOException {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            output.close();
        }
    }
}
