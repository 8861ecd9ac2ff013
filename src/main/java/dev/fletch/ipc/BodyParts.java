// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.write.BodyLayout;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// The parts of a message's body, in order: ranges of segments. Nothing is copied before a
/// [MessageWriter] writes them. [dev.fletch.layout.ReceivedBody] is the counterpart for reading.
///
/// ```java
/// body.reset();
/// body.addBuffer(validity, 0, validityBytes);
/// body.addBuffer(values, 0, valueBytes);
/// writer.write(memory, at, length, body);
/// ```
///
/// Buffers of the same lengths have the offsets of a [BodyLayout] with the same alignment.
///
/// **Allocation.** Only for more parts than ever before. Segments stay referenced until others
/// replace them.
///
/// **Lifetime and threads.** The bytes are read when the message is written: arenas must be open
/// until then, and the writing thread needs access. Belongs to one thread at a time.
public final class BodyParts {
    private static final int LARGEST_ALIGNMENT = 4 << 10;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[LARGEST_ALIGNMENT]);
    private static final int INITIAL = 16;

    private final int alignment;
    // Parts, padding included. Empty parts are kept, so that views can be reused by index.
    private MemorySegment[] segments = new MemorySegment[INITIAL];
    // Offset and length per part.
    private long[] ranges = new long[2 * INITIAL];
    private int count;
    private long length;

    // Byte buffers on complete segments, for channels, and those segments.
    private ByteBuffer[] views = new ByteBuffer[0];
    private MemorySegment[] viewed = new MemorySegment[0];

    /// Creates a body without parts, whose buffers are padded to 8 bytes.
    public BodyParts() {
        this(BodyLayout.LEAST_ALIGNMENT);
    }

    /// Creates a body without parts.
    ///
    /// @param alignment of buffers in bytes: a power of two from 8 to 4096
    /// @throws IllegalArgumentException if `alignment` is another number
    public BodyParts(int alignment) {
        this.alignment = checkAlignment(alignment);
    }

    static int checkAlignment(int alignment) {
        if (alignment < BodyLayout.LEAST_ALIGNMENT
                || alignment > LARGEST_ALIGNMENT
                || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    "alignment is not a power of two from 8 to 4096: alignment=" + alignment);
        }
        return alignment;
    }

    /// Removes all parts.
    ///
    /// @return this
    public BodyParts reset() {
        count = 0;
        length = 0;
        return this;
    }

    /// Adds a part without padding, such as a complete body.
    ///
    /// @param memory contains the part; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length in bytes
    /// @return this
    /// @throws IndexOutOfBoundsException if the part is not inside `memory`
    /// @throws IllegalArgumentException if the body would be longer than 2<sup>63</sup> - 1 bytes
    public BodyParts add(MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (bytes > Long.MAX_VALUE - LARGEST_ALIGNMENT - length) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT, "body is too long: length=%d, added=%d", length, bytes));
        }
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, 2 * count);
            ranges = Arrays.copyOf(ranges, 4 * count);
        }
        if (segments[count] != memory) {
            segments[count] = memory; // compared first: storing a reference costs a barrier
        }
        ranges[2 * count] = offset;
        ranges[2 * count + 1] = bytes;
        count++;
        length += bytes;
        return this;
    }

    /// Adds a buffer, padded with zeros to a multiple of the alignment.
    ///
    /// @param memory contains the buffer; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length in bytes without padding @throws IndexOutOfBoundsException if the
    ///     buffer is not inside `memory`
    /// @return this
    public BodyParts addBuffer(MemorySegment memory, long offset, long bytes) {
        return add(memory, offset, bytes).addPadding((int) -length & alignment - 1);
    }

    /// Adds zeros.
    ///
    /// @param bytes their number, from 0 to 4096
    /// @return this
    /// @throws IndexOutOfBoundsException if `bytes` is another number
    /// @throws IllegalArgumentException as for [#add]
    public BodyParts addPadding(int bytes) {
        return add(ZEROS, 0, bytes);
    }

    /// {@return length of the body in bytes, padding included}
    public long length() {
        return length;
    }

    // ---- for the writer

    /// Checks that all parts can be read, before anything is written.
    ///
    /// @throws IllegalStateException if the memory of a part was freed, or belongs to another
    ///     thread
    void requireReadable() {
        long at = 0;
        for (int i = 0; i < count; i++) {
            if (!segments[i].scope().isAlive()) {
                throw new IllegalStateException("memory of the body was freed: bodyOffset=" + at);
            }
            if (!segments[i].isAccessibleBy(Thread.currentThread())) {
                throw new IllegalStateException(
                        "memory of the body belongs to another thread: bodyOffset=" + at);
            }
            at += bytes(i);
        }
    }

    int count() {
        return count;
    }

    MemorySegment segment(int part) {
        return segments[part];
    }

    long offset(int part) {
        return ranges[2 * part];
    }

    long bytes(int part) {
        return ranges[2 * part + 1];
    }

    /// Returns a byte buffer on a part. Parts usually share the segments of the previous message,
    /// so the view of a segment of up to 2 GiB is kept.
    ///
    /// @return null if the part is longer than 2 GiB, or in an array other than `byte[]`
    ByteBuffer view(int part) {
        MemorySegment segment = segments[part];
        long offset = offset(part);
        long bytes = bytes(part);
        if (segment.byteSize() > Integer.MAX_VALUE) {
            return bytes > Integer.MAX_VALUE ? null : viewOf(segment.asSlice(offset, bytes));
        }
        if (part >= views.length) {
            views = Arrays.copyOf(views, segments.length);
            viewed = Arrays.copyOf(viewed, segments.length);
        }
        if (viewed[part] != segment) {
            views[part] = viewOf(segment);
            viewed[part] = segment;
        }
        ByteBuffer view = views[part];
        return view == null ? null : view.limit((int) (offset + bytes)).position((int) offset);
    }

    private static ByteBuffer viewOf(MemorySegment segment) {
        try {
            return segment.asByteBuffer();
        } catch (UnsupportedOperationException _) {
            return null; // the only way to find out for a read-only array
        }
    }
}
