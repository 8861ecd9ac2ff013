// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.MessageReader;
import dev.fletch.wire.Growth;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A stream from a channel. Memory for bodies grows with the bytes that arrive, not with the length
/// that a message claims.
public class StreamSource extends Source {
    private static final int FIRST_BYTES = 1 << 16;
    private static final int ALIGNMENT = 64;

    // The memory of streams that have ended and were handed on, until the next garbage collection:
    // the first use of new memory takes longer than copying a message into it.
    private static final Queue<WeakReference<MemorySegment>> SPARE = new ConcurrentLinkedQueue<>();

    protected final MessageReader messages;
    private final boolean isHandedOn;
    // Used again for each body. Memory of at most FIRST_BYTES is left to the garbage collector:
    // closing a shared arena takes longer than reading a short stream.
    private MemorySegment grown = MemorySegment.NULL;
    private boolean hasBody;

    /// @param isHandedOn whether [#parts] is called: then the garbage collector frees all memory
    public StreamSource(MessageReader messages, boolean isHandedOn) {
        this.messages = messages;
        this.isHandedOn = isHandedOn;
        frame = messages.frame();
        for (var each = isHandedOn ? SPARE.poll() : null; each != null; each = SPARE.poll()) {
            MemorySegment spare = each.get();
            if (spare != null) {
                grown = spare;
                break;
            }
        }
    }

    @Override
    public boolean read(int number) throws IOException {
        hasBody = false;
        boolean isThere = messages.next(message) == FrameKind.MESSAGE;
        if (number == 0) {
            InputFaults.requireSchema(frame, message);
        }
        return isThere;
    }

    /// The body has the position that follows the metadata in the reader's memory, so that one
    /// distance leads from positions in both to offsets in the input.
    @Override
    public void body(boolean isKept) throws IOException {
        long length = frame.bodyLength();
        bodyAt = frame.bodyOffset() - frame.inputOffset(0);
        long read = 0;
        while (length > grown.byteSize() - bodyAt) {
            long room = grown.byteSize() - bodyAt;
            if (room > read) {
                messages.readBodyPart(read, grown.asSlice(bodyAt + read, room - read));
                read = room;
            }
            grow(length);
        }
        if (read == 0) {
            messages.readBody(grown, bodyAt);
        } else {
            messages.readBodyPart(read, grown.asSlice(bodyAt + read, length - read));
        }
        memory = isKept ? copy(length) : grown;
        hasBody = true;
    }

    private MemorySegment copy(long length) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(bodyAt + length)]);
        MemorySegment.copy(grown, bodyAt, copy, bodyAt, length);
        return copy;
    }

    /// Makes room for more of a body.
    private void grow(long length) {
        long before = grown.byteSize();
        long needed = bodyAt + Math.min(length, Long.MAX_VALUE - bodyAt);
        long size = Math.max(before + before / 4, Growth.size(before, needed, FIRST_BYTES));
        boolean isFreed = !isHandedOn && size > FIRST_BYTES;
        Arena larger = isFreed ? Arena.ofShared() : Arena.ofAuto();
        grown = larger.allocate(size, ALIGNMENT).copyFrom(grown);
        free();
        arena = isFreed ? larger : null;
    }

    @Override
    public void complete() throws IOException {
        if (!hasBody && frame.kind() == FrameKind.MESSAGE) {
            body(false);
        }
    }

    /// The bytes of the message after [#complete], or of the end: prefix, metadata and body. Valid
    /// until the next one is read.
    public List<ByteBuffer> parts() {
        ByteBuffer prefix = ByteBuffer.allocate(MessagePrefix.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int length = frame.metadataLength();
        boolean isCurrent = frame.prefixLength() == MessagePrefix.BYTES;
        prefix.putLong(0, isCurrent ? MessagePrefix.words(length) : length);
        prefix.limit(frame.prefixLength());
        if (frame.kind() != FrameKind.MESSAGE) {
            return List.of(prefix);
        }
        ByteBuffer metadata = new ByteSlice().wrapBufferOf(message).asSlice().asByteBuffer();
        return List.of(prefix, metadata, grown.asSlice(bodyAt, frame.bodyLength()).asByteBuffer());
    }

    /// At the end of the stream: gives the memory to another one.
    public void release() {
        if (grown != MemorySegment.NULL) {
            SPARE.add(new WeakReference<>(grown));
            grown = MemorySegment.NULL;
        }
    }

    @Override
    public void close() throws IOException {
        free();
        messages.close();
    }
}
