// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Wire;

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
/// **Errors.** A step throws a [dev.fletch.FletchException] if the bytes point out of the range.
/// After that, wrap the walk again.
///
/// There is no limit: shared tables can unfold to more fields than the schema has bytes, and to any
/// depth. For untrusted bytes, count the fields and stop.
///
/// A walk allocates only at a new greatest depth. Lifetime and threads: see [Field].
///
/// Source: `format/Schema.fbs`, tables `Schema` and `Field`.
public final class FieldWalk extends Table {
    private static final int USUAL_DEPTH = 8;
    private static final int OFFSET_BYTES = Wire.OFFSET_BYTES;

    /// Maximum number of columns in one loop. The JVM replaces a longer one while it runs
    /// (OSR), by code that takes up to 1.5 times as long.
    private static final int PART = 1024;

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

    // Of the last passAlike.
    private long passedWeight;

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
    /// @param index of the column, from -1 (before the first) to the number of columns - 1
    /// @throws IndexOutOfBoundsException if there is no such column
    public void after(int index) {
        Objects.checkIndex(index + 1, columnCount + 1);
        goTo(index);
    }

    /// Goes to a column.
    ///
    /// @param index of the column, from 0 to the number of columns - 1
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

    // ---- columns alike
    //
    // Faster: the loops of this section, which call and store nothing, lay out the last of 100,000
    // columns in a fifth of the time of binding each field, and open a file for it in a sixth.

    /// Goes to the next column with a name, after the current column. Of others it reads only
    /// names.
    ///
    /// @param name the name in UTF-8; an absent name reads as empty
    /// @return the column, now the current field; -1 if there is none, with the walk at its end
    public int find(byte[] name) {
        int column = column() + 1;
        while (column < columnCount) {
            open(column);
            long text = target(array(), segment(), Field.NAME_SLOT);
            if (count(array(), segment(), text, 1) == name.length
                    && Wire.equals(
                            array(), segment(), text + OFFSET_BYTES, name, null, 0, name.length)) {
                column(column);
                return column;
            }
            column = withOtherName(column + 1, name);
        }
        goTo(columnCount - 1);
        return -1;
    }

    /// Opens a column, without decoding it. The loops pass others that have its vtable.
    private void open(int column) {
        live();
        open(array(), segment(), reference(column), SIZES);
    }

    /// The position of the offset to a column.
    private long reference(int column) {
        return columnsAt + OFFSET_BYTES + ((long) column << 2);
    }

    /// {@return index of the first column that may have a name, or is another table than the one
    /// before}
    ///
    /// @param from index of the column after the opened one
    private int withOtherName(int from, byte[] name) {
        byte[] a = array();
        // Both in this method: the compiler must know the class of what the loop reads.
        MemoryRange memory = live();
        int toName = slot(Field.NAME_SLOT);
        if (toName == 0 || a == null && !memory.isNative()) {
            return from;
        }
        MemorySegment s = a == null ? MemoryRange.cast(memory.plainSegment()) : null;
        long last = memory.end - OFFSET_BYTES;
        long lastTable = last - reach();
        long vtable = vtable(a, s, reference(from - 1));
        // Most names differ at their end. Negative: the name has no word of eight bytes.
        int toWord = name.length - Long.BYTES;
        long word = toWord >= 0 ? Wire.int64(name, toWord) : 0;
        long end = reference(Math.min(columnCount, from + PART));
        long position = reference(from);
        for (; position < end; position += OFFSET_BYTES) {
            long table = position + Wire.uint32(a, s, position);
            if (table > lastTable || table - Wire.long32(a, s, table) != vtable) {
                break;
            }
            long text = table + toName + Wire.uint32(a, s, table + toName);
            if (text > last) {
                break;
            }
            long length = Wire.uint32(a, s, text);
            if (length > last - text
                    || length == name.length
                            && (toWord < 0
                                    || Wire.int64(a, s, text + OFFSET_BYTES + toWord) == word)) {
                break;
            }
        }
        return (int) (position - reference(0) >> 2);
    }

    /// Passes columns after the current one, and sums the weights of their fields: as long as these
    /// have the next column's vtable, none has a dictionary, and the children no children.
    ///
    /// @param to index of the column to stop before, or the number of columns; not before the next
    ///     one
    /// @param weights 256 weights, one for each number of [dev.fletch.format.ids.Type]; negative if
    ///     the type does not determine the weight: the column is not passed
    /// @param limit maximum number of fields to pass
    /// @return number of fields that were passed
    public int passAlike(int to, long[] weights, int limit) {
        int from = Objects.checkFromToIndex(column() + 1, to, columnCount);
        passedWeight = 0;
        if (from == to) {
            return 0;
        }
        open(from);
        byte[] a = array();
        MemoryRange memory = live(); // here, as in the other loop
        int toType = slot(Field.TYPE_TYPE_SLOT);
        int toChildren = slot(Field.CHILDREN_SLOT);
        if (toType == 0 || slot(Field.DICTIONARY_SLOT) != 0 || a == null && !memory.isNative()) {
            return 0;
        }
        MemorySegment s = a == null ? MemoryRange.cast(memory.plainSegment()) : null;
        long last = memory.end - OFFSET_BYTES;
        long lastTable = last - reach();
        long start = reference(from);
        long vtable = vtable(a, s, start);
        long end = Math.min(reference(to), start + ((long) Math.min(PART, limit) << 2));
        int below = 0; // fields that are children
        long sum = 0;
        long position = start;
        for (; position < end; position += OFFSET_BYTES) {
            long table = position + Wire.uint32(a, s, position);
            if (table > lastTable || table - Wire.long32(a, s, table) != vtable) {
                break;
            }
            long own = weights[Wire.int8(a, s, table + toType) & 0xFF];
            long children =
                    toChildren == 0
                            ? 0
                            : table + toChildren + Wire.uint32(a, s, table + toChildren);
            if (own < 0 || children > last) {
                break;
            }
            int count = children == 0 ? 0 : Wire.int32(a, s, children);
            if (count != 0) {
                int left = limit - below - (int) (position - start >> 2) - 1;
                if (count < 0 || count > Math.min(left, last - children >> 2)) {
                    break;
                }
                long child = children + OFFSET_BYTES;
                long behind = child + ((long) count << 2);
                for (; child < behind; child += OFFSET_BYTES) {
                    table = child + Wire.uint32(a, s, child);
                    if (table > lastTable || table - Wire.long32(a, s, table) != vtable) {
                        break;
                    }
                    long more = weights[Wire.int8(a, s, table + toType) & 0xFF];
                    long vector = table + toChildren + Wire.uint32(a, s, table + toChildren);
                    if (more < 0 || vector > last || Wire.int32(a, s, vector) != 0) {
                        break;
                    }
                    own += more;
                }
                if (child < behind) {
                    break;
                }
                below += count;
                end = Math.min(end, start + ((long) (limit - below) << 2));
            }
            sum += own;
        }
        int columns = (int) (position - start >> 2);
        goTo(from + columns - 1);
        passedWeight = sum;
        return columns + below;
    }

    private static long vtable(byte[] a, MemorySegment s, long reference) {
        long table = reference + Wire.uint32(a, s, reference);
        return table - Wire.long32(a, s, table);
    }

    /// {@return the sum of the weights of the fields that the last [#passAlike] has passed}
    public long passedWeight() {
        return passedWeight;
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

    /// {@return whether the current field is dictionary-encoded}
    public boolean isDictionaryEncoded() {
        return field.isPresent(Field.DICTIONARY_SLOT);
    }

    /// {@return id of the current field's dictionary; 0 if there is none}
    public long dictionaryId() {
        return field.dictionary(dictionary) ? dictionary.id() : 0;
    }
}
