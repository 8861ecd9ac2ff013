// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.internal.BufferTarget;
import dev.fletch.format.write.SegmentList;

import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// The target of a [MessageWriter].
abstract sealed class MessageOutput {
    /// Only a gathering channel is written to directly.
    static MessageOutput of(WritableByteChannel channel) {
        return Objects.requireNonNull(channel, "channel") instanceof GatheringByteChannel gathering
                ? new OfChannel(gathering)
                : new OfStream(Channels.newOutputStream(channel));
    }

    static MessageOutput of(OutputStream out) {
        // Only this exact class: a subclass may override how it writes.
        return out.getClass() == FileOutputStream.class
                ? new OfChannel(((FileOutputStream) out).getChannel())
                : new OfStream(out);
    }

    /// Checks that there is room for some bytes.
    ///
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if there is not
    void requireRoom(long bytes) {}

    /// Writes parts.
    abstract void write(SegmentList parts) throws IOException;

    /// Writes bytes of a file.
    void transfer(FileChannel source, long position, long bytes) throws IOException {
        WritableByteChannel target = channel();
        for (long done = 0; done < bytes; ) {
            long some = source.transferTo(position + done, bytes - done, target);
            if (some <= 0) {
                throw new EOFException(
                        "source ends inside a body: offset=" + position + ", length=" + bytes);
            }
            done += some;
        }
    }

    /// The target as a channel.
    abstract WritableByteChannel channel();

    /// Flushes what the target buffers.
    void flush() throws IOException {}

    void close() throws IOException {}

    /// The caller's memory.
    static final class OfMemory extends MessageOutput {
        private final MemorySegment memory;
        private final BufferTarget target = new BufferTarget();
        private long offset;

        OfMemory(MemorySegment memory, long position) {
            if (memory.isReadOnly()) {
                throw new IllegalArgumentException("target is read-only");
            }
            Objects.checkFromToIndex(position, memory.byteSize(), memory.byteSize());
            this.memory = memory;
            this.offset = position;
        }

        @Override
        void requireRoom(long bytes) {
            target.wrap(memory, offset, bytes);
        }

        @Override
        void write(SegmentList parts) {
            long to = 0;
            for (int i = 0; i < parts.count(); i++) {
                target.putBytes(to, parts.segment(i), parts.offset(i), parts.bytes(i));
                to += parts.bytes(i);
            }
            offset += to;
        }

        @Override
        WritableByteChannel channel() {
            return new WritableByteChannel() {
                @Override
                public int write(ByteBuffer from) {
                    int bytes = from.remaining();
                    memory.asSlice(offset, bytes).copyFrom(MemorySegment.ofBuffer(from));
                    from.position(from.limit());
                    offset += bytes;
                    return bytes;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            };
        }
    }

    /// A stream. An array collects the parts, so that short ones are written together.
    private static final class OfStream extends MessageOutput {
        private static final int SCRATCH_BYTES = 64 << 10;

        private final OutputStream out;
        private final byte[] scratch = new byte[SCRATCH_BYTES];

        OfStream(OutputStream out) {
            this.out = out;
        }

        @Override
        void write(SegmentList parts) throws IOException {
            int used = 0;
            for (int i = 0; i < parts.count(); i++) {
                MemorySegment from = parts.segment(i);
                long position = parts.offset(i);
                for (long left = parts.bytes(i); left > 0; ) {
                    if (used == SCRATCH_BYTES) {
                        out.write(scratch, 0, used);
                        used = 0;
                    }
                    int some = (int) Math.min(left, SCRATCH_BYTES - used);
                    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, position, scratch, used, some);
                    used += some;
                    position += some;
                    left -= some;
                }
            }
            out.write(scratch, 0, used);
        }

        @Override
        WritableByteChannel channel() {
            return Channels.newChannel(out);
        }

        @Override
        void flush() throws IOException {
            out.flush();
        }

        @Override
        void close() throws IOException {
            out.close();
        }
    }

    /// A channel. Writes a message from its memory in one gathering write.
    private static final class OfChannel extends MessageOutput {
        private final GatheringByteChannel channel;
        private ByteBuffer[] queue = new ByteBuffer[32];
        // For messages with a part that no byte buffer can represent; created at the first use.
        private OfStream copying;

        OfChannel(GatheringByteChannel channel) {
            this.channel = channel;
        }

        @Override
        void write(SegmentList parts) throws IOException {
            int count = parts.count();
            if (count > queue.length) {
                queue = new ByteBuffer[2 * count];
            }
            for (int i = 0; i < count; i++) {
                queue[i] = parts.buffer(i);
                if (queue[i] == null) {
                    copy(parts);
                    return;
                }
            }
            for (int position = 0; position < count; ) {
                if (!queue[position].hasRemaining()) {
                    position++;
                } else if (channel.write(queue, position, count - position) <= 0) {
                    throw new IllegalBlockingModeException();
                }
            }
        }

        private void copy(SegmentList parts) throws IOException {
            if (copying == null) {
                copying = new OfStream(Channels.newOutputStream(channel));
            }
            copying.write(parts);
        }

        @Override
        WritableByteChannel channel() {
            return channel;
        }

        @Override
        void close() throws IOException {
            channel.close();
        }
    }
}
