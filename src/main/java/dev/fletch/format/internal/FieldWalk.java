// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.internal.TreeSearch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.Union;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.format.internal.tables.TypeFacts;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Visits the fields of a schema in depth-first pre-order: a parent before its children.
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
/// A walk has one flyweight for the current field and keeps the path to it. There is no current
/// field before the first step and at the end.
///
/// **Errors.** A step, [#valueBits] and [#unionMode] throw a [dev.fletch.FletchException]
/// if the bytes point out of the range. After that, wrap the walk again.
///
/// There is no limit: shared tables can unfold to more fields than the schema has bytes, and to any
/// depth. For untrusted bytes, count the fields and stop.
///
/// A walk allocates only at a new greatest depth. Lifetime and threads: see [Field].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldWalk extends Table {
    private static final int USUAL_DEPTH = 8;
    private static final int OFFSET_BYTES = 4;
    private static final long SIZES = ArrowRules.SET.table(ArrowRules.SET.kind("Field")).sizes();

    // Positions in the vector of the current field: its first offset, the next one, and its end.
    private long first;
    private long next;
    private long end;
    // The same for the fields above, from the column on.
    private long[] firsts = new long[USUAL_DEPTH];
    private long[] nexts = new long[USUAL_DEPTH];
    private long[] ends = new long[USUAL_DEPTH];
    private int depth;
    private long columnsAt;
    private int columnCount;

    /// Whether the next step skips the current field's children.
    private boolean skips;

    private final Field field = new Field();
    private final DictionaryEncoding dictionary = new DictionaryEncoding();
    private final Utf8Slice slice = new Utf8Slice();

    private final AnyTable parameters = new AnyTable();
    private final Union union = new Union();

    // Null until needed: most walks visit each field.
    private TreeSearch pass;

    /// Creates a walk without a schema.
    public FieldWalk() {
        rewind();
    }

    /// Wraps a schema, and starts before its first column.
    ///
    /// @param schema bound to a schema, whose root must not wrap again during the walk
    /// @throws IllegalStateException if `schema` is not bound, or outdated
    public FieldWalk wrap(Schema schema) {
        columnsAt = vectorOf(schema, Schema.FIELDS_SLOT);
        columnCount = schema.fieldsCount();
        rewind();
        return this;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        throw new UnsupportedOperationException();
    }

    /// Shows a table, and returns the position of one of its vectors; 0 if it is absent.
    private long vectorOf(Table table, int slot) {
        showSame(table);
        return target(array(), segment(), slot);
    }

    // ---- moving

    /// {@return number of columns}
    public int columnCount() {
        return columnCount;
    }

    /// Restarts before the first column.
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

    /// Moves to the end of a column: the next step goes to the next column.
    ///
    /// @param index of the column, from -1 (before the first) to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void after(int index) {
        Objects.checkIndex(index + 1, columnCount + 1);
        goTo(index);
    }

    /// Goes to a column.
    ///
    /// @param index of the column, from 0 to [#columnCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void column(int index) {
        goTo(Objects.checkIndex(index, columnCount));
        bind();
    }

    /// Goes to the next field: the current field's first child, if it has children and
    /// [#skipChildren] was not called; otherwise the field after its subtree.
    ///
    /// @return false at the end
    public boolean next() {
        return nextBelow(-1);
    }

    /// Goes to the next field as [#next] does, but stays in a subtree.
    ///
    /// @param level depth of the subtree's top, which is the current field or an ancestor
    /// @return false at the end of the subtree; [#again] then returns to its top
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
        first = vectorOf(field, Field.CHILDREN_SLOT) + OFFSET_BYTES;
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
        bindDirectly(field, this, next - OFFSET_BYTES);
        skips = false;
    }

    /// Returns to the current field or one of its ancestors, and decodes it again.
    ///
    /// @param level the field's depth
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

    /// Makes the next step skip the current field's children.
    public void skipChildren() {
        skips = true;
    }

    /// Goes to the next column with a name, after the current column.
    ///
    /// @param name the name in UTF-8; an absent name reads as empty
    /// @return the column, now the current field; -1 if there is none, with the walk at its end
    public int find(byte[] name) {
        int from = column() + 1;
        if (from < columnCount) {
            int column = search().find(columnsAt, from, columnCount, name);
            if (column < columnCount) {
                column(column);
                return column;
            }
        }
        goTo(columnCount - 1);
        return -1;
    }

    /// Passes columns after the current one, and sums the weights of their fields at all levels.
    ///
    /// @param to index of the column to stop before, or [#columnCount()]; not before the next one
    /// @param weights 256 weights, one for each number of [dev.fletch.format.ids.Type]; negative if
    ///     the type does not determine the weight
    /// @param most maximum number of fields to pass
    /// @param levels maximum number of levels of fields to pass
    /// @return whether all were passed; else the next one is the current column: it or a field below
    ///     has a negative weight or a dictionary, is one level too deep, or is one too many. The
    ///     sum excludes this column
    public boolean pass(int to, long[] weights, int most, int levels) {
        int from = Objects.checkFromToIndex(column() + 1, to, columnCount);
        int column = search().pass(columnsAt, from, to, weights, most, levels);
        if (column == to) {
            goTo(to - 1);
            return true;
        }
        column(column);
        return false;
    }

    private TreeSearch search() {
        if (pass == null) {
            pass =
                    new TreeSearch(
                            SIZES,
                            Field.NAME_SLOT,
                            Field.TYPE_TYPE_SLOT,
                            Field.DICTIONARY_SLOT,
                            Field.CHILDREN_SLOT);
        }
        pass.wrap(this);
        return pass;
    }

    /// {@return number of fields that the last [#pass] has passed, nested ones included; 0 before the
    /// first}
    public int passedFields() {
        return pass == null ? 0 : pass.passedTables();
    }

    /// {@return the sum of the weights of the fields that the last [#pass] has passed; 0 before the
    /// first}
    public long passedWeight() {
        return pass == null ? 0 : pass.passedWeight();
    }

    // ---- the current field

    /// {@return number of ancestors of the current field: 0 for a column; -1 at the end}
    public int depth() {
        return depth;
    }

    /// {@return index of the column of the current field; -1 before the first}
    public int column() {
        return (int) ((depth > 0 ? nexts[0] - firsts[0] : next - first) >> 2) - 1;
    }

    /// {@return the current field} The walk owns the flyweight, which shows another field after the
    /// next step: do not rebind it.
    /// @throws IllegalStateException if there is no current field
    public Field field() {
        if (depth < 0 || next == first) {
            throw new IllegalStateException("the walk has no current field");
        }
        return field;
    }

    /// {@return whether the current field has a name; an absent name reads as empty}
    ///
    /// @param wanted a name in UTF-8
    /// @param length of the name in bytes
    public boolean nameEquals(byte[] wanted, int length) {
        return field.nameLength() == length
                && (!field.name(slice) || slice.contentEquals(wanted, 0, length));
    }

    /// {@return mode of a [dev.fletch.format.ids.Type#UNION], one of [UnionMode];
    /// [UnionMode#SPARSE] for any other type}
    public int unionMode() {
        return field.type(union) ? union.mode() : UnionMode.SPARSE;
    }

    /// {@return number of bits per value in the data buffer; 0 if the type has no fixed width or
    /// has an unknown parameter}
    public long valueBits() {
        TypeFacts facts = TypeFacts.of(field.typeType());
        if (facts.hasStoredWidth()) {
            parameters.bindType(field, field.typeType(), Field.TYPE_SLOT);
        }
        return facts.valueBits(parameters);
    }

    /// {@return whether the current field is dictionary-encoded}
    public boolean isDictionaryEncoded() {
        return field.isPresent(Field.DICTIONARY_SLOT);
    }

    /// {@return id of the current field's dictionary; 0 if there is none}
    public long dictionaryId() {
        return field.dictionary(dictionary) ? dictionary.id() : 0;
    }
}
