// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.input.InputBytes;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/// The bytes of an input in memory, or in a temporary file that is mapped; read-only.
final class StoredChannel extends AbstractInterruptibleChannel implements SeekableByteChannel {
    private final InputBytes bytes;
    private final MemorySegment memory;
    private long position;

    StoredChannel(InputBytes bytes) {
        this.bytes = bytes;
        memory = bytes.memory();
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        requireOpen();
        long left = memory.byteSize() - position;
        if (left <= 0) {
            return -1;
        }
        int count = (int) Math.min(into.remaining(), left);
        into.put(memory.asSlice(position, count).asByteBuffer());
        position += count;
        return count;
    }

    @Override
    public long position() throws IOException {
        requireOpen();
        return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
        requireOpen();
        if (newPosition < 0) {
            throw new IllegalArgumentException("position is negative: position=" + newPosition);
        }
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        requireOpen();
        return memory.byteSize();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        bytes.close();
    }
}
