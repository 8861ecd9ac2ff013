// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/// Bytes in memory that come a few at a time, with any size.
class MemoryChannel implements SeekableByteChannel {
    private final byte[] bytes;
    private final int mostAtOnce;
    private long position;
    private long size;
    private boolean isOpen = true;

    MemoryChannel(byte[] bytes, int mostAtOnce) {
        this.bytes = bytes;
        this.mostAtOnce = mostAtOnce;
        size = bytes.length;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (!isOpen) {
            throw new ClosedChannelException();
        }
        if (position >= size) {
            return -1;
        }
        int length = (int) Math.min(Math.min(into.remaining(), mostAtOnce), size - position);
        into.put(bytes, (int) position, length);
        position += length;
        return length;
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public SeekableByteChannel position(long to) {
        position = to;
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public SeekableByteChannel truncate(long to) {
        size = to;
        return this;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() {
        isOpen = false;
    }
}
