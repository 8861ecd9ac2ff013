// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TreePass;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.rules.RuleTable;
import dev.fletch.format.rules.TypeFacts;

import java.util.Arrays;
import java.util.Objects;

/// Walks the fields of a schema in pre-order, a parent before its children.
///
/// ```java
/// walk.wrap(schema);
/// while (walk.next()) {
///     walk.field().name(slice);
///     if (walk.field().type(integer)) {
///         bits += integer.bitWidth();
///     }
/// }
/// ```
///
/// One walk serves all depths: it has a flyweight for the current field, and remembers the way to it.
/// Before the first step and at the end there is no current field.
///
/// **Errors.** A step throws a [dev.fletch.FlatBufferFormatException] where the bytes lead out
/// of the range; so do [#valueBits] and [#unionMode]. After that the walk has to be wrapped again.
///
/// It sets no limit: tables that are shared can unfold to more fields than there are bytes, and to any
/// depth. When you walk through bytes that are not trusted, count, and stop.
///
/// It allocates only when it comes deeper than ever before. Lifetime and threads: see [Field].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldWalk {
    /// [#pass] has passed all columns.
    public static final int END = 0;

    /// [#pass] has come to a column of that name.
    public static final int NAMED = 1;

    /// [#pass] has come to a column that it cannot weigh.
    public static final int SPECIAL = 2;

    private static final int USUAL_DEPTH = 8;
    private static final int OFFSET_BYTES = 4;

    // The vector that the current field is in: where its first offset is, the next one, and its
    // end.
    private long first;
    private long next;
    private long end;
    // The same of the fields above, from the column on.
    private long[] firsts = new long[USUAL_DEPTH];
    private long[] nexts = new long[USUAL_DEPTH];
    private long[] ends = new long[USUAL_DEPTH];
    private int depth;
    private long columnsAt;
    private int columnCount;

    /// Whether the next step leads past the current field's children.
    private boolean skips;

    private final Field field = new Field();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Utf8Slice slice = new Utf8Slice();

    private final RuleTable parameters = new RuleTable();
    private final Union union = new Union();

    private final TreePass pass =
            new TreePass(
                    Field.SIZES,
                    Field.NAME_SLOT,
                    Field.TYPE_TYPE_SLOT,
                    Field.DICTIONARY_SLOT,
                    Field.CHILDREN_SLOT);

    /// Creates a walk through nothing.
    public FieldWalk() {
        rewind();
    }

    /// Begins before the first column.
    ///
    /// @param schema bound to a schema, whose root must not wrap again during the walk
    /// @return this
    /// @throws IllegalStateException if `schema` is not bound, or out of date
    public FieldWalk wrap(Schema schema) {
        field.attachTo(schema);
        columnsAt = schema.fieldsAt();
        columnCount = schema.fieldsCount();
        rewind();
        return this;
    }

    // ---- moving

    /// {@return number of columns}
    public int columnCount() {
        return columnCount;
    }

    /// Starts over, before the first column.
    public void rewind() {
        goTo(-1);
    }

    private void goTo(int column) {
        first = columnsAt + OFFSET_BYTES;
        next = first + ((long) (column + 1) << 2);
        end = first + ((long) columnCount << 2);
        depth = 0;
        skips = true;
    }

    /// Lets the next step lead to what follows a column.
    ///
    /// @param index from -1, which is before the first, to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void after(int index) {
        Objects.checkIndex(index + 1, columnCount + 1);
        goTo(index);
    }

    /// Goes to a column.
    ///
    /// @param index from 0 to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void column(int index) {
        goTo(Objects.checkIndex(index, columnCount));
        bind();
    }

    /// Goes to the next field: the current one's first child, if it has any and [#skipChildren] was
    /// not called, else what follows.
    ///
    /// @return false at the end
    public boolean next() {
        return nextBelow(-1);
    }

    /// Goes to the next field as [#next] does, but not out of a subtree.
    ///
    /// @param level the depth of the subtree's top, which is the current field or one above it
    /// @return false at the end of the subtree; [#again] then goes back to its top
    public boolean nextBelow(int level) {
        if (!skips && field.childrenCount() != 0) {
            enter();
        }
        skips = true;
        while (depth > level) {
            if (next != end) {
                next += OFFSET_BYTES;
                bind();
                return true;
            }
            leave(depth - 1);
        }
        return false;
    }

    private void enter() {
        if (depth == nexts.length) {
            firsts = Arrays.copyOf(firsts, depth << 1);
            nexts = Arrays.copyOf(nexts, depth << 1);
            ends = Arrays.copyOf(ends, depth << 1);
        }
        firsts[depth] = first;
        nexts[depth] = next;
        ends[depth] = end;
        depth++;
        first = field.childrenAt() + OFFSET_BYTES;
        next = first;
        end = first + ((long) field.childrenCount() << 2);
    }

    private void leave(int level) {
        depth = level;
        if (level >= 0) {
            first = firsts[level];
            next = nexts[level];
            end = ends[level];
        }
    }

    private void bind() {
        field.bindTo(next - OFFSET_BYTES);
        skips = false;
    }

    /// Goes back to a field above the current one, or to the current one, and decodes it again.
    ///
    /// @param level its depth
    /// @throws IndexOutOfBoundsException if there is no such field
    public void again(int level) {
        Objects.checkIndex(level, Math.max(depth, 0) + 1);
        if (level < depth) {
            leave(level);
        }
        depth = level;
        Objects.checkIndex(next - first - OFFSET_BYTES, end - first);
        bind();
    }

    /// Lets the next step lead past the current field's children.
    public void skipChildren() {
        skips = true;
    }

    /// Goes to the next column after the current one that has a name.
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
        final int from = column() + 1;
        if (from < columnCount) {
            pass.wrap(field);
            final int column = pass.find(columnsAt, from, columnCount, name, length);
            if (column < columnCount) {
                column(column);
                return column;
            }
        }
        goTo(columnCount - 1);
        return -1;
    }

    /// Passes columns, from the one after the current one on, and adds up the weights of these and of
    /// all fields below them.
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    /// @param weights 256 weights, one for each type's number; negative where that number alone does
    ///   not tell a field's weight
    /// @param most the most fields to pass
    /// @param levels the most levels of fields to pass
    /// @return [#NAMED] if the current column now has that name; [#SPECIAL] if it has another name,
    ///   and it or a field below it has a negative weight or a dictionary, is one level too deep, or
    ///   is one too many; [#END] if there are no more columns. The current column's own weight is not
    ///   added in
    public int pass(byte[] wanted, int length, long[] weights, int most, int levels) {
        final int from = column() + 1;
        pass.wrap(field);
        final int column =
                pass.pass(columnsAt, from, columnCount, wanted, length, weights, most, levels);
        if (column == columnCount) {
            goTo(column - 1);
            return END;
        }
        column(column);
        return nameEquals(wanted, length) ? NAMED : SPECIAL;
    }

    /// {@return number of fields that the last [#pass] has passed, children included}
    public int passedFields() {
        return pass.passedTables();
    }

    /// {@return the sum of the weights of the fields that the last [#pass] has passed}
    public long passedWeight() {
        return pass.passedWeight();
    }

    // ---- the current field

    /// {@return levels above it: 0 for a column; -1 at the end}
    public int depth() {
        return depth;
    }

    /// {@return the current column, or the one that the current field is below; -1 before the
    /// first}
    public int column() {
        return (int) ((depth > 0 ? nexts[0] - firsts[0] : next - first) >> 2) - 1;
    }

    /// The current field. The flyweight is the walk's own, and shows another field after the next step: do
    /// not bind it.
    ///
    /// @return the same flyweight each time
    /// @throws IllegalStateException if there is no current field
    public Field field() {
        if (depth < 0 || next == first) {
            throw new IllegalStateException("the walk is at no field");
        }
        return field;
    }

    /// {@return whether the name is that; an absent one reads as the empty one}
    ///
    /// @param wanted UTF-8 bytes of a name
    /// @param length how many of them
    public boolean nameEquals(byte[] wanted, int length) {
        return field.nameLength() == length
                && (!field.name(slice) || slice.contentEquals(wanted, 0, length));
    }

    /// {@return mode of a [Type#UNION], one of [UnionMode]; for any other type the default,
    /// [UnionMode#SPARSE]}
    public int unionMode() {
        return field.type(union) ? union.mode() : UnionMode.SPARSE;
    }

    /// {@return bits of a value in the data buffer, 0 where the type has no fixed width or a parameter
    /// is unknown}
    public long valueBits() {
        final TypeFacts facts = TypeFacts.of(field.typeType());
        if (facts.hasStoredWidth()) {
            parameters.bindType(field);
        }
        return facts.valueBits(parameters);
    }

    /// {@return whether its values are indexes into a dictionary}
    public boolean isDictionaryEncoded() {
        return field.isDictionaryEncoded();
    }

    /// {@return the dictionary's id; 0 if there is no dictionary}
    public long dictionaryId() {
        return field.dictionary(dictionary) ? dictionary.id() : 0;
    }
}
