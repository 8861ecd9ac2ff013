// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.ids.Type;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// A column, or a child of a nested one.
///
/// If a field is dictionary-encoded, its type and children are those of the dictionary's values.
///
/// [Schema#fields] and [Field#children] bind it.
///
/// Source: `format/Schema.fbs`, table `Field`.
public final class Field extends Table {
    public static final int NAME_SLOT = 0;
    public static final int NULLABLE_SLOT = 1;
    public static final int TYPE_TYPE_SLOT = 2;
    public static final int TYPE_SLOT = 3;
    public static final int DICTIONARY_SLOT = 4;
    public static final int CHILDREN_SLOT = 5;
    public static final int CUSTOM_METADATA_SLOT = 6;

    static final long SIZES = sizes(4, 1, 1, 4, 4, 4, 4);

    private long nameAt;
    private int nameLength;
    private byte nullable;
    private byte typeType;
    private long typeAt;
    private long dictionaryAt;
    private long childrenAt;
    private int childrenCount;
    private long customMetadataAt;
    private int customMetadataCount;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        nameAt = target(a, s, NAME_SLOT);
        nameLength = count(a, s, nameAt, 1);
        nullable = int8(a, s, NULLABLE_SLOT, 0);
        typeType = int8(a, s, TYPE_TYPE_SLOT, Type.NONE);
        typeAt = field(TYPE_SLOT);
        dictionaryAt = field(DICTIONARY_SLOT);
        childrenAt = target(a, s, CHILDREN_SLOT);
        childrenCount = count(a, s, childrenAt, 4);
        customMetadataAt = target(a, s, CUSTOM_METADATA_SLOT);
        customMetadataCount = count(a, s, customMetadataAt, 4);
    }

    // ---- accessors

    /// Binds a slice to the name, which is optional in the format.
    public boolean name(Utf8Slice into) {
        return slice(nameAt, nameLength, into);
    }

    public int nameLength() {
        return nameLength;
    }

    public boolean nameEquals(CharSequence text) {
        return sliceEquals(nameAt, nameLength, text);
    }

    public String nameString() {
        return string(nameAt, nameLength);
    }

    /// {@return whether values may be null; false if absent}
    public boolean nullable() {
        return nullable != 0;
    }

    public void setNullable(boolean value) {
        nullable = setInt8(NULLABLE_SLOT, value ? 1 : 0);
    }

    /// {@return the table that [#type] binds to, one of [Type]; [Type#NONE] if absent. A newer file
    /// may have a number that [Type] does not declare}
    public int typeType() {
        return typeType & 0xFF;
    }

    /// Binds to the parameters of the type.
    ///
    /// @param into bound to the parameters if it is the flyweight of the field's type
    /// @return false if `into` is for another type, or there are no parameters; `into` then stays
    ///     as it is
    public boolean type(TypeTable into) {
        return typeType() == into.type && bindPresent(into, typeAt);
    }

    /// Binds to the dictionary encoding, which is absent if values are stored plainly.
    public boolean dictionary(DictionaryEncoding into) {
        return bindPresent(into, dictionaryAt);
    }

    public int childrenCount() {
        return childrenCount;
    }

    /// {@return `into`, bound to one of the child fields}
    public Field children(int index, Field into) {
        bind(into, this, element(childrenAt, index, childrenCount));
        return into;
    }

    public int customMetadataCount() {
        return customMetadataCount;
    }

    /// {@return `into`, bound to one of the key/value pairs of the application}
    public KeyValue customMetadata(int index, KeyValue into) {
        bind(into, this, element(customMetadataAt, index, customMetadataCount));
        return into;
    }

    /// The field's memory, for the verifier.
    MemoryRange memory() {
        return live();
    }
}
