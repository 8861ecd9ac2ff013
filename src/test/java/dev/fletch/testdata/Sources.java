// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.function.IntSupplier;

/// Channels and streams that behave in ways that files and pipes may.
public final class Sources {
    private Sources() {}

    /// Gives at most so many bytes at a time, and counts them.
    public static final class Dripping implements ReadableByteChannel {
        private final byte[] bytes;
        private final IntSupplier most;
        public int position;
        public boolean closed;

        public Dripping(byte[] bytes, int most) {
            this(bytes, () -> most);
        }

        /// @param most how many at the next time
        public Dripping(byte[] bytes, IntSupplier most) {
            this.bytes = bytes;
            this.most = most;
        }

        @Override
        public int read(ByteBuffer into) {
            if (position == bytes.length) {
                return -1;
            }
            int length =
                    Math.min(Math.min(most.getAsInt(), into.remaining()), bytes.length - position);
            into.put(bytes, position, length);
            position += length;
            return length;
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

    /// Gives at most so many bytes at a time.
    public static InputStream dripping(byte[] bytes, int most) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int at, int length) {
                return super.read(into, at, Math.min(length, most));
            }
        };
    }

    /// Can be set to any position, and counts the bytes that are read.
    public static final class Seeking implements SeekableByteChannel {
        private final SeekableByteChannel channel;
        public long bytesRead;

        public Seeking(SeekableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int read = channel.read(into);
            bytesRead += Math.max(0, read);
            return read;
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            channel.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// A stream's messages over and over again, without an end. Allocates nothing.
    public static final class Endless extends InputStream {
        private final byte[] bytes;
        private int position;

        /// @param messages of a stream, without the mark at the end
        public Endless(byte[] messages) {
            this.bytes = messages;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] into, int at, int length) {
            if (position == bytes.length) {
                position = 0;
            }
            int read = Math.min(length, bytes.length - position);
            System.arraycopy(bytes, position, into, at, read);
            position += read;
            return read;
        }
    }

    /// A stream that knows whether it was closed.
    public static final class Closing extends ByteArrayInputStream {
        public boolean isClosed;

        public Closing(byte[] bytes) {
            super(bytes);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /// Gives some bytes, then fails.
    public static InputStream failingAfter(byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int at, int length) {
                int read = super.read(into, at, length);
                if (read < 0) {
                    throw new IllegalStateException("broken source");
                }
                return read;
            }
        };
    }
}
