// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TreeWalk;
import dev.fletch.flatbuf.Utf8Slice;

/// Walks the fields of a schema in pre-order, a parent before its children, and reads no more of
/// them than what decides which parts of a batch they own: name, type, dictionary and children.
///
/// One walk is one flyweight for all depths: it is bound to one field at a time, and remembers the
/// way to it. For all other properties of a field there is [Field].
///
/// It sets no limit: bytes that are no tree but share tables can unfold to more fields than they
/// have bytes, and to any depth. Whoever walks through bytes that are not trusted counts, and
/// stops.
///
/// Allocates only when it comes deeper than ever before. Errors, lifetime and threads: see
/// [dev.fletch.flatbuf.Table].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldWalk {
    /// [#pass] has passed all columns.
    public static final int END = TreeWalk.END;

    /// [#pass] has come to a column of the wanted name.
    public static final int NAMED = TreeWalk.NAMED;

    /// [#pass] has come to a column that it cannot weigh.
    public static final int SPECIAL = TreeWalk.SPECIAL;

    private final TreeWalk tree =
            new TreeWalk(
                    Field.SIZES,
                    Field.NAME_SLOT,
                    Field.TYPE_TYPE_SLOT,
                    Field.TYPE_SLOT,
                    Field.DICTIONARY_SLOT,
                    Field.CHILDREN_SLOT);
    private final Union union = new Union();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();

    /// Creates a walk through nothing.
    public FieldWalk() {}

    /// Begins before the first column.
    ///
    /// @param schema bound to a schema; it is not needed any more afterwards, but its root is
    /// @return this
    public FieldWalk wrap(Schema schema) {
        tree.wrap(schema, schema.fieldsAt(), schema.fieldsCount());
        return this;
    }

    /// Begins anew, before the first column.
    ///
    /// @return this
    public FieldWalk rewind() {
        tree.rewind();
        return this;
    }

    // ---- moving

    /// {@return number of columns}
    public int columnCount() {
        return tree.rootCount();
    }

    /// Goes to a column.
    ///
    /// @param index from 0 to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void column(int index) {
        tree.root(index);
    }

    /// Lets the next step lead to what follows a column.
    ///
    /// @param index from -1, which is before the first, to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void after(int index) {
        tree.after(index);
    }

    /// Goes to the next field: the current one's first child, if it has any and [#skipChildren] was
    /// not called, else what follows.
    ///
    /// @return false at the end
    public boolean next() {
        return tree.next();
    }

    /// Goes to the next field as [#next] does, but not out of a subtree.
    ///
    /// @param level the depth of the subtree's root, which is the current field or above it
    /// @return false at the end of the subtree, where [#again] goes back to its root
    public boolean nextBelow(int level) {
        return tree.nextBelow(level);
    }

    /// Goes back to the field on the way to the current one, or to the one that was current.
    ///
    /// @param level its depth
    public void again(int level) {
        tree.again(level);
    }

    /// Lets the next step lead past the current field's children.
    public void skipChildren() {
        tree.skipChildren();
    }

    /// Goes to the next column of a name, from the one behind the current one on.
    ///
    /// The fastest way to a column of a schema that is read once: of each column before it no more
    /// is read than tells that its name is another one.
    ///
    /// @param name UTF-8 bytes; a name that is absent reads as the empty one
    /// @return the column, which is the current one then; -1 if there is none, and the walk at its
    ///     end
    public int find(byte[] name) {
        return find(name, name.length);
    }

    /// [#find(byte[])] for the first bytes of an array.
    ///
    /// @param name has UTF-8 bytes
    /// @param length how many of them
    /// @return the column, which is the current one then; -1 if there is none, and the walk at its
    ///     end
    public int find(byte[] name, int length) {
        return tree.find(name, length) ? tree.root() : -1;
    }

    /// Passes columns, from the one behind the current one on, and adds up what they and their
    /// children weigh. What makes it fast is what it leaves out: of most fields it reads the type's
    /// number, the length of the name and how many children there are.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @param weights 256 numbers, one for each type's number; negative where it takes more than
    ///     that number to weigh a field
    /// @param most the most fields to pass
    /// @param levels the most levels of fields to pass
    /// @return [#NAMED] if the current column now has that name; [#SPECIAL] if it has another name,
    ///     and it or a field below it has a negative weight or a dictionary, is nested deeply, or
    ///     is one too many; [#END] if there are no more columns. The current column's own weight is
    ///     not added in
    public int pass(byte[] wanted, int length, long[] weights, int most, int levels) {
        return tree.pass(wanted, length, weights, most, levels);
    }

    /// {@return number of fields that the last [#pass] has passed, children included}
    public int passedFields() {
        return tree.passedTables();
    }

    /// {@return the sum of the weights of the fields that the last [#pass] has passed}
    public long passedWeight() {
        return tree.passedWeight();
    }

    // ---- the current field

    /// {@return levels above it: 0 for a column}
    public int depth() {
        return tree.depth();
    }

    /// {@return the current column, or the one that the current field is below; -1 before the
    /// first}
    public int column() {
        return tree.root();
    }

    /// {@return its place among its siblings}
    public int ordinal() {
        return tree.ordinal();
    }

    /// Binds a slice to the name.
    ///
    /// @param into bound to the string's bytes
    /// @return false if it is absent; `into` is then left as it was
    public boolean name(Utf8Slice into) {
        return tree.name(into);
    }

    /// {@return length of the name in bytes, 0 if it is absent}
    public int nameLength() {
        return tree.nameLength();
    }

    /// Compares the name with bytes.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @return whether the name is that; an absent one reads as the empty one
    public boolean nameEquals(byte[] wanted, int length) {
        return tree.nameEquals(wanted, length);
    }

    /// {@return hash of the name, the lower half of what
    /// [dev.fletch.flatbuf.Utf8Text] gives; an absent one reads as the
    /// empty one}
    ///
    /// @param seed any number
    public int nameHash(long seed) {
        return tree.nameHash(seed);
    }

    /// {@return which type it has, as [Field#typeType()]}
    public int typeType() {
        return tree.tag();
    }

    /// {@return mode of a union, one of [UnionMode]; that of an absent one where the type is not
    /// [Type#UNION]}
    public int unionMode() {
        return tree.tag() == Type.UNION && tree.value(union) ? union.mode() : Union.MODE_DEFAULT;
    }

    /// {@return whether its values are indexes into a dictionary}
    public boolean isDictionaryEncoded() {
        return tree.isMarked();
    }

    /// {@return the dictionary's id; 0 if there is no dictionary}
    public long dictionaryId() {
        return tree.mark(dictionary) ? dictionary.id() : DictionaryEncoding.ID_DEFAULT;
    }

    /// {@return number of its children}
    public int childrenCount() {
        return tree.childrenCount();
    }
}
