// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.UnreadableFileException;
import dev.fletch.format.Message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/// Finds the messages of a stream that arrives in buffers, such as those of a network stack. It waits for
/// nothing: it says what the bytes that are there complete, or that it needs more. It finds what a
/// [MessageReader] finds in the same stream.
///
/// ```java
/// while (channel.read(buffer.clear()) >= 0) {
///     buffer.flip();
///     Event event;
///     while ((event = decoder.next(buffer, message)) != Event.NEED_MORE) {
///         switch (event) {
///             case MESSAGE -> … message.header(batch) …
///             case BODY -> … decoder.body() …
///             default -> … // the end mark; the connection may go on
///         }
///     }
/// }
/// decoder.finish(); // throws if the stream was cut off
/// ```
///
/// Buffers may be of any kind and any size, cut anywhere, and another one each time. Bytes are taken from
/// position to limit, and the position moves past them. On [Event#NEED_MORE] all of them have been taken, so
/// the buffer may be filled again from the start. On any other event the rest stays in the buffer, for the
/// next call. A stream ends with a mark or with the connection: [#finish] accepts both.
///
/// **Metadata** that lies in one buffer is bound there, without a copy. If it is cut, its parts are gathered
/// in a buffer of the decoder, which grows with the bytes that arrive: a size word alone does not make it
/// larger, and [#maxMetadataBytes] limits it. Metadata is verified once, as the [ReadOptions] say.
///
/// **Bodies** are never gathered. After each [Event#MESSAGE] comes at least one [Event#BODY], and the last
/// one has [#bodyLeft] 0; a body of 0 bytes is one empty piece. A body that lies in one buffer is one piece.
/// To gather bodies:
///
/// ```java
/// case MESSAGE -> {
///     cursor.bind(layout, message); // copies its numbers: the buffer may be filled again
///     body = ByteBuffer.allocate((int) decoder.bodyLeft()); // check it against a limit before
/// }
/// case BODY -> {
///     body.put(decoder.body());
///     if (decoder.bodyLeft() == 0) {
///         cursor.body(MemorySegment.ofBuffer(body.flip()));
///     }
/// }
/// ```
///
/// A message that is needed with its body, such as a dictionary batch, must stay too: copy its metadata, or use a
/// buffer that has room for both.
///
/// **Errors.** Bytes that cannot be a message, or that the options refuse, throw the [ArrowFormatException]
/// that a [MessageReader] throws, and [#finish] does if the stream has been cut off. Offsets count from the
/// first byte of the stream. After an exception the place in the stream is lost, and methods throw an
/// [IllegalStateException] until [#reset].
///
/// **Allocation.** None per message once the decoder's buffer is large enough, as long as it is the same
/// [ByteBuffer] that is filled again; another one costs a view or two.
///
/// **Lifetime and threads.** A message that was bound in a buffer is valid as long as the bytes there stay as
/// they are; one whose metadata was gathered, until the call of [#next] after the last piece of its body. A
/// body that does not fit the buffer comes after the buffer has been filled again: read what you need of the
/// message at [Event#MESSAGE]. The frame is valid until the call of [#next] after the last piece, a piece until
/// any next call. The decoder, and what it binds, belong to one thread at a time.
public final class MessageDecoder {
    /// What [#next] has found.
    public enum Event {
        /// All bytes of the buffer have been taken, and there is nothing more to report. At least
        /// [#bytesNeeded] bytes are missing to complete what has begun, or to begin the next message.
        NEED_MORE,

        /// The metadata of a message, which is bound. Its body is next.
        MESSAGE,

        /// A piece of the current message's body: see [#body].
        BODY,

        /// The mark that ends the stream. It is reported once; the bytes behind it stay in the buffer, and
        /// are not taken before [#reset].
        END_OF_STREAM
    }

    private static final int FIRST_BUFFER_BYTES = 64;

    private enum State {
        IN_HEAD,
        IN_BODY,
        ENDED,
        LOST
    }

    private final MetadataChecks checks;
    private final EncapsulatedMessage frame;
    private final StreamHead head;
    private State state;
    private Event last;

    // Bytes of the current message's body that have not been handed out, and how many the last
    // piece has.
    private long bodyLeft;
    private int pieceBytes;
    // The buffer of the last piece, and a view of it.
    private ByteBuffer viewed;
    private ByteBuffer view;

    /// Creates a decoder before the first byte of a stream, with [ReadOptions#DEFAULT].
    public MessageDecoder() {
        this(ReadOptions.DEFAULT);
    }

    /// Creates a decoder before the first byte of a stream.
    ///
    /// @param options what metadata must pass
    public MessageDecoder(ReadOptions options) {
        checks = new MetadataChecks(options);
        frame = new EncapsulatedMessage(checks);
        head = new StreamHead(frame, FIRST_BUFFER_BYTES);
        reset();
    }

    /// Sets the limit of a message's metadata; [MessageReader#DEFAULT_MAX_METADATA_BYTES] if not set.
    ///
    /// @param bytes the longest metadata that is read
    /// @return this
    /// @throws IllegalArgumentException if the limit is negative
    public MessageDecoder maxMetadataBytes(int bytes) {
        head.maxMetadataBytes(bytes);
        return this;
    }

    /// Begins with another stream, whose first byte has offset 0. Counters and what was learned stay.
    ///
    /// @return this
    public MessageDecoder reset() {
        frame.restart();
        head.begin(0);
        bodyLeft = 0;
        last = null;
        state = State.IN_HEAD;
        return this;
    }

    /// Takes bytes between a buffer's position and its limit, up to the next event.
    ///
    /// @param input any kind of buffer; its byte order plays no part. Its position moves past the bytes
    ///     that were taken
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return what was found; after an end always [Event#NEED_MORE], so that a loop ends
    /// @throws IllegalStateException if an exception was thrown since the last [#reset]
    public Event next(ByteBuffer input, Message into) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(into, "into");
        last = null;
        last =
                switch (state) {
                    case IN_HEAD -> head(input, into);
                    case IN_BODY -> piece(input);
                    case ENDED -> Event.NEED_MORE;
                    case LOST -> throw lost();
                };
        return last;
    }

    private static IllegalStateException lost() {
        return new IllegalStateException(
                "place in the stream is lost by an earlier failure; reset the decoder");
    }

    private Event head(ByteBuffer input, Message into) {
        state = State.LOST;
        try {
            while (head.needed() > 0) {
                if (!input.hasRemaining()) {
                    state = State.IN_HEAD;
                    return Event.NEED_MORE;
                }
                if (head.isBeforeMetadata() && head.needed() <= input.remaining()) {
                    final int at = input.position();
                    input.position(at + head.needed());
                    frame.metadata(frame.memoryOf(input), at, into, checks);
                    return message();
                }
                head.take(input);
            }
            if (frame.kind() == FrameKind.END_OF_STREAM) {
                state = State.ENDED;
                return Event.END_OF_STREAM;
            }
            head.bind(into, checks);
            return message();
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private Event message() {
        bodyLeft = frame.bodyLength();
        state = State.IN_BODY;
        return Event.MESSAGE;
    }

    private Event piece(ByteBuffer input) {
        if (bodyLeft > 0 && !input.hasRemaining()) {
            return Event.NEED_MORE;
        }
        if (viewed != input) {
            view = input.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            viewed = input;
        }
        final int at = input.position();
        pieceBytes = (int) Math.min(bodyLeft, input.remaining());
        view.limit(at + pieceBytes).position(at);
        input.position(at + pieceBytes);
        bodyLeft -= pieceBytes;
        if (bodyLeft == 0) {
            head.begin(frame.nextOffset());
            state = State.IN_HEAD;
        }
        return Event.BODY;
    }

    /// Says that no more bytes come. A stream may end with or without its mark, but not inside a message.
    ///
    /// @return which of the two ends it was
    /// @throws ArrowFormatException if the stream has been cut off inside a message. It names the offset,
    ///     how many bytes the message needs there, and how many there were
    /// @throws IllegalStateException if an exception was thrown since the last [#reset]
    public FrameKind finish() {
        final State before = state;
        state = State.LOST;
        last = null;
        switch (before) {
            case LOST -> throw lost();
            case IN_HEAD -> head.endOfInput();
            case IN_BODY -> {
                if (bodyLeft != 0) {
                    throw frame.bodyCutOff(frame.bodyLength() - bodyLeft);
                }
                frame.end(FrameKind.END_OF_INPUT, frame.nextOffset(), 0);
            }
            case ENDED -> {}
        }
        state = State.ENDED;
        return frame.kind();
    }

    /// {@return at least how many bytes are missing to complete what has begun: a prefix, metadata or a body;
    /// or to begin the next message. 0 at an end, or if only an empty body is to come}
    public long bytesNeeded() {
        return switch (state) {
            case IN_HEAD -> head.needed();
            case IN_BODY -> bodyLeft;
            case ENDED, LOST -> 0;
        };
    }

    /// {@return where the current message is in the stream; always the same flyweight. It also has the
    /// counters of what was recognized, and what is known of the last schema}
    public EncapsulatedMessage frame() {
        return frame;
    }

    // ---- a piece of a body

    /// {@return the piece of the body that was found: a view of the fed buffer, from its position to its
    /// limit, with little-endian numbers. It is the same object as long as the fed buffer is}
    ///
    /// @throws IllegalStateException if the last event is not [Event#BODY]
    public ByteBuffer body() {
        requirePiece();
        return view;
    }

    /// {@return offset in the body of the piece's first byte}
    ///
    /// @throws IllegalStateException if the last event is not [Event#BODY]
    public long bodyOffset() {
        requirePiece();
        return frame.bodyLength() - bodyLeft - pieceBytes;
    }

    private void requirePiece() {
        if (last != Event.BODY) {
            throw new IllegalStateException("no piece of a body: event=" + last);
        }
    }

    /// {@return bytes of the body that are still to come, after the piece if there is one}
    public long bodyLeft() {
        return bodyLeft;
    }
}
