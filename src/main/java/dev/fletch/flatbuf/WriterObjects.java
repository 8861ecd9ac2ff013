// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// The part of a [FlatBufferWriter] that writes vectors and structs.
abstract sealed class WriterObjects extends WriterStrings permits WriterTables {
    private final Dialect dialect;

    /// Size of the buffer when the open vector was begun.
    private int vectorEnd;

    /// Elements of the open vector.
    private int count;

    /// Bytes that the open vector or struct still lacks.
    private long lacking;

    WriterObjects(Dialect dialect) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
    }

    /// {@return whose bytes are written}
    public Dialect dialect() {
        return dialect;
    }

    // ---- vectors

    /// Begins a vector. Then its elements are pushed, **the last one first**: numbers, offsets, or
    /// structs, whose numbers are pushed from the last one to the first as well, with [#pushPadding]
    /// in between where a struct has any.
    ///
    /// @param elementBytes an element's size
    /// @param elements how many there will be
    /// @param alignment an element's alignment, a power of two
    /// @throws IllegalStateException if anything is open
    /// @throws IllegalArgumentException if a size is negative, or `alignment` is not a power of two
    public void startVector(int elementBytes, int elements, int alignment) {
        requireIdle("startVector");
        if (elementBytes < 0 || elements < 0) {
            throw negativeSize(elementBytes, elements);
        }
        checkAlignment(alignment);
        final long bytes = (long) elementBytes * elements;
        vectorEnd = size();
        alignVector(bytes, alignment);
        count = elements;
        lacking = bytes;
        state = WriterState.VECTOR;
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

    static void checkAlignment(int alignment) {
        if (alignment <= 0 || (alignment & alignment - 1) != 0) {
            throw new IllegalArgumentException("no power of two: alignment=" + alignment);
        }
    }

    /// Ends the vector that is open.
    ///
    /// @return where it is, for [FlatBufferWriter#addOffset]
    /// @throws IllegalStateException if none is open, or elements are missing
    public int endVector() {
        if (state != WriterState.VECTOR) {
            throw misuse("endVector");
        }
        requireComplete();
        put32(count);
        state = WriterState.IDLE;
        return size();
    }

    /// Begins a struct that lies in the table that is open. Then its numbers are pushed, **the last
    /// one first**, and [FlatBufferWriter#endStruct] makes it a field.
    ///
    /// @param bytes the struct's size
    /// @param alignment the struct's alignment, a power of two
    /// @throws IllegalStateException if no table is open
    /// @throws IllegalArgumentException if `bytes` is not positive, or `alignment` not a power of two
    public void startStruct(int bytes, int alignment) {
        if (state != WriterState.TABLE) {
            throw misuse("startStruct");
        }
        if (bytes <= 0) {
            throw new IllegalArgumentException("no size of a struct: bytes=" + bytes);
        }
        checkAlignment(alignment);
        align(alignment, bytes);
        lacking = bytes;
        state = WriterState.STRUCT;
    }

    /// Checks that the open vector or struct has all that was announced.
    final void requireComplete() {
        if (lacking != 0) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "too few bytes pushed: missing=%d, %s",
                            lacking,
                            WriterState.description(state)));
        }
    }

    /// Pushes an 8-bit number of a vector or struct: it comes to stand before what was pushed already.
    ///
    /// @param value the number, of which the lowest 8 bits are written
    /// @throws IllegalStateException if neither is open, or there is no room left in it
    public void pushInt8(int value) {
        element(Byte.BYTES);
        put8(value);
    }

    /// Pushes a 16-bit number: see [#pushInt8].
    ///
    /// @param value the number, of which the lowest 16 bits are written
    public void pushInt16(int value) {
        element(Short.BYTES);
        put16(value);
    }

    /// Pushes a 32-bit number: see [#pushInt8].
    ///
    /// @param value the number
    public void pushInt32(int value) {
        element(Integer.BYTES);
        put32(value);
    }

    /// Pushes a 64-bit number: see [#pushInt8].
    ///
    /// @param value the number
    public void pushInt64(long value) {
        element(Long.BYTES);
        put64(value);
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
        pad(bytes);
    }

    /// Pushes an offset as an element of a vector: see [#pushInt8].
    ///
    /// @param object where the string, vector or table is, as writing it has returned
    /// @throws IllegalArgumentException if it is not a multiple of 4, or was not written before the
    ///     vector
    /// @throws IllegalStateException if no vector is open, or there is no room left in it
    public void pushOffset(int object) {
        if (state != WriterState.VECTOR) {
            throw misuse("pushOffset");
        }
        checkObject(object, vectorEnd);
        element(Wire.OFFSET_BYTES);
        put32(size() - object + Wire.OFFSET_BYTES);
    }

    private void element(int bytes) {
        if (state != WriterState.VECTOR && state != WriterState.STRUCT) {
            throw misuse("push");
        }
        if (bytes > lacking) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "too many bytes pushed: left=%d, pushed=%d, %s",
                            lacking,
                            bytes,
                            WriterState.description(state)));
        }
        lacking -= bytes; // the room for them is there since it was started
    }

    /// Checks that an offset leads to where an object may begin: all begin with a word of 32 bits that
    /// is aligned. Whether one does begin there is not known.
    ///
    /// @param end size of the buffer when what is open was begun
    final void checkObject(int object, int end) {
        if (notAnObject(object, end) != 0) {
            throw noObject(object, end);
        }
    }

    /// Not 0 where [#checkObject] throws; so that several can be asked about with one branch.
    static int notAnObject(int object, int end) {
        return object & Wire.OFFSET_BYTES - 1 | object - 1 >>> 31 | end - object >>> 31;
    }

    /// Takes back what an unfinished vector has written.
    private IllegalArgumentException firstNoObject(int[] objects, int from, int before) {
        backTo(before);
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
    /// @return where the vector is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `numbers`
    public int createVector(long[] numbers, int from, int elements) {
        return createStructVector(numbers, from, elements, 1);
    }

    /// Writes a vector of 32-bit numbers, copied in one go.
    ///
    /// @param numbers holds the elements
    /// @param from index of the first one
    /// @param elements how many
    /// @return where the vector is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `numbers`
    public int createVector(int[] numbers, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, numbers.length);
        startWhole((long) elements * Integer.BYTES, Integer.BYTES);
        putAll(numbers, from, elements);
        put32(elements);
        return size();
    }

    /// Writes a vector of structs that are made of 64-bit numbers, copied in one go.
    ///
    /// @param numbers holds the numbers of all elements, in their order
    /// @param from index of the first number
    /// @param elements how many elements
    /// @param longs numbers per element
    /// @return where the vector is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    /// @throws IllegalArgumentException if `elements` or `longs` is negative and the other not positive
    public int createStructVector(long[] numbers, int from, int elements, int longs) {
        final long all = (long) elements * longs;
        Objects.checkFromIndexSize((long) from, all, (long) numbers.length);
        if ((elements | longs) < 0) {
            throw negativeSize(longs * Long.BYTES, elements);
        }
        startWhole(all << 3, Long.BYTES);
        putAll(numbers, from, (int) all);
        put32(elements);
        return size();
    }

    /// Writes a vector of offsets to strings or tables.
    ///
    /// @param objects where they are, in the vector's order
    /// @param from index of the first one
    /// @param elements how many
    /// @return where the vector is, for [FlatBufferWriter#addOffset]
    /// @throws IndexOutOfBoundsException if they are not inside `objects`
    /// @throws IllegalArgumentException if one is refused by [#pushOffset]; nothing is written then
    public int createOffsetVector(int[] objects, int from, int elements) {
        Objects.checkFromIndexSize(from, elements, objects.length);
        final int before = size();
        startWhole((long) elements * Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        final byte[] a = array;
        final MemorySegment s = memory();
        final long top = end;
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
        at = top - distance;
        put32(elements);
        return size();
    }
}
