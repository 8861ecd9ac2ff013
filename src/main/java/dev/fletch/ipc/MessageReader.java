// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.Message;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;

/// Reads the messages of a stream one after the other, from a channel or an input stream. It finds what
/// [EncapsulatedMessage#wrap] finds if the same stream is in memory.
///
/// ```java
/// while (reader.next(message) == FrameKind.MESSAGE) {
///     … reader.frame().bodyLength() …
/// }
/// ```
///
/// Each message's metadata is read into a buffer of the reader, which grows with the bytes that arrive: a
/// size word alone does not make it larger. It is verified once, as the [ReadOptions] say. Bodies are read
/// only by [#readBody] and [#readBodyPart]; others are skipped, without reading them if the channel can seek. Nothing is read
/// ahead: after the end mark of a stream, the source is right behind it. Wrap a source that is slow with
/// short reads in a buffered one. Nothing is allocated per message once the buffer is large enough.
///
/// **An empty source** is a stream without messages here: [FrameKind#END_OF_INPUT] at offset 0.
/// [ArrowContainer#detect] refuses it.
///
/// **Errors.** Bytes that cannot be a message, that the options refuse, or a stream that ends inside a
/// message throw an [ArrowFormatException]; what the source throws passes through. After either the place
/// in the stream is lost, and [#next] throws an [IllegalStateException]. A channel in non-blocking mode
/// throws an [IllegalBlockingModeException] when it has no bytes.
///
/// **Lifetime and threads.** Message and frame are valid until the next call of [#next]; the reader and
/// both belong to one thread at a time.
public final class MessageReader implements AutoCloseable {
    /// Limit of a message's metadata unless [#maxMetadataBytes] sets another: room for a schema of
    /// about three million columns.
    public static final int DEFAULT_MAX_METADATA_BYTES = 256 << 20;

    private static final int FIRST_BUFFER_BYTES = 8 << 10;
    private static final int SCRATCH_BYTES = 64 << 10;

    private final ReadableByteChannel channel;
    // The same; null if it cannot seek.
    private final SeekableByteChannel seekable;
    private final MetadataChecks checks;
    private final EncapsulatedMessage frame;
    private final StreamHead head;
    // Holds parts of bodies; made when a body is first read.
    private ByteBuffer scratch;

    // Offset in the stream of the next byte to read.
    private long offset;
    // Bytes of the current message's body that were not read yet.
    private long bodyLeft;
    private State state = State.BEFORE_MESSAGE;

    private enum State {
        BEFORE_MESSAGE,
        BEFORE_BODY,
        ENDED,
        LOST
    }

    private MessageReader(ReadableByteChannel channel, ReadOptions options) {
        this.channel = channel;
        this.seekable = channel instanceof SeekableByteChannel s && isSeekable(s) ? s : null;
        this.checks = new MetadataChecks(options);
        this.frame = new EncapsulatedMessage(checks);
        this.head = new StreamHead(frame, FIRST_BUFFER_BYTES);
    }

    /// A pipe comes as a file's channel too, and fails only when it is asked.
    private static boolean isSeekable(SeekableByteChannel channel) {
        try {
            return channel.position() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Reads from a channel with [ReadOptions#DEFAULT].
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    /// @return a reader before its first message
    public static MessageReader of(ReadableByteChannel channel) {
        return of(channel, ReadOptions.DEFAULT);
    }

    /// Reads from a channel, from its current position; offsets count from there.
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    /// @param options what metadata must pass
    /// @return a reader before its first message
    public static MessageReader of(ReadableByteChannel channel, ReadOptions options) {
        return new MessageReader(channel, options);
    }

    /// Reads from an input stream with [ReadOptions#DEFAULT].
    ///
    /// @param in any stream; closed by [#close]
    /// @return a reader before its first message
    public static MessageReader of(InputStream in) {
        return of(in, ReadOptions.DEFAULT);
    }

    /// Reads from an input stream, from its current position; offsets count from there. A
    /// [FileInputStream] is read through its channel.
    ///
    /// @param in any stream; closed by [#close]
    /// @param options what metadata must pass
    /// @return a reader before its first message
    public static MessageReader of(InputStream in, ReadOptions options) {
        // Only this class: one that extends it may read in another way.
        return new MessageReader(
                in.getClass() == FileInputStream.class
                        ? ((FileInputStream) in).getChannel()
                        : new StreamChannel(in),
                options);
    }

    /// An input stream as a channel that reads into arrays.
    private record StreamChannel(InputStream in) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer into) throws IOException {
            final int at = into.position();
            final int read = in.read(into.array(), at, into.remaining());
            if (read == 0) {
                throw new IOException("input stream has read 0 bytes: asked=" + into.remaining());
            }
            into.position(at + Math.max(read, 0));
            return read;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /// Sets the limit of a message's metadata.
    ///
    /// @param bytes the longest metadata that is read
    /// @return this
    /// @throws IllegalArgumentException if the limit is negative
    public MessageReader maxMetadataBytes(int bytes) {
        head.maxMetadataBytes(bytes);
        return this;
    }

    /// Goes to the next message, past the rest of the current one.
    ///
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return what was found; an end stays the end
    /// @throws IOException if the source fails
    /// @throws IllegalStateException if an exception was thrown before
    public FrameKind next(Message into) throws IOException {
        if (state == State.ENDED) {
            return frame.kind();
        }
        if (state == State.LOST) {
            throw new IllegalStateException(
                    "place in the stream is lost by an earlier failure: offset=" + offset);
        }
        skipBody();
        state = State.LOST;
        final FrameKind kind = readHead();
        if (kind == FrameKind.MESSAGE) {
            head.bind(into, checks);
            bodyLeft = frame.bodyLength();
            state = State.BEFORE_BODY;
        } else {
            state = State.ENDED;
        }
        return kind;
    }

    /// {@return where the message of the last [#next] is in the stream; always the same flyweight. It also has
    /// the counters of what was recognized, and what is known of the last schema}
    public EncapsulatedMessage frame() {
        return frame;
    }

    /// Reads all of the body of the current message, unchanged.
    ///
    /// @param into where to
    /// @param at offset of the body's first byte in `into`
    /// @throws IOException if the source fails
    /// @throws IndexOutOfBoundsException if the body does not fit into `into`; it can still be read
    /// @throws IllegalArgumentException if `into` is read-only; it can still be read
    /// @throws IllegalStateException if there is no message, or its body has been read
    public void readBody(MemorySegment into, long at) throws IOException {
        if (state != State.BEFORE_BODY) {
            throw new IllegalStateException("no body to read: offset=" + offset);
        }
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("segment is read-only: offset=" + offset);
        }
        Objects.checkFromIndexSize(at, bodyLeft, into.byteSize());
        state = State.LOST;
        read(into, at, bodyLeft);
        state = State.BEFORE_MESSAGE;
    }

    /// Reads a part of the body of the current message. Bytes before it that were not read are skipped, so
    /// parts are read in ascending order.
    ///
    /// @param from distance in bytes from the start of the body
    /// @param into filled with the part
    /// @throws IOException if the source fails
    /// @throws IndexOutOfBoundsException if the part is not inside what is left of the body
    /// @throws IllegalArgumentException if `into` is read-only
    /// @throws IllegalStateException if there is no message, or its body has been read
    public void readBodyPart(long from, MemorySegment into) throws IOException {
        if (state != State.BEFORE_BODY) {
            throw new IllegalStateException("no body to read: offset=" + offset);
        }
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("segment is read-only: offset=" + offset);
        }
        final long passed = frame.bodyLength() - bodyLeft;
        Objects.checkFromIndexSize(from - passed, into.byteSize(), bodyLeft);
        state = State.LOST;
        skip(from - passed);
        read(into, 0, into.byteSize());
        state = State.BEFORE_BODY;
    }

    /// Skips what is left of the current message's body. [#next] does so, too; called before it, this
    /// tells whether the message is complete. Does nothing if there is no body to skip.
    ///
    /// @throws IOException if the source fails
    /// @throws ArrowFormatException if the source ends inside the body
    public void skipBody() throws IOException {
        if (state == State.BEFORE_BODY) {
            state = State.LOST;
            skip(bodyLeft);
            state = State.BEFORE_MESSAGE;
        }
    }

    /// Closes the source.
    ///
    /// @throws IOException if the source fails to
    @Override
    public void close() throws IOException {
        channel.close();
    }

    // ---- parts of a message

    private FrameKind readHead() throws IOException {
        head.begin(offset);
        while (head.needed() > 0) {
            final int read = read(head.room(0));
            if (read < 0) {
                return head.endOfInput();
            }
            head.received(read);
        }
        return frame.kind();
    }

    /// The channel's size says what is there; a device has none, and is read.
    private void skip(long bytes) throws IOException {
        long left = bytes;
        if (left > 0 && seekable != null) {
            final long at = seekable.position();
            if (left <= seekable.size() - at) {
                seekable.position(at + left);
                offset += left;
                bodyLeft -= left;
                left = 0;
            }
        }
        while (left > 0) {
            left -= readSome(left);
        }
    }

    /// Reads the next bytes of the body into a segment.
    private void read(MemorySegment into, long at, long bytes) throws IOException {
        long to = at;
        while (to < at + bytes) {
            final int read = readSome(at + bytes - to);
            MemorySegment.copy(scratch.array(), 0, into, ValueLayout.JAVA_BYTE, to, read);
            to += read;
        }
    }

    /// Reads a part of the body into [#scratch].
    ///
    /// @param most how many bytes at most; no more than the body has
    /// @return its length
    private int readSome(long most) throws IOException {
        if (scratch == null) {
            scratch = ByteBuffer.allocate(SCRATCH_BYTES);
        }
        final int read = read(scratch.clear().limit((int) Math.min(most, SCRATCH_BYTES)));
        if (read < 0) {
            throw frame.bodyCutOff(frame.bodyLength() - bodyLeft);
        }
        bodyLeft -= read;
        return read;
    }

    /// Reads some bytes.
    ///
    /// @return how many, at least 1; -1 at the end
    private int read(ByteBuffer into) throws IOException {
        final int read = channel.read(into);
        if (read == 0) {
            throw new IllegalBlockingModeException();
        }
        offset += Math.max(read, 0);
        return read;
    }
}
