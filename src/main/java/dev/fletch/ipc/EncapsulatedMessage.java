// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The encapsulated message format: offsets and lengths of one message's prefix, metadata and body.
///
/// ```text
///   offset   FF FF FF FF   continuation; absent before Arrow 0.15.0
///            i32           metadata length, padding included; 0 ends the stream
///            metadata      flatbuffer `Message`, padding
///            body          `bodyLength` bytes of the message
/// ```
///
/// A reusable flyweight, bound together with a [Message] of the caller: by [#wrap] to messages in
/// memory, by [MessageReader], [MessageDecoder], [ArrowFile] or [FileIndex] to others. The
/// first binding allocates a verifier; later ones allocate only when the verifier meets new shapes
/// of tables, see [dev.fletch.format.Verifier]. A loop over a stream in memory:
///
/// ```java
/// long at = 0;
/// while (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
///     …
///     at = frame.nextOffset();
/// }
/// ```
///
/// Offsets and lengths are in bytes. Offsets count from the first byte of the input: the wrapped
/// memory or buffer, the file, or the stream.
///
/// **Errors.** Binding throws a [FletchException] if a prefix is truncated, the metadata length is
/// negative or exceeds the input, the magic of a file is in place of the prefix, metadata does not
/// verify or is malformed, the version is neither V4 nor V5, or the body length is negative. No
/// byte outside the input is read. If only the body exceeds the input, the metadata can still be
/// read; [#nextOffset] and [#bodySlice] throw. After an exception the state is unspecified until
/// the next binding.
///
/// **Verification.** Each binding verifies the metadata once, according to the [ReadOptions]. The
/// result is valid as long as the bytes do not change. If another thread or process changes them
/// during a binding, it may bind, throw a [FletchException], or throw an
/// [IndexOutOfBoundsException]. The same holds for [MessageDecoder], [ArrowFile] and [FileIndex],
/// which bind to the caller's memory.
///
/// **Byte order.** Prefix and metadata are always little-endian; numbers in a body have the byte
/// order of [dev.fletch.format.Schema#endianness].
///
/// **Lifetime and threads.** Valid as long as the message bound with it; belongs to one thread at a
/// time.
///
/// Source: Columnar format, "Encapsulated message format".
public final class EncapsulatedMessage {
    /// Bytes of a prefix of continuation and metadata length.
    public static final int PREFIX_BYTES = MessagePrefix.BYTES;

    /// Bytes of a prefix of metadata length alone, from writers before Arrow 0.15.0.
    public static final int LEGACY_PREFIX_BYTES = MessagePrefix.LEGACY_BYTES;

    /// After this many schemas in a row, a reader does not try first whether a message is a batch.
    private static final int FEW_SCHEMAS = 2;

    private static final String METADATA = "metadata";

    final MetadataChecks checks;
    final FaultSink throwing = this::raise;

    // Holds the body; null if it is not in memory.
    private MemorySegment memory;
    // The buffer that was wrapped last, and a segment of all its bytes.
    private ByteBuffer buffer;
    private MemorySegment bufferMemory;

    // Index of a reader's message; NO_MESSAGE if the caller binds to memory.
    private int index = Fault.NO_MESSAGE;

    // Number of schema messages in a row.
    private int schemas;

    private FrameKind kind;
    private long offset;
    private long limit;
    private int prefixLength;
    private int metadataLength;
    private long bodyLength;
    // Offset in the input of the memory's position 0.
    private long shift;
    // Of the last schema message; null if the schema is not known.
    private KnownSchema knownSchema;

    /// Creates an unbound flyweight with [ReadOptions#DEFAULT].
    public EncapsulatedMessage() {
        this(ReadOptions.DEFAULT);
    }

    /// Creates an unbound flyweight.
    ///
    /// @param options for [#wrap] and [#wrapMetadata]; readers and files use their own
    public EncapsulatedMessage(ReadOptions options) {
        checks = new MetadataChecks(options);
    }

    // ---- binding

    /// Binds to the message at an offset of a segment.
    ///
    /// @param input any kind of memory, of any size
    /// @param position a message boundary
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return the kind of data at the offset
    /// @throws IndexOutOfBoundsException if `position` is outside the segment
    public FrameKind wrap(MemorySegment input, long position, Message into) {
        return wrap(input, position, input.byteSize(), into);
    }

    /// [#wrap(MemorySegment, long, Message)] with an explicit end of the input.
    ///
    /// @param end offset after the input's last byte, such as the footer's in a file
    /// @throws IndexOutOfBoundsException if the range is not inside the segment
    public FrameKind wrap(MemorySegment input, long position, long end, Message into) {
        try {
            return schemas < FEW_SCHEMAS && isBatch(input, position, end, into)
                    ? FrameKind.MESSAGE
                    : wrap(input, position, end, into, 2);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a batch message with a continuation, the usual case in a stream, and binds to it in
    /// one step.
    private boolean isBatch(MemorySegment input, long position, long end, Message into) {
        int length = checks.verifier().batch(input, position, end, into);
        if (length == 0
                || length > checks.maxMetadataBytes
                || checks.refusesFrames && !FrameCheck.isAligned(length | into.bodyLength())
                || Long.compareUnsigned(into.bodyLength(), checks.maxBodyBytes) > 0
                || !VersionCheck.isSupported(into.version())) {
            return false;
        }
        if (kind != FrameKind.MESSAGE) {
            kind = FrameKind.MESSAGE; // compared before it is stored
        }
        if (memory != input) {
            memory = input;
        }
        schemas = 0;
        shift = 0;
        prefixLength = PREFIX_BYTES;
        offset = position;
        limit = end;
        metadataLength = length;
        bodyLength = into.bodyLength();
        return true;
    }

    /// Kept apart by recursion, see [dev.fletch.wire]: so the time does not depend on the caller.
    private FrameKind wrap(
            MemorySegment input, long position, long end, Message into, int detours) {
        if (detours != 0) {
            return wrap(input, position, end, into, detours - 1);
        }
        Objects.checkFromToIndex(position, end, input.byteSize());
        if (prefix(input, input, position, position, end) == FrameKind.MESSAGE) {
            metadata(into, checks);
            schemas = into.headerType() == MessageHeader.SCHEMA ? schemas + 1 : 0;
        }
        return kind;
    }

    /// Binds to the message at a buffer's position; the input ends at the limit. Both stay
    /// unchanged. Allocates only if the buffer is not the same object as in the previous call.
    ///
    /// @param input any kind of buffer; offsets count from its index 0
    /// @param into bound to the metadata if there is a message; else unchanged
    public FrameKind wrap(ByteBuffer input, Message into) {
        return wrap(memoryOf(input), input.position(), input.limit(), into);
    }

    /// A segment from a buffer's index 0 to its capacity.
    MemorySegment memoryOf(ByteBuffer input) {
        if (buffer != input) {
            bufferMemory = MemorySegment.ofBuffer(input.duplicate().clear());
            buffer = input;
        }
        return bufferMemory;
    }

    /// Binds to a message without prefix and body, such as Arrow Flight's `data_header`.
    ///
    /// @param input any kind of memory, of any size
    /// @param position byte offset of the message's flatbuffer
    /// @param length of the flatbuffer in bytes, padding may be included
    /// @param into bound to it
    /// @throws IndexOutOfBoundsException if the range is empty or not inside the segment
    public void wrapMetadata(MemorySegment input, long position, int length, Message into) {
        Objects.checkFromIndexSize(position, length, input.byteSize());
        Objects.checkIndex(0, length);
        memory = input;
        limit = position + length;
        message(position, 0, length);
        try {
            metadata(into, checks);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// [#wrapMetadata(MemorySegment, long, int, Message)] from a buffer's position to its limit.
    /// Both stay unchanged, and offsets count from index 0. Allocates only if the buffer is not the
    /// same object as in the previous call.
    public void wrapMetadata(ByteBuffer input, Message into) {
        wrapMetadata(memoryOf(input), input.position(), input.remaining(), into);
    }

    /// The first half of [#wrap]: decodes the prefix. The metadata is inside the input, and not
    /// read yet.
    ///
    /// @param whole the input; null if it is not in memory
    /// @param holder has the prefix, up to the end of the messages
    /// @param position of the prefix in `holder`
    /// @param offset offset of the prefix in the input
    /// @param end offset in the input after the messages
    FrameKind prefix(
            MemorySegment whole, MemorySegment holder, long position, long offset, long end) {
        if (memory != whole) {
            memory = whole; // compared before it is stored
        }
        shift = 0;
        limit = end;
        long room = end - offset;
        place(offset, MessagePrefix.read(holder, position, room), room);
        FrameCheck.metadataInside(metadataOffset(), metadataLength, room - prefixLength, throwing);
        return kind;
    }

    /// The second half of [#wrap], for metadata in the memory of the first half.
    FrameKind metadata(Message into, MetadataChecks opening) {
        return metadata(memory, metadataOffset(), into, opening);
    }

    /// The second half, for metadata in any memory.
    ///
    /// @param holder contains the metadata
    /// @param position position of the metadata in `holder`
    FrameKind metadata(MemorySegment holder, long position, Message into, MetadataChecks opening) {
        shift = metadataOffset() - position;
        try {
            checkMetadataLimit(opening);
            if (!opening.message(holder, position, metadataLength, into)) {
                throw invalid(opening.fault());
            }
            if (!VersionCheck.isSupported(into.version())) {
                long place = into.position(Message.VERSION_SLOT) + shift;
                FrameCheck.version(place, into.version(), throwing);
            }
            bodyLength = into.bodyLength();
            if (Long.compareUnsigned(bodyLength, opening.maxBodyBytes) > 0) {
                long place = into.position(Message.BODY_LENGTH_SLOT) + shift;
                FrameCheck.bodyLength(place, bodyLength, opening.maxBodyBytes, throwing);
            }
            if (opening.refusesFrames && !isAligned()) {
                requireAligned(into, opening.options);
            }
            if (into.headerType() == MessageHeader.SCHEMA) {
                knownSchema = opening.schema(into, metadataOffset());
            }
        } catch (FletchException e) {
            throw e.isInInput() ? e.inMessage(index) : e;
        }
        return kind;
    }

    private boolean isAligned() {
        return FrameCheck.isAligned(prefixLength == 0 ? 0 : (long) prefixLength + metadataLength)
                && FrameCheck.isAligned(bodyLength);
    }

    private void requireAligned(Message message, ReadOptions options) {
        if (prefixLength != 0) { // a message that is received alone has no frame
            FrameCheck.metadataAligned(offset, prefixLength, metadataLength, refusing(options));
        }
        long place = message.position(Message.BODY_LENGTH_SLOT) + shift;
        FrameCheck.bodyAligned(place, bodyLength, refusing(options));
    }

    /// A sink that throws what the options refuse, errors only if they name them.
    private FaultSink refusing(ReadOptions options) {
        return fault -> {
            if (options.refused().contains(fault.rule())) {
                raise(fault);
            }
        };
    }

    // ---- for a stream's reader, whose input is not in memory

    /// Prepares for the next message of a source that is not in memory and whose end is unknown.
    void beginMessage() {
        index++;
        memory = null;
        limit = Long.MAX_VALUE;
    }

    /// Unbinds, before another stream.
    void restart() {
        index = Fault.NO_MESSAGE;
        kind = null;
        prefixLength = 0;
        knownSchema = null;
    }

    /// Binds to an end.
    FrameKind end(FrameKind which, long position, int prefixBytes) {
        kind = which;
        offset = position;
        prefixLength = prefixBytes;
        metadataLength = 0;
        bodyLength = 0;
        return which;
    }

    /// Binds to a prefix, or an end.
    ///
    /// @param prefix see [MessagePrefix#read]
    /// @param bytes number of bytes of the input from its offset on, or of those that were read
    FrameKind place(long position, long prefix, long bytes) {
        FrameKind kind = FrameCheck.prefix(position, prefix, bytes, throwing);
        if (kind == FrameKind.END_OF_INPUT) {
            return end(kind, position, 0);
        }
        int prefixBytes = MessagePrefix.bytes(prefix);
        if (kind == FrameKind.END_OF_STREAM) {
            boolean isBehind = prefixLength != 0 && position == bodyOffset() + bodyLength;
            if (checks.refusesFrames && isBehind) {
                FrameCheck.markerPrefix(
                        position, prefixBytes, prefixLength, refusing(checks.options));
            }
            return end(kind, position, prefixBytes);
        }
        return message(position, prefixBytes, MessagePrefix.metadataLength(prefix));
    }

    private FrameKind message(long position, int prefixBytes, int size) {
        if (kind != FrameKind.MESSAGE) {
            kind = FrameKind.MESSAGE; // compared before it is stored
        }
        offset = position;
        prefixLength = prefixBytes;
        metadataLength = size;
        return FrameKind.MESSAGE;
    }

    private void raise(Fault fault) {
        throw FletchException.inInput(fault.inMessage(index));
    }

    private FletchException invalid(Fault fault) {
        return MetadataChecks.invalid(METADATA, inputOffset(fault.position()), fault);
    }

    /// Throws if the metadata is longer than the limit.
    void checkMetadataLimit(MetadataChecks opening) {
        FrameCheck.metadataLimit(
                metadataOffset(), metadataLength, opening.maxMetadataBytes, throwing);
    }

    /// Throws if the body is longer than the rest of the input.
    void checkBodyInside(long remaining) {
        FrameCheck.bodyInside(bodyOffset(), bodyLength, remaining, throwing);
    }

    // ---- what was found

    /// {@return the kind of data at [#offset]; null if unbound}
    public FrameKind kind() {
        return kind;
    }

    /// {@return index of the message in the stream of a [MessageReader] or [MessageDecoder], from
    /// 0; [Fault#NO_MESSAGE] for others, whose caller chooses the message}
    public int index() {
        return index;
    }

    /// {@return offset of the prefix}
    public long offset() {
        return offset;
    }

    /// {@return length of the prefix or end-of-stream marker in bytes: 8, or 4 without
    /// continuation; 0 at the end of the input and after [#wrapMetadata]}
    public int prefixLength() {
        return prefixLength;
    }

    /// {@return length of metadata and padding in bytes; 0 if there is no message}
    public int metadataLength() {
        return metadataLength;
    }

    /// {@return offset of the metadata's first byte}
    public long metadataOffset() {
        return offset + prefixLength;
    }

    /// {@return offset of the body's first byte, after the padding of the metadata}
    public long bodyOffset() {
        return metadataOffset() + metadataLength;
    }

    /// {@return length of the body in bytes (Message.fbs, `bodyLength`); 0 if there is no message}
    public long bodyLength() {
        return bodyLength;
    }

    /// {@return whether the body is inside the input; always true for a [MessageReader] or
    /// [MessageDecoder], where the end is unknown}
    public boolean isBodyComplete() {
        return bodyLength <= limit - bodyOffset();
    }

    /// {@return offset after the message, where the next message begins; without a message, the
    /// offset after the end-of-stream marker or the end of the input}
    ///
    /// @throws FletchException if the body does not fit the input
    public long nextOffset() {
        long start = bodyOffset();
        checkBodyInside(limit - start);
        return start + bodyLength;
    }

    /// {@return the body as a new slice of the wrapped memory}
    ///
    /// @throws FletchException if the body does not fit the input
    /// @throws IllegalStateException if the body is not in memory: [MessageReader], [FileIndex]
    public MemorySegment bodySlice() {
        if (memory == null) {
            throw new IllegalStateException("body is not in memory: offset=" + bodyOffset());
        }
        return memory.asSlice(bodyOffset(), nextOffset() - bodyOffset());
    }

    /// {@return the handle of the last schema message in [ReadOptions#knownSchemas]; null if there
    /// is no such set, the schema is not in it, or no schema was bound yet}
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// Converts a position in the memory that the message is bound to into an offset in the input.
    /// They differ if that memory does not start at the input's first byte, as for [MessageReader]
    /// and [FileIndex].
    ///
    /// @param position such as that of a flyweight or a [FletchException]; also of a byte of the
    ///     body, in memory where the body has the position that follows the metadata
    public long inputOffset(long position) {
        return position + shift;
    }
}
