// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TreeWalk;
import dev.fletch.flatbuf.Utf8Slice;

/// Walks the fields of a schema in pre-order, a parent before its children: the fast way through a
/// schema, which shows all of it. A step decodes a field with the parameters of its type in one call;
/// accessors are then plain reads.
///
/// ```java
/// walk.wrap(message);
/// while (walk.next()) {
///     walk.name(slice);
///     if (walk.typeType() == Type.INT) {
///         bits += walk.bitWidth();
///     }
/// }
/// ```
///
/// One walk serves all depths: it is bound to one field at a time, and remembers the way to it. To ask
/// for a parameter that the current type does not have is an [IllegalStateException]; one that is
/// absent reads as its default. To change a field, use [#field].
///
/// It sets no limit, and tables that are shared can unfold to more fields than there are bytes: see
/// [TreeWalk], also for errors. It allocates only when it comes deeper than ever before. Lifetime and
/// threads: see [dev.fletch.flatbuf.Table].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldWalk extends TreeWalk {
    private final Schema schema = new Schema();
    private int endianness;
    private long schemaMetadataAt;
    private int schemaMetadataCount;
    private final DictionaryEncoding dictionary = new DictionaryEncoding();

    /// Creates a walk through nothing.
    public FieldWalk() {
        super(FieldShape.SHAPE);
    }

    /// Begins before the first column.
    ///
    /// @param schema bound to a schema, whose root must not wrap again during the walk
    /// @return this
    /// @throws IllegalStateException if `schema` is not bound, or out of date
    public FieldWalk wrap(Schema schema) {
        wrap(schema, schema.fieldsAt(), schema.fieldsCount());
        endianness = schema.endianness();
        schemaMetadataAt = schema.customMetadataAt();
        schemaMetadataCount = schema.customMetadataCount();
        return this;
    }

    // ---- the schema

    /// Begins before the first column of a message's schema.
    ///
    /// @param message bound to a message, and staying so during the walk
    /// @return false if it is no schema's; the walk is then left as it was
    /// @throws IllegalStateException if `message` is out of date
    public boolean wrap(Message message) {
        if (!message.header(schema)) {
            return false;
        }
        wrap(schema);
        return true;
    }

    /// {@return byte order of the bodies' numbers: see [Schema#endianness()]}
    public int endianness() {
        return endianness;
    }

    /// {@return number of key/value pairs of the schema; 0 if the vector is absent}
    public int schemaMetadataCount() {
        return schemaMetadataCount;
    }

    /// Goes to one of the key/value pairs of the schema: [#key] and [#value] then show it.
    ///
    /// @param index from 0 to [#schemaMetadataCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such pair
    public void schemaMetadata(int index) {
        pair(schemaMetadataAt, index, schemaMetadataCount);
    }

    // ---- moving

    /// {@return number of columns}
    public int columnCount() {
        return rootCount();
    }

    /// Goes to a column.
    ///
    /// @param index from 0 to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void column(int index) {
        root(index);
    }

    /// Lets the next step lead to what follows a column.
    ///
    /// @param index from -1, which is before the first, to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void after(int index) {
        afterRoot(index);
    }

    /// Goes to the next column after the current one that has a name.
    ///
    /// The fastest way to a column of a schema that is read once: of each column before it, only as
    /// much is read as tells that its name is another one.
    ///
    /// @param name UTF-8 bytes; a name that is absent reads as the empty one
    /// @return the column, which is then the current one; -1 if there is none, and the walk is then at
    ///     its end
    public int find(byte[] name) {
        return find(name, name.length);
    }

    /// [#find(byte[])] for the first bytes of an array.
    ///
    /// @param name has UTF-8 bytes
    /// @param length how many of them
    /// @return the column, which is then the current one; -1 if there is none, and the walk is then at
    ///     its end
    /// @throws IndexOutOfBoundsException if a name is compared and `name` has fewer bytes
    public int find(byte[] name, int length) {
        return findRoot(name, length) ? root() : -1;
    }

    /// Passes columns, from the one after the current one on, and adds up the weights of these and of
    /// all fields below them. It is fast as it reads little: of most fields the type's number, the
    /// length of the name and the number of children.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @param weights 256 weights, one for each type's number; negative where that number alone does
    ///   not tell a field's weight
    /// @param most the most fields to pass
    /// @param levels the most levels of fields to pass
    /// @return [#NAMED] if the current column now has that name; [#SPECIAL] if it has another name,
    ///   and it or a field below it has a negative weight or a dictionary, is nested deeply, or is
    ///   one too many; [#END] if there are no more columns. The current column's own weight is not
    ///   added in
    public int pass(byte[] wanted, int length, long[] weights, int most, int levels) {
        return passRoots(wanted, length, weights, most, levels);
    }

    /// {@return number of fields that the last [#pass] has passed, children included}
    public int passedFields() {
        return passedTables();
    }

    // ---- the current field

    /// {@return the current column, or the one that the current field is below; -1 before the
    /// first}
    public int column() {
        return root();
    }

    /// Binds to the current field, for what is not shown here.
    ///
    /// @param into bound to it
    /// @return `into`
    /// @throws IllegalStateException if there is no current field
    public Field field(Field into) {
        table(into);
        return into;
    }

    /// {@return whether there may be nulls; false if absent}
    public boolean nullable() {
        return flag();
    }

    /// {@return which type it has: see [Field#typeType()]}
    public int typeType() {
        return tag();
    }

    // ---- the parameters of its type; an absent one reads as the format's default

    /// {@return bits per value of a [Type#INT], a [Type#DECIMAL] or a [Type#TIME]}
    ///
    /// @throws IllegalStateException if the type has none
    public int bitWidth() {
        return tag() == Type.INT
                ? value32(Int.BIT_WIDTH_SLOT, Int.BIT_WIDTH_DEFAULT)
                : otherBitWidth();
    }

    private int otherBitWidth() {
        return switch (tag()) {
            case Type.DECIMAL -> value32(Decimal.BIT_WIDTH_SLOT, Decimal.BIT_WIDTH_DEFAULT);
            case Type.TIME -> value32(Time.BIT_WIDTH_SLOT, Time.BIT_WIDTH_DEFAULT);
            default -> throw noSuch("bitWidth");
        };
    }

    /// {@return whether a [Type#INT] has a sign}
    ///
    /// @throws IllegalStateException if the type has none
    public boolean isSigned() {
        require(Type.INT, "is_signed");
        return value8(Int.IS_SIGNED_SLOT, Int.IS_SIGNED_DEFAULT) != 0;
    }

    /// {@return decimal digits of a [Type#DECIMAL]; of a [Type#FLOATING_POINT] one of [Precision]}
    ///
    /// @throws IllegalStateException if the type has none
    public int precision() {
        return tag() == Type.FLOATING_POINT
                ? value16(FloatingPoint.PRECISION_SLOT, FloatingPoint.PRECISION_DEFAULT)
                : decimalPrecision();
    }

    private int decimalPrecision() {
        require(Type.DECIMAL, "precision");
        return value32(Decimal.PRECISION_SLOT, Decimal.PRECISION_DEFAULT);
    }

    /// {@return digits after the decimal point of a [Type#DECIMAL]}
    ///
    /// @throws IllegalStateException if the type has none
    public int scale() {
        require(Type.DECIMAL, "scale");
        return value32(Decimal.SCALE_SLOT, Decimal.SCALE_DEFAULT);
    }

    /// {@return unit of a [Type#DATE], one of [DateUnit]; of a [Type#TIME], [Type#TIMESTAMP] or
    /// [Type#DURATION], one of [TimeUnit]; of a [Type#INTERVAL], one of [IntervalUnit]}
    ///
    /// @throws IllegalStateException if the type has none
    public int unit() {
        final int absent = FieldShape.ABSENT_UNITS[tag()];
        if (absent < 0) {
            throw noSuch("unit");
        }
        return value16(FieldShape.UNIT_SLOT, absent);
    }

    /// Binds a slice to the time zone of a [Type#TIMESTAMP].
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    /// @throws IllegalStateException if the type has none
    public boolean timezone(Utf8Slice into) {
        require(Type.TIMESTAMP, "timezone");
        return valueText(into);
    }

    /// {@return length of a [Type#TIMESTAMP]'s time zone in bytes, 0 if it is absent}
    ///
    /// @throws IllegalStateException if the type has none
    public int timezoneLength() {
        require(Type.TIMESTAMP, "timezone");
        return valueCount();
    }

    /// {@return mode of a [Type#UNION], one of [UnionMode]}
    ///
    /// @throws IllegalStateException if the type has none
    public int mode() {
        require(Type.UNION, "mode");
        return value16(Union.MODE_SLOT, Union.MODE_DEFAULT);
    }

    /// {@return number of type ids of a [Type#UNION], 0 if they are absent}
    ///
    /// @throws IllegalStateException if the type has none
    public int typeIdsCount() {
        require(Type.UNION, "typeIds");
        return valueCount();
    }

    /// Reads one of the type ids of a [Type#UNION].
    ///
    /// @param index from 0 to [#typeIdsCount()] - 1
    /// @return the number
    /// @throws IllegalStateException if the type has none
    /// @throws IndexOutOfBoundsException if there is no such element
    public int typeIds(int index) {
        require(Type.UNION, "typeIds");
        return valueElement(index);
    }

    /// {@return bytes per value of a [Type#FIXED_SIZE_BINARY]}
    ///
    /// @throws IllegalStateException if the type has none
    public int byteWidth() {
        require(Type.FIXED_SIZE_BINARY, "byteWidth");
        return value32(FixedSizeBinary.BYTE_WIDTH_SLOT, FixedSizeBinary.BYTE_WIDTH_DEFAULT);
    }

    /// {@return values per list of a [Type#FIXED_SIZE_LIST]}
    ///
    /// @throws IllegalStateException if the type has none
    public int listSize() {
        require(Type.FIXED_SIZE_LIST, "listSize");
        return value32(FixedSizeList.LIST_SIZE_SLOT, FixedSizeList.LIST_SIZE_DEFAULT);
    }

    /// {@return whether the keys of a [Type#MAP] are sorted in each value}
    ///
    /// @throws IllegalStateException if the type has none
    public boolean keysSorted() {
        require(Type.MAP, "keysSorted");
        return value8(Map.KEYS_SORTED_SLOT, Map.KEYS_SORTED_DEFAULT) != 0;
    }

    private void require(int type, String parameter) {
        if (tag() != type) {
            throw noSuch(parameter);
        }
    }

    private IllegalStateException noSuch(String parameter) {
        return new IllegalStateException(
                "type has no such parameter: type="
                        + Type.name(tag())
                        + ", parameter="
                        + parameter);
    }

    // ---- dictionary, children, metadata

    /// {@return mode of a [Type#UNION], one of [UnionMode]; for any other type the default,
    /// [UnionMode#SPARSE]}
    public int unionMode() {
        return tag() == Type.UNION ? mode() : Union.MODE_DEFAULT;
    }

    /// {@return whether its values are indexes into a dictionary}
    public boolean isDictionaryEncoded() {
        return isMarked();
    }

    /// Binds to the dictionary encoding, which is absent where values are stored plainly.
    ///
    /// @param into bound to it
    /// @return false if it is absent; `into` is then left as it was
    public boolean dictionary(DictionaryEncoding into) {
        return mark(into);
    }

    /// {@return the dictionary's id; 0 if there is no dictionary}
    public long dictionaryId() {
        return mark(dictionary) ? dictionary.id() : DictionaryEncoding.ID_DEFAULT;
    }

    /// {@return number of key/value pairs of the application; 0 if the vector is absent}
    public int customMetadataCount() {
        return pairsCount();
    }

    /// Goes to one of the key/value pairs of the current field: [#key] and [#value] then show it.
    ///
    /// @param index from 0 to [#customMetadataCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such pair
    public void customMetadata(int index) {
        pair(index);
    }

    /// {@return length of the pair's key in bytes, 0 if it is absent}
    public int keyLength() {
        return pairKeyLength();
    }

    /// Binds a slice to the pair's key.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    public boolean key(Utf8Slice into) {
        return pairKey(into);
    }

    /// {@return length of the pair's value in bytes, 0 if it is absent}
    public int valueLength() {
        return pairTextLength();
    }

    /// Binds a slice to the pair's value.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    public boolean value(Utf8Slice into) {
        return pairText(into);
    }
}
