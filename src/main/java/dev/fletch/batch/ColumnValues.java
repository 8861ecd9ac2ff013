// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.VariadicSlices;
import dev.fletch.format.internal.VariadicSlices.WrongView;
import dev.fletch.format.internal.tables.TypeFacts;

import java.util.Objects;

/// Reads single values of a field from any layout: fixed-width, variable-size, view, or
/// dictionary-encoded.
///
/// ```java
/// values.bind(batches.bind(0), batches.layout().field("symbol"), dictionaries);
/// for (long row = 0; row < values.length(); row++) {
///     if (values.get(row, bytes)) {
///         … the symbol's bytes …
///     }
/// }
/// ```
///
/// A row is from 0 to [#length] - 1. Binding checks the buffers; reading checks the position of
/// each value. For fixed-width values in a hot loop, the arrays of [BatchCursor#values] are faster.
///
/// **Nulls.** A value is null if its validity bit or that of its dictionary value is unset, or if
/// the field's type is `Null`. Run-end encoded fields and, since V5, unions have no validity
/// buffer: [#isNull] is always false for them.
///
/// **Types.** [#get] reads each [ValueType] except `BOOL` and `NONE`, [#integer] reads integers and
/// `BOOL`. Fields of other types can be bound too, for [#isNull].
///
/// **Errors.** Binding throws a [FletchException] as the methods of [BatchCursor] for values do; if
/// it fails, there are no rows. Reading throws a [FletchException] if a value is outside its buffer
/// or dictionary, or the dictionary is not defined; an [IndexOutOfBoundsException] if there is no
/// such row; an [IllegalStateException] if values of the field's type have no bytes, or are not
/// integers. The offset of the exception is that of the wrong number in the memory with the body,
/// of its buffer if that is compressed; there is none if the cursor is bound to another batch by
/// then.
///
/// **Allocation, lifetime and threads.** Allocates only for more variadic buffers than before, and
/// for values in those after the 1,024th of a batch. Valid as long as the memory of the bodies,
/// those of dictionaries included; but after the cursor was bound to another batch, values in these
/// further buffers may throw an [IllegalStateException]. Belongs to one thread at a time.
public final class ColumnValues {
    private final ByteSlice validity = new ByteSlice();
    // Values, indices, views, or the data buffer of offsets.
    private final ByteSlice data = new ByteSlice();
    private final ByteSlice offsets = new ByteSlice();
    private final VariadicSlices variadics = new VariadicSlices();

    private ValueType type = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private long length;
    private long width;
    private boolean hasValidity;
    private boolean isAllNull;
    // As given to bind; may be null if the values are not encoded.
    private Dictionaries dictionaries;
    // Null if the values are not encoded, or the dictionary is not defined yet.
    private DictionaryValues dictionary;
    private boolean isEncoded;
    private long dictionaryId;
    private BatchCursor cursor;
    // Number of the batch there.
    private int binding;
    private BatchLayout layout;
    private int field;

    /// Creates an unbound reader.
    public ColumnValues() {}

    /// Binds to a field.
    ///
    /// @param cursor bound to a batch and its body
    /// @param number of the field in the cursor's layout
    /// @throws IllegalArgumentException if the field is dictionary-encoded
    public ColumnValues bind(BatchCursor cursor, int number) {
        return bind(cursor, number, null);
    }

    /// Binds to a field. A dictionary-encoded field uses its current dictionary: later deltas are
    /// visible, a later replacement is not. If the dictionary is not defined yet, as may be inside
    /// the values of another one, the field uses the one that is defined when a value is read.
    ///
    /// @param cursor bound to a batch and its body
    /// @param number of the field in the cursor's layout
    /// @param dictionaries of the same stream or file; may be null if the field is not
    ///     dictionary-encoded
    /// @throws FletchException also if the indices are not integers of 8 to 64 bits
    /// @throws IllegalArgumentException if the field is dictionary-encoded, and `dictionaries` is
    ///     null
    public ColumnValues bind(BatchCursor cursor, int number, Dictionaries dictionaries) {
        length = 0; // until all is checked
        if (this.cursor != cursor) { // storing a reference costs a barrier
            this.cursor = cursor;
        }
        binding = cursor.binding();
        this.dictionaries = dictionaries;
        type = cursor.type(number);
        layout = cursor.layout();
        field = number;
        isEncoded = layout.isDictionaryEncoded(field);
        if (isEncoded && dictionaries == null) {
            throw new IllegalArgumentException(
                    "dictionaries are missing for a dictionary-encoded column: column=" + column());
        }
        if (isEncoded && !type.isInteger()) {
            throw cursor.otherType(number, "integer index");
        }
        dictionaryId = layout.dictionaryId(field);
        dictionary = isEncoded ? dictionaries.values(dictionaryId) : null;
        valueType = isEncoded ? dictionaries.valueType(dictionaryId) : type;
        isAllNull = layout.isAllNull(field);
        hasValidity = layout.has(field, BufferRole.VALIDITY) && cursor.validity(field, validity);
        width = type.bits() != 0 ? type.bits() / Byte.SIZE : layout.valueBits(field) / Byte.SIZE;
        bindData(cursor);
        if (cursor.length(field) < 0) {
            throw cursor.negativeLength(field);
        }
        length = cursor.length(field);
        return this;
    }

    private void bindData(BatchCursor cursor) {
        switch (type) {
            case NONE -> data.wrap(validity, 0, 0);
            case BYTES -> {
                cursor.array(field, BufferRole.OFFSETS, ValueType.INT32, offsets);
                cursor.bytes(field, data);
            }
            case LARGE_BYTES -> {
                cursor.array(field, BufferRole.OFFSETS, ValueType.INT64, offsets);
                cursor.bytes(field, data);
            }
            case BYTES_VIEW -> {
                cursor.array(field, BufferRole.VIEWS, type, data);
                bindVariadics(cursor);
            }
            default -> {
                if (isEncoded) {
                    cursor.indices(field, data);
                } else {
                    cursor.values(field, type, data);
                }
                isAllNull |= data.length() == 0 && cursor.nullCount(field) == cursor.length(field);
            }
        }
    }

    private void bindVariadics(BatchCursor cursor) {
        variadics.begin(cursor.variadicCount(field));
        for (int i = 0; i < variadics.count(); i++) {
            cursor.variadic(field, i, variadics.first(i));
        }
    }

    private ByteSlice variadic(int buffer) {
        ByteSlice bound = variadics.bound(buffer);
        return bound != null ? bound : bindVariadic(buffer);
    }

    private ByteSlice bindVariadic(int buffer) {
        if (cursor.binding() != binding) {
            throw new IllegalStateException("cursor is bound to another batch: column=" + column());
        }
        return variadics.keep(buffer, cursor.variadic(field, buffer, new ByteSlice()));
    }

    /// Leaves the batch: there are no values until the next binding.
    public void unbind() {
        length = 0;
    }

    /// {@return number of values}
    public long length() {
        return length;
    }

    /// {@return the physical type of the resolved values; for a dictionary-encoded field, of its
    /// dictionary}
    public ValueType valueType() {
        return valueType;
    }

    /// {@return whether a value is null}
    public boolean isNull(long row) {
        Objects.checkIndex(row, length);
        if (isAllNull || hasValidity && !validity.bit(row)) {
            return true;
        }
        return isEncoded && values(row).isNull(dictionary.row(index(row)));
    }

    /// {@return the dictionary index of a value, not checked; arbitrary if the value is null}
    public long index(long row) {
        Objects.checkIndex(row, length);
        if (!isEncoded) {
            throw new IllegalStateException("column is not dictionary-encoded: column=" + column());
        }
        return number(row);
    }

    /// Binds to the bytes of a value: a little-endian fixed-width value, or text or binary of any
    /// length.
    ///
    /// @param into bound to them; unchanged if the value is null
    /// @return false if the value is null
    /// @throws IllegalStateException if values have no bytes: [ValueType#BOOL], [ValueType#NONE]
    public boolean get(long row, ByteSlice into) {
        Objects.checkIndex(row, length);
        if (valueType == ValueType.BOOL || valueType == ValueType.NONE && !isAllNull) {
            throw new IllegalStateException(
                    "values have no bytes: column=" + column() + ", type=" + valueType.text());
        }
        if (isAllNull || hasValidity && !validity.bit(row)) {
            return false;
        }
        if (isEncoded) {
            return values(row).get(dictionary.row(index(row)), into);
        }
        switch (type) {
            case BYTES -> bytes(row, offsets.int32At(row), offsets.int32At(row + 1), into);
            case LARGE_BYTES -> bytes(row, offsets.int64At(row), offsets.int64At(row + 1), into);
            case BYTES_VIEW -> view(row, into);
            default -> into.wrap(data, row * width, width);
        }
        return true;
    }

    /// {@return an integer of 8 to 64 bits, or a boolean as 0 or 1, resolved for a
    /// dictionary-encoded field. [ValueType#UINT64] may be negative as a signed `long`. For a null,
    /// an arbitrary number or an exception: see [#isNull]}
    ///
    /// @throws IllegalStateException for another [#valueType], such as a decimal
    public long integer(long row) {
        Objects.checkIndex(row, length);
        return isEncoded ? values(row).integer(dictionary.row(index(row))) : number(row);
    }

    private long number(long row) {
        return switch (type) {
            case BOOL -> data.bit(row) ? 1 : 0;
            case INT8 -> data.int8At(row);
            case INT16 -> data.int16At(row);
            case INT32 -> data.int32At(row);
            case INT64, UINT64 -> data.int64At(row);
            case UINT8 -> data.uint8At(row);
            case UINT16 -> data.uint16At(row);
            case UINT32 -> data.uint32At(row);
            default ->
                    throw new IllegalStateException(
                            "values are not integers: column="
                                    + column()
                                    + ", type="
                                    + type.text());
        };
    }

    /// The dictionary batch with the value of a row.
    private ColumnValues values(long row) {
        if (dictionary == null) {
            dictionary = dictionaries.values(dictionaryId);
        }
        if (dictionary == null) {
            long position = cursor.nodePosition(binding, field);
            throw Dictionaries.undefined(dictionaryId, position, column());
        }
        long index = number(row);
        if (index < 0 || index >= dictionary.length()) {
            Rule broken = ValueRule.VALUE_DICTIONARY_INDEX;
            long last = dictionary.length() - 1;
            throw fault(broken, BufferRole.DATA, row * width, row, index, last);
        }
        return dictionary.values(index);
    }

    private void bytes(long row, long from, long to, ByteSlice into) {
        if (from < 0 || to < from || to > data.length()) {
            throw cursor.wrongOffset(binding, layout, field, row, from, to, data.length());
        }
        into.wrap(data, from, to - from);
    }

    private void view(long row, ByteSlice into) {
        long position = row * TypeFacts.VIEW_BYTES;
        int bytes = data.int32(position);
        if (bytes >= 0 && bytes <= TypeFacts.INLINE_BYTES) {
            into.wrap(data, position + Integer.BYTES, bytes);
            return;
        }
        int buffer = data.int32(position + TypeFacts.VIEW_BUFFER_AT);
        int from = data.int32(position + TypeFacts.VIEW_OFFSET_AT);
        boolean isThere = variadics.has(buffer);
        ByteSlice in = isThere ? variadic(buffer) : data;
        if (!isThere || bytes < 0 || from < 0 || bytes > in.length() - from) {
            WrongView wrong = variadics.wrong(bytes, buffer, from, in);
            long number = position + wrong.position();
            throw fault(wrong.rule(), BufferRole.VIEWS, number, row, wrong.value(), wrong.limit());
        }
        into.wrap(in, from, bytes);
    }

    /// @param role of the buffer with the number that is wrong
    /// @param offset its position there
    private FletchException fault(
            Rule rule, BufferRole role, long offset, long row, long value, long limit) {
        long position = cursor.numberPosition(binding, field, role, offset);
        return layout.wrongNumber(Fault.of(rule, position, value), field, row, limit);
    }

    private String column() {
        return layout.shownPath(field);
    }
}
