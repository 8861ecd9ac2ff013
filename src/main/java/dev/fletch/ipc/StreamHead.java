// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.Growth;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Collects prefix and metadata of a stream's current message from pieces: a [MessageReader] reads
/// into [#room], a [MessageDecoder] copies by [#take]. Both continue until [#needed] is 0.
///
/// One buffer holds first the prefix, then the metadata. It grows with the bytes received: a large
/// metadata length alone allocates nothing.
final class StreamHead {
    final EncapsulatedMessage frame;
    private ByteBuffer buffer;
    private MemorySegment memory;

    // Offset of the message in the stream.
    private long start;
    private boolean isPrefix;
    // Length of the current part, prefix or metadata, as far as known; and the bytes collected.
    private int length;
    private int have;

    /// @param bytes size of the first buffer, at least that of a prefix
    StreamHead(ReadOptions options, int bytes) {
        frame = new EncapsulatedMessage(options);
        takeBuffer(new byte[bytes]);
    }

    private void takeBuffer(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
        memory = MemorySegment.ofArray(bytes);
    }

    /// Starts the next message, at an offset of the stream.
    void begin(long offset) {
        frame.beginMessage();
        start = offset;
        isPrefix = true;
        length = MessagePrefix.LEGACY_BYTES;
        have = 0;
    }

    /// Missing bytes of the current part. 0 if an end-of-stream marker or the metadata is complete.
    int needed() {
        return length - have;
    }

    /// Whether the prefix is complete, and no byte of the metadata is collected.
    boolean isBeforeMetadata() {
        return !isPrefix && have == 0;
    }

    /// The buffer for the next bytes, from position to limit: at most [#needed].
    ///
    /// @param arrived number of bytes available now, at most [#needed]
    ByteBuffer room(int arrived) {
        long least = (long) have + Math.max(arrived, 1);
        if (least > buffer.capacity()) {
            long capacity = Growth.size(have, length, least);
            takeBuffer(Arrays.copyOf(buffer.array(), (int) capacity));
        }
        return buffer.limit(Math.min(length, buffer.capacity())).position(have);
    }

    /// Processes bytes that were put into [#room].
    void received(int bytes) {
        have += bytes;
        if (have < length || !isPrefix) {
            return;
        }
        long prefix = MessagePrefix.read(memory, 0, have);
        if (prefix == MessagePrefix.CUT_OFF) {
            length = MessagePrefix.BYTES;
            return;
        }
        frame.place(start, prefix, have);
        isPrefix = false;
        length = frame.metadataLength();
        have = 0;
        // Others look first whether the input has so many bytes: here, its end is not known.
        frame.checkMetadataLimit(frame.checks);
    }

    /// Copies needed bytes from a buffer and advances its position.
    void take(ByteBuffer input) {
        int count = Math.min(needed(), input.remaining());
        ByteBuffer room = room(count);
        room.put(room.position(), input, input.position(), count);
        input.position(input.position() + count);
        received(count);
    }

    /// Binds to the collected metadata.
    FrameKind bind(Message into) {
        return frame.metadata(memory, 0, into, frame.checks);
    }

    /// Handles the end of the input.
    ///
    /// @throws FletchException if the message is incomplete
    FrameKind endOfInput() {
        if (!isPrefix) {
            FrameCheck.metadataInside(frame.metadataOffset(), length, have, frame.throwing);
        }
        return frame.place(start, MessagePrefix.CUT_OFF, have);
    }
}
