// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/// To a channel: a message goes out as it lies in memory, in one gathering write where the channel
/// can.
final class ChannelOutput extends MessageOutput {
    /// Longest view of a segment that one byte buffer cannot show.
    private static final int WINDOW_BYTES = 1 << 30;

    private static final int SCRATCH_BYTES = 64 << 10;
    private static final int INITIAL = 32;

    private final WritableByteChannel channel;
    // The same, null if it cannot gather.
    private final GatheringByteChannel gathering;
    private final SegmentViews views = new SegmentViews();

    // All show the same zeros.
    private final ByteBuffer zeros = ByteBuffer.allocateDirect((int) MessageFrame.ZEROS.byteSize());
    private ByteBuffer[] paddings = new ByteBuffer[0];

    // What is to be written next.
    private ByteBuffer[] queue = new ByteBuffer[INITIAL];
    private int queued;

    // For arrays that no byte buffer can show; made when it is first needed.
    private ByteBuffer scratch;

    ChannelOutput(WritableByteChannel channel) {
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

    private void add(int part, MemorySegment segment, long offset, long bytes) throws IOException {
        // A view may be at several places of the queue only if each has its own.
        final ByteBuffer view = views.of(part, segment);
        if (view != null) {
            add(view.clear().limit((int) (offset + bytes)).position((int) offset));
            return;
        }
        for (long done = 0; done < bytes; done += WINDOW_BYTES) {
            final long some = Math.min(bytes - done, WINDOW_BYTES);
            final ByteBuffer window = SegmentViews.view(segment.asSlice(offset + done, some));
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
    void flush() {}

    @Override
    void close() throws IOException {
        channel.close();
    }
}
