// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Builds a FlatBuffer from its end to its start, in reusable memory of the caller.
///
/// **Bytes.** The same calls in the same order give the bytes of the official builders, which
/// differ in empty vectors alone: see [#alignEmptyVectors]. Children come first: finish a string,
/// vector or table before starting the table or vector that refers to it. Writing an object returns
/// its distance from the buffer's end in bytes. This is never 0, so 0 means an absent object.
/// `slot` is a field's number in the table's declaration, from 0, and `absent` its default. Methods
/// that return a writer return this.
///
/// ```java
/// writer.wrap(memory);
/// int name = writer.createString("price");
/// writer.startTable();
/// writer.addOffset(0, name);
/// writer.addNumber(1, Byte.BYTES, nullable, 0);
/// writer.finish(writer.endTable());
/// …(memory, writer.offset(), writer.length())…
/// ```
///
/// **Allocation.** None, after the writer has written a buffer with as many distinct vtables, and
/// objects as long, to the same memory.
///
/// **Errors.** A target without enough room throws a [TargetTooSmallException]; no byte outside the
/// target's range is written. Calls out of order throw an [IllegalStateException]: starting or
/// finishing while an object is open, adding a field without an open table or to a slot that is
/// set, pushing without an open vector or struct or to a full one, ending an incomplete one,
/// reading a buffer that is not finished. So do a table of more than 65,535 bytes and a buffer of
/// more than 2^31 - 2. A slot after the eighth throws an [IndexOutOfBoundsException]: no table of
/// Arrow has one. After any of these, call [#reset()] or [#wrap].
///
/// Arguments are checked before anything is written; after these errors, the writer can go on. A
/// range that is not inside its array or memory throws an [IndexOutOfBoundsException]. An
/// [IllegalArgumentException] is thrown for a negative size of an element, a number of elements or
/// padding, an alignment that is not a power of two, and an offset that is not a multiple of 4 or
/// not a distance written before the open object; which kind of object is there is not checked.
///
/// **Lifetime and threads.** A buffer is valid until the target is written again. A writer belongs
/// to one thread at a time.
public final class FlatBufferWriter {
    // The open object. Plain numbers, because storing a reference costs a barrier and the state
    // changes with every object.
    private static final int IDLE = 0;
    private static final int TABLE = 1;
    private static final int STRUCT = 2;
    private static final int VECTOR = 3;
    private static final int FINISHED = 4;
    private static final int FAILED = 5;

    private static final int MAX_TABLE_BYTES = 0xFFFF;

    private final WriterMemory memory = new WriterMemory();
    private final Vtables vtables = new Vtables(memory);
    private boolean forceDefaults;
    private boolean alignsEmptyVectors;

    /// One of the states above.
    private int state = IDLE;

    /// Bitwise OR of all requested alignments.
    private int alignments = 1;

    /// Size of the buffer at the start of the open table or vector.
    private int begin;

    /// Elements of the open vector.
    private int count;

    /// Bytes that the open vector or struct still lacks.
    private long lacking;

    /// Creates a writer with its own heap memory, which grows as needed until [#wrap] sets another
    /// target.
    public FlatBufferWriter() {}

    /// Sets whether an empty vector is aligned for its elements, and not for its length word alone,
    /// for all further buffers. So it is by `FlatBufferBuilder` of flatbuffers-java, and not by
    /// that of the C++ library, which flatc uses. False initially.
    public FlatBufferWriter alignEmptyVectors(boolean aligned) {
        alignsEmptyVectors = aligned;
        return this;
    }

    /// {@return whether an empty vector is aligned for its elements}
    public boolean alignsEmptyVectors() {
        return alignsEmptyVectors;
    }

    /// Sets whether numbers that equal their field's default are written, for all further buffers.
    /// False initially.
    public FlatBufferWriter forceDefaults(boolean forced) {
        forceDefaults = forced;
        return this;
    }

    // ---- target

    /// Sets a segment as the target. Begins a buffer.
    ///
    /// @throws IllegalArgumentException if `target` is read-only
    public FlatBufferWriter wrap(MemorySegment target) {
        return wrap(target, 0, target.byteSize());
    }

    /// Sets a part of a segment as the target. Begins a buffer, which will end at the end of that
    /// part: for aligned reads, the end should be a multiple of 8. Nothing outside the part is
    /// written. Allocates at most when the segment differs from the previous one.
    ///
    /// @throws IllegalArgumentException if `target` is read-only
    public FlatBufferWriter wrap(MemorySegment target, long offset, long length) {
        memory.wrap(target, offset, length);
        return reset();
    }

    /// Sets the bytes between a buffer's position and its limit as the target, as [#wrap] of a part
    /// of a segment. Neither changes; the byte order is ignored.
    ///
    /// @throws IllegalArgumentException if `buffer` is read-only
    public FlatBufferWriter wrap(ByteBuffer buffer) {
        memory.wrap(buffer);
        return reset();
    }

    /// Begins a buffer in the same target. Written bytes, finished or not, are lost.
    public FlatBufferWriter reset() {
        memory.clear();
        alignments = 1;
        state = IDLE;
        vtables.clear();
        return this;
    }

    /// Replaces a target that is too small by larger memory from now on. The larger memory is the
    /// target until the next [#wrap]. Written bytes are copied to it, and the old memory is no
    /// longer used.
    ///
    /// @param allocator such as an arena; called with the number of bytes, usually twice the old
    ///     target's size, and an alignment of 8. If it returns too little, the call that needs the
    ///     room throws an [IllegalStateException]. Null to throw a [TargetTooSmallException]
    public FlatBufferWriter growWith(SegmentAllocator allocator) {
        memory.growWith(allocator);
        return this;
    }

    // ---- result

    /// {@return start of the finished buffer: offset in the wrapped segment, byte buffer or larger
    /// memory}
    public long offset() {
        requireState(FINISHED, "offset");
        return memory.offset();
    }

    /// {@return length of the finished buffer in bytes}
    public int length() {
        requireState(FINISHED, "length");
        return size();
    }

    /// {@return the finished buffer as a slice of the target, without copying} The next buffer
    /// overwrites it. Allocates the slice.
    public MemorySegment segment() {
        requireState(FINISHED, "segment");
        return memory.written();
    }

    /// {@return a copy of the finished buffer}
    public byte[] toByteArray() {
        return segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /// {@return all memory of the target: the wrapped segment, the memory of the byte buffer, or
    /// the larger memory of [#growWith]} It has all bytes of a buffer once that is finished.
    public MemorySegment target() {
        return memory.whole();
    }

    /// {@return number of bytes written so far: the distance of the latest object from the buffer's
    /// end}
    public int size() {
        return memory.size();
    }

    // ---- strings

    /// Writes a string.
    ///
    /// @param text any text; must not change during the call
    /// @throws IllegalArgumentException if a surrogate in `text` is unpaired: it has no UTF-8 form,
    ///     and flatbuffers-java rejects it too. Nothing is written then
    public int createString(CharSequence text) {
        requireState(IDLE, "createString");
        if (text instanceof String string && createAscii(string)) {
            return size();
        }
        long bytes = Utf8.length(text);
        startString(bytes);
        memory.putText(text, (int) bytes);
        return endString((int) bytes);
    }

    /// Writes a string of ASCII, eight characters at a time. Returns false, and adds nothing, if a
    /// character is not ASCII, or the room is not much larger than the string.
    ///
    /// Faster, together with the loop of [#createOffsetVector]: without them, a schema of 1,000
    /// columns took 1.4 times as long.
    private boolean createAscii(String text) {
        int chars = text.length();
        if (!memory.hasRoom(chars)) { // which is more: length, NUL and padding fit, too
            return false;
        }
        byte[] a = memory.array;
        int from = size() + chars + Wire.OFFSET_BYTES & -Wire.OFFSET_BYTES;
        // NUL and padding; the characters overwrite the other zeros.
        Wire.setInt64(a, null, memory.at - Long.BYTES, 0);
        int position = memory.end - from;
        int few = chars & Long.BYTES - 1;
        if (few != 0) {
            long word = Utf8.first(text, few);
            if (word < 0) {
                return false;
            }
            Wire.setInt64(a, null, position + few - Long.BYTES, word); // begins in the room
        }
        for (int i = few; i < chars; i += Long.BYTES) {
            long word = Utf8.eight(text, i);
            if (word < 0) {
                return false;
            }
            Wire.setInt64(a, null, position + i, word);
        }
        memory.at = position - Wire.OFFSET_BYTES;
        Wire.setInt32(a, null, memory.at, chars);
        return true;
    }

    /// Writes a string from the bytes of a slice, which are not checked to be UTF-8.
    public int createString(Utf8Slice text) {
        requireState(IDLE, "createString");
        int length = text.length();
        startString(length);
        memory.putAll(text);
        return endString(length);
    }

    /// Writes a string from a range of bytes, which are not checked to be UTF-8.
    public int createString(byte[] from, int position, int length) {
        requireState(IDLE, "createString");
        Objects.checkFromIndexSize(position, length, from.length);
        startString(length);
        memory.putAll(from, position, length);
        return endString(length);
    }

    private void startString(long bytes) {
        align(Wire.OFFSET_BYTES, bytes + 1, Wire.OFFSET_BYTES);
        memory.pad(1); // the NUL
    }

    private int endString(int bytes) {
        memory.put(Wire.OFFSET_BYTES, bytes);
        return size();
    }

    // ---- tables

    /// Starts a table. Add its fields in any order, each at most once.
    public void startTable() {
        requireState(IDLE, "startTable");
        require(0);
        begin = size();
        vtables.open(begin);
        memory.set(begin + Long.BYTES, Long.BYTES, 0); // padding before the first field
        state = TABLE;
    }

    private void openSlot(int slot) {
        requireState(TABLE, "add");
        vtables.touch(slot);
    }

    /// Adds a field to the open table. [#startTable] has made room.
    private void add(int slot, int field, int bytes, long value) {
        memory.at = memory.end - field;
        memory.set(field, bytes, value);
        vtables.set(slot, field);
    }

    /// Size of the buffer after a field: its distance from the end.
    private int next(int bytes) {
        return size() + 2 * bytes - 1 & -bytes;
    }

    /// Adds a number, or a boolean as 1 or 0, unless it is the default and defaults are not forced:
    /// see [#forceDefaults].
    ///
    /// @param bytes the field's size: 1, 2, 4 or 8; only so many of the lowest bytes count
    /// @param absent the field's default
    public void addNumber(int slot, int bytes, long value, long absent) {
        requireSize(bytes);
        openSlot(slot);
        if (value - absent << -bytes * Byte.SIZE != 0 || forceDefaults) { // counts are modulo 64
            if (bytes == Long.BYTES) { // endTable aligns the buffer for smaller fields
                alignments |= Long.BYTES;
            }
            add(slot, next(bytes), bytes, value);
        }
    }

    private static void requireSize(int bytes) {
        if (bytes <= 0 || bytes > Long.BYTES || Integer.bitCount(bytes) != 1) {
            throw notASize(bytes);
        }
    }

    private static IllegalArgumentException notASize(int bytes) {
        return new IllegalArgumentException("not a size of numbers: bytes=" + bytes);
    }

    /// Adds an offset to a string, vector or table.
    ///
    /// @param object distance that writing the object has returned. 0 if absent: then nothing is
    ///     added, even with forced defaults, as in the C++ library. (With forced defaults,
    ///     flatbuffers-java writes an offset that points out of the buffer.)
    public void addOffset(int slot, int object) {
        if (object != 0 && state == TABLE) {
            checkObject(object, begin);
        }
        openSlot(slot);
        if (object != 0) {
            int field = next(Wire.OFFSET_BYTES);
            add(slot, field, Wire.OFFSET_BYTES, field - object);
        }
    }

    /// Starts a struct in the open table. Push its numbers, **the last one first**; [#endStruct]
    /// makes it a field. Size and alignment are in bytes; the size must be positive.
    public void startStruct(int bytes, int alignment) {
        requireState(TABLE, "startStruct");
        if (bytes <= 0) {
            throw new IllegalArgumentException("struct size not positive: bytes=" + bytes);
        }
        checkAlignment(alignment);
        align(alignment, bytes, 0);
        lacking = bytes;
        state = STRUCT;
    }

    /// Ends the open struct, as a field of its table.
    public void endStruct(int slot) {
        requireState(STRUCT, "endStruct");
        requireComplete();
        memory.set(size() + Long.BYTES, Long.BYTES, 0); // padding before the next field
        state = TABLE;
        openSlot(slot);
        vtables.set(slot, size());
    }

    /// Ends the open table. The table shares an equal vtable of an earlier table.
    ///
    /// @return the table's distance from the buffer's end, for [#addOffset],
    ///     [#createOffsetVector] or [#finish(int)]
    public int endTable() {
        requireState(TABLE, "endTable");
        int table = next(Wire.OFFSET_BYTES); // before it, the offset to the vtable, set below
        alignments |= Wire.OFFSET_BYTES; // for smaller fields, too
        memory.at = memory.end - table;
        int bytes = table - begin;
        state = FAILED; // unless the table fits
        if (bytes > MAX_TABLE_BYTES) {
            throw new IllegalStateException(
                    "table is too large: bytes=" + bytes + ", limit=" + MAX_TABLE_BYTES);
        }
        vtables.close(table);
        if (!memory.isInside()) {
            memory.complete(begin);
        }
        state = IDLE;
        return table;
    }

    // ---- vectors

    /// Starts a vector. Push its elements, **the last one first**: numbers, offsets, or structs.
    /// Push a struct's numbers from the last one to the first, with [#pushPadding] for its padding.
    ///
    /// @param alignment an element's alignment in bytes
    public void startVector(int elementBytes, int elements, int alignment) {
        requireState(IDLE, "startVector");
        if (elementBytes < 0 || elements < 0) {
            throw negativeSize(elementBytes, elements);
        }
        checkAlignment(alignment);
        long bytes = (long) elementBytes * elements;
        begin = size();
        alignVector(bytes, alignment);
        count = elements;
        lacking = bytes;
        state = VECTOR;
    }

    private static IllegalArgumentException negativeSize(int elementBytes, int elements) {
        String sizes = "elementBytes=" + elementBytes + ", elements=" + elements;
        return new IllegalArgumentException("negative vector size: " + sizes);
    }

    /// Makes room for a vector's elements and its length word.
    private void alignVector(long bytes, int alignment) {
        boolean isAligned = bytes != 0 || alignsEmptyVectors;
        int limit = isAligned ? Math.max(alignment, Wire.OFFSET_BYTES) : Wire.OFFSET_BYTES;
        align(limit, bytes, Wire.OFFSET_BYTES);
    }

    /// Starts a vector whose elements are all written by the same call.
    private void startWhole(long bytes, int alignment) {
        requireState(IDLE, "startVector");
        alignVector(bytes, alignment);
    }

    private static void checkAlignment(int alignment) {
        if (alignment <= 0 || (alignment & alignment - 1) != 0) {
            throw new IllegalArgumentException(
                    "alignment is not a power of two: alignment=" + alignment);
        }
    }

    /// Ends the open vector.
    public int endVector() {
        requireState(VECTOR, "endVector");
        requireComplete();
        memory.put(Wire.OFFSET_BYTES, count);
        state = IDLE;
        return size();
    }

    private void requireComplete() {
        if (lacking != 0) {
            throw new IllegalStateException(
                    "too few bytes pushed: missing=" + lacking + ", state=" + description());
        }
    }

    /// Pushes a number of a vector or struct: in front of the previous one.
    ///
    /// @param bytes its size: 1, 2, 4 or 8; only so many of the lowest bytes count
    public void pushNumber(int bytes, long value) {
        requireSize(bytes);
        element(bytes);
        memory.put(bytes, value);
    }

    /// Pushes the padding of a struct: zeros, see [#pushNumber].
    public void pushPadding(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("negative padding: bytes=" + bytes);
        }
        element(bytes);
        memory.pad(bytes);
    }

    private void element(int bytes) {
        if (state != VECTOR && state != STRUCT) {
            throw misuse("push");
        }
        if (bytes > lacking) {
            String sizes = "left=" + lacking + ", pushed=" + bytes;
            throw new IllegalStateException(
                    "too many bytes pushed: " + sizes + ", state=" + description());
        }
        lacking -= bytes; // starting it has made room
    }

    /// Checks that an object can begin at a distance: all objects begin with an aligned 32-bit
    /// word. Whether one begins there is not checked.
    ///
    /// @param end size of the buffer at the start of the open object
    private void checkObject(int object, int end) {
        if (notAnObject(object, end) != 0) {
            throw noObject(object, end);
        }
    }

    /// Not 0 if [#checkObject] throws; one branch checks several distances.
    private static int notAnObject(int object, int end) {
        return object & Wire.OFFSET_BYTES - 1 | object - 1 >>> 31 | end - object >>> 31;
    }

    private IllegalArgumentException noObject(int object, int end) {
        String at = "offset=" + object;
        return new IllegalArgumentException(
                object <= 0 || object > size()
                        ? "offset out of the written bytes: " + at + ", size=" + size()
                        : "no object begins at offset: " + at + ", last=" + end + ", alignment=4");
    }

    // ---- vectors from arrays

    /// Writes a vector of 32-bit numbers.
    public int createVector(int[] numbers, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, numbers.length);
        startWhole((long) elements * Integer.BYTES, Integer.BYTES);
        for (int i = from + elements - 1; i >= from; i--) {
            memory.put(Integer.BYTES, numbers[i]);
        }
        memory.put(Wire.OFFSET_BYTES, elements);
        return size();
    }

    /// Writes a vector of 64-bit numbers, or of structs of them, with one copy.
    ///
    /// @param numbers has the numbers of all elements, in order
    /// @param longs numbers per element
    public int createVector(long[] numbers, int from, int elements, int longs) {
        long all = (long) elements * longs;
        Objects.checkFromIndexSize((long) from, all, (long) numbers.length);
        if ((elements | longs) < 0) {
            throw negativeSize(longs * Long.BYTES, elements);
        }
        if (memory.isLarge(all << 3)) {
            requireState(IDLE, "startVector");
            state = FAILED;
            alignments |= Long.BYTES;
            memory.putLarge(-size() & Long.BYTES - 1, numbers, from, (int) all);
            state = IDLE;
        } else {
            startWhole(all << 3, Long.BYTES);
            memory.putAll(numbers, from, (int) all);
        }
        memory.put(Wire.OFFSET_BYTES, elements);
        return size();
    }

    /// Writes a vector of offsets to strings or tables.
    ///
    /// @param objects distances from the buffer's end, in the vector's order
    public int createOffsetVector(int[] objects, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, objects.length);
        requireState(IDLE, "startVector");
        int wrong = 0;
        for (int i = from; i < from + elements; i++) {
            wrong |= notAnObject(objects[i], size());
        }
        for (int i = from; wrong != 0; i++) {
            checkObject(objects[i], size());
        }
        startWhole((long) elements * Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        byte[] a = memory.array;
        int end = memory.end;
        int size = size();
        for (int i = from + elements - 1; i >= from; i--) {
            size += Wire.OFFSET_BYTES;
            Wire.setInt32(a, null, end - size, size - objects[i]);
        }
        memory.at = end - size;
        memory.put(Wire.OFFSET_BYTES, elements);
        return size();
    }

    // ---- the buffer

    /// Pads the written bytes to an alignment, and aligns the buffer to it. flatc does so when it
    /// parses a struct before storing it.
    public void align(int alignment) {
        requireState(IDLE, "align");
        checkAlignment(alignment);
        align(alignment, 0, 0);
    }

    /// Finishes the buffer. Read it with [#offset()], [#length()] and [#segment()].
    ///
    /// @param root distance that [#endTable()] has returned for the root table
    public void finish(int root) {
        requireState(IDLE, "finish");
        checkObject(root, size());
        align(Integer.highestOneBit(alignments), Wire.OFFSET_BYTES, 0);
        memory.put(Wire.OFFSET_BYTES, size() - root + Wire.OFFSET_BYTES);
        state = FAILED; // if the target was closed
        memory.flush();
        state = FINISHED;
    }

    // ---- room

    /// Pads so that the position after `bytes` is aligned, and makes room for these and `more`.
    private void align(int alignment, long bytes, int more) {
        alignments |= alignment;
        int padding = (int) -(size() + bytes) & (alignment - 1);
        require(padding + bytes + more);
        memory.pad(padding);
    }

    private void require(long bytes) {
        if (!memory.hasRoom(bytes)) {
            int before = state;
            state = FAILED;
            memory.require(bytes);
            state = before;
        }
    }

    // ---- misuse

    private void requireState(int expected, String call) {
        if (state != expected) {
            throw misuse(call);
        }
    }

    private IllegalStateException misuse(String call) {
        return new IllegalStateException(
                "call out of order: call=" + call + ", state=" + description());
    }

    private String description() {
        return switch (state) {
            case IDLE -> "no object is open";
            case TABLE -> "a table is open";
            case STRUCT -> "a struct is open";
            case VECTOR -> "a vector is open";
            case FINISHED -> "finished; call reset or wrap first";
            default -> "failed; call reset or wrap first";
        };
    }
}
