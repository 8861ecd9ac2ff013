// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/// Channels that behave in ways that pipes, sockets and full disks may. None of them allocates once
/// it has room.
final class WrittenSinks {
    private WrittenSinks() {}

    /// Takes at most so many bytes at a time, one buffer a time.
    static class Plain implements WritableByteChannel {
        private final int most;
        private byte[] bytes = new byte[1 << 16];
        private int length;
        boolean closed;
        int calls;

        /// Bytes that are taken before it fails.
        int failsAfter = Integer.MAX_VALUE;

        Plain(int most) {
            this.most = most;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            calls++;
            return take(from, most);
        }

        final int take(ByteBuffer from, int limit) throws IOException {
            int some = Math.min(Math.min(limit, from.remaining()), failsAfter - length);
            if (some == 0 && from.hasRemaining() && length == failsAfter) {
                throw new IOException("disk is full");
            }
            if (length + some > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + some));
            }
            from.get(bytes, length, some);
            length += some;
            return some;
        }

        final byte[] content() {
            return Arrays.copyOf(bytes, length);
        }

        /// Forgets what was written.
        final void rewind() {
            length = 0;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// Takes at most so many bytes at a time, from several buffers.
    static final class Gathering extends Plain implements GatheringByteChannel {
        private final int mostAtOnce;

        Gathering(int most) {
            super(most);
            mostAtOnce = most;
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int count) throws IOException {
            calls++;
            long written = 0;
            for (int i = offset; i < offset + count && written < mostAtOnce; i++) {
                written += take(from[i], (int) (mostAtOnce - written));
            }
            return written;
        }

        @Override
        public long write(ByteBuffer[] from) throws IOException {
            return write(from, 0, from.length);
        }
    }
}
