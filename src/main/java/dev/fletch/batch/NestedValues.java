// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;

import java.util.Objects;
import java.util.Set;

/// Finds the values of a nested field in its children: what [ColumnValues] is for other fields.
///
/// ```java
/// tags.bind(cursor, layout.field("tags"));
/// tags.find(row);
/// for (long item = tags.first(); item < tags.end(); item++) {
///     … value `item` of the field tags.child() …
/// }
/// ```
///
/// | type | values of a row |
/// |---|---|
/// | lists of all kinds, maps | those from [#first] to before [#end] of the only child |
/// | struct | value [#first] of each child; [#child] is the first child, or [#NO_CHILD] |
/// | union | value [#first] of [#child] |
/// | run-end encoded | value [#first] of [#child], the values of the runs |
///
/// Nulls have no values to find: ask [ColumnValues#isNull] first.
///
/// **Errors.** Binding throws a [FletchException] as [BatchCursor] does, also if a child is missing
/// or run ends have another type; and an [IllegalArgumentException] if the field is not nested, or
/// dictionary-encoded. Finding throws a [FletchException] if a value is not inside the child; an
/// [IndexOutOfBoundsException] if there is no such row. The offset is that of the wrong number, as
/// for [ColumnValues].
///
/// **Allocation, lifetime and threads.** Allocates nothing. Valid as long as the memory of the
/// body, and until the cursor is bound to another batch. Belongs to one thread at a time.
public final class NestedValues {
    /// Of a struct without children.
    public static final int NO_CHILD = -1;

    private static final Set<ValueType> RUN_ENDS =
            Set.of(ValueType.INT16, ValueType.INT32, ValueType.INT64);

    private final ByteSlice offsets = new ByteSlice();
    // Sizes of list views, type ids of unions.
    private final ByteSlice more = new ByteSlice();

    private BatchCursor cursor;
    private int binding;
    private BatchLayout layout;
    private int field;
    private int type;
    // Bytes of an offset or of a run end.
    private int width;
    private long length;
    private int child = NO_CHILD;
    private long first;
    private long end;

    /// Creates an unbound reader.
    public NestedValues() {}

    /// {@return whether a field has values in children that this class finds}
    public static boolean isNested(BatchLayout layout, int field) {
        return !layout.isDictionaryEncoded(field)
                && TypeFacts.of(layout.typeType(field)).children() != 0;
    }

    /// Binds to a nested field.
    ///
    /// @param batch bound to a batch and its body
    /// @param number of the field in the cursor's layout
    public NestedValues bind(BatchCursor batch, int number) {
        length = 0; // until all is checked
        layout = batch.layout();
        if (!isNested(layout, number)) {
            throw new IllegalArgumentException(
                    "field has no children: column=" + layout.shownPath(number));
        }
        cursor = batch;
        binding = batch.binding();
        field = number;
        type = layout.typeType(field);
        width = TypeFacts.of(type).offsetBytes();
        long rows = cursor.length(field);
        if (rows < 0) {
            throw cursor.negativeLength(field);
        }
        child = childAt(field + 1, type == Type.STRUCT_ || type == Type.UNION);
        switch (type) {
            case Type.LIST, Type.LARGE_LIST, Type.MAP -> bindOffsets();
            case Type.LIST_VIEW, Type.LARGE_LIST_VIEW -> {
                bindOffsets();
                cursor.array(field, BufferRole.SIZES, ofWidth(), more);
            }
            case Type.UNION -> {
                cursor.array(field, BufferRole.TYPE_IDS, ValueType.INT8, more);
                if (layout.has(field, BufferRole.OFFSETS)) {
                    cursor.array(field, BufferRole.OFFSETS, ValueType.INT32, offsets);
                }
            }
            case Type.RUN_END_ENCODED -> {
                ValueType ends = layout.valueType(child);
                if (!RUN_ENDS.contains(ends)) {
                    throw cursor.otherType(child, "signed integers of 16 to 64 bits");
                }
                cursor.values(child, ends, offsets);
                width = ends.bits() / Byte.SIZE;
                child = childAt(layout.end(child), false);
            }
            default -> {}
        }
        length = rows;
        return this;
    }

    private int childAt(int number, boolean mayBeAbsent) {
        boolean isAbsent = number >= layout.end(field);
        if (isAbsent && !mayBeAbsent) {
            throw cursor.otherType(field, "a child");
        }
        return isAbsent ? NO_CHILD : number;
    }

    private void bindOffsets() {
        cursor.array(field, BufferRole.OFFSETS, ofWidth(), offsets);
    }

    private ValueType ofWidth() {
        return width == Integer.BYTES ? ValueType.INT32 : ValueType.INT64;
    }

    /// {@return the number in the layout of the field that has the values found last; of a struct,
    /// of its first child}
    public int child() {
        return child;
    }

    /// {@return the row in the child of the first value found last}
    public long first() {
        return first;
    }

    /// {@return the row in the child after the last value found last}
    public long end() {
        return end;
    }

    /// Finds the values of a row that is not null.
    public void find(long row) {
        Objects.checkIndex(row, length);
        switch (type) {
            case Type.LIST, Type.LARGE_LIST, Type.MAP -> list(row);
            case Type.LIST_VIEW, Type.LARGE_LIST_VIEW -> listView(row);
            case Type.FIXED_SIZE_LIST -> fixedSizeList(row);
            case Type.UNION -> union(row);
            case Type.RUN_END_ENCODED -> run(row);
            default -> struct(row);
        }
    }

    private void list(long row) {
        long from = offsets.integerAt(row, width);
        long to = offsets.integerAt(row + 1, width);
        long all = cursor.length(child);
        if (from < 0 || to < from || to > all) {
            throw cursor.wrongOffset(binding, layout, field, row, from, to, all);
        }
        setRange(from, to);
    }

    private void listView(long row) {
        long from = offsets.integerAt(row, width);
        long size = more.integerAt(row, width);
        long all = cursor.length(child);
        long position = row * width;
        if (from < 0 || from > all) {
            Rule broken = ValueRule.VALUE_OFFSET_RANGE;
            throw fault(broken, field, BufferRole.OFFSETS, position, row, from, all);
        }
        if (size < 0 || size > all - from) {
            Rule broken = ValueRule.VALUE_SIZE_RANGE;
            throw fault(broken, field, BufferRole.SIZES, position, row, size, all - from);
        }
        setRange(from, from + size);
    }

    private void fixedSizeList(long row) {
        long size = layout.listSize(field);
        requireChild(child, row, size);
        setRange(row * size, (row + 1) * size);
    }

    private void struct(long row) {
        for (int each = field + 1; each < layout.end(field); each = layout.end(each)) {
            requireChild(each, row, 1);
        }
        setRange(row, row + 1);
    }

    /// The greatest type id if those from 0 are all of the union; else none.
    private int greatestId() {
        int ids = 0;
        while (layout.childOf(field, ids) >= 0) {
            ids++;
        }
        int children = 0;
        for (int each = field + 1; each < layout.end(field); each = layout.end(each)) {
            children++;
        }
        return ids == children ? ids - 1 : NO_CHILD;
    }

    private void union(long row) {
        int id = more.int8At(row);
        int found = layout.childOf(field, id);
        if (found < 0) {
            long limit = greatestId();
            throw fault(ValueRule.VALUE_TYPE_ID, field, BufferRole.TYPE_IDS, row, row, id, limit);
        }
        long position = row;
        if (layout.has(field, BufferRole.OFFSETS)) {
            position = offsets.int32At(row);
            long all = cursor.length(found);
            if (position < 0 || position >= all) {
                throw fault(
                        ValueRule.VALUE_UNION_OFFSET,
                        field,
                        BufferRole.OFFSETS,
                        row * Integer.BYTES,
                        row,
                        position,
                        all - 1);
            }
        } else {
            requireChild(found, row, 1);
        }
        child = found;
        setRange(position, position + 1);
    }

    /// The first run that ends after the row.
    private void run(long row) {
        long low = 0;
        long high = Math.min(offsets.length() / width, cursor.length(child));
        long runs = high;
        while (low < high) {
            long middle = low + high >>> 1;
            if (offsets.integerAt(middle, width) > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == runs) {
            long last = Math.max(0, runs - 1);
            throw fault(
                    ValueRule.VALUE_RUN_END_RANGE,
                    field + 1,
                    BufferRole.DATA,
                    last * width,
                    last,
                    runs == 0 ? 0 : offsets.integerAt(last, width),
                    length);
        }
        setRange(low, low + 1);
    }

    private void setRange(long from, long to) {
        first = from;
        end = to;
    }

    /// Checks that a child has the values of a row.
    ///
    /// @param size number of values of a row
    private void requireChild(int child, long row, long size) {
        if (size > 0 && row >= cursor.length(child) / size) {
            Rule broken = ValueRule.VALUE_CHILD_LENGTH;
            Fault fault = Fault.of(broken, cursor.nodePosition(binding, child), row);
            throw layout.wrongNumber(fault, child, row, cursor.length(child));
        }
    }

    /// @param offset position of the wrong number in its buffer
    private FletchException fault(
            Rule rule, int parent, BufferRole role, long offset, long row, long value, long limit) {
        long position = cursor.numberPosition(binding, parent, role, offset);
        return layout.wrongNumber(Fault.of(rule, position, value), parent, row, limit);
    }
}
