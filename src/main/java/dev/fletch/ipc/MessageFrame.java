// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.write.BodyLayout;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// All bytes that are not a body, put together in one buffer: prefix, metadata and padding; magic, end mark
/// and footer. Metadata is copied, as it is small and can be anywhere, so that it is written in one piece.
final class MessageFrame {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;
    private static final int LARGEST_ALIGNMENT = 4 << 10;

    /// As much padding as there can be.
    static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[LARGEST_ALIGNMENT]);

    private final boolean direct;
    private ByteBuffer buffer;
    private MemorySegment memory;
    private int length;

    /// @param direct whether to use native memory, for a channel
    MessageFrame(boolean direct) {
        this.direct = direct;
        allocate(FIRST_BYTES);
    }

    static int checkAlignment(int alignment) {
        if (alignment < BodyLayout.LEAST_ALIGNMENT
                || alignment > LARGEST_ALIGNMENT
                || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    "alignment is no power of two from 8 to "
                            + LARGEST_ALIGNMENT
                            + ": alignment="
                            + alignment);
        }
        return alignment;
    }

    private void allocate(int bytes) {
        buffer = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        buffer.order(ByteOrder.LITTLE_ENDIAN);
        memory = MemorySegment.ofBuffer(buffer);
    }

    MessageFrame reset() {
        length = 0;
        buffer.clear(); // writing has moved position and limit
        return this;
    }

    /// {@return the bytes, from the buffer's index 0 to [#length]}
    ByteBuffer buffer() {
        return buffer;
    }

    /// {@return the same as a segment}
    MemorySegment memory() {
        return memory;
    }

    int length() {
        return length;
    }

    /// Makes room for more bytes.
    ///
    /// @return position of the first one
    private int extend(long more) {
        final long needed = length + more;
        if (needed > memory.byteSize()) {
            if (needed > MAX_BYTES) {
                throw new IllegalArgumentException("metadata is too long: bytes=" + needed);
            }
            final MemorySegment old = memory;
            allocate((int) Math.min(Math.max(needed, 2 * old.byteSize()), MAX_BYTES));
            MemorySegment.copy(old, 0, memory, 0, length);
        }
        final int at = length;
        length = (int) needed;
        return at;
    }

    MessageFrame putInt32(int value) {
        final int at = extend(Integer.BYTES);
        buffer.putInt(at, value);
        return this;
    }

    MessageFrame put(MemorySegment from, long offset, int bytes) {
        final int at = extend(bytes);
        MemorySegment.copy(from, offset, memory, at, bytes);
        return this;
    }

    MessageFrame putZeros(int bytes) {
        return put(ZEROS, 0, bytes);
    }

    /// Puts the first bytes of a word.
    MessageFrame putBytes(long word, int bytes) {
        final int at = extend(bytes);
        for (int i = 0; i < bytes; i++) {
            buffer.put(at + i, (byte) (word >>> (i << 3)));
        }
        return this;
    }

    /// Puts prefix, metadata and padding, so that the body is aligned.
    ///
    /// @param position of the first byte, counted from where alignment is
    /// @param legacy whether there is no continuation word
    MessageFrame putMessage(
            MemorySegment from,
            long offset,
            int bytes,
            long position,
            int alignment,
            boolean legacy) {
        final int prefix =
                legacy ? EncapsulatedMessage.LEGACY_PREFIX_BYTES : EncapsulatedMessage.PREFIX_BYTES;
        final int padding = (int) -(position + prefix + bytes) & alignment - 1;
        if (bytes > MAX_BYTES - padding) {
            throw new IllegalArgumentException("metadata is too long: bytes=" + bytes);
        }
        if (!legacy) {
            putInt32(EncapsulatedMessage.CONTINUATION);
        }
        return putInt32(bytes + padding).put(from, offset, bytes).putZeros(padding);
    }

    /// Puts the mark that ends a stream.
    MessageFrame putEnd(boolean legacy) {
        return legacy ? putInt32(0) : putInt32(EncapsulatedMessage.CONTINUATION).putInt32(0);
    }
}
