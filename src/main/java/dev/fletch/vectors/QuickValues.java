// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import org.apache.arrow.memory.ArrowBuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Checks whether all values of a buffer are valid, several times faster than the loops of [FieldValues],
/// which then find the first invalid one. Reads values through segments of up to the size of a `ByteBuffer`,
/// and combines the signs of differences instead of branching.
final class QuickValues {
    private static final int WINDOW = 1 << 24;
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;
    private static final ValueLayout.OfShort INT16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong INT64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private QuickValues() {}

    private static MemorySegment window(ArrowBuf buffer, long from, int count, int width) {
        return MemorySegment.ofBuffer(buffer.nioBuffer(from * width, count * width));
    }

    /// {@return whether offsets are ascending, at least 0, and at most a limit}
    static boolean ascend(ArrowBuf offsets, int width, long count, long limit) {
        long before = 0;
        long signs = 0;
        for (long from = 0; from < count; from += WINDOW) {
            final int size = (int) Math.min(WINDOW, count - from);
            final MemorySegment numbers = window(offsets, from, size, width);
            if (width == Integer.BYTES) {
                for (int i = 0; i < size; i++) {
                    final long offset = numbers.get(INT32, (long) i << 2);
                    signs |= offset - before | limit - offset;
                    before = offset;
                }
            } else {
                for (int i = 0; i < size; i++) {
                    final long offset = numbers.get(INT64, (long) i << 3);
                    signs |= offset | offset - before | limit - offset;
                    before = offset;
                }
            }
        }
        return signs >= 0;
    }

    /// {@return whether all numbers are at least 0 and below a limit}
    static boolean areBelow(ArrowBuf numbers, int width, long mask, int count, int limit) {
        long signs = 0;
        for (long from = 0; from < count; from += WINDOW) {
            final int size = (int) Math.min(WINDOW, count - from);
            final MemorySegment window = window(numbers, from, size, width);
            for (int i = 0; i < size; i++) {
                final long number =
                        mask
                                & switch (width) {
                                    case Byte.BYTES -> window.get(ValueLayout.JAVA_BYTE, i);
                                    case Short.BYTES -> window.get(INT16, (long) i << 1);
                                    case Integer.BYTES -> window.get(INT32, (long) i << 2);
                                    default -> window.get(INT64, (long) i << 3);
                                };
                signs |= number | limit - 1L - number;
            }
        }
        return signs >= 0;
    }

    /// {@return whether all views are inline or inside their variadic buffer}
    static boolean areInside(ArrowBuf views, int count, List<ArrowBuf> buffers) {
        final long[] capacities = buffers.stream().mapToLong(ArrowBuf::capacity).toArray();
        for (long from = 0; from < count; from += WINDOW) {
            final int size = (int) Math.min(WINDOW, count - from);
            final MemorySegment window = window(views, from, size, VIEW_BYTES);
            for (int i = 0; i < size; i++) {
                final long at = (long) i * VIEW_BYTES;
                final int length = window.get(INT32, at);
                if (length < 0) {
                    return false;
                }
                if (length > INLINE_BYTES) {
                    final int buffer = window.get(INT32, at + 8);
                    final long offset = window.get(INT32, at + 12);
                    if (buffer < 0
                            || buffer >= capacities.length
                            || (offset | capacities[buffer] - length - offset) < 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
