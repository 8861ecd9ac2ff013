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
import java.util.Locale;
import java.util.Objects;

/// Builds a FlatBuffer from its end to its start, in memory that the caller supplies and uses again.
///
/// **Bytes.** The same calls in the same order give the bytes of the official builder, in one of its
/// two dialects: [Dialect]. Children are written first: a string, vector or table is finished before
/// the table or vector that holds an offset to it is begun. Writing an object returns where it is, as
/// its distance from the buffer's end. That is never 0, so 0 stands for an absent object.
///
/// ```java
/// writer.wrap(memory);
/// int name = writer.createString("price");
/// writer.startTable();
/// writer.addOffset(0, name);
/// writer.addInt8(1, nullable, 0);
/// writer.finish(writer.endTable());
/// …(memory, writer.offset(), writer.length())…
/// ```
///
/// **Allocation.** None, once the writer has written a buffer with as many slots and distinct vtables,
/// to the same memory.
///
/// **Errors.** What does not fit is a [TargetTooSmallException]; no byte outside the target's range is
/// written. Calls that are out of order are an [IllegalStateException]: to begin or finish while anything
/// is open, to add a field to no table or to a slot that is set, to push to no vector or struct or to a
/// full one, to end one that lacks numbers, to ask for a buffer that is not finished. So are a table of
/// more than 65,535 bytes and a buffer of more than 2^31 - 2. A slot that no vtable can have is an [IndexOutOfBoundsException].
/// After any of them, [#reset()] or [#wrap] begins anew.
///
/// **Lifetime and threads.** What was written is valid until the target is written to again. A writer
/// belongs to one thread at a time.
public final class FlatBufferWriter {
    // What is being written. Plain numbers: storing a reference costs a barrier, and the state
    // changes
    // with every object.
    private static final int IDLE = 0;
    private static final int TABLE = 1;
    private static final int STRUCT = 2;
    private static final int VECTOR = 3;
    private static final int FINISHED = 4;
    private static final int FAILED = 5;

    private static final int MAX_TABLE_BYTES = 0xFFFF;

    /// What a string takes at most besides its bytes: length, NUL, padding.
    private static final int MAX_STRING_EXTRA = 2 * Wire.OFFSET_BYTES;

    /// The same, and bytes before it that are written and do not count.
    private static final int MAX_STRING_ROOM = MAX_STRING_EXTRA + Long.BYTES;

    private final Dialect dialect;
    private final WriterMemory memory = new WriterMemory();
    private final Vtables vtables = new Vtables(memory);
    private boolean forceDefaults;

    /// What is being written: one of the states above.
    private int state = IDLE;

    /// All alignments that anything needed.
    private int alignments = 1;

    /// Size of the buffer when the open table or vector was begun.
    private int begin;

    /// Elements of the open vector.
    private int count;

    /// Bytes that the open vector or struct still lacks.
    private long lacking;

    /// Creates a writer that has no target yet.
    ///
    /// @param dialect whose bytes to write
    public FlatBufferWriter(Dialect dialect) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
    }

    /// Creates a writer with heap memory of its own, which grows with what is written to it:
    /// [#target()] and [#segment()] show it.
    ///
    /// @param dialect whose bytes to write
    /// @return the writer
    public static FlatBufferWriter growing(Dialect dialect) {
        return new FlatBufferWriter(dialect)
                .growWith((bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
    }

    /// {@return whose bytes are written}
    public Dialect dialect() {
        return dialect;
    }

    /// Sets whether a number that equals its field's default is written all the same, from now on and
    /// for all buffers. At first it is not.
    ///
    /// @param forced whether it is
    /// @return this
    public FlatBufferWriter forceDefaults(boolean forced) {
        forceDefaults = forced;
        return this;
    }

    // ---- target

    /// Takes a whole segment as the target. Begins a buffer.
    ///
    /// @param target any kind of memory that can be written to
    /// @return this
    /// @throws IllegalArgumentException if `target` is read-only
    public FlatBufferWriter wrap(MemorySegment target) {
        return wrap(target, 0, target.byteSize());
    }

    /// Takes a part of a segment as the target. Begins a buffer, whose last byte will be the last one
    /// of that part: end it at a multiple of 8 if reads are to be aligned. Nothing outside it is written
    /// to. Allocates at most when it is another segment than the last time.
    ///
    /// @param target any kind of memory that can be written to
    /// @param offset first byte of the part
    /// @param length length of the part in bytes
    /// @return this
    /// @throws IndexOutOfBoundsException if the part is not inside `target`
    /// @throws IllegalArgumentException if `target` is read-only
    public FlatBufferWriter wrap(MemorySegment target, long offset, long length) {
        memory.wrap(target, offset, length);
        return reset();
    }

    /// Takes what is between a buffer's position and its limit as the target; they stay as they are,
    /// and its byte order plays no part. Begins a buffer, whose last byte will be the one before the
    /// limit. Allocates only when it is another buffer than the last time.
    ///
    /// @param buffer any kind of buffer that can be written to
    /// @return this
    /// @throws IllegalArgumentException if `buffer` is read-only
    public FlatBufferWriter wrap(ByteBuffer buffer) {
        memory.wrap(buffer);
        return reset();
    }

    /// Begins a buffer in the same target. What was written, finished or not, is lost.
    ///
    /// @return this
    public FlatBufferWriter reset() {
        memory.at = memory.end;
        alignments = 1;
        state = IDLE;
        vtables.clear();
        return this;
    }

    /// From now on replaces a target that is too small by larger memory, which is then the target until
    /// the next [#wrap]. What was written is copied over, and the old memory not touched any more.
    ///
    /// @param allocator such as an arena; called with the number of bytes, mostly twice the old target's,
    ///     and an alignment of 8. Null to throw a [TargetTooSmallException] again. If it returns too
    ///     little, the call that needs the room throws an [IllegalStateException]
    /// @return this
    public FlatBufferWriter growWith(SegmentAllocator allocator) {
        memory.growWith(allocator);
        return this;
    }

    // ---- result

    /// Where the finished buffer begins.
    ///
    /// @return byte offset in the segment that was wrapped, or index in the byte buffer; in
    ///     [#target()] where that was replaced by larger memory
    public long offset() {
        requireFinished("offset");
        return memory.offset();
    }

    /// How long the finished buffer is.
    ///
    /// @return length in bytes
    public int length() {
        requireFinished("length");
        return size();
    }

    /// The finished buffer where it lies: a slice of the target, which the next buffer overwrites.
    /// Nothing is copied; the slice itself is a new object.
    ///
    /// @return exactly the buffer's bytes
    public MemorySegment segment() {
        requireFinished("segment");
        return memory.written();
    }

    /// {@return a copy of the finished buffer}
    public byte[] toByteArray() {
        return segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /// The memory that is written to: the segment that was wrapped, the memory that a byte buffer
    /// lies in, or what has replaced it: see [#growWith].
    ///
    /// @return the whole memory, not just the range in it
    public MemorySegment target() {
        return memory.whole();
    }

    private void requireFinished(String call) {
        if (state != FINISHED) {
            throw misuse(call);
        }
    }

    /// Bytes that have been written so far, which is where the object that was written last begins,
    /// counted from the buffer's end.
    ///
    /// @return number of bytes
    public int size() {
        return memory.size();
    }

    // ---- strings

    /// Writes a string.
    ///
    /// @param text any text, which must not change meanwhile
    /// @return where it is, for [FlatBufferWriter#addOffset]
    /// @throws IllegalArgumentException if a surrogate in `text` is unpaired: there is no UTF-8 for it,
    ///     and flatbuffers-java refuses it as well. Nothing is written then
    public int createString(CharSequence text) {
        return text instanceof String string ? createString(string) : createText(text);
    }

    /// Most texts are a [String], and of characters that take one byte each: these are gathered eight
    /// at a time, and stored as a word.
    private int createString(String text) {
        final int chars = text.length();
        final int begin = size();
        if (state != IDLE || chars > memory.at - memory.start - MAX_STRING_ROOM) {
            return createText(text);
        }
        final byte[] a = memory.array;
        final MemorySegment s = memory.segment();
        final int from = begin + chars + Wire.OFFSET_BYTES & -Wire.OFFSET_BYTES;
        Wire.setInt64(
                a,
                s,
                memory.at - Long.BYTES,
                0); // NUL and padding; what is too many is overwritten
        final long p = memory.end - from;
        final int few = chars & Long.BYTES - 1;
        if (few != 0) {
            final long word = Utf8.first(text, few);
            if (word < 0) {
                return createText(text);
            }
            Wire.setInt64(a, s, p + few - Long.BYTES, word); // begins in the room
        }
        if (few < chars) {
            final long word = Utf8.eight(text, few);
            if (word < 0 || few + Long.BYTES < chars && !putEights(text, few + Long.BYTES, p)) {
                return createText(text);
            }
            Wire.setInt64(a, s, p + few, word);
        }
        alignments |= Wire.OFFSET_BYTES;
        memory.at = memory.end - from - Wire.OFFSET_BYTES;
        Wire.setInt32(a, s, memory.at, chars);
        return from + Wire.OFFSET_BYTES;
    }

    /// The rest of a text, which is a multiple of eight characters long.
    private boolean putEights(String text, int from, long p) {
        long all = 0;
        for (int i = from; i < text.length(); i += Long.BYTES) {
            final long word = Utf8.eight(text, i);
            Wire.setInt64(memory.array, memory.segment(), p + i, word);
            all |= word;
        }
        return all >= 0;
    }

    private int createText(CharSequence text) {
        requireIdle("createString");
        final int chars = text.length();
        // Only with room to spare: what is missing is told, and asked for, by the encoding's
        // length.
        if (memory.hasRoom((long) chars + MAX_STRING_EXTRA)) {
            final int before = size();
            startString(chars);
            if (memory.putAscii(text, chars)) {
                return endString(chars);
            }
            memory.backTo(before);
        }
        final long bytes = Utf8.encodedLength(text);
        startString(bytes);
        memory.putText(text, (int) bytes);
        return endString((int) bytes);
    }

    /// Writes a string whose encoding is at hand. Whether it is UTF-8 is not checked.
    ///
    /// @param utf8 holds the encoding
    /// @param from index of its first byte
    /// @param length its length in bytes
    /// @return where it is, for [#addOffset]
    /// @throws IndexOutOfBoundsException if it is not inside `utf8`
    public int createString(byte[] utf8, int from, int length) {
        requireIdle("createString");
        Objects.checkFromIndexSize(from, length, utf8.length);
        startString(length);
        memory.putAll(utf8, from, length);
        return endString(length);
    }

    /// Writes a string of another message, or of any memory. Whether it is UTF-8 is not checked.
    ///
    /// @param text shows the encoding
    /// @return where it is, for [#addOffset]
    public int createString(Utf8Slice text) {
        requireIdle("createString");
        final int length = text.length();
        startString(length);
        memory.putAll(text);
        return endString(length);
    }

    private void startString(long bytes) {
        align(Wire.OFFSET_BYTES, bytes + 1, Wire.OFFSET_BYTES);
        memory.pad(1); // the NUL
    }

    private int endString(int bytes) {
        memory.put32(bytes);
        return size();
    }

    // ---- tables

    /// Begins a table. Then its fields are added, in any order; each at most once.
    public void startTable() {
        requireIdle("startTable");
        begin = size();
        vtables.open(begin);
        state = TABLE;
    }

    /// Notes that a slot is set; a slot can be set only once.
    private void openSlot(int slot) {
        if (state != TABLE) {
            throw misuse("adding a field");
        }
        vtables.touch(slot);
    }

    /// Adds a boolean, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the boolean
    /// @param absent the field's default
    public void addBoolean(int slot, boolean value, boolean absent) {
        addInt8(slot, value ? 1 : 0, absent ? 1 : 0);
    }

    /// Adds an 8-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 8 bits are written
    /// @param absent the field's default
    public void addInt8(int slot, int value, int absent) {
        if ((byte) value != (byte) absent || forceDefaults) {
            addInt8(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds an 8-bit number, even if it is the default.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 8 bits are written
    public void addInt8(int slot, int value) {
        openSlot(slot);
        require(Byte.BYTES);
        memory.put8(value);
        vtables.set(slot, size());
    }

    /// Adds a 16-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 16 bits are written
    /// @param absent the field's default
    public void addInt16(int slot, int value, int absent) {
        if ((short) value != (short) absent || forceDefaults) {
            addInt16(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 16-bit number, even if it is the default.
    ///
    /// @param slot the slot's number
    /// @param value the number, of which the lowest 16 bits are written
    public void addInt16(int slot, int value) {
        openSlot(slot);
        final int padding = padding(Short.BYTES);
        require(padding + Short.BYTES);
        if (padding != 0) {
            memory.pad(padding);
        }
        memory.put16(value);
        vtables.set(slot, size());
    }

    /// Adds a 32-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @param absent the field's default
    public void addInt32(int slot, int value, int absent) {
        if (value != absent || forceDefaults) {
            addInt32(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 32-bit number, even if it is the default.
    ///
    /// @param slot the slot's number
    /// @param value the number
    public void addInt32(int slot, int value) {
        openSlot(slot);
        final int padding = padding(Integer.BYTES);
        require(padding + Integer.BYTES);
        if (padding != 0) {
            memory.pad(padding);
        }
        memory.put32(value);
        vtables.set(slot, size());
    }

    /// Adds a 64-bit number, unless it is the default and defaults are not forced.
    ///
    /// @param slot the slot's number
    /// @param value the number
    /// @param absent the field's default
    public void addInt64(int slot, long value, long absent) {
        if (value != absent || forceDefaults) {
            addInt64(slot, value);
        } else {
            openSlot(slot);
        }
    }

    /// Adds a 64-bit number, even if it is the default.
    ///
    /// @param slot the slot's number
    /// @param value the number
    public void addInt64(int slot, long value) {
        openSlot(slot);
        align(Long.BYTES, Long.BYTES, 0);
        memory.put64(value);
        vtables.set(slot, size());
    }

    /// Adds an offset to a string, vector or table.
    ///
    /// @param slot the slot's number
    /// @param object where that is, as writing it has returned; 0 if it is absent: then nothing is
    ///     added, forced defaults or not, as in the C++ library. (With forced defaults flatbuffers-java
    ///     writes an offset there that leads out of the buffer.)
    /// @throws IllegalArgumentException if it is not a multiple of 4, or was not written before the
    ///     table. That an object of the right kind begins there is not checked
    public void addOffset(int slot, int object) {
        if (object == 0) {
            openSlot(slot);
            return;
        }
        if (state == TABLE) {
            checkObject(object, begin);
        }
        openSlot(slot);
        final int padding = padding(Wire.OFFSET_BYTES);
        require(padding + Wire.OFFSET_BYTES);
        if (padding != 0) {
            memory.pad(padding);
        }
        memory.put32(size() - object + Wire.OFFSET_BYTES);
        vtables.set(slot, size());
    }

    /// Begins a struct that lies in the table that is open. Then its numbers are pushed, **the last
    /// one first**, and [#endStruct] makes it a field.
    ///
    /// @param bytes the struct's size
    /// @param alignment the struct's alignment, a power of two
    /// @throws IllegalArgumentException if `bytes` is not positive, or `alignment` not a power of two
    public void startStruct(int bytes, int alignment) {
        if (state != TABLE) {
            throw misuse("startStruct");
        }
        if (bytes <= 0) {
            throw new IllegalArgumentException("no size of a struct: bytes=" + bytes);
        }
        checkAlignment(alignment);
        align(alignment, bytes, 0);
        lacking = bytes;
        state = STRUCT;
    }

    /// Ends the struct that is open, as a field of the table that it lies in.
    ///
    /// @param slot the slot's number
    public void endStruct(int slot) {
        if (state != STRUCT) {
            throw misuse("endStruct");
        }
        requireComplete();
        state = TABLE;
        openSlot(slot);
        vtables.set(slot, size());
    }

    /// Ends the table that is open. Its vtable is shared with tables written before that have an equal
    /// one.
    ///
    /// @return where the table is, for [#addOffset], [#pushOffset] or
    ///     [#finish(int)]
    public int endTable() {
        if (state != TABLE) {
            throw misuse("endTable");
        }
        align(Wire.OFFSET_BYTES, Wire.OFFSET_BYTES, 0); // for all smaller fields, too
        memory.skip(Wire.OFFSET_BYTES); // the offset to the vtable, set below
        final int table = size();
        final int bytes = table - begin;
        if (bytes > MAX_TABLE_BYTES) {
            state = FAILED;
            throw new IllegalStateException(
                    "table is too large: bytes=" + bytes + ", limit=" + MAX_TABLE_BYTES);
        }
        state = FAILED; // unless there is room for the vtable
        vtables.close(table);
        state = IDLE;
        return table;
    }

    // ---- vectors

    /// Begins a vector. Then its elements are pushed, **the last one first**: numbers, offsets, or
    /// structs, whose numbers are pushed from the last one to the first as well, with [#pushPadding]
    /// in between where a struct has any.
    ///
    /// @param elementBytes an element's size
    /// @param elements how many there will be
    /// @param alignment an element's alignment, a power of two
    /// @throws IllegalArgumentException if a size is negative, or `alignment` is not a power of two
    public void startVector(int elementBytes, int elements, int alignment) {
        requireIdle("startVector");
        if (elementBytes < 0 || elements < 0) {
            throw negativeSize(elementBytes, elements);
        }
        checkAlignment(alignment);
        final long bytes = (long) elementBytes * elements;
        begin = size();
        alignVector(bytes, alignment);
        count = elements;
        lacking = bytes;
        state = VECTOR;
    }

    private static IllegalArgumentException negativeSize(int elementBytes, int elements) {
        return new IllegalArgumentException(
                String.format(
                        Locale.ROOT,
                        "negative size of a vector: elementBytes=%d, elements=%d",
                        elementBytes,
                        elements));
    }

    /// Makes room for a vector's elements and for their number.
    private void alignVector(long bytes, int alignment) {
        final boolean aligned = bytes != 0 || dialect == Dialect.JAVA;
        align(
                aligned ? Math.max(alignment, Wire.OFFSET_BYTES) : Wire.OFFSET_BYTES,
                bytes,
                Wire.OFFSET_BYTES);
    }

    /// Begins a vector whose elements are at hand, and are all written before anything else is.
    private void startWhole(long bytes, int alignment) {
        requireIdle("startVector");
        alignVector(bytes, alignment);
    }

    private static void checkAlignment(int alignment) {
        if (alignment <= 0 || (alignment & alignment - 1) != 0) {
            throw new IllegalArgumentException("no power of two: alignment=" + alignment);
        }
    }

    /// Ends the vector that is open.
    ///
    /// @return where it is, for [#addOffset]
    public int endVector() {
        if (state != VECTOR) {
            throw misuse("endVector");
        }
        requireComplete();
        memory.put32(count);
        state = IDLE;
        return size();
    }

    /// Checks that the open vector or struct has all that was announced.
    private void requireComplete() {
        if (lacking != 0) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "too few bytes pushed: missing=%d, %s",
                            lacking,
                            description()));
        }
    }

    /// Pushes an 8-bit number of a vector or struct: it comes to stand before what was pushed already.
    ///
    /// @param value the number, of which the lowest 8 bits are written
    public void pushInt8(int value) {
        element(Byte.BYTES);
        memory.put8(value);
    }

    /// Pushes a 16-bit number: see [#pushInt8].
    ///
    /// @param value the number, of which the lowest 16 bits are written
    public void pushInt16(int value) {
        element(Short.BYTES);
        memory.put16(value);
    }

    /// Pushes a 32-bit number: see [#pushInt8].
    ///
    /// @param value the number
    public void pushInt32(int value) {
        element(Integer.BYTES);
        memory.put32(value);
    }

    /// Pushes a 64-bit number: see [#pushInt8].
    ///
    /// @param value the number
    public void pushInt64(long value) {
        element(Long.BYTES);
        memory.put64(value);
    }

    /// Pushes zeros between the numbers of a struct: see [#pushInt8].
    ///
    /// @param bytes how many
    /// @throws IllegalArgumentException if that is negative
    public void pushPadding(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("negative padding: bytes=" + bytes);
        }
        element(bytes);
        memory.pad(bytes);
    }

    /// Pushes an offset as an element of a vector: see [#pushInt8].
    ///
    /// @param object where the string, vector or table is, as writing it has returned
    /// @throws IllegalArgumentException if it is not a multiple of 4, or was not written before the
    ///     vector
    public void pushOffset(int object) {
        if (state != VECTOR) {
            throw misuse("pushOffset");
        }
        checkObject(object, begin);
        element(Wire.OFFSET_BYTES);
        memory.put32(size() - object + Wire.OFFSET_BYTES);
    }

    private void element(int bytes) {
        if (state != VECTOR && state != STRUCT) {
            throw misuse("push");
        }
        if (bytes > lacking) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "too many bytes pushed: left=%d, pushed=%d, %s",
                            lacking,
                            bytes,
                            description()));
        }
        lacking -= bytes; // the room for them is there since it was started
    }

    /// Checks that an offset leads to where an object may begin: all begin with a word of 32 bits that
    /// is aligned. Whether one does begin there is not known.
    ///
    /// @param end size of the buffer when what is open was begun
    private void checkObject(int object, int end) {
        if (notAnObject(object, end) != 0) {
            throw noObject(object, end);
        }
    }

    /// Not 0 where [#checkObject] throws; so that several can be asked about with one branch.
    private static int notAnObject(int object, int end) {
        return object & Wire.OFFSET_BYTES - 1 | object - 1 >>> 31 | end - object >>> 31;
    }

    /// Takes back what an unfinished vector has written.
    private IllegalArgumentException firstNoObject(int[] objects, int from, int before) {
        memory.backTo(before);
        int i = from;
        while (notAnObject(objects[i], before) == 0) {
            i++;
        }
        return noObject(objects[i], before);
    }

    private IllegalArgumentException noObject(int object, int end) {
        return new IllegalArgumentException(
                object <= 0 || object > size()
                        ? String.format(
                                Locale.ROOT,
                                "nothing was written there: offset=%d, size=%d",
                                object,
                                size())
                        : String.format(
                                Locale.ROOT,
                                "no object begins there: offset=%d, last=%d, alignment=%d",
                                object,
                                end,
                                Wire.OFFSET_BYTES));
    }

    // ---- whole vectors

    /// Writes a vector of 64-bit numbers, copied in one go.
    ///
    /// @param numbers holds the elements
    /// @param from index of the first one
    /// @param elements how many
    /// @return where the vector is, for [#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `numbers`
    public int createVector(long[] numbers, int from, int elements) {
        return createStructVector(numbers, from, elements, 1);
    }

    /// Writes a vector of 32-bit numbers, copied in one go.
    ///
    /// @param numbers holds the elements
    /// @param from index of the first one
    /// @param elements how many
    /// @return where the vector is, for [#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `numbers`
    public int createVector(int[] numbers, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, numbers.length);
        startWhole((long) elements * Integer.BYTES, Integer.BYTES);
        memory.putAll(numbers, from, elements);
        memory.put32(elements);
        return size();
    }

    /// Writes a vector of structs that are made of 64-bit numbers, copied in one go.
    ///
    /// @param numbers holds the numbers of all elements, in their order
    /// @param from index of the first number
    /// @param elements how many elements
    /// @param longs numbers per element
    /// @return where the vector is, for [#addOffset]
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    /// @throws IllegalArgumentException if `elements` or `longs` is negative and the other not positive
    public int createStructVector(long[] numbers, int from, int elements, int longs) {
        final long all = (long) elements * longs;
        Objects.checkFromIndexSize((long) from, all, (long) numbers.length);
        if ((elements | longs) < 0) {
            throw negativeSize(longs * Long.BYTES, elements);
        }
        startWhole(all << 3, Long.BYTES);
        memory.putAll(numbers, from, (int) all);
        memory.put32(elements);
        return size();
    }

    /// Writes a vector of offsets to strings or tables.
    ///
    /// @param objects where they are, in the vector's order
    /// @param from index of the first one
    /// @param elements how many
    /// @return where the vector is, for [#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `objects`
    /// @throws IllegalArgumentException if one is refused by [#pushOffset]; nothing is written then
    public int createOffsetVector(int[] objects, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, objects.length);
        final int before = size();
        startWhole((long) elements * Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        final byte[] a = memory.array;
        final MemorySegment s = memory.segment();
        final long top = memory.end;
        int distance = size();
        int wrong = 0; // looked at once, behind the loop
        for (int i = from + elements - 1; i >= from; i--) {
            final int object = objects[i];
            wrong |= notAnObject(object, before);
            distance += Wire.OFFSET_BYTES;
            Wire.setInt32(a, s, top - distance, distance - object);
        }
        if (wrong != 0) {
            throw firstNoObject(objects, from, before);
        }
        memory.at = top - distance;
        memory.put32(elements);
        return size();
    }

    // ---- the whole

    /// Pads what was written so far to an alignment, and has the whole buffer aligned to it. flatc
    /// does so when it reads a struct that it only stores later.
    ///
    /// @param alignment a power of two
    /// @throws IllegalArgumentException if `alignment` is not a power of two
    public void align(int alignment) {
        requireIdle("align");
        checkAlignment(alignment);
        align(alignment, 0, 0);
    }

    /// Finishes the buffer. Then [#offset()], [#length()] and [#segment()] tell where it is.
    ///
    /// @param root where its root table is
    /// @throws IllegalArgumentException if it is not a multiple of 4, or nothing was written there.
    ///     That a table begins there is not checked
    public void finish(int root) {
        requireIdle("finish");
        checkObject(root, size());
        align(Integer.highestOneBit(alignments), Wire.OFFSET_BYTES, 0);
        memory.put32(size() - root + Wire.OFFSET_BYTES);
        state = FINISHED;
    }

    // ---- room

    /// Pads so that what begins after `bytes` more is aligned, and makes sure that there is room for
    /// these and for `more`.
    private void align(int alignment, long bytes, int more) {
        alignments |= alignment;
        final int padding = (int) -(size() + bytes) & (alignment - 1);
        require(padding + bytes + more);
        memory.pad(padding);
    }

    /// Bytes that are missing to a multiple of a size.
    private int padding(int bytes) {
        return -size() & bytes - 1;
    }

    /// Makes sure that there is room for that many bytes.
    private void require(long bytes) {
        if (!memory.hasRoom(bytes)) {
            final int before = state;
            state = FAILED;
            memory.require(bytes);
            state = before;
        }
    }

    // ---- misuse

    private void requireIdle(String call) {
        if (state != IDLE) {
            throw misuse(call);
        }
    }

    private IllegalStateException misuse(String call) {
        return new IllegalStateException(call + " is not possible " + description());
    }

    private String description() {
        return switch (state) {
            case IDLE -> "with nothing open";
            case TABLE -> "while a table is open";
            case STRUCT -> "while a struct is open";
            case VECTOR -> "while a vector is open";
            case FINISHED -> "after the buffer was finished: call reset or wrap first";
            default -> "after writing has failed: call reset or wrap first";
        };
    }
}
