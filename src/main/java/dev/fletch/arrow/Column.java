// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// A column of [Batches], or a field below one. Its values are those of the loaded batch.
///
/// Typed methods such as [#int64] read values of exactly that type. They are as fast as an array,
/// in every program. [#integer], [#floating] and [#bytes] read values of any width, and those of
/// dictionaries; they are slower where a program reads several types with them.
///
/// **Nulls.** For a null, methods that return a number return any number, or throw: call [#isNull]
/// first. [#bytes] returns false, and [#text] null.
///
/// **Errors.** If the values have another type, typed methods and arrays throw a [FletchException],
/// the others an [IllegalStateException]. A [FletchException] if a value leads out of its buffer,
/// which [dev.fletch.ipc.ReadOptions.Level#VALUES] excludes. An [IndexOutOfBoundsException] if
/// there is no such row, or no batch is loaded; but [#bool] and [#integer] may return any bit for
/// up to seven rows after the last boolean.
///
/// **Lifetime and threads.** Slices are valid until the next batch. Only [#text] allocates.
/// Belongs to the thread of its reader.
public final class Column {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final String path;
    // Of fixed width. Final, so that in a loop over rows the fields of the slices stay in
    // registers.
    private final ByteSlice validity = new ByteSlice();
    private final ByteSlice data = new ByteSlice();
    // All others.
    private final ColumnValues values = new ColumnValues();
    private final ByteSlice text = new ByteSlice();
    private ValueType type = ValueType.NONE;
    private boolean isFixed;
    private boolean mayHaveNulls;
    private boolean hasNulls;
    private long width;
    private long length;
    private int field = -1;
    // The batch that is loaded; null if none is.
    private BatchCursor cursor;

    Column(String path) {
        this.path = path;
    }

    /// Sets the place in the layout of the batches.
    void place(BatchLayout layout, int number) {
        field = number;
        type = layout.valueType(number);
        isFixed =
                !layout.isDictionaryEncoded(number)
                        && switch (type) {
                            case NONE, BYTES, LARGE_BYTES, BYTES_VIEW -> false;
                            default -> true;
                        };
        mayHaveNulls = layout.has(number, BufferRole.VALIDITY);
        width = layout.valueBits(number) / Byte.SIZE;
    }

    /// Binds to the values of a batch.
    void bind(BatchCursor batch, Dictionaries dictionaries) {
        if (cursor != batch) {
            cursor = batch; // compared before it is stored, see dev.fletch.wire
        }
        if (isFixed) {
            batch.values(field, type, data);
            hasNulls = mayHaveNulls && batch.validity(field, validity);
        } else {
            values.bind(batch, field, dictionaries);
        }
        length = batch.length(field);
    }

    void unbind() {
        cursor = null;
        length = 0;
        hasNulls = false;
        validity.wrap(NOTHING, 0, 0);
        data.wrap(NOTHING, 0, 0);
        values.unbind();
    }

    // ---- what it is

    /// {@return the path that was requested}
    public String path() {
        return path;
    }

    /// {@return the number of the field in [Batches#cursor]; -1 before the first batch}
    public int field() {
        return field;
    }

    /// {@return the physical type of the values; of a dictionary-encoded column, of its indices}
    public ValueType valueType() {
        return type;
    }

    /// {@return number of values; 0 if no batch is loaded}
    public long length() {
        return length;
    }

    /// {@return whether a value is null, also if it is a null of the dictionary}
    public boolean isNull(long row) {
        Objects.checkIndex(row, length);
        return isFixed ? hasNulls && !validity.bit(row) : values.isNull(row);
    }

    // ---- arrays

    /// {@return whether the batch has validity bits} If not, no value of a column of fixed width,
    /// text or binary is null. Columns of nulls alone have none, and a dictionary may have nulls of
    /// its own.
    public boolean hasNulls() {
        return isFixed ? hasNulls : mayHaveNulls && bound().validity(field, validity);
    }

    /// {@return the validity bits, if [#hasNulls]; always the same slice}
    public ByteSlice validity() {
        return hasNulls() ? validity : bound().buffer(field, BufferRole.VALIDITY, validity);
    }

    /// {@return the values as an array, of exactly this type; always the same slice}
    public ByteSlice values(ValueType of) {
        return of == type && isFixed ? data : bound().values(field, of, data);
    }

    private BatchCursor bound() {
        if (cursor == null) {
            throw new IllegalStateException("no batch is loaded: column=" + path);
        }
        return cursor;
    }

    // ---- values of one type

    /// {@return a boolean}
    public boolean bool(long row) {
        return values(ValueType.BOOL).bit(row);
    }

    /// {@return a signed integer of 8 bits}
    public byte int8(long row) {
        return values(ValueType.INT8).int8At(row);
    }

    /// {@return a signed integer of 16 bits}
    public short int16(long row) {
        return values(ValueType.INT16).int16At(row);
    }

    /// {@return a signed integer of 32 bits; also a date in days, a time, or months}
    public int int32(long row) {
        return values(ValueType.INT32).int32At(row);
    }

    /// {@return a signed integer of 64 bits; also a time, a timestamp or a duration}
    public long int64(long row) {
        return values(ValueType.INT64).int64At(row);
    }

    /// {@return an unsigned integer of 8 bits}
    public int uint8(long row) {
        return values(ValueType.UINT8).uint8At(row);
    }

    /// {@return an unsigned integer of 16 bits}
    public int uint16(long row) {
        return values(ValueType.UINT16).uint16At(row);
    }

    /// {@return an unsigned integer of 32 bits}
    public long uint32(long row) {
        return values(ValueType.UINT32).uint32At(row);
    }

    /// {@return an unsigned integer of 64 bits, of which the greatest are negative as a `long`}
    public long uint64(long row) {
        return values(ValueType.UINT64).int64At(row);
    }

    /// {@return a floating-point number of 16 bits}
    public float float16(long row) {
        return values(ValueType.FLOAT16).float16At(row);
    }

    /// {@return a floating-point number of 32 bits}
    public float float32(long row) {
        return values(ValueType.FLOAT32).float32At(row);
    }

    /// {@return a floating-point number of 64 bits}
    public double float64(long row) {
        return values(ValueType.FLOAT64).float64At(row);
    }

    // ---- values of several types

    /// {@return an integer of 8 to 64 bits, or a boolean as 0 or 1; also of a dictionary}
    ///
    /// @throws IllegalStateException if the values are no integers
    public long integer(long row) {
        if (!isFixed) {
            return values.integer(row);
        }
        return switch (type) {
            case INT64, UINT64 -> data.int64At(row);
            case INT32 -> data.int32At(row);
            case INT16 -> data.int16At(row);
            case INT8 -> data.int8At(row);
            case UINT32 -> data.uint32At(row);
            case UINT16 -> data.uint16At(row);
            case UINT8 -> data.uint8At(row);
            case BOOL -> data.bit(row) ? 1 : 0;
            default -> throw other("integers");
        };
    }

    /// {@return a floating-point number of 16 to 64 bits; also of a dictionary}
    ///
    /// @throws IllegalStateException if the values are no floating-point numbers
    public double floating(long row) {
        if (isFixed) {
            return floating(type, data, row);
        }
        return values.get(row, text) ? floating(values.valueType(), text, 0) : 0;
    }

    private double floating(ValueType type, ByteSlice in, long row) {
        return switch (type) {
            case FLOAT64 -> in.float64At(row);
            case FLOAT32 -> in.float32At(row);
            case FLOAT16 -> in.float16At(row);
            default -> throw other("floating-point numbers");
        };
    }

    /// Binds to the bytes of a value: text, binary, or a number; also of a dictionary.
    ///
    /// @param into bound to them; unchanged if the value is null
    /// @return false if the value is null
    /// @throws IllegalStateException if values have no bytes, as booleans and nested ones
    public boolean bytes(long row, ByteSlice into) {
        if (!isFixed) {
            return values.get(row, into);
        }
        if (type == ValueType.BOOL) {
            throw other("of whole bytes");
        }
        boolean isThere = !isNull(row);
        if (isThere) {
            into.wrap(data, row * width, width);
        }
        return isThere;
    }

    /// {@return a text as a new string; null if it is null}
    public String text(long row) {
        return bytes(row, text) ? new String(text.toByteArray(), StandardCharsets.UTF_8) : null;
    }

    private IllegalStateException other(String expected) {
        return new IllegalStateException(
                "values are not " + expected + ": column=" + path + ", type=" + type);
    }
}
