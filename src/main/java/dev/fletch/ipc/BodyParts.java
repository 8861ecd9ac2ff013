// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.write.BodyLayout;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// The parts of a message's body: ranges of segments, one after the other. Nothing is copied before a
/// [MessageWriter] writes it.
///
/// ```java
/// body.reset();
/// body.addBuffer(validity, 0, validityBytes);
/// body.addBuffer(values, 0, valueBytes);
/// writer.write(memory, at, length, body);
/// ```
///
/// With the alignment of a [BodyLayout] and the same lengths, its buffers have the offsets of that layout.
///
/// **Allocation.** None after it has had as many parts before. It keeps segments until others replace them.
///
/// **Lifetime and threads.** The bytes are read when the message is written: until then the arenas must stay
/// open, and the writing thread must have access. It belongs to one thread at a time.
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
    /// @throws IndexOutOfBoundsException if it is not inside `memory`
    /// @throws IllegalArgumentException if the body would be longer than 2<sup>63</sup> - 1 bytes
    public BodyParts add(MemorySegment memory, long offset, long bytes) {
        return add(memory, offset, bytes, 0);
    }

    /// Adds a buffer, with zeros behind it up to a multiple of the alignment.
    ///
    /// @param memory holds it; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length without padding
    /// @return this
    /// @throws IndexOutOfBoundsException if it is not inside `memory`
    /// @throws IllegalArgumentException if the body would be longer than 2<sup>63</sup> - 1 bytes
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

    // ---- for the writer

    /// Checks, before anything is written, that all parts can be read.
    ///
    /// @throws IllegalStateException if the memory of one was freed, or belongs to another thread
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
