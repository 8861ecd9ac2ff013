// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.write.BodyLayout;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;
import java.util.Objects;

/// Writes messages one after the other, each in its frame: [ArrowStreamWriter] and [ArrowFileWriter].
///
/// ```text
///   FF FF FF FF   continuation word; not in the form of old writers
///   i32           metadata length, padding included
///   metadata      flatbuffer `Message`, padding so that the body is aligned
///   body          as the message says
/// ```
///
/// Metadata is a finished flatbuffer, from a [FlatBufferWriter], a template, or as it was read. Bodies stay
/// where the caller has them. To memory they are copied once; to a channel they go unchanged, prefix,
/// metadata and all parts in one gathering write if the channel can; to an output stream unchanged from a
/// `byte[]`, else through a small buffer.
///
/// **Checks**, before any byte of a message is written. [IllegalArgumentException]: it is no message of a
/// supported version with a header; its body is not as long as it says, or no multiple of 8 bytes.
/// [IllegalStateException]: the body's memory cannot be read; the message cannot come next: the schema is
/// first and once, each dictionary is in the schema, a delta follows its dictionary, and a file has a
/// dictionary once; or the writer was finished, closed, or has failed. A malformed message throws a
/// [dev.fletch.FlatBufferFormatException]. After such a refusal, or a [TargetTooSmallException], the
/// writer goes on as if there had been no call.
///
/// **Failures.** What the target throws passes through. Parts of a message may have been written then, so
/// the writer refuses all further calls but [#close]; [#position] stays where that message begins.
///
/// **Allocation.** Nothing per message after set-up if segments are the same objects as for the messages
/// before, whatever their offsets. For others in a channel or stream it makes a view each, and so it does
/// for parts of segments longer than 2 GiB. Channels of the JDK may allocate as well: they copy heap memory
/// into native memory of their own, and keep the arenas of native memory alive.
///
/// **Threads.** It belongs to one thread at a time.
///
/// Source: the chapters "Encapsulated message format" and "IPC Streaming Format" of Arrow's columnar
/// format.
public abstract sealed class MessageWriter implements AutoCloseable
        permits ArrowStreamWriter, ArrowFileWriter {
    private enum State {
        NEW,
        OPEN,
        FINISHED,
        FAILED,
        CLOSED
    }

    private static final BodyParts NO_BODY = new BodyParts();

    private final MessageOutput output;
    private final MessageFrame frame;
    private final MessageOrder order;
    private final Message message = new Message();
    private final BodyParts whole = new BodyParts();
    private int alignment = BodyLayout.LEAST_ALIGNMENT;
    private boolean legacy;
    private long position;
    private State state = State.NEW;

    MessageWriter(MessageOutput output, boolean isFile) {
        this.output = output;
        this.frame = output.frame();
        this.order = new MessageOrder(isFile);
    }

    static MessageOutput output(WritableByteChannel channel) {
        return new MessageOutput.OfChannel(Objects.requireNonNull(channel, "channel"));
    }

    static MessageOutput output(OutputStream out) {
        // Only this class: one that extends it may write in another way.
        return out.getClass() == FileOutputStream.class
                ? new MessageOutput.OfChannel(((FileOutputStream) out).getChannel())
                : new MessageOutput.OfStream(out);
    }

    static MessageOutput output(MemorySegment memory, long at) {
        return new MessageOutput.OfMemory(memory, at);
    }

    // ---- settings, before the first message

    final void setAlignment(int bytes) {
        requireNew();
        alignment = MessageFrame.checkAlignment(bytes);
    }

    final void setLegacyPrefix(boolean set) {
        requireNew();
        legacy = set;
    }

    private void requireNew() {
        if (state != State.NEW) {
            throw new IllegalStateException("writer has begun: position=" + position);
        }
    }

    // ---- messages

    /// Writes a message without a body, such as a schema.
    ///
    /// @param metadata the message's flatbuffer and nothing else
    /// @throws IOException if the target fails
    public final void write(MemorySegment metadata) throws IOException {
        write(metadata, 0, checkedLength(metadata), NO_BODY);
    }

    /// Writes a message with a body.
    ///
    /// @param metadata the message's flatbuffer and nothing else
    /// @param body its body
    /// @throws IOException if the target fails
    public final void write(MemorySegment metadata, BodyParts body) throws IOException {
        write(metadata, 0, checkedLength(metadata), body);
    }

    private static int checkedLength(MemorySegment metadata) {
        if (metadata.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "metadata is too long: bytes=" + metadata.byteSize());
        }
        return (int) metadata.byteSize();
    }

    /// Writes a message as it was read, with its body, in a frame of this writer's form.
    ///
    /// @param input the memory that `read` was bound to, or that of its [ArrowFile]
    /// @param read a message in it
    /// @throws IOException if the target fails
    /// @throws ArrowFormatException if the body does not fit the input
    public final void copy(MemorySegment input, EncapsulatedMessage read) throws IOException {
        if (read.kind() != FrameKind.MESSAGE) {
            throw new IllegalArgumentException("no message to copy: found=" + read.kind());
        }
        final long end = read.nextOffset();
        final long at = read.bodyOffset();
        write(
                input,
                read.metadataOffset(),
                read.metadataLength(),
                whole.reset().add(input, at, end - at));
    }

    /// Writes a message with a body, from anywhere in memory.
    ///
    /// @param memory holds the metadata; any kind of memory
    /// @param at byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @param body its body
    /// @throws IOException if the target fails
    /// @throws IndexOutOfBoundsException if the metadata is not inside `memory`
    public final void write(MemorySegment memory, long at, int length, BodyParts body)
            throws IOException {
        requireOpen();
        message.wrap(memory, at, length);
        checkContent(body);
        order.check(message, length);
        body.requireReadable();
        final int lead = state == State.NEW ? leadBytes() : 0;
        frame.reset();
        if (lead != 0) {
            lead(frame);
        }
        final long start = position + lead;
        frame.putMessage(memory, at, length, start, alignment, legacy);
        final int head = frame.length() - lead;
        final int kind = message.headerType();
        send(body);
        order.written(kind);
        position = start + head + body.length();
        if (kind == MessageHeader.SCHEMA) {
            keepSchema(memory, at, length);
        } else {
            addBlock(kind, start, head, body.length());
        }
    }

    private void checkContent(BodyParts body) {
        final int version = message.version();
        if (!SupportedVersions.isSupported(version)) {
            throw new IllegalArgumentException(
                    "metadata version is not supported: version="
                            + SupportedVersions.name(version));
        }
        final long bytes = message.bodyLength();
        if (bytes != body.length()) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "body is not as long as the message says: bodyLength=%d, body=%d",
                            bytes,
                            body.length()));
        }
        if (bytes % BodyLayout.LEAST_ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "length of the body is no multiple of 8: bodyLength=" + bytes);
        }
        if (bytes != 0 && message.headerType() == MessageHeader.SCHEMA) {
            throw new IllegalArgumentException("schema has a body: bodyLength=" + bytes);
        }
    }

    /// Writes what is in the frame, and a body.
    private void send(BodyParts body) throws IOException {
        final State before = state;
        state = State.FAILED;
        try {
            output.write(frame, body);
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
                            "nothing can be written any more: state=%s, position=%d",
                            state,
                            position));
        }
    }

    // ---- before and after the messages

    /// How many bytes come before the first message.
    int leadBytes() {
        return 0;
    }

    /// Puts them.
    void lead(MessageFrame into) {}

    /// Notes the schema's message, which was written.
    void keepSchema(MemorySegment memory, long at, int length) {}

    /// Notes any other message that was written.
    ///
    /// @param kind one of [MessageHeader]
    /// @param start position of its first byte
    /// @param head bytes from there to the body
    void addBlock(int kind, long start, int head, long bodyBytes) {}

    /// Puts what follows the end mark.
    ///
    /// @param like a footer to take all but the blocks from, or null
    void trail(MessageFrame into, Footer like) {}

    /// Writes what follows the last message, at least the end mark, and flushes an output stream. The target
    /// stays open. A second call does nothing.
    ///
    /// @throws IOException if the target fails
    /// @throws TargetTooSmallException if the target has no room for it
    /// @throws IllegalStateException if there was no message, or the writer was closed or has failed
    public final void finish() throws IOException {
        finishLike(null);
    }

    final void finishLike(Footer like) throws IOException {
        if (state == State.FINISHED) {
            return;
        }
        requireOpen();
        if (order.isEmpty()) {
            throw new IllegalStateException("nothing was written: a schema has to be first");
        }
        frame.reset().putEnd(legacy);
        trail(frame, like);
        send(NO_BODY);
        position += frame.length();
        state = State.FAILED;
        output.flush();
        state = State.FINISHED;
    }

    /// {@return bytes from the first one that this writer has written, up to where the next message begins;
    /// after a failure, up to where the message begins that failed}
    public final long position() {
        return position;
    }

    /// Closes the channel or output stream; does nothing for memory. An unfinished stream or file stays
    /// unfinished, so that readers can tell. A second call does nothing.
    ///
    /// @throws IOException if the target fails
    @Override
    public final void close() throws IOException {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            output.close();
        }
    }
}
