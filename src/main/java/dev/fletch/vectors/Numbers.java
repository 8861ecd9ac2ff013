// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import org.apache.arrow.memory.ArrowBuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads the numbers of a buffer in their order. Each read of an [ArrowBuf] checks its reference count, which
/// takes longer; a `ByteBuffer` cannot be longer than 2 GiB, hence the windows.
final class Numbers {
    /// A multiple of all widths.
    private static final int WINDOW_BYTES = 1 << 28;

    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final ValueLayout.OfShort INT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LE);
    private static final ValueLayout.OfInt INT32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LE);
    private static final ValueLayout.OfLong INT64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LE);

    private final ArrowBuf buffer;
    private final int width;
    private MemorySegment window = MemorySegment.NULL;
    private long windowAt;
    private long at;

    /// @param width of a number in bytes
    Numbers(ArrowBuf buffer, int width) {
        this.buffer = buffer;
        this.width = width;
    }

    /// {@return the next number, signed}
    long next() {
        if (at == window.byteSize()) {
            windowAt += at;
            at = 0;
            final long left = buffer.capacity() - windowAt;
            final int bytes = (int) Math.min(WINDOW_BYTES, left);
            window = MemorySegment.ofBuffer(buffer.nioBuffer(windowAt, bytes));
        }
        final long number =
                switch (width) {
                    case Byte.BYTES -> window.get(ValueLayout.JAVA_BYTE, at);
                    case Short.BYTES -> window.get(INT16, at);
                    case Integer.BYTES -> window.get(INT32, at);
                    default -> window.get(INT64, at);
                };
        at += width;
        return number;
    }
}
