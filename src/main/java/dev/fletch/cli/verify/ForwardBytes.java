// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Sequential access to bytes in memory or from a pipe.
public abstract class ForwardBytes {
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    ForwardBytes() {}

    /// @param end end of the bytes in the memory
    public static ForwardBytes of(MemorySegment memory, long start, long end) {
        return new InMemory(memory, start, end);
    }

    public static ForwardBytes of(InputStream pipe) {
        return new OfPipe(pipe);
    }

    /// Offset of the next byte in the input.
    public abstract long offset();

    /// Offset of the end in the input; 0 if unknown.
    abstract long end();

    /// Takes the next bytes; they are then in [#memory] at [#position].
    ///
    /// @return number of bytes taken: less than `count` only at the end
    abstract int take(int count) throws IOException;

    /// Takes more bytes and appends them to the bytes taken last.
    ///
    /// @return number of bytes taken: less than `count` only at the end; 0 if all together do not fit into
    ///     an array
    abstract int takeMore(int count) throws IOException;

    /// The memory of the bytes taken last.
    abstract MemorySegment memory();

    /// Position in [#memory] of the bytes taken last.
    abstract long position();

    /// Skips bytes.
    ///
    /// @return number of bytes skipped: less than `count` only at the end
    abstract long skip(long count) throws IOException;

    /// The first four of the bytes taken last, as a little-endian integer.
    final int word() {
        return memory().get(WORD, position());
    }

    private static final class InMemory extends ForwardBytes {
        private final MemorySegment memory;
        private final long end;
        private long taken;
        private long next;

        InMemory(MemorySegment memory, long start, long end) {
            this.memory = memory;
            this.end = end;
            this.next = start;
        }

        @Override
        public long offset() {
            return next;
        }

        @Override
        long end() {
            return end;
        }

        @Override
        int take(int count) {
            taken = next;
            return (int) skip(count);
        }

        @Override
        int takeMore(int count) {
            return (int) skip(count);
        }

        @Override
        MemorySegment memory() {
            return memory;
        }

        @Override
        long position() {
            return taken;
        }

        @Override
        long skip(long count) {
            long skipped = Math.min(count, end - next);
            next += skipped;
            return skipped;
        }
    }

    private static final class OfPipe extends ForwardBytes {
        private static final int FIRST_BYTES = 64 << 10;

        private final InputStream pipe;
        private final byte[] scratch = new byte[FIRST_BYTES];
        private byte[] buffer = new byte[FIRST_BYTES];
        private MemorySegment memory = MemorySegment.ofArray(buffer);
        private long offset;
        private int taken;

        OfPipe(InputStream pipe) {
            this.pipe = pipe;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        long end() {
            return 0;
        }

        @Override
        int take(int count) throws IOException {
            taken = 0;
            return takeMore(count);
        }

        /// Grows the buffer with the bytes that arrive, not with the requested count.
        @Override
        int takeMore(int count) throws IOException {
            int before = taken;
            if (count > Integer.MAX_VALUE - before) {
                return 0;
            }
            int wanted = before + count;
            while (taken < wanted) {
                if (taken == buffer.length) {
                    buffer = Arrays.copyOf(buffer, (int) Math.min(wanted, 2L * taken));
                    memory = MemorySegment.ofArray(buffer);
                }
                int read = read(buffer, taken, Math.min(wanted, buffer.length) - taken);
                if (read < 0) {
                    break;
                }
                taken += read;
            }
            return taken - before;
        }

        private int read(byte[] into, int at, int count) throws IOException {
            int read = pipe.read(into, at, count);
            offset += Math.max(0, read);
            return read;
        }

        @Override
        MemorySegment memory() {
            return memory;
        }

        @Override
        long position() {
            return 0;
        }

        @Override
        long skip(long count) throws IOException {
            long left = count;
            while (left > 0) {
                int read = read(scratch, 0, (int) Math.min(left, scratch.length));
                if (read < 0) {
                    break;
                }
                left -= read;
            }
            return count - left;
        }
    }
}
