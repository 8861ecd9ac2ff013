// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;

/// Where a [MessageReader] has its bytes from. Nothing is read ahead.
abstract sealed class ByteSource {
    static ByteSource of(ReadableByteChannel channel) {
        return new OfChannel(channel);
    }

    static ByteSource of(InputStream in) {
        // Only the very class: one that extends it may read in a way of its own.
        return in.getClass() == FileInputStream.class
                ? new OfChannel(((FileInputStream) in).getChannel())
                : new OfStream(in);
    }

    /// Reads some bytes.
    ///
    /// @param length how many at most, and at least 1
    /// @return how many, at least 1; -1 at the end
    abstract int read(byte[] into, int at, int length) throws IOException;

    /// Skips bytes that are known to be there, without reading them.
    ///
    /// @param bytes how many, at least 1
    /// @return whether that could be done; if not, nothing has changed
    abstract boolean seek(long bytes) throws IOException;

    abstract void close() throws IOException;

    private static final class OfChannel extends ByteSource {
        private final ReadableByteChannel channel;
        private final SeekableByteChannel seekable;
        private ByteBuffer view;

        OfChannel(ReadableByteChannel channel) {
            this.channel = channel;
            this.seekable = channel instanceof SeekableByteChannel s && isSeekable(s) ? s : null;
        }

        /// A pipe comes as a file's channel too, and only fails.
        private static boolean isSeekable(SeekableByteChannel channel) {
            try {
                return channel.position() >= 0;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        int read(byte[] into, int at, int length) throws IOException {
            if (view == null || view.array() != into) {
                view = ByteBuffer.wrap(into);
            }
            final int read = channel.read(view.limit(at + length).position(at));
            if (read == 0) {
                throw new IllegalBlockingModeException();
            }
            return read;
        }

        /// The size says what is there; a device has none, and is read.
        @Override
        boolean seek(long bytes) throws IOException {
            if (seekable == null) {
                return false;
            }
            final long at = seekable.position();
            if (bytes > seekable.size() - at) {
                return false;
            }
            seekable.position(at + bytes);
            return true;
        }

        @Override
        void close() throws IOException {
            channel.close();
        }
    }

    private static final class OfStream extends ByteSource {
        private final InputStream in;

        OfStream(InputStream in) {
            this.in = in;
        }

        @Override
        int read(byte[] into, int at, int length) throws IOException {
            final int read = in.read(into, at, length);
            if (read == 0) {
                throw new IOException("input stream has read 0 bytes: asked=" + length);
            }
            return read;
        }

        /// A stream may skip behind the end of its file and not tell, so it is read.
        @Override
        boolean seek(long bytes) {
            return false;
        }

        @Override
        void close() throws IOException {
            in.close();
        }
    }
}
