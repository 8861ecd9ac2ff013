// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.write.SegmentList;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.function.Consumer;

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
/// Memory targets receive one copy of the body. A gathering channel receives a message in one
/// gathering write, without a copy. Other targets, and messages with a part of more than 2 GiB or
/// in an array other than `byte[]`, use a buffer of 64 KiB.
///
/// **Checks** before any byte of a message is written: those of [MessageEncoder], and an
/// [IllegalStateException] if the writer is finished, closed or failed. After these exceptions, or
/// a [TargetTooSmallException] of a memory target, the writer's state is unchanged.
///
/// **Failures.** Exceptions of the target pass through. A message may then be partly written, so
/// only [#close] is permitted; [#position] stays at the start of that message.
///
/// **Allocation.** That of [MessageEncoder]. For a channel, each segment that differs from that of
/// the previous message costs a view, and so does each part of a segment larger than 2 GiB.
/// Channels of the JDK may allocate too: they copy heap memory into native memory, and keep arenas
/// of native memory alive.
///
/// **Threads.** Belongs to one thread at a time.
public final class MessageWriter implements AutoCloseable {
    private enum State {
        OPEN,
        FINISHED,
        FAILED,
        CLOSED
    }

    private final MessageOutput output;
    private final MessageEncoder encoder;
    private final SegmentList whole = new SegmentList();
    private State state = State.OPEN;

    private MessageWriter(ArrowContainer container, MessageOutput output) {
        this.output = output;
        encoder = new MessageEncoder(container);
    }

    /// Writes to a channel, from its current position. Offsets count from there, so it should be
    /// the channel's start.
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    public static MessageWriter of(ArrowContainer container, WritableByteChannel channel) {
        return new MessageWriter(container, MessageOutput.of(channel));
    }

    /// Writes to an output stream. A [java.io.FileOutputStream] is written through its channel.
    ///
    /// @param out any stream; closed by [#close]
    public static MessageWriter of(ArrowContainer container, OutputStream out) {
        return new MessageWriter(container, MessageOutput.of(out));
    }

    /// Writes to memory that does not overlap the bodies. Changes only the bytes that [#position]
    /// counts.
    ///
    /// @param memory any kind of writable memory
    /// @param position byte offset of the first byte
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws IllegalArgumentException if `memory` is read-only
    public static MessageWriter of(ArrowContainer container, MemorySegment memory, long position) {
        return new MessageWriter(container, new MessageOutput.OfMemory(memory, position));
    }

    /// Changes settings of the encoder, before the first message.
    ///
    /// @param settings such as `encoder -> encoder.alignment(64)`; must not encode anything
    public MessageWriter set(Consumer<MessageEncoder> settings) {
        settings.accept(encoder);
        return this;
    }

    // ---- messages

    /// Writes a message without a body, such as a schema.
    ///
    /// @param metadata exactly the message's flatbuffer
    public void write(MemorySegment metadata) throws IOException {
        write(metadata, MessageEncoder.NO_BODY);
    }

    /// Writes a message with a body.
    ///
    /// @param metadata exactly the message's flatbuffer
    public void write(MemorySegment metadata, SegmentList body) throws IOException {
        write(metadata, 0, MessageEncoder.length(metadata), body);
    }

    /// Writes a batch.
    ///
    /// @param batch begun, with all its buffers
    /// @throws IllegalStateException also if the batch is incomplete or wrong: see
    ///     [BatchBuilder#encode]
    public void write(BatchBuilder batch) throws IOException {
        requireOpen();
        int length = batch.encode();
        write(batch.message(), 0, length, batch.body());
    }

    /// Writes a message with its metadata and body as read, and with this writer's prefix and
    /// padding.
    ///
    /// @param input the memory that `read` is bound to, or that of its [ArrowFile]
    /// @param read bound to a message in `input`
    /// @throws FletchException if the body does not fit the input
    public void copy(MemorySegment input, EncapsulatedMessage read) throws IOException {
        if (read.kind() != FrameKind.MESSAGE) {
            throw new IllegalArgumentException(
                    "frame is not bound to a message: found=" + read.kind());
        }
        long position = read.bodyOffset();
        whole.reset().add(input, position, read.nextOffset() - position);
        write(input, read.metadataOffset(), read.metadataLength(), whole);
    }

    /// Writes a message with a body, with metadata at an offset.
    ///
    /// @param memory holds the metadata; any kind of memory
    /// @param position byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @throws IndexOutOfBoundsException if the metadata is not inside `memory`
    public void write(MemorySegment memory, long position, int length, SegmentList body)
            throws IOException {
        Objects.requireNonNull(body, "body");
        requireOpen();
        send(encoder.prepare(memory, position, length, body), null, 0, 0);
        encoder.commit();
    }

    /// [#write(MemorySegment, long, int, SegmentList)] for a body in a file. The operating system
    /// copies it where possible, so large bodies need no memory.
    ///
    /// @param source contains the body, of the message's `bodyLength`
    /// @param bodyAt byte offset of the body in the file
    /// @throws IOException if the target or the source fails, or the source ends inside the body
    /// @throws IndexOutOfBoundsException if the metadata is not inside `memory`, or `bodyAt` is
    ///     negative
    public void write(
            MemorySegment memory, long position, int length, FileChannel source, long bodyAt)
            throws IOException {
        Objects.checkIndex(bodyAt, Long.MAX_VALUE);
        Objects.requireNonNull(source, "source");
        requireOpen();
        SegmentList parts = encoder.prepare(memory, position, length, null);
        send(parts, source, bodyAt, encoder.bodyBytes);
        encoder.commit();
    }

    /// Sends parts, and then bytes of a file.
    private void send(SegmentList parts, FileChannel source, long position, long bytes)
            throws IOException {
        long room = Long.MAX_VALUE - parts.length();
        output.requireRoom(bytes > room ? Long.MAX_VALUE : parts.length() + bytes);
        state = State.FAILED;
        output.write(parts);
        if (bytes != 0) {
            output.transfer(source, position, bytes);
        }
        state = State.OPEN;
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException(
                    "writer accepts no more messages: state=" + state + ", position=" + position());
        }
    }

    // ---- the end

    /// Writes the end-of-stream marker and the footer of a file, and flushes an output stream. The
    /// target stays open. The footer has the schema of the first message, and the
    /// custom metadata of both. A second call does nothing.
    ///
    /// @throws IllegalStateException if no message was written, or the writer is closed or failed
    public void finish() throws IOException {
        end(null);
    }

    /// Finishes a file with another file's footer for the same schema: see
    /// [MessageEncoder#finish(Footer)].
    public void finish(Footer like) throws IOException {
        end(Objects.requireNonNull(like, "like"));
    }

    private void end(Footer like) throws IOException {
        if (state == State.FINISHED) {
            return;
        }
        requireOpen();
        send(encoder.prepareEnd(like), null, 0, 0);
        encoder.commitEnd();
        state = State.FAILED;
        output.flush();
        state = State.FINISHED;
    }

    /// {@return number of bytes written, which is the offset of the next message; after a failure,
    /// the offset of the failed message}
    public long position() {
        return encoder.position();
    }

    /// Closes the channel or output stream; memory has nothing to close. A second call does
    /// nothing.
    ///
    /// Does not call [#finish], so that readers detect data that is incomplete because of an
    /// exception.
    ///
    /// @throws IllegalStateException if messages were written, but not [#finish] called; the target
    ///     is closed all the same
    @Override
    public void close() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        boolean isIncomplete = state == State.OPEN && position() != 0;
        state = State.CLOSED;
        output.close();
        if (isIncomplete) {
            throw new IllegalStateException(
                    "finish was not called before close: position=" + position());
        }
    }
}
