// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import dev.fletch.remote.errors.RangeException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;

/// Reads ranges from a channel.
final class ChannelSource implements RangeSource {
    /// Limit of one read, which goes through an array: a byte buffer cannot represent all memory.
    private static final int LONGEST_READ = 1 << 20;

    private final SeekableByteChannel channel;
    private final String name;
    private final long size;

    ChannelSource(SeekableByteChannel channel, String name, long size) {
        this.channel = channel;
        this.name = name;
        this.size = size;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isInterruptible() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into) throws IOException {
        long length = into.byteSize();
        if (offset < 0 || length > size - offset) {
            throw failed(offset, length, "range is not inside the object: size=" + size, null);
        }
        try {
            if (channel instanceof FileChannel file) {
                fill(offset, into, file::read);
            } else {
                synchronized (this) {
                    fill(offset, into, (bytes, position) -> channel.position(position).read(bytes));
                }
            }
        } catch (RangeException e) {
            throw e;
        } catch (IOException e) {
            throw failed(offset, length, "cannot be read: " + e, e);
        }
    }

    private interface Positional {
        int read(ByteBuffer into, long position) throws IOException;
    }

    private void fill(long offset, MemorySegment into, Positional from) throws IOException {
        long length = into.byteSize();
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(length, LONGEST_READ));
        long done = 0;
        while (done < length) {
            int limit = (int) Math.min(length - done, LONGEST_READ);
            int read = from.read(part.clear().limit(limit), offset + done);
            if (read < 0) {
                String reason = "channel ends at " + (offset + done) + ", size was " + size;
                throw failed(offset, length, reason, null);
            }
            if (read == 0 || read > limit) {
                String reason = "channel returned " + read + " bytes: requested=" + limit;
                throw failed(offset, length, reason, null);
            }
            MemorySegment.copy(MemorySegment.ofArray(part.array()), 0, into, done, read);
            done += read;
        }
    }

    private RangeException failed(long offset, long length, String reason, IOException cause) {
        return new RangeException(name, offset, length, reason, cause);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
