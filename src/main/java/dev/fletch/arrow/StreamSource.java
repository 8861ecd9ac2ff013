// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.format.FrameKind;
import dev.fletch.ipc.MessageReader;
import dev.fletch.wire.Growth;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A stream from a channel. Memory for bodies grows with the bytes that arrive, not with the length
/// that a message claims.
final class StreamSource extends Source {
    private static final int FIRST_BYTES = 1 << 16;
    private static final int ALIGNMENT = 64;

    private final MessageReader messages;
    // Used again for each body. Memory of at most FIRST_BYTES is left to the garbage collector:
    // closing a shared arena takes longer than reading a short stream.
    private MemorySegment grown = MemorySegment.NULL;

    StreamSource(MessageReader messages) {
        this.messages = messages;
        frame = messages.frame();
    }

    @Override
    boolean read(int number) throws IOException {
        return messages.next(message) == FrameKind.MESSAGE;
    }

    /// The body has the position that follows the metadata in the reader's memory, so that one
    /// distance leads from positions in both to offsets in the input.
    @Override
    void body(boolean isKept) throws IOException {
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
        Arena larger = size <= FIRST_BYTES ? Arena.ofAuto() : Arena.ofShared();
        grown = larger.allocate(size, ALIGNMENT).copyFrom(grown);
        free();
        arena = size <= FIRST_BYTES ? null : larger;
    }

    @Override
    public void close() throws IOException {
        free();
        messages.close();
    }
}
