// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.write.SegmentList;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/// A message body received in several buffers, such as from Arrow Flight. A [BatchCursor] with it
/// as body reads the batch's buffers; only ranges that span pieces are copied. [SegmentList] is the
/// counterpart for writing.
///
/// ```java
/// frame.wrapMetadata(dataHeader, message);
/// body.reset();
/// for (ByteBuffer piece : pieces) {
///     body.add(piece);
/// }
/// cursor.bind(layout, message).body(body);
/// cursor.values(layout.field("size"), ValueType.INT64, sizes);
/// ```
///
/// Offsets and lengths are in bytes; offsets count from the body's first byte. A range that spans
/// pieces is copied into a new array. No range is longer than the received bytes.
///
/// **Allocation.** None if [ByteBuffer] objects and their order are the same as before; a view for
/// each other buffer. Buffers stay referenced until others replace them.
///
/// **Lifetime and threads.** Slices refer to the pieces unless copied, so pieces must stay
/// unchanged while slices are used. Belongs to one thread at a time.
public final class ReceivedBody implements BufferSource {
    private static final int INITIAL = 8;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    // Pieces of at least one byte; null for those of a list. Entries are kept for the next body.
    private ByteBuffer[] buffers = new ByteBuffer[INITIAL];
    // Each buffer from its index 0 to its capacity, and the start of its piece there.
    private MemorySegment[] segments = new MemorySegment[INITIAL];
    private long[] positions = new long[INITIAL];
    // Offset of each piece in the body.
    private long[] starts = new long[INITIAL];
    private int count;
    private long length;

    /// Creates a body without pieces.
    public ReceivedBody() {}

    /// Removes all pieces.
    public ReceivedBody reset() {
        count = 0;
        length = 0;
        return this;
    }

    /// Adds the bytes between a buffer's position and limit; both stay unchanged.
    public ReceivedBody add(ByteBuffer piece) {
        if (piece.hasRemaining()) {
            reserve();
            if (buffers[count] != piece) {
                segments[count] = MemorySegment.ofBuffer(piece.duplicate().clear());
                buffers[count] = piece;
            }
            append(piece.position(), piece.remaining());
        }
        return this;
    }

    /// Adds the parts of a list.
    public ReceivedBody add(SegmentList parts) {
        for (int i = 0; i < parts.count(); i++) {
            if (parts.bytes(i) != 0) {
                reserve();
                segments[count] = parts.segment(i);
                buffers[count] = null;
                append(parts.offset(i), parts.bytes(i));
            }
        }
        return this;
    }

    private void reserve() {
        if (count == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * count);
            segments = Arrays.copyOf(segments, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
    }

    private void append(long position, long bytes) {
        positions[count] = position;
        starts[count++] = length;
        length += bytes;
    }

    /// {@return number of bytes of all pieces}
    @Override
    public long length() {
        return length;
    }

    @Override
    public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
        slice(cursor.bufferOffset(field, buffer), cursor.bufferLength(field, buffer), into);
    }

    /// Binds to a range: in a piece or, if it spans pieces, in a copy.
    ///
    /// @throws IndexOutOfBoundsException if the range is not inside the body
    /// @throws IllegalStateException if the range spans pieces and is too long for an array
    public ByteSlice slice(long offset, long bytes, ByteSlice into) {
        Objects.checkFromIndexSize(offset, bytes, length);
        if (bytes == 0) {
            return into.wrap(NOTHING, 0, 0);
        }
        int piece = piece(offset);
        return bytes <= end(piece) - offset
                ? into.wrap(segments[piece], positions[piece] + offset - starts[piece], bytes)
                : into.wrap(copy(offset, bytes), 0, bytes);
    }

    /// {@return a copy of the body}
    ///
    /// @throws IllegalStateException if the body is too long for an array
    MemorySegment copy() {
        return copy(0, length);
    }

    private MemorySegment copy(long offset, long bytes) {
        if (bytes > Wire.LONGEST_ARRAY) {
            throw new IllegalStateException(
                    "range spans pieces and is too long to copy: offset="
                            + offset
                            + ", length="
                            + bytes);
        }
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) bytes]);
        long done = 0;
        for (int i = bytes == 0 ? count : piece(offset); done < bytes; i++) {
            long from = offset + done - starts[i];
            long part = Math.min(bytes - done, end(i) - starts[i] - from);
            MemorySegment.copy(segments[i], positions[i] + from, copy, done, part);
            done += part;
        }
        return copy;
    }

    private int piece(long offset) {
        int index = Arrays.binarySearch(starts, 0, count, offset);
        return index >= 0 ? index : -index - 2;
    }

    /// Offset in the body after a piece.
    private long end(int piece) {
        return piece + 1 == count ? length : starts[piece + 1];
    }
}
