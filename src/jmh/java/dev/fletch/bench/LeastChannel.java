// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Message;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;

/// The least that a verifying channel does: it stores each message before its bytes are handed on,
/// and may read all stored bytes once. What this takes, no verification can save.
final class LeastChannel implements ReadableByteChannel {
    private static final int MESSAGE_BYTES = 1 << 22;
    private static final int PREFIX_BYTES = 8;

    private final ReadableByteChannel source;
    private final boolean isRead;
    private final MemorySegment memory;
    private final ByteBuffer message;
    private long combined;

    /// @param isRead whether the stored bytes are read, word by word, combined by OR
    /// @param memory of messages, at least MESSAGE_BYTES
    LeastChannel(ReadableByteChannel source, boolean isRead, ByteBuffer memory) {
        this.source = source;
        this.isRead = isRead;
        this.memory = MemorySegment.ofBuffer(memory.clear());
        message = memory.order(ByteOrder.LITTLE_ENDIAN).limit(0);
    }

    static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(MESSAGE_BYTES);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (!message.hasRemaining() && !store()) {
            return -1;
        }
        int count = Math.min(into.remaining(), message.remaining());
        into.put(into.position(), message, message.position(), count);
        into.position(into.position() + count);
        message.position(message.position() + count);
        return count;
    }

    private boolean store() throws IOException {
        message.clear();
        if (!fill(PREFIX_BYTES)) {
            return false;
        }
        int metadataLength = message.getInt(Integer.BYTES);
        if (metadataLength != 0) {
            fill(metadataLength);
            ByteBuffer metadata = message.slice(PREFIX_BYTES, metadataLength);
            fill(Math.toIntExact(Message.getRootAsMessage(metadata).bodyLength()));
        }
        message.flip();
        if (isRead) {
            combined |= combine(memory, message.limit() & -Long.BYTES);
        }
        return true;
    }

    private static long combine(MemorySegment memory, int bytes) {
        long words = 0;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            words |= memory.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
        }
        return words;
    }

    /// @return false at the end
    private boolean fill(int bytes) throws IOException {
        message.limit(message.position() + bytes);
        while (message.hasRemaining()) {
            if (source.read(message) < 0) {
                if (message.position() == 0) {
                    return false;
                }
                throw new EOFException();
            }
        }
        return true;
    }

    @Override
    public boolean isOpen() {
        return source.isOpen();
    }

    @Override
    public void close() throws IOException {
        if (combined == 1) {
            throw new AssertionError("not the bytes of a stream"); // they are read
        }
        source.close();
    }
}
