// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.format.FrameKind;
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

/// Reads the messages of a stream in order, from a channel or an input stream. Messages
/// equal those of [EncapsulatedMessage#wrap] on the same stream in memory. Of metadata that is both
/// over the limit and cut off, this reports the limit.
///
/// ```java
/// while (reader.next(message) == FrameKind.MESSAGE) {
///     … reader.frame().bodyLength() …
/// }
/// ```
///
/// The reader copies metadata into its own buffer, which grows with the bytes received: a large
/// metadata length alone allocates nothing. Metadata is verified once, according to the
/// [ReadOptions]. Only [#readBody] and [#readBodyPart] read bodies; [#next] skips them, by seeking
/// if the channel supports it. The reader never reads ahead: after the end-of-stream marker, the
/// source is at the next byte. Wrap a source with slow short reads in a buffered one. Once the
/// buffer is large enough, messages allocate nothing, nor do bodies that are read into one segment.
///
/// **An empty source** is a stream without messages: [#next] returns [FrameKind#END_OF_INPUT].
/// [ArrowContainer#detect] rejects it.
///
/// **Errors.** Invalid messages, messages that the options reject, and a stream that ends inside a
/// message throw a [FletchException] with offset and message index; exceptions of the source pass
/// through. After any of them the position in the stream is unknown, and [#next] throws an
/// [IllegalStateException]. A channel in non-blocking mode without available bytes throws an
/// [IllegalBlockingModeException].
///
/// **Lifetime and threads.** Message and frame are valid until the next call of [#next]. The
/// segment of the last body is referenced until the next one, or [#close]. Reader, message and
/// frame belong to one thread at a time.
public final class MessageReader implements AutoCloseable {
    private static final int FIRST_BUFFER_BYTES = 8 << 10;
    private static final int SCRATCH_BYTES = 64 << 10;

    private final ReadableByteChannel channel;
    // The channel; null if it cannot seek.
    private final SeekableByteChannel seekable;
    private final StreamHead head;
    private final EncapsulatedMessage frame;
    // The segment that a body was last read into, as a buffer; null if the source cannot read into
    // it.
    private MemorySegment target = MemorySegment.NULL;
    private ByteBuffer targetBuffer;
    // Holds parts of bodies that are skipped, or that the source cannot read into their segment.
    private ByteBuffer scratch;

    // Offset in the stream of the next byte to read.
    private long offset;
    // Bytes of the current message's body that are not read yet.
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
        this.head = new StreamHead(options, FIRST_BUFFER_BYTES);
        this.frame = head.frame;
    }

    /// A pipe may also be a [java.nio.channels.FileChannel]; its position then throws.
    private static boolean isSeekable(SeekableByteChannel channel) {
        try {
            return channel.position() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Reads from a channel, from its current position; offsets count from there.
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    public static MessageReader of(ReadableByteChannel channel, ReadOptions options) {
        return new MessageReader(channel, options);
    }

    /// Reads from an input stream, from its current position; offsets count from there. A
    /// [FileInputStream] is read through its channel.
    ///
    /// @param in any stream; closed by [#close]
    public static MessageReader of(InputStream in, ReadOptions options) {
        // Only this exact class: a subclass may override how it reads.
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
            int position = into.position();
            int read = in.read(into.array(), into.arrayOffset() + position, into.remaining());
            if (read == 0) {
                throw new IOException(
                        "input stream returned 0 bytes: requested=" + into.remaining());
            }
            into.position(position + Math.max(read, 0));
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

    /// Moves to the next message and skips the rest of the current body.
    ///
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return a message, or how the stream ends; after the end, each call returns the same
    /// @throws IllegalStateException if the reader has failed before
    public FrameKind next(Message into) throws IOException {
        if (state == State.ENDED) {
            return frame.kind();
        }
        if (state == State.LOST) {
            throw new IllegalStateException(
                    "reader has failed before, position in the stream is unknown: offset="
                            + offset);
        }
        skipBody();
        state = State.LOST;
        FrameKind kind = readHead();
        if (kind == FrameKind.MESSAGE) {
            head.bind(into);
            bodyLeft = frame.bodyLength();
            state = State.BEFORE_BODY;
        } else {
            state = State.ENDED;
        }
        return kind;
    }

    /// {@return offsets and lengths of the current message, counters of recognized schemas and the
    /// last known schema; always the same flyweight}
    public EncapsulatedMessage frame() {
        return frame;
    }

    /// Reads the body of the current message as stored; after [#readBodyPart], the unread rest.
    ///
    /// @param position byte offset in `into` of the first byte that is read
    /// @throws IndexOutOfBoundsException if the body does not fit into `into`; the body can still
    ///     be read
    /// @throws IllegalArgumentException if `into` is read-only; the body can still be read
    /// @throws IllegalStateException if there is no message, or its body has been read
    public void readBody(MemorySegment into, long position) throws IOException {
        requireBody(into);
        Objects.checkFromIndexSize(position, bodyLeft, into.byteSize());
        state = State.LOST;
        read(into, position, bodyLeft);
        state = State.BEFORE_MESSAGE;
    }

    /// Reads a part of the current message's body and skips unread bytes before it. Read parts in
    /// ascending order.
    ///
    /// @param from offset in the body of the part's first byte
    /// @param into filled with the part
    /// @throws IndexOutOfBoundsException if the part is not inside the unread rest of the body
    /// @throws IllegalArgumentException if `into` is read-only
    /// @throws IllegalStateException if there is no message, or its body has been read
    public void readBodyPart(long from, MemorySegment into) throws IOException {
        requireBody(into);
        long passed = frame.bodyLength() - bodyLeft;
        Objects.checkFromIndexSize(from - passed, into.byteSize(), bodyLeft);
        state = State.LOST;
        skip(from - passed);
        read(into, 0, into.byteSize());
        state = State.BEFORE_BODY;
    }

    private void requireBody(MemorySegment into) {
        if (state != State.BEFORE_BODY) {
            throw new IllegalStateException("no body to read: offset=" + offset);
        }
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("segment is read-only: offset=" + offset);
        }
    }

    /// Skips the rest of the current message's body, which checks that the body is complete.
    /// [#next] skips it too. Does nothing if there is no body to skip.
    ///
    /// @throws FletchException if the source ends inside the body
    public void skipBody() throws IOException {
        if (state == State.BEFORE_BODY) {
            state = State.LOST;
            skip(bodyLeft);
            state = State.BEFORE_MESSAGE;
        }
    }

    /// Closes the source.
    @Override
    public void close() throws IOException {
        target = MemorySegment.NULL;
        targetBuffer = null;
        channel.close();
    }

    // ---- parts of a message

    private FrameKind readHead() throws IOException {
        head.begin(offset);
        while (head.needed() > 0) {
            int read = read(head.room(0));
            if (read < 0) {
                return head.endOfInput();
            }
            head.received(read);
        }
        return frame.kind();
    }

    /// Seeks if the channel's size covers the bytes; else reads, as for devices, whose size is 0.
    private void skip(long bytes) throws IOException {
        long left = bytes;
        if (left > 0 && seekable != null) {
            long position = seekable.position();
            if (left <= seekable.size() - position) {
                seekable.position(position + left);
                offset += left;
                bodyLeft -= left;
                left = 0;
            }
        }
        while (left > 0) {
            left -= readSome(scratch(left));
        }
    }

    /// Reads the next bytes of the body into a segment.
    private void read(MemorySegment into, long position, long bytes) throws IOException {
        ByteBuffer buffer = buffer(into);
        // Of an array, in parts: the JDK reads into native memory of the same size first.
        int limit = into.isNative() ? Integer.MAX_VALUE : SCRATCH_BYTES;
        long end = position + bytes;
        for (long to = position; to < end; ) {
            ByteBuffer part =
                    buffer == null
                            ? scratch(end - to)
                            : buffer.limit((int) Math.min(end, to + limit)).position((int) to);
            int read = readSome(part);
            if (buffer == null) {
                MemorySegment.copy(scratch.array(), 0, into, ValueLayout.JAVA_BYTE, to, read);
            }
            to += read;
        }
    }

    /// {@return a segment as a buffer that the source can read into; null if there is none} The
    /// last one is kept, so that reading all bodies into one segment allocates nothing.
    private ByteBuffer buffer(MemorySegment into) {
        if (into != target) {
            boolean isReadable =
                    into.isNative()
                            ? !(channel instanceof StreamChannel)
                            : into.heapBase().orElseThrow() instanceof byte[];
            targetBuffer =
                    isReadable && into.byteSize() <= Integer.MAX_VALUE ? into.asByteBuffer() : null;
            target = into;
        }
        return targetBuffer;
    }

    private ByteBuffer scratch(long limit) {
        if (scratch == null) {
            scratch = ByteBuffer.allocate(SCRATCH_BYTES);
        }
        return scratch.clear().limit((int) Math.min(limit, SCRATCH_BYTES));
    }

    /// Reads a part of the body.
    ///
    /// @param into has room for at most the rest of the body
    /// @return number of bytes read
    private int readSome(ByteBuffer into) throws IOException {
        int read = read(into);
        if (read < 0) {
            frame.checkBodyInside(frame.bodyLength() - bodyLeft);
        }
        bodyLeft -= read;
        return read;
    }

    /// Reads some bytes.
    ///
    /// @return number of bytes, at least 1; -1 at the end
    private int read(ByteBuffer into) throws IOException {
        int room = into.remaining();
        int read = channel.read(into);
        if (read == 0) {
            throw new IllegalBlockingModeException();
        }
        if (read > room) {
            throw new IOException(
                    "channel has read too many bytes: requested=" + room + ", read=" + read);
        }
        offset += Math.max(read, 0);
        return read;
    }
}
