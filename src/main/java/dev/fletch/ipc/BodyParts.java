// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.write.BodyLayout;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// What a message's body is made of: parts of segments, one after the other, where they lie.
/// Nothing is copied before a [MessageWriter] writes it.
///
/// ```java
/// body.reset();
/// body.addBuffer(validity, 0, validityBytes);
/// body.addBuffer(values, 0, valueBytes);
/// writer.write(memory, at, length, body);
/// ```
///
/// With the alignment of a [BodyLayout] and the same lengths its buffers lie where that says.
///
/// **Allocation.** None, once it has had as many parts before. It holds on to segments until others
/// take their places.
///
/// **Lifetime and threads.** The segments' content is read when the message is written: until then
/// their arenas have to stay open, and the thread that writes must have access. It belongs to one
/// thread at a time.
public final class BodyParts {
    private static final int INITIAL = 16;

    private final int alignment;
    private MemorySegment[] segments = new MemorySegment[INITIAL];
    // Offset, length and bytes of padding behind it, per part.
    private long[] ranges = new long[3 * INITIAL];
    private int count;
    private long length;

    /// Creates a body without parts, whose buffers are padded to 8 bytes.
    public BodyParts() {
        this(BodyLayout.LEAST_ALIGNMENT);
    }

    /// Creates a body without parts.
    ///
    /// @param alignment what buffers are padded to: a power of two from 8 to 4096
    /// @throws IllegalArgumentException if it is not
    public BodyParts(int alignment) {
        this.alignment = MessageFrame.checkAlignment(alignment);
    }

    /// Forgets the parts.
    ///
    /// @return this
    public BodyParts reset() {
        count = 0;
        length = 0;
        return this;
    }

    /// Adds a part as it is, such as a whole body.
    ///
    /// @param memory holds it; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length
    /// @return this
    /// @throws IndexOutOfBoundsException if it does not lie in `memory`
    /// @throws IllegalArgumentException if the body would be longer than a number can tell
    public BodyParts add(MemorySegment memory, long offset, long bytes) {
        return add(memory, offset, bytes, 0);
    }

    /// Adds a buffer, with zeros behind it up to a multiple of the alignment.
    ///
    /// @param memory holds it; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length without padding
    /// @return this
    /// @throws IndexOutOfBoundsException if it does not lie in `memory`
    /// @throws IllegalArgumentException if the body would be longer than a number can tell
    public BodyParts addBuffer(MemorySegment memory, long offset, long bytes) {
        return add(memory, offset, bytes, (int) -(length + bytes) & alignment - 1);
    }

    private BodyParts add(MemorySegment memory, long offset, long bytes, int padding) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (bytes > Long.MAX_VALUE - padding - length) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT, "body is too long: length=%d, more=%d", length, bytes));
        }
        if (bytes == 0 && padding == 0) {
            return this;
        }
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, 2 * count);
            ranges = Arrays.copyOf(ranges, 2 * ranges.length);
        }
        if (segments[count] != memory) {
            segments[count] = memory; // compared first: storing a reference costs a barrier
        }
        ranges[3 * count] = offset;
        ranges[3 * count + 1] = bytes;
        ranges[3 * count + 2] = padding;
        count++;
        length += bytes + padding;
        return this;
    }

    /// {@return length of the body in bytes, padding included}
    public long length() {
        return length;
    }

    /// {@return what buffers are padded to}
    public int alignment() {
        return alignment;
    }

    // ---- for those who write it

    /// Checks that all parts can be read: what is found out later comes too late.
    ///
    /// @throws IllegalStateException if the memory of one was freed, or is another thread's
    void requireReadable() {
        for (int i = 0; i < count; i++) {
            if (!segments[i].scope().isAlive()) {
                throw new IllegalStateException("memory of the body was freed: part=" + i);
            }
            if (!segments[i].isAccessibleBy(Thread.currentThread())) {
                throw new IllegalStateException(
                        "memory of the body belongs to another thread: part=" + i);
            }
        }
    }

    int count() {
        return count;
    }

    MemorySegment segment(int part) {
        return segments[part];
    }

    long offset(int part) {
        return ranges[3 * part];
    }

    long bytes(int part) {
        return ranges[3 * part + 1];
    }

    int padding(int part) {
        return (int) ranges[3 * part + 2];
    }
}
