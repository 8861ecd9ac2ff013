// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/// Decodes a stream that arrives in buffers, such as those of a network library. It never blocks:
/// each call returns the next complete event, or that more bytes are needed. The results equal
/// those of a [MessageReader] on the same stream.
///
/// ```java
/// while (channel.read(buffer.clear()) >= 0) {
///     buffer.flip();
///     FrameKind next;
///     while ((next = decoder.next(buffer, message)) != FrameKind.NEED_MORE) {
///         switch (next) {
///             case MESSAGE -> … message.header(batch) …
///             case BODY -> … decoder.body() …
///             default -> … // end of the stream; the connection may stay open
///         }
///     }
/// }
/// decoder.finish(); // throws if the stream is truncated
/// ```
///
/// Buffers may be of any kind and size, may split the stream anywhere, and may differ between
/// calls. The decoder consumes bytes from position to limit and advances the position.
/// [FrameKind#NEED_MORE] means all bytes are consumed, so the buffer may be refilled. After any
/// other event, the rest stays in the buffer for the next call. A stream ends with a marker or with
/// the input: [#finish] accepts both.
///
/// **Metadata** inside one buffer is bound in place, without a copy. Split metadata is copied into
/// the decoder's buffer, which grows with the bytes received: a large metadata length alone
/// allocates nothing, and [dev.fletch.Limits#metadataBytes()] limits it. Metadata is verified once,
/// according to the [ReadOptions].
///
/// **Bodies** are never copied. Each [FrameKind#MESSAGE] is followed by at least one
/// [FrameKind#BODY]; after the last piece, [#bodyLeft] is 0. A body of 0 bytes is one empty piece,
/// a body inside one buffer is one piece. To collect the pieces, copy each to memory of [#bodyLeft]
/// bytes; check that against a limit before allocating. To use a message after its body, such as a
/// dictionary batch, copy its metadata or use a buffer that holds both.
///
/// **Errors.** Invalid messages, and messages that the options reject, throw the
/// [FletchException] that a [MessageReader] throws; so does [#finish] if the stream is
/// truncated. Offsets and messages count from the start of the stream. After an exception, [#next]
/// and [#finish] throw an [IllegalStateException] until [#reset].
///
/// **Allocation.** None per message once the decoder's buffer is large enough, as long as the
/// caller refills the same [ByteBuffer]; a different one costs one or two views.
///
/// **Lifetime and threads.** A message bound in place is valid as long as the buffer's bytes stay
/// unchanged; one with copied metadata, until the call of [#next] after the last piece of its body.
/// Refilling the buffer invalidates a message bound in place: read the metadata at
/// [FrameKind#MESSAGE]. The frame is valid until the call of [#next] after the last piece, a piece
/// until the next call. Decoder and bound objects belong to one thread at a time.
public final class MessageDecoder {
    private static final int FIRST_BUFFER_BYTES = 64;

    private enum State {
        IN_HEAD,
        IN_BODY,
        ENDED,
        LOST
    }

    private final StreamHead head;
    private final EncapsulatedMessage frame;
    private State state;
    private FrameKind last;

    // Bytes of the current message's body after the last piece.
    private long bodyLeft;
    // The buffer of the last piece, and a view on it.
    private ByteBuffer viewed;
    private ByteBuffer view;

    /// Creates a decoder at the start of a stream.
    public MessageDecoder(ReadOptions options) {
        head = new StreamHead(options, FIRST_BUFFER_BYTES);
        frame = head.frame;
        reset();
    }

    /// Starts another stream at offset 0. Counters and recognition state are kept.
    public MessageDecoder reset() {
        frame.restart();
        head.begin(0);
        bodyLeft = 0;
        last = null;
        state = State.IN_HEAD;
        return this;
    }

    /// Consumes a buffer's bytes from position to limit, up to the next event.
    ///
    /// @param input any kind of buffer, with any byte order; its position advances past the
    ///     consumed bytes
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return the event; after an end always [FrameKind#NEED_MORE], so that loops terminate
    /// @throws IllegalStateException if an exception was thrown since the last [#reset]
    public FrameKind next(ByteBuffer input, Message into) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(into, "into");
        last = null;
        last =
                switch (state) {
                    case IN_HEAD -> head(input, into);
                    case IN_BODY -> piece(input);
                    case ENDED -> FrameKind.NEED_MORE;
                    case LOST -> throw lost();
                };
        return last;
    }

    private static IllegalStateException lost() {
        return new IllegalStateException("decoder has failed before: call reset");
    }

    private FrameKind head(ByteBuffer input, Message into) {
        state = State.LOST;
        try {
            while (head.needed() > 0) {
                if (!input.hasRemaining()) {
                    state = State.IN_HEAD;
                    return FrameKind.NEED_MORE;
                }
                if (head.isBeforeMetadata() && head.needed() <= input.remaining()) {
                    int position = input.position();
                    input.position(position + head.needed());
                    frame.metadata(frame.memoryOf(input), position, into, frame.checks);
                    return message();
                }
                head.take(input);
            }
            if (frame.kind() == FrameKind.END_OF_STREAM) {
                state = State.ENDED;
                return FrameKind.END_OF_STREAM;
            }
            head.bind(into);
            return message();
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private FrameKind message() {
        bodyLeft = frame.bodyLength();
        state = State.IN_BODY;
        return FrameKind.MESSAGE;
    }

    private FrameKind piece(ByteBuffer input) {
        if (bodyLeft > 0 && !input.hasRemaining()) {
            return FrameKind.NEED_MORE;
        }
        if (viewed != input) {
            view = input.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            viewed = input;
        }
        int position = input.position();
        int pieceBytes = (int) Math.min(bodyLeft, input.remaining());
        view.limit(position + pieceBytes).position(position);
        input.position(position + pieceBytes);
        bodyLeft -= pieceBytes;
        if (bodyLeft == 0) {
            head.begin(frame.nextOffset());
            state = State.IN_HEAD;
        }
        return FrameKind.BODY;
    }

    /// Ends the input. A stream may end with or without the end-of-stream marker, but not inside a
    /// message.
    ///
    /// @return how the stream ended
    /// @throws FletchException if the stream ends inside a message; with offset, expected and
    ///     actual length
    /// @throws IllegalStateException if an exception was thrown since the last [#reset]
    public FrameKind finish() {
        State before = state;
        state = State.LOST;
        last = null;
        switch (before) {
            case LOST -> throw lost();
            case IN_HEAD -> head.endOfInput();
            case IN_BODY -> {
                if (bodyLeft != 0) {
                    frame.checkBodyInside(frame.bodyLength() - bodyLeft);
                }
                frame.end(FrameKind.END_OF_INPUT, frame.nextOffset(), 0);
            }
            case ENDED -> {}
        }
        state = State.ENDED;
        return frame.kind();
    }

    /// {@return number of bytes that the current prefix, metadata or body lacks; at a message
    /// boundary, those of the next prefix, at least. 0 at the end, after a failure, or before an
    /// empty body}
    public long bytesNeeded() {
        return switch (state) {
            case IN_HEAD -> head.needed();
            case IN_BODY -> bodyLeft;
            case ENDED, LOST -> 0;
        };
    }

    /// {@return offsets and lengths of the current message, counters of recognized schemas and the
    /// last known schema; always the same flyweight}
    public EncapsulatedMessage frame() {
        return frame;
    }

    // ---- a piece of a body

    /// {@return the current piece of the body: a little-endian view on the input buffer, from
    /// position to limit. The same object as long as the input buffer is the same}
    ///
    /// @throws IllegalStateException if the last event is not [FrameKind#BODY]
    public ByteBuffer body() {
        if (last != FrameKind.BODY) {
            throw new IllegalStateException("no piece of a body: last=" + last);
        }
        return view;
    }

    /// {@return bytes of the body after the current piece}
    public long bodyLeft() {
        return bodyLeft;
    }
}
