// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// Ranges of segments, one after the other: the body of a message, or a complete message that a
/// `dev.fletch.ipc.MessageEncoder` encoded. Nothing is copied. `dev.fletch.batch.ReceivedBody` is
/// the counterpart for reading bodies.
///
/// [BodyLayout#body] is such a list: each buffer with its padding.
///
/// **Allocation.** Only for more parts than ever before. Segments stay referenced until others
/// replace them.
///
/// **Lifetime and threads.** The bytes are read when they are written or sent: arenas must be open
/// until then, and that thread needs access. Belongs to one thread at a time. Methods that return a
/// list return this.
///
/// Source: Columnar format, "Encapsulated message format": the body and its padding.
public final class SegmentList {
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[BodyLayout.LARGEST_ALIGNMENT]).asReadOnly();
    private static final int INITIAL = 16;

    // Parts, padding included. Empty parts are kept, so that views can be reused by index.
    private MemorySegment[] segments = new MemorySegment[INITIAL];
    // Offset and length per part.
    private long[] ranges = new long[2 * INITIAL];
    private int count;
    private long length;

    // Byte buffers on complete segments, for channels, and those segments.
    private ByteBuffer[] views = new ByteBuffer[0];
    private MemorySegment[] viewed = new MemorySegment[0];

    /// Creates a list without parts.
    public SegmentList() {}

    /// Removes all parts.
    public SegmentList reset() {
        count = 0;
        length = 0;
        return this;
    }

    /// Adds a part without padding, such as a complete body.
    ///
    /// @param memory contains the part; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length in bytes
    /// @throws IndexOutOfBoundsException if the part is not inside `memory`
    /// @throws IllegalArgumentException if the body would be longer than 2<sup>63</sup> - 1 bytes
    public SegmentList add(MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        reserve(1, bytes);
        if (segments[count] != memory) {
            segments[count] = memory; // compared before it is stored
        }
        ranges[2 * count] = offset;
        ranges[2 * count + 1] = bytes;
        count++;
        length += bytes;
        return this;
    }

    private void reserve(int more, long bytes) {
        if (bytes > Long.MAX_VALUE - BodyLayout.LARGEST_ALIGNMENT - length) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT, "body is too long: length=%d, added=%d", length, bytes));
        }
        if (more > segments.length - count) {
            int size = 2 * Math.addExact(count, more);
            segments = Arrays.copyOf(segments, size);
            ranges = Arrays.copyOf(ranges, 2 * size);
        }
    }

    /// Adds all parts of another list.
    ///
    /// @throws IllegalArgumentException as for [#add]
    public SegmentList addAll(SegmentList other) {
        reserve(other.count, other.length);
        System.arraycopy(other.segments, 0, segments, count, other.count);
        System.arraycopy(other.ranges, 0, ranges, 2 * count, 2 * other.count);
        count += other.count;
        length += other.length;
        return this;
    }

    /// Adds zeros.
    ///
    /// @param bytes their number, from 0 to 4096
    /// @throws IndexOutOfBoundsException if `bytes` is another number
    /// @throws IllegalArgumentException as for [#add]
    public SegmentList addPadding(int bytes) {
        return add(ZEROS, 0, bytes);
    }

    /// {@return length in bytes, padding included}
    public long length() {
        return length;
    }

    // ---- the parts

    /// {@return number of parts, some of which may be empty}
    public int count() {
        return count;
    }

    /// {@return the segment that contains a part}
    public MemorySegment segment(int part) {
        return segments[Objects.checkIndex(part, count)];
    }

    /// {@return byte offset of a part in its segment}
    public long offset(int part) {
        return ranges[2 * Objects.checkIndex(part, count)];
    }

    /// {@return length of a part in bytes}
    public long bytes(int part) {
        return ranges[2 * Objects.checkIndex(part, count) + 1];
    }

    /// Collects the byte buffers on the parts that are not empty: see [#buffer]. Their positions
    /// and limits are valid until the next call.
    ///
    /// @param into receives the buffers, from index 0 on
    /// @return their number
    /// @throws IllegalArgumentException if the array is shorter than [#count()], or a part is
    ///     longer than 2 GiB or in an array other than `byte[]`
    public int buffers(ByteBuffer[] into) {
        requireRoom(into.length);
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (bytes(i) != 0) {
                into[found] = buffer(i);
                if (into[found++] == null) {
                    throw new IllegalArgumentException(
                            String.format(
                                    Locale.ROOT,
                                    "part cannot be a byte buffer: part=%d, length=%d",
                                    i,
                                    bytes(i)));
                }
            }
        }
        return found;
    }

    private void requireRoom(int room) {
        if (room < count) {
            throw new IllegalArgumentException(
                    "array is too short: length=" + room + ", parts=" + count);
        }
    }

    /// Checks that this thread can read all parts.
    ///
    /// @throws IllegalStateException if the memory of a part was freed, or belongs to another
    ///     thread
    public void requireReadable() {
        long position = 0;
        for (int i = 0; i < count; i++) {
            if (!segments[i].scope().isAlive()) {
                throw new IllegalStateException(
                        "memory of the body was freed: bodyOffset=" + position);
            }
            if (!segments[i].isAccessibleBy(Thread.currentThread())) {
                throw new IllegalStateException(
                        "memory of the body belongs to another thread: bodyOffset=" + position);
            }
            position += bytes(i);
        }
    }

    /// Returns a byte buffer on a part. Parts usually share the segments of the previous message,
    /// so the buffer of a segment of up to 2 GiB is kept: the next call for the same part moves it.
    ///
    /// @return null if the part is longer than 2 GiB, or in an array other than `byte[]`
    public ByteBuffer buffer(int part) {
        MemorySegment segment = segment(part);
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
