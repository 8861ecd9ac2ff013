// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.BufferTarget;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Objects;

/// The target of a [MessageWriter].
abstract sealed class MessageOutput {
    private static final int SCRATCH_BYTES = 64 << 10;

    /// {@return a frame that is easily written here}
    MessageFrame frame() {
        return new MessageFrame(false);
    }

    /// Writes all of a frame and of a body.
    ///
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if there is no room; nothing is written
    ///     then
    abstract void write(MessageFrame frame, BodyParts body) throws IOException;

    /// Passes on what the target buffers.
    void flush() throws IOException {}

    void close() throws IOException {}

    /// The caller's memory.
    static final class OfMemory extends MessageOutput {
        private final MemorySegment memory;
        private final BufferTarget target = new BufferTarget();
        private long at;

        OfMemory(MemorySegment memory, long at) {
            if (memory.isReadOnly()) {
                throw new IllegalArgumentException("target is read-only");
            }
            Objects.checkFromToIndex(at, memory.byteSize(), memory.byteSize());
            this.memory = memory;
            this.at = at;
        }

        @Override
        void write(MessageFrame frame, BodyParts body) {
            final long all = frame.length() + body.length();
            target.wrap(memory, at, all);
            target.putBytes(0, frame.memory(), 0, frame.length());
            long to = frame.length();
            for (int i = 0; i < body.count(); i++) {
                target.putBytes(to, body.segment(i), body.offset(i), body.bytes(i));
                to += body.bytes(i);
                target.putBytes(to, MessageFrame.ZEROS, 0, body.padding(i));
                to += body.padding(i);
            }
            at += all;
        }
    }

    /// A stream. Parts in a `byte[]` are written as they are, others are copied to a small buffer.
    static final class OfStream extends MessageOutput {
        private final OutputStream out;
        private final SegmentViews views = new SegmentViews();
        private final byte[] zeros = new byte[(int) MessageFrame.ZEROS.byteSize()];
        // Made at the first use.
        private byte[] scratch;

        OfStream(OutputStream out) {
            this.out = out;
        }

        @Override
        void write(MessageFrame frame, BodyParts body) throws IOException {
            out.write(frame.buffer().array(), 0, frame.length());
            for (int i = 0; i < body.count(); i++) {
                final ByteBuffer view = views.of(i, body.segment(i));
                if (view != null && view.hasArray()) {
                    final int from = view.arrayOffset() + (int) body.offset(i);
                    out.write(view.array(), from, (int) body.bytes(i));
                } else {
                    copy(body.segment(i), body.offset(i), body.bytes(i));
                }
                out.write(zeros, 0, body.padding(i));
            }
        }

        private void copy(MemorySegment from, long offset, long bytes) throws IOException {
            if (scratch == null) {
                scratch = new byte[SCRATCH_BYTES];
            }
            for (long done = 0; done < bytes; ) {
                final int some = (int) Math.min(bytes - done, SCRATCH_BYTES);
                MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, some);
                out.write(scratch, 0, some);
                done += some;
            }
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

    /// A channel. A message goes out as it is in memory, in one gathering write if the channel can.
    static final class OfChannel extends MessageOutput {
        /// Length of the views of a segment that is too long for one byte buffer.
        private static final int WINDOW_BYTES = 1 << 30;

        private static final int SCRATCH_BYTES = 64 << 10;

        private final WritableByteChannel channel;
        // The same; null if it cannot gather.
        private final GatheringByteChannel gathering;
        private final SegmentViews views = new SegmentViews();

        // All show the same zeros.
        private final ByteBuffer zeros =
                ByteBuffer.allocateDirect((int) MessageFrame.ZEROS.byteSize());
        private ByteBuffer[] paddings = new ByteBuffer[0];

        // What is to be written next.
        private ByteBuffer[] queue = new ByteBuffer[32];
        private int queued;

        // For arrays that no byte buffer can show; made at the first use.
        private ByteBuffer scratch;

        OfChannel(WritableByteChannel channel) {
            this.channel = channel;
            this.gathering = channel instanceof GatheringByteChannel able ? able : null;
        }

        @Override
        MessageFrame frame() {
            return new MessageFrame(true);
        }

        @Override
        void write(MessageFrame frame, BodyParts body) throws IOException {
            queued = 0;
            add(frame.buffer().clear().limit(frame.length()));
            for (int i = 0; i < body.count(); i++) {
                add(i, body.segment(i), body.offset(i), body.bytes(i));
                if (body.padding(i) != 0) {
                    add(padding(i).clear().limit(body.padding(i)));
                }
            }
            writeQueue();
        }

        private void add(ByteBuffer buffer) {
            if (queued == queue.length) {
                queue = Arrays.copyOf(queue, 2 * queued);
            }
            queue[queued++] = buffer;
        }

        private void add(int part, MemorySegment segment, long offset, long bytes)
                throws IOException {
            // A view may be at several places of the queue only if each has its own.
            final ByteBuffer view = views.of(part, segment);
            if (view != null) {
                add(view.clear().limit((int) (offset + bytes)).position((int) offset));
                return;
            }
            for (long done = 0; done < bytes; done += WINDOW_BYTES) {
                final long some = Math.min(bytes - done, WINDOW_BYTES);
                final ByteBuffer window = view(segment.asSlice(offset + done, some));
                if (window == null) {
                    copy(segment, offset, bytes);
                    return;
                }
                add(window);
            }
        }

        private ByteBuffer padding(int part) {
            if (part >= paddings.length) {
                final int before = paddings.length;
                paddings = Arrays.copyOf(paddings, Math.max(part + 1, 2 * before));
                for (int i = before; i < paddings.length; i++) {
                    paddings[i] = zeros.duplicate();
                }
            }
            return paddings[part];
        }

        private void copy(MemorySegment from, long offset, long bytes) throws IOException {
            if (scratch == null) {
                scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
            }
            final MemorySegment into = MemorySegment.ofBuffer(scratch.clear());
            for (long done = 0; done < bytes; done += SCRATCH_BYTES) {
                writeQueue();
                final int some = (int) Math.min(bytes - done, SCRATCH_BYTES);
                MemorySegment.copy(from, offset + done, into, 0, some);
                add(scratch.clear().limit(some));
            }
            writeQueue();
        }

        /// Writes the queue, all of it, and empties it.
        private void writeQueue() throws IOException {
            for (int at = 0; at < queued; ) {
                if (!queue[at].hasRemaining()) {
                    at++;
                    continue;
                }
                final long written =
                        gathering == null
                                ? channel.write(queue[at])
                                : gathering.write(queue, at, queued - at);
                if (written <= 0) {
                    throw new IllegalBlockingModeException();
                }
            }
            queued = 0;
        }

        @Override
        void close() throws IOException {
            channel.close();
        }
    }

    /// Segments as byte buffers, for channels and streams. A message's parts are usually in the same
    /// segments as those of the message before, so a view is kept for each place in the body.
    private static final class SegmentViews {
        private MemorySegment[] segments = new MemorySegment[0];
        private ByteBuffer[] views = new ByteBuffer[0];

        /// Returns a view of all of a segment. Allocates it if this place had another segment before.
        ///
        /// @param place number of the part
        /// @return null if there can be none: it is longer than an `int` can say, or an array other than
        ///     `byte[]`
        ByteBuffer of(int place, MemorySegment segment) {
            if (place >= segments.length) {
                final int more = Math.max(place + 1, 2 * segments.length);
                segments = Arrays.copyOf(segments, more);
                views = Arrays.copyOf(views, more);
            }
            if (segments[place] != segment) {
                views[place] = segment.byteSize() <= Integer.MAX_VALUE ? view(segment) : null;
                segments[place] = segment;
            }
            return views[place];
        }
    }

    /// Returns a view of a segment, null if it is an array other than `byte[]`.
    private static ByteBuffer view(MemorySegment segment) {
        try {
            return segment.asByteBuffer();
        } catch (UnsupportedOperationException _) {
            return null; // the only way to find out for a read-only array
        }
    }
}
