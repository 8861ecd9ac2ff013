// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.write.BodyLayout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/// What stands before a body, put together in one place: prefix, metadata, padding. Also anything
/// else that is no body: magic, mark, footer.
///
/// It copies metadata, which is small and can lie anywhere, so that it goes out in one piece.
final class MessageFrame {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int FIRST_BYTES = 4 << 10;
    private static final int LARGEST_ALIGNMENT = 4 << 10;

    /// As much padding as there can be.
    static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[LARGEST_ALIGNMENT]);

    private final boolean direct;
    private ByteBuffer buffer;
    private MemorySegment memory;
    private int length;

    /// @param direct whether it is to lie in native memory, for a channel
    MessageFrame(boolean direct) {
        this.direct = direct;
        allocate(FIRST_BYTES);
    }

    static int checkAlignment(int alignment) {
        if (alignment < BodyLayout.LEAST_ALIGNMENT
                || alignment > LARGEST_ALIGNMENT
                || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "alignment is no power of two from 8 to %d: alignment=%d",
                            LARGEST_ALIGNMENT,
                            alignment));
        }
        return alignment;
    }

    private void allocate(int bytes) {
        buffer = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        memory = MemorySegment.ofBuffer(buffer);
    }

    MessageFrame reset() {
        length = 0;
        return this;
    }

    /// {@return what was put together, from the buffer's index 0 to [#length]}
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

    private void require(long more) {
        final long needed = length + more;
        if (needed > memory.byteSize()) {
            if (needed > Integer.MAX_VALUE - Long.BYTES) {
                throw new IllegalArgumentException("metadata is too long: bytes=" + needed);
            }
            final MemorySegment old = memory;
            allocate((int) Math.min(Math.max(needed, 2 * old.byteSize()), Integer.MAX_VALUE - 8L));
            MemorySegment.copy(old, 0, memory, 0, length);
        }
    }

    MessageFrame putInt32(int value) {
        require(Integer.BYTES);
        memory.set(INT, length, value);
        length += Integer.BYTES;
        return this;
    }

    MessageFrame put(MemorySegment from, long offset, int bytes) {
        require(bytes);
        MemorySegment.copy(from, offset, memory, length, bytes);
        length += bytes;
        return this;
    }

    MessageFrame putZeros(int bytes) {
        return put(ZEROS, 0, bytes);
    }

    /// Puts the first bytes of a word.
    MessageFrame putBytes(long word, int bytes) {
        require(bytes);
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, length + i, (byte) (word >>> (i << 3)));
        }
        length += bytes;
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
        require((long) prefix + bytes + padding);
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
