// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.Message;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Prefix and metadata of a stream's current message, whose bytes arrive in pieces: a [MessageReader] reads
/// them into [#room], a [MessageDecoder] has them copied by [#take]. Both go on while [#needed] is not 0.
///
/// The bytes of the prefix, and then those of the metadata, are gathered in one buffer. It grows with the
/// bytes that arrive: a size word alone does not make it larger.
final class StreamHead {
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final EncapsulatedMessage frame;
    private int maxMetadataBytes = MessageReader.DEFAULT_MAX_METADATA_BYTES;
    private ByteBuffer buffer;
    private MemorySegment memory;

    // Offset of the message in the stream.
    private long start;
    private boolean isPrefix;
    // Bytes of the current part, prefix or metadata, as far as its length is known; and those
    // gathered.
    private int length;
    private int have;

    /// @param frame bound to what is decoded
    /// @param bytes of the first buffer; room for a prefix at least
    StreamHead(EncapsulatedMessage frame, int bytes) {
        this.frame = frame;
        takeBuffer(new byte[bytes]);
    }

    private void takeBuffer(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
        memory = MemorySegment.ofArray(bytes);
    }

    void maxMetadataBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("limit is negative: maxMetadataBytes=" + bytes);
        }
        maxMetadataBytes = Math.min(bytes, LONGEST_ARRAY);
    }

    /// Begins with the message at an offset of the stream.
    void begin(long offset) {
        frame.startUnlimited();
        start = offset;
        isPrefix = true;
        length = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        have = 0;
    }

    /// How many bytes the current part lacks. If it is 0, all is there: the end mark, or metadata to bind.
    int needed() {
        return length - have;
    }

    /// Whether the prefix is complete, and no byte of the metadata was gathered.
    boolean isBeforeMetadata() {
        return !isPrefix && have == 0;
    }

    /// Where the next bytes belong: from position to limit, not more than are needed.
    ///
    /// @param arrived how many there are already, of those that are needed
    ByteBuffer room(int arrived) {
        final long least = (long) have + Math.max(arrived, 1);
        if (least > buffer.capacity()) {
            final long capacity = Math.min(length, Math.max(2L * have, least));
            takeBuffer(Arrays.copyOf(buffer.array(), (int) capacity));
        }
        return buffer.limit(Math.min(length, buffer.capacity())).position(have);
    }

    /// Goes on with bytes that were put where [#room] says.
    void received(int bytes) {
        have += bytes;
        if (have < length || !isPrefix) {
            return;
        }
        final int word = Wire.int32(memory, length - Integer.BYTES);
        if (length == EncapsulatedMessage.LEGACY_PREFIX_BYTES
                && word == EncapsulatedMessage.CONTINUATION) {
            length = EncapsulatedMessage.PREFIX_BYTES;
            return;
        }
        frame.place(start, length, word);
        isPrefix = false;
        length = frame.metadataLength();
        have = 0;
        if (length > maxMetadataBytes) {
            throw frame.metadataOver(maxMetadataBytes);
        }
    }

    /// Copies bytes that are needed out of a buffer, past its position.
    void take(ByteBuffer input) {
        final int count = Math.min(needed(), input.remaining());
        final ByteBuffer room = room(count);
        room.put(room.position(), input, input.position(), count);
        input.position(input.position() + count);
        received(count);
    }

    /// Binds to the metadata that was gathered.
    FrameKind bind(Message into, MetadataChecks checks) {
        return frame.metadata(memory, 0, into, checks);
    }

    /// Ends where more bytes are needed, but there are none.
    ///
    /// @throws ArrowFormatException if a part of a message has been gathered
    FrameKind endOfInput() {
        if (!isPrefix) {
            throw frame.metadataCutOff(have);
        }
        if (have != 0) {
            throw EncapsulatedMessage.prefixCutOff(start, have);
        }
        return frame.end(FrameKind.END_OF_INPUT, start, 0);
    }
}
