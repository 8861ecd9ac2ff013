// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.DictionaryKind;

import java.lang.foreign.MemorySegment;

/// Dictionary encoding of a field: its values are indices into a dictionary, whose values are in
/// dictionary batches.
///
/// [Field#dictionary] binds it.
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
public final class DictionaryEncoding extends Table {
    public static final int ID_SLOT = 0;
    public static final int INDEX_TYPE_SLOT = 1;
    public static final int IS_ORDERED_SLOT = 2;
    public static final int DICTIONARY_KIND_SLOT = 3;

    static final long SIZES = sizes(8, 4, 1, 2);

    private long id;
    private long indexTypeAt;
    private byte isOrdered;
    private short dictionaryKind;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        id = int64(a, s, ID_SLOT, 0);
        indexTypeAt = field(INDEX_TYPE_SLOT);
        isOrdered = int8(a, s, IS_ORDERED_SLOT, 0);
        dictionaryKind = int16(a, s, DICTIONARY_KIND_SLOT, DictionaryKind.DENSE_ARRAY);
    }

    /// {@return id of the dictionary, as in its dictionary batches; 0 if absent}
    public long id() {
        return id;
    }

    public void setId(long value) {
        id = setInt64(ID_SLOT, value);
    }

    /// Binds to the integer type of the indices. If absent, indices are signed 32-bit numbers.
    public boolean indexType(Int into) {
        return bindPresent(into, indexTypeAt);
    }

    /// {@return whether the order of the dictionary's values is meaningful; false if absent}
    public boolean isOrdered() {
        return isOrdered != 0;
    }

    public void setIsOrdered(boolean value) {
        isOrdered = setInt8(IS_ORDERED_SLOT, value ? 1 : 0);
    }

    /// {@return kind, one of [DictionaryKind]; [DictionaryKind#DENSE_ARRAY] if absent}
    public int dictionaryKind() {
        return dictionaryKind;
    }

    public void setDictionaryKind(int value) {
        dictionaryKind = setInt16(DICTIONARY_KIND_SLOT, value);
    }
}
