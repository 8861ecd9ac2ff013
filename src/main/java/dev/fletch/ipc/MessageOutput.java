// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.write.BufferTarget;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Where a [MessageWriter] has its bytes go.
abstract sealed class MessageOutput
        permits ChannelOutput, MessageOutput.OfMemory, MessageOutput.OfStream {
    /// Writes what was put together and a body, all of it.
    ///
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if there is no room; nothing is written
    ///     then
    abstract void write(MessageFrame frame, BodyParts body) throws IOException;

    /// Hands on what the target keeps back.
    abstract void flush() throws IOException;

    abstract void close() throws IOException;

    /// {@return a frame that is easily written here}
    MessageFrame frame() {
        return new MessageFrame(false);
    }

    /// To memory that the caller has supplied.
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

        @Override
        void flush() {}

        @Override
        void close() {}
    }

    /// To a stream. Parts in a `byte[]` are handed over as they lie, others by way of a small
    /// buffer.
    static final class OfStream extends MessageOutput {
        private static final int SCRATCH_BYTES = 64 << 10;

        private final OutputStream out;
        private final SegmentViews views = new SegmentViews();
        private final byte[] zeros = new byte[(int) MessageFrame.ZEROS.byteSize()];
        // Made when it is first needed.
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
}
