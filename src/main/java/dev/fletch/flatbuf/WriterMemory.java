// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The part of a [FlatBufferWriter] that has the memory: a range that fills from its end to its start.
///
/// ```text
///   start                  at                          end
///     │   room              │   written: size() bytes   │
/// ```
///
/// Places in the buffer are told by their distance from its end, so they stay what they are when the
/// memory is replaced by larger memory. Bytes in the room may be written before they count.
abstract sealed class WriterMemory permits WriterStrings {
    /// The official verifiers refuse larger ones.
    private static final long MAX_BYTES = Integer.MAX_VALUE - 1;

    private static final long SMALLEST_GROWTH = 1024;

    private final Source target = new Source();

    /// Heap bytes to write to, null for any other memory.
    byte[] array;

    /// The memory for bulk copies, and what a position is ahead of an offset in it.
    private MemorySegment bulk = MemorySegment.ofArray(new byte[0]);

    private long bulkBias;
    private ByteBuffer bulkOf;

    long start;
    long end;
    long at;
    private SegmentAllocator growth;

    /// What is being written, one of [WriterState].
    int state = WriterState.IDLE;

    /// The largest alignment that anything needed.
    int largestAlignment = 1;

    WriterMemory() {}

    // ---- target

    /// Takes a whole segment as the target. Begins a buffer.
    ///
    /// @param memory any kind of memory that can be written to
    /// @return this
    /// @throws IllegalArgumentException if `memory` is read-only
    public FlatBufferWriter wrap(MemorySegment memory) {
        return wrap(memory, 0, memory.byteSize());
    }

    /// Takes a part of a segment as the target. Begins a buffer, whose last byte will be the last one
    /// of that part: end it at a multiple of 8 if reads are to be aligned. Nothing outside it is written
    /// to. Allocates at most when it is another segment than the last time.
    ///
    /// @param memory any kind of memory that can be written to
    /// @param offset first byte of the part
    /// @param length length of the part in bytes
    /// @return this
    /// @throws IndexOutOfBoundsException if the part is not inside `memory`
    /// @throws IllegalArgumentException if `memory` is read-only
    public FlatBufferWriter wrap(MemorySegment memory, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        checkWritable(memory.isReadOnly());
        target.wrap(memory, offset, length);
        bulk = memory;
        bulkOf = null;
        bulkBias = target.start - offset;
        return begin();
    }

    /// Takes what is between a buffer's position and its limit as the target; they stay as they are,
    /// and its byte order plays no part. Begins a buffer, whose last byte will be the one before the
    /// limit. Allocates only when it is another buffer than the last time.
    ///
    /// @param buffer any kind of buffer that can be written to
    /// @return this
    /// @throws IllegalArgumentException if `buffer` is read-only
    public FlatBufferWriter wrap(ByteBuffer buffer) {
        checkWritable(buffer.isReadOnly());
        target.wrap(buffer);
        if (bulkOf != buffer) {
            bulkBias = 0;
            bulk = target.array == null ? target.segment() : MemorySegment.ofArray(target.array);
            bulkOf = buffer;
        }
        return begin();
    }

    private static void checkWritable(boolean readOnly) {
        if (readOnly) {
            throw new IllegalArgumentException("target is read-only");
        }
    }

    private FlatBufferWriter begin() {
        array = target.array;
        end = target.end;
        start = Math.max(target.start, end - MAX_BYTES);
        return reset();
    }

    /// Begins a buffer in the target that is there, whatever was written or left unfinished.
    ///
    /// @return this
    public FlatBufferWriter reset() {
        at = end;
        largestAlignment = 1;
        state = WriterState.IDLE;
        forget();
        return (FlatBufferWriter) this;
    }

    /// Forgets what is known about the buffer's objects.
    abstract void forget();

    /// From now on replaces a target that is too small by larger memory, which is then the target until
    /// the next [#wrap]. What was written is copied over, and the old memory not touched any more.
    ///
    /// @param allocator such as an arena; called with the number of bytes, mostly twice the old target's,
    ///     and an alignment of 8. Null to throw a [TargetTooSmallException] again. If it returns too
    ///     little, the call that needs the room throws an [IllegalStateException]
    /// @return this
    public FlatBufferWriter growWith(SegmentAllocator allocator) {
        growth = allocator;
        return (FlatBufferWriter) this;
    }

    // ---- result

    /// Where the finished buffer begins.
    ///
    /// @return byte offset in the segment that was wrapped, or index in the byte buffer; in
    ///     [#target()] where that was replaced by larger memory
    /// @throws IllegalStateException if no buffer is finished
    public long offset() {
        requireFinished("offset");
        return target.offsetOf(at);
    }

    /// How long the finished buffer is.
    ///
    /// @return length in bytes
    /// @throws IllegalStateException if no buffer is finished
    public int length() {
        requireFinished("length");
        return size();
    }

    /// The finished buffer where it lies: a slice of the target, which the next buffer overwrites.
    /// Nothing is copied; the slice itself is a new object.
    ///
    /// @return exactly the buffer's bytes
    /// @throws IllegalStateException if no buffer is finished
    public MemorySegment segment() {
        requireFinished("segment");
        return bulk.asSlice(at - bulkBias, size());
    }

    /// {@return a copy of the finished buffer}
    /// @throws IllegalStateException if no buffer is finished
    public byte[] toByteArray() {
        return segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /// The memory that is written to: the segment that was wrapped, the memory that a byte buffer
    /// lies in, or what has replaced it: see [#growWith].
    ///
    /// @return the whole memory, not just the range in it
    public MemorySegment target() {
        return bulk;
    }

    private void requireFinished(String call) {
        if (state != WriterState.FINISHED) {
            throw misuse(call);
        }
    }

    /// Bytes that have been written so far, which is where the object that was written last begins,
    /// counted from the buffer's end.
    ///
    /// @return number of bytes
    public final int size() {
        return (int) (end - at);
    }

    // ---- room

    final boolean hasRoom(long bytes) {
        return bytes <= at - start;
    }

    /// Makes sure that there is room for that many bytes.
    final void require(long bytes) {
        if (bytes > at - start) {
            makeRoom(bytes);
        }
    }

    private void makeRoom(long bytes) {
        final long written = end - at;
        final long room = at - start;
        final int before = state;
        state = WriterState.FAILED;
        if (bytes > MAX_BYTES - written) {
            final String sizes = "written=" + written + ", more=" + bytes + ", limit=" + MAX_BYTES;
            throw new IllegalStateException("buffer would be too large: " + sizes);
        }
        if (growth == null) {
            throw new TargetTooSmallException(bytes - room, bytes, written, end - start);
        }
        final long doubled = Math.max(SMALLEST_GROWTH, 2 * (end - start));
        replaceTarget(Math.max(written + bytes, Math.min(doubled, MAX_BYTES)), written);
        state = before;
    }

    private void replaceTarget(long bytes, long written) {
        final MemorySegment larger = growth.allocate(bytes, Long.BYTES);
        if (larger.byteSize() < bytes) {
            throw new IllegalStateException(
                    "allocated too little: asked=" + bytes + ", got=" + larger.byteSize());
        }
        checkWritable(larger.isReadOnly());
        MemorySegment.copy(bulk, at - bulkBias, larger, larger.byteSize() - written, written);
        target.wrap(larger, 0, larger.byteSize());
        bulk = larger;
        bulkOf = null;
        bulkBias = target.start;
        array = target.array;
        end = target.end;
        start = Math.max(target.start, end - MAX_BYTES);
        at = end - written;
    }

    // ---- bytes

    /// Pads so that what begins after `bytes` more is aligned, and makes sure that there is room for
    /// these.
    ///
    /// @param alignment a power of two
    final void align(int alignment, long bytes) {
        align(alignment, bytes, 0);
    }

    /// The same, with room for `more` bytes besides.
    final void align(int alignment, long bytes, int more) {
        if (alignment > largestAlignment) {
            largestAlignment = alignment;
        }
        final int padding = (int) -(end - at + bytes) & (alignment - 1);
        require(padding + bytes + more);
        pad(padding);
    }

    /// Writes zeros; there is room for them.
    final void pad(int bytes) {
        final long to = at - bytes;
        if (bytes <= Long.BYTES && at - start >= Long.BYTES) {
            if (bytes != 0) {
                Wire.setInt64(array, memory(), at - Long.BYTES, 0); // what is too many is room
            }
        } else {
            for (long p = to; p < at; p++) {
                Wire.setInt8(array, memory(), p, (byte) 0);
            }
        }
        at = to;
    }

    final MemorySegment memory() {
        return array == null ? target.segment() : null;
    }

    /// The memory for bulk copies.
    private MemorySegment bulkMemory() {
        return array == null ? target.segment() : Source.heapBytes(bulk);
    }

    /// Writes a number; there is room for it. The other widths alike.
    final void put8(int value) {
        at -= Byte.BYTES;
        Wire.setInt8(array, memory(), at, (byte) value);
    }

    final void put16(int value) {
        at -= Short.BYTES;
        Wire.setInt16(array, memory(), at, (short) value);
    }

    final void put32(int value) {
        at -= Integer.BYTES;
        Wire.setInt32(array, memory(), at, value);
    }

    final void put64(long value) {
        at -= Long.BYTES;
        Wire.setInt64(array, memory(), at, value);
    }

    /// Overwrites a number, told by its distance from the end.
    final void set32(int distance, int value) {
        Wire.setInt32(array, memory(), end - distance, value);
    }

    /// Reads a number, told by the distance of its first byte from the end.
    final int get16(int distance) {
        return Wire.int16(array, memory(), end - distance);
    }

    final int get32(int distance) {
        return Wire.int32(array, memory(), end - distance);
    }

    /// Copies numbers in one go; there is room for them.
    final void putAll(long[] numbers, int from, int count) {
        if (array != null && count <= Wire.FEW_LONGS) {
            at -= (long) count << 3;
            Wire.setInt64s(array, (int) at, numbers, from, count);
        } else if (count != 0) {
            at -= (long) count << 3;
            MemorySegment.copy(numbers, from, bulkMemory(), Wire.LONG, at - bulkBias, count);
        }
    }

    final void putAll(int[] numbers, int from, int count) {
        if (count != 0) {
            at -= (long) count << 2;
            MemorySegment.copy(numbers, from, bulkMemory(), Wire.INT, at - bulkBias, count);
        }
    }

    final void putAll(MemorySegment from, long offset, int bytes) {
        if (bytes != 0) {
            at -= bytes;
            MemorySegment.copy(from, offset, bulkMemory(), at - bulkBias, bytes);
        }
    }

    final void putAll(byte[] from, int offset, int bytes) {
        if (array != null) {
            at -= bytes;
            System.arraycopy(from, offset, array, (int) at, bytes);
        } else if (bytes != 0) {
            at -= bytes;
            final MemorySegment into = target.segment();
            MemorySegment.copy(from, offset, into, ValueLayout.JAVA_BYTE, at, bytes);
        }
    }

    final void putAll(Utf8Slice from) {
        final int bytes = from.length();
        if (array != null) {
            from.copyTo(array, (int) at - bytes);
        } else {
            from.copyTo(target.segment(), at - bytes);
        }
        at -= bytes;
    }

    /// Encodes a text in the bytes before the last one written if each of its characters takes one
    /// byte; they count only if this is so. Most texts are, and need be read only once.
    final boolean putAscii(CharSequence text, int chars) {
        if (!Utf8Encoder.encodeAscii(text, array, memory(), at - chars, chars)) {
            return false;
        }
        at -= chars;
        return true;
    }

    /// Gives back the bytes that were written last.
    final void backTo(int size) {
        at = end - size;
    }

    /// Encodes a text in the bytes before the last one written, which count only if it succeeds.
    final void putText(CharSequence text, int bytes) {
        Utf8Encoder.encode(text, array, memory(), at - bytes, bytes);
        at -= bytes;
    }

    // ---- misuse

    final IllegalStateException misuse(String call) {
        return new IllegalStateException(
                call + " is not possible " + WriterState.description(state));
    }
}
