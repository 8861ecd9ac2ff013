// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.format.FormatRules.NEGATIVE_BODY_LENGTH;
import static dev.fletch.ipc.IpcRules.BODY_OUT_OF_INPUT;
import static dev.fletch.ipc.IpcRules.METADATA_INVALID;
import static dev.fletch.ipc.IpcRules.METADATA_MALFORMED;
import static dev.fletch.ipc.IpcRules.METADATA_OUT_OF_INPUT;
import static dev.fletch.ipc.IpcRules.METADATA_OVER_LIMIT;
import static dev.fletch.ipc.IpcRules.NEGATIVE_METADATA_LENGTH;
import static dev.fletch.ipc.IpcRules.TRUNCATED_PREFIX;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// One message of a stream or file in its frame: where its parts are.
///
/// ```text
///   offset   FF FF FF FF   continuation word; old writers leave it out
///            i32           metadata length, padding included; 0 ends the stream
///            metadata      flatbuffer `Message`, padding
///            body          as many bytes as the message says
/// ```
///
/// A flyweight that is bound again and again, together with a [Message] of the caller: to messages in memory
/// by [#wrap], to other messages by a [MessageReader] or an [ArrowFile]. Only the first binding allocates: a
/// verifier. A loop over a stream in memory:
///
/// ```java
/// long at = 0;
/// while (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
///     …
///     at = frame.nextOffset();
/// }
/// ```
///
/// Offsets and lengths are in bytes. Offsets count from the first byte of the input: of the memory or
/// buffer that was wrapped, of the file, or of the stream that is read.
///
/// **Errors.** Binding throws an [ArrowFormatException] if a prefix is cut off, a size is negative or does
/// not fit, metadata does not verify or is no flatbuffer, the version is not one of [SupportedVersions],
/// or the body length is negative. Nothing outside the input is read. If only the body does not fit, the
/// metadata can still be read; [#nextOffset] and [#bodySlice] throw. After an exception the content is
/// unspecified until the next binding.
///
/// **Verification.** Each binding verifies all of the metadata, once, as the [ReadOptions] say. The result
/// is valid as long as the bytes do not change.
///
/// **Byte order.** Metadata and prefix are always little-endian; numbers of a body have the byte order that
/// the schema says: see [dev.fletch.format.Schema#endianness].
///
/// **Lifetime and threads.** Valid as long as the message that was bound with it; one thread at a time.
public final class EncapsulatedMessage {
    /// Continuation word and size word.
    public static final int PREFIX_BYTES = 8;

    /// The size word alone, as writers before 0.15.0 put it.
    public static final int LEGACY_PREFIX_BYTES = 4;

    /// First word of a prefix of [#PREFIX_BYTES].
    public static final int CONTINUATION = -1;

    private final MetadataChecks checks;

    // Holds the body; null if it is not in memory.
    private MemorySegment memory;
    // The same: a slice reads fast, for all kinds of memory that the process uses.
    private final ByteSlice bytes = new ByteSlice();
    // The buffer that was wrapped last, and all of it as a segment.
    private ByteBuffer buffer;
    private MemorySegment bufferMemory;

    private FrameKind kind;
    private long offset;
    private long limit;
    private int prefixLength;
    private int metadataLength;
    private long bodyLength;
    // Offset in the input of the memory's position 0.
    private long shift;
    // Of the last schema message; null if nothing is known of it.
    private KnownSchema knownSchema;

    /// Creates a flyweight that is bound to nothing, with [ReadOptions#DEFAULT].
    public EncapsulatedMessage() {
        this(ReadOptions.DEFAULT);
    }

    /// Creates a flyweight that is bound to nothing.
    ///
    /// @param options for what is bound by [#wrap]; an [ArrowFile] has its own
    public EncapsulatedMessage(ReadOptions options) {
        this(new MetadataChecks(options));
    }

    /// @param checks may be shared with others on the same thread
    EncapsulatedMessage(MetadataChecks checks) {
        this.checks = checks;
    }

    // ---- binding

    /// Binds to what begins at an offset of a segment, which may reach to the segment's end.
    ///
    /// @param input any kind of memory, of any size
    /// @param at a message boundary
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return what begins there
    /// @throws IndexOutOfBoundsException if the offset is not inside the segment or at its end
    public FrameKind wrap(MemorySegment input, long at, Message into) {
        return wrap(input, at, input.byteSize(), into);
    }

    /// [#wrap(MemorySegment, long, Message)] up to another offset.
    ///
    /// @param input any kind of memory, of any size
    /// @param at a message boundary
    /// @param end the first offset behind the input, such as the footer's in a file
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return what begins there
    /// @throws IndexOutOfBoundsException if the range is not inside the segment
    public FrameKind wrap(MemorySegment input, long at, long end, Message into) {
        return wrap(input, at, end, into, 2);
    }

    /// Stays a call, by the detours of [dev.fletch.flatbuf.Table]'s binding, so that what it costs does
    /// not depend on the caller.
    private FrameKind wrap(MemorySegment input, long at, long end, Message into, int detours) {
        if (detours != 0) {
            try {
                return wrap(input, at, end, into, detours - 1);
            } catch (InternalError e) {
                throw UnreadableFileException.of(e);
            }
        }
        return prefix(input, at, end) == FrameKind.MESSAGE ? metadata(into, checks) : kind;
    }

    /// Binds to what begins at a buffer's position, up to its limit. Both stay unchanged. Allocates only if
    /// it is another buffer than the last time.
    ///
    /// @param input any kind of buffer; offsets count from its index 0
    /// @param into bound to the metadata if there is a message; else unchanged
    /// @return what begins there
    public FrameKind wrap(ByteBuffer input, Message into) {
        return wrap(memoryOf(input), input.position(), input.limit(), into);
    }

    /// All of a buffer, from its index 0 to its capacity.
    MemorySegment memoryOf(ByteBuffer input) {
        if (buffer != input) {
            bufferMemory = MemorySegment.ofBuffer(input.duplicate().clear());
            buffer = input;
        }
        return bufferMemory;
    }

    /// Binds to a message without a prefix, whose body is elsewhere, such as Arrow Flight's `data_header`.
    ///
    /// @param input any kind of memory, of any size
    /// @param at byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @param into bound to it
    /// @throws IndexOutOfBoundsException if the range is empty or not inside the segment
    public void wrapMetadata(MemorySegment input, long at, int length, Message into) {
        Objects.checkFromIndexSize(at, length, input.byteSize());
        Objects.checkIndex(0, length);
        memory = input;
        bytes.wrap(input, 0, input.byteSize());
        limit = at + length;
        place(at, 0, length);
        try {
            metadata(into, checks);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// [#wrapMetadata(MemorySegment, long, int, Message)] from a buffer's position up to its limit. Both stay
    /// unchanged. Allocates only if it is another buffer than the last time.
    ///
    /// @param input any kind of buffer; offsets count from its index 0
    /// @param into bound to it
    /// @throws IndexOutOfBoundsException if the buffer has no bytes
    public void wrapMetadata(ByteBuffer input, Message into) {
        wrapMetadata(memoryOf(input), input.position(), input.remaining(), into);
    }

    /// The first half of [#wrap]: decodes the prefix. The metadata is in range, and not read yet.
    FrameKind prefix(MemorySegment input, long at, long end) {
        Objects.checkFromToIndex(at, end, input.byteSize());
        if (memory != input) {
            memory = input; // compared first: storing a reference costs a barrier
            bytes.wrap(input, 0, input.byteSize());
        }
        shift = 0;
        final long room = end - at;
        return prefix(
                at, end, room >= PREFIX_BYTES ? bytes.int64(at) : lastWords(input, at, at, room));
    }

    /// [#prefix(MemorySegment, long, long)] for a file's message whose body is not in memory.
    ///
    /// @param holder has the prefix, as far as it is inside the file's messages
    /// @param position of the prefix in there
    /// @param at offset of the prefix in the file
    /// @param end offset in the file behind the messages
    FrameKind prefix(MemorySegment holder, long position, long at, long end) {
        memory = null;
        final long room = end - at;
        return prefix(
                at,
                end,
                room >= PREFIX_BYTES
                        ? Wire.int64(holder, position)
                        : lastWords(holder, position, at, room));
    }

    private FrameKind prefix(long at, long end, long words) {
        limit = end;
        final long room = end - at;
        if (room == 0) {
            return end(FrameKind.END_OF_INPUT, at, 0);
        }
        if ((int) words == CONTINUATION) {
            place(at, PREFIX_BYTES, (int) (words >>> Integer.SIZE));
        } else {
            place(at, LEGACY_PREFIX_BYTES, (int) words);
        }
        if (metadataLength > room - prefixLength) {
            throw metadataCutOff(room - prefixLength);
        }
        return kind;
    }

    /// The second half of [#wrap], for metadata in the memory of the first half.
    FrameKind metadata(Message into, MetadataChecks opening) {
        return metadata(memory, metadataOffset(), into, opening);
    }

    /// The second half, for metadata in any memory.
    ///
    /// @param holder what holds the metadata
    /// @param at its position in there
    /// @param opening what the metadata must pass
    FrameKind metadata(MemorySegment holder, long at, Message into, MetadataChecks opening) {
        shift = metadataOffset() - at;
        try {
            if (!opening.message(holder, at, metadataLength, into)) {
                throw invalid(opening.fault());
            }
            SupportedVersions.check(into.version(), metadataOffset());
            bodyLength = into.bodyLength();
            if (bodyLength < 0) {
                throw ArrowFormatException.of(
                        NEGATIVE_BODY_LENGTH, metadataOffset(), "bodyLength", bodyLength);
            }
            if (into.headerType() == MessageHeader.SCHEMA) {
                knownSchema = opening.schema(into, metadataOffset());
            }
        } catch (ArrowFormatException e) {
            throw e;
        } catch (FlatBufferFormatException e) {
            throw malformed(e);
        }
        return kind;
    }

    /// Reads the words of a prefix that has less than 8 bytes. A second word is 0 then.
    private static long lastWords(MemorySegment input, long position, long at, long room) {
        if (room == 0) {
            return 0;
        }
        if (room < LEGACY_PREFIX_BYTES) {
            throw prefixCutOff(at, room);
        }
        final int word = Wire.int32(input, position);
        if (word == CONTINUATION) {
            throw prefixCutOff(at, room);
        }
        return word;
    }

    // ---- for a stream's reader, whose input is not in memory

    /// Begins with a source that is not in memory, and whose end is not known.
    void startUnlimited() {
        memory = null;
        limit = Long.MAX_VALUE;
    }

    /// Binds to nothing, before another stream.
    void restart() {
        kind = null;
        knownSchema = null;
    }

    /// Binds to an end.
    FrameKind end(FrameKind which, long at, int prefixBytes) {
        kind = which;
        offset = at;
        prefixLength = prefixBytes;
        metadataLength = 0;
        bodyLength = 0;
        return which;
    }

    /// Binds to a prefix with a size word.
    FrameKind place(long at, int prefixBytes, int size) {
        if (size == 0) {
            return end(FrameKind.END_OF_STREAM, at, prefixBytes);
        }
        if (kind != FrameKind.MESSAGE) {
            kind = FrameKind.MESSAGE; // compared first: storing a reference costs a barrier
        }
        offset = at;
        prefixLength = prefixBytes;
        if (size < 0) {
            throw ArrowFormatException.of(
                    NEGATIVE_METADATA_LENGTH, sizeOffset(), "metadataLength", size);
        }
        metadataLength = size;
        return FrameKind.MESSAGE;
    }

    /// Where the size word is.
    private long sizeOffset() {
        return metadataOffset() - LEGACY_PREFIX_BYTES;
    }

    static ArrowFormatException prefixCutOff(long at, long bytes) {
        return ArrowFormatException.of(TRUNCATED_PREFIX, at, "bytes", bytes);
    }

    private ArrowFormatException invalid(Fault fault) {
        return ArrowFormatException.of(METADATA_INVALID, inputOffset(fault.position()), fault);
    }

    private ArrowFormatException malformed(FlatBufferFormatException cause) {
        final String where =
                "metadataOffset=" + metadataOffset() + ", metadataLength=" + metadataLength;
        return ArrowFormatException.of(
                METADATA_MALFORMED,
                inputOffset(cause.offset()),
                shift == 0 ? where : where + ", and counted from there",
                cause);
    }

    ArrowFormatException metadataCutOff(long bytes) {
        return metadataLength(METADATA_OUT_OF_INPUT, "remaining", bytes);
    }

    ArrowFormatException metadataOver(int maxBytes) {
        return metadataLength(METADATA_OVER_LIMIT, "limit", maxBytes);
    }

    private ArrowFormatException metadataLength(Rule rule, String limitName, long limit) {
        return ArrowFormatException.of(
                rule, sizeOffset(), "metadataLength", metadataLength, limitName, limit);
    }

    ArrowFormatException bodyCutOff(long bytes) {
        return ArrowFormatException.of(
                BODY_OUT_OF_INPUT, bodyOffset(), "bodyLength", bodyLength, "remaining", bytes);
    }

    // ---- what was found

    /// {@return what begins at [#offset]}
    public FrameKind kind() {
        return kind;
    }

    /// {@return offset of the first byte: of the continuation word or, without one, of the size word}
    public long offset() {
        return offset;
    }

    /// {@return bytes before the metadata: 8, or 4 without a continuation word; as long as the end mark at
    /// the end of a stream; 0 at the end of the input}
    public int prefixLength() {
        return prefixLength;
    }

    /// {@return value of the size word: metadata and its padding; 0 if there is no message}
    public int metadataLength() {
        return metadataLength;
    }

    /// {@return offset of the metadata's first byte}
    public long metadataOffset() {
        return offset + prefixLength;
    }

    /// {@return offset of the body's first byte, behind the padding of the metadata}
    public long bodyOffset() {
        return metadataOffset() + metadataLength;
    }

    /// {@return length of the body in bytes, as the message says; 0 if there is no message}
    public long bodyLength() {
        return bodyLength;
    }

    /// {@return whether all of the body is inside the input; true for a stream that is read, as its end is
    /// not known before}
    public boolean isBodyComplete() {
        return bodyLength <= limit - bodyOffset();
    }

    /// {@return the offset behind the message, where the next one begins; behind the end mark, or the
    /// input's end, if there is no message}
    ///
    /// @throws ArrowFormatException if the body does not fit the input
    public long nextOffset() {
        final long start = bodyOffset();
        if (bodyLength > limit - start) {
            throw bodyCutOff(limit - start);
        }
        return start + bodyLength;
    }

    /// {@return the body as a new segment, a slice of what was wrapped}
    ///
    /// @throws ArrowFormatException if the body does not fit the input
    /// @throws IllegalStateException if the body is in no memory, as that of a stream that is read, or of a
    ///     message that a [FileIndex] has opened
    public MemorySegment bodySlice() {
        if (memory == null) {
            throw new IllegalStateException("body is not in memory: offset=" + bodyOffset());
        }
        return memory.asSlice(bodyOffset(), nextOffset() - bodyOffset());
    }

    /// Binds to the body's bytes, without allocating.
    ///
    /// @param into bound to them
    /// @return `into`
    /// @throws ArrowFormatException if the body does not fit the input
    /// @throws IllegalStateException as for [#bodySlice]
    public ByteSlice body(ByteSlice into) {
        if (memory == null) {
            throw new IllegalStateException("body is not in memory: offset=" + bodyOffset());
        }
        return into.wrap(bytes, bodyOffset(), nextOffset() - bodyOffset());
    }

    /// {@return what is known of the last schema that was bound, if the options have a set of known
    /// schemas; null if the schema is not in the set, or there was none yet}
    public KnownSchema knownSchema() {
        return knownSchema;
    }

    /// {@return how many batch messages were recognized: they differ from an earlier one only in bytes that
    /// decide nothing, and so were verified and bound in one step}
    public long messagesRecognized() {
        return checks.messagesRecognized;
    }

    /// {@return how many messages were parsed, as they were not recognized}
    public long messagesParsed() {
        return checks.messagesParsed;
    }

    /// {@return how many schemas were recognized, and not verified again: see [KnownSchemas]}
    public long schemasRecognized() {
        return checks.schemasRecognized;
    }

    /// {@return how many schemas were not recognized}
    public long schemasParsed() {
        return checks.schemasParsed;
    }

    /// Turns a position in the memory that the message is bound to into an offset of the input. They differ
    /// if that memory does not begin with the input's first byte: see [MessageReader] and [FileIndex].
    ///
    /// @param position such as that of a flyweight or a [FlatBufferFormatException]
    /// @return byte offset in the input
    public long inputOffset(long position) {
        return position + shift;
    }
}
