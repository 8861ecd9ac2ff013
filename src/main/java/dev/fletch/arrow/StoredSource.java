// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.format.FrameKind;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.wire.Growth;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A stream from a channel, of which all bytes of the current message are in one buffer, as they
/// arrived. The buffer grows with the bytes that arrive, not with the length that a message claims.
final class StoredSource extends Source {
    private static final int FIRST_BYTES = 1 << 16;

    // The buffers of streams that have ended, until the next garbage collection: the first use of
    // new memory takes longer than copying a message into it.
    private static final Queue<WeakReference<ByteBuffer>> SPARE = new ConcurrentLinkedQueue<>();

    private final ReadableByteChannel channel;
    private final MessageDecoder decoder;
    // From position 0 on: the message, or the end-of-stream marker.
    private ByteBuffer stored = spare();
    private MemorySegment whole;
    private boolean isComplete;

    /// @param options with which a message has less than 2 GiB
    StoredSource(ReadableByteChannel channel, ReadOptions options) {
        this.channel = channel;
        decoder = new MessageDecoder(options);
        frame = decoder.frame();
        whole = MemorySegment.ofBuffer(stored.clear());
    }

    private static ByteBuffer spare() {
        for (var each = SPARE.poll(); each != null; each = SPARE.poll()) {
            ByteBuffer buffer = each.get();
            if (buffer != null) {
                return buffer;
            }
        }
        return ByteBuffer.allocateDirect(FIRST_BYTES);
    }

    /// At the end of the stream: gives the buffer to another one.
    void release() {
        if (stored.capacity() != 0) {
            SPARE.add(new WeakReference<>(stored));
            stored = ByteBuffer.allocate(0);
            whole = MemorySegment.ofBuffer(stored);
        }
    }

    /// The bytes of the message, or of the end-of-stream marker, from position 0 to the limit.
    ByteBuffer stored() {
        return stored;
    }

    @Override
    boolean read(int number) throws IOException {
        stored.clear().limit(0);
        boolean isThere = head();
        isComplete = !isThere;
        if (number == 0) {
            InputFaults.requireSchema(frame, message);
        }
        return isThere;
    }

    private boolean head() throws IOException {
        FrameKind event;
        while ((event = decoder.next(stored, message)) == FrameKind.NEED_MORE) {
            if (!fill(decoder.bytesNeeded())) {
                decoder.finish(); // throws inside a message
                return false;
            }
        }
        return event == FrameKind.MESSAGE;
    }

    @Override
    void complete() throws IOException {
        while (!isComplete) {
            if (decoder.next(stored, message) == FrameKind.BODY) {
                isComplete = decoder.bodyLeft() == 0;
            } else if (!fill(decoder.bytesNeeded())) {
                decoder.finish(); // throws
            }
        }
    }

    /// Reads more bytes behind those that are there, which stay; fewer if the channel ends.
    ///
    /// @return false if the channel has ended
    private boolean fill(long count) throws IOException {
        int from = stored.limit();
        long end = from + count;
        int have = from;
        while (have < end) {
            if (have == stored.capacity()) {
                grow(end);
            }
            stored.limit((int) Math.min(end, stored.capacity())).position(have);
            int read = channel.read(stored);
            if (read == 0) {
                throw new IllegalBlockingModeException();
            }
            if (read < 0) {
                stored.position(from).limit(have);
                return have > from;
            }
            have += read;
        }
        stored.position(from);
        return true;
    }

    private void grow(long needed) {
        int size = (int) Growth.size(stored.capacity(), needed, FIRST_BYTES);
        stored = ByteBuffer.allocateDirect(size).put(stored.flip());
        whole = MemorySegment.ofBuffer(stored.duplicate().clear());
    }

    /// The body has the position that follows the metadata in the buffer, also if it is copied, so
    /// that one distance leads from positions in both to offsets in the input.
    @Override
    void body(boolean isKept) throws IOException {
        complete();
        bodyAt = frame.bodyOffset() - frame.inputOffset(0);
        memory = whole;
        if (isKept) {
            memory = MemorySegment.ofArray(new byte[stored.limit()]);
            MemorySegment.copy(whole, bodyAt, memory, bodyAt, message.bodyLength());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
