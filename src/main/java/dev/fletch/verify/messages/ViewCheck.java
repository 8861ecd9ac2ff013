// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.VariadicSlices;
import dev.fletch.format.internal.VariadicSlices.WrongView;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.wire.Utf8Checker;
import dev.fletch.wire.Words;

/// Checks the views of a `Utf8View` or `BinaryView` field.
///
/// A *head* is the first half of a view ([TypeFacts#VIEW_BYTES]), a *tail* the second, each read as
/// one number.
final class ViewCheck {
    private static final int VIEWS = ValueCheck.BLOCK_BYTES / TypeFacts.VIEW_BYTES;

    /// How often the bytes of a variadic buffer are checked, on average, before all are at once.
    private static final int TIMES = 4;

    private static final long ALL_TEXT = -1;
    private static final long TOO_MUCH = -2;

    private final ValueCheck check;
    private final ByteSlice numbers = new ByteSlice();
    private final VariadicSlices variadics = new VariadicSlices();
    // Of each variadic buffer, the number of bytes of text that may still be checked directly,
    // ALL_TEXT or TOO_MUCH.
    private long[] texts = {};
    // Of each, the end of the blocks at its start that are ASCII.
    private long[] ascii = {};
    private BatchCursor cursor;
    private int field;
    // The views of a block, two numbers each.
    private final long[] views = new long[2 * VIEWS];

    /// @param check takes the faults, and knows which rows are null
    ViewCheck(ValueCheck check) {
        this.check = check;
    }

    /// Checks the views of a field.
    ///
    /// @param isText whether values must be UTF-8
    void check(BatchCursor of, int number, long length, boolean isText) {
        cursor = of;
        field = number;
        cursor.array(field, BufferRole.VIEWS, ValueType.BYTES_VIEW, numbers);
        variadics.begin(cursor.variadicCount(field));
        if (texts.length < variadics.count()) {
            texts = new long[variadics.count()];
            ascii = new long[variadics.count()];
        }
        for (int i = 0; i < variadics.count(); i++) {
            ByteSlice variadic = cursor.variadic(field, i, variadics.first(i));
            texts[i] = TIMES * variadic.length();
            ascii[i] = isText ? ascii(variadic) : 0;
        }
        for (long from = 0; from < length && !check.hasEnded(); from += VIEWS) {
            int count = (int) Math.min(VIEWS, length - from);
            check.work((long) count * TypeFacts.VIEW_BYTES);
            block(from, count, isText);
        }
    }

    private ByteSlice variadic(int buffer) {
        ByteSlice bound = variadics.bound(buffer);
        return bound != null
                ? bound
                : variadics.keep(buffer, cursor.variadic(field, buffer, new ByteSlice()));
    }

    private void block(long from, int count, boolean isText) {
        numbers.copyInt64s(2 * from, views, 2 * count);
        clearNulls(from, count);
        int buffer = 0;
        int i = soundViews(0, count, buffer, isText);
        while (i < count && !check.hasEnded()) {
            long head = views[2 * i];
            long tail = views[2 * i + 1];
            boolean isOfOther = (int) head > TypeFacts.INLINE_BYTES && (int) tail != buffer;
            if (isOfOther && variadics.has((int) tail)) {
                buffer = (int) tail;
            } else {
                view(from + i, head, tail, isText);
                i++;
            }
            i = soundViews(i, count, buffer, isText);
        }
    }

    /// Makes the views of nulls empty, which are sound: writers leave any bytes there.
    private void clearNulls(long from, int count) {
        for (int i = 0; i < count; i += Long.SIZE) {
            for (long nulls = check.nulls(from + i); nulls != 0; nulls &= nulls - 1) {
                int view = i + Long.numberOfTrailingZeros(nulls);
                views[2 * view] = 0;
                views[2 * view + 1] = 0;
            }
        }
    }

    /// The first view of the block that is not in itself, nor in a variadic buffer.
    private int soundViews(int from, int count, int buffer, boolean isText) {
        ByteSlice variadic = variadics.has(buffer) ? variadic(buffer) : numbers;
        if (variadic == numbers || variadic.length() <= TypeFacts.INLINE_BYTES) {
            return numbers.soundViews(views, from, count, buffer, 0, isText);
        }
        long end = isText ? ascii[buffer] : variadic.length();
        return variadic.soundViews(views, from, count, buffer, end, isText);
    }

    private void view(long row, long head, long tail, boolean isText) {
        WrongView wrong = wrong(row, head, tail, isText);
        if (wrong != null) {
            long offset = row * TypeFacts.VIEW_BYTES + wrong.position();
            check.add(wrong.rule(), BufferRole.VIEWS, row, offset, wrong.value(), wrong.limit());
        }
    }

    /// What is wrong with a view; null for nothing.
    private WrongView wrong(long row, long head, long tail, boolean isText) {
        int bytes = (int) head;
        long prefix = head >>> Integer.SIZE;
        if (bytes >= 0 && bytes <= TypeFacts.INLINE_BYTES) {
            if (!Words.isPadded(bytes, prefix, tail)) {
                int limit = TypeFacts.INLINE_BYTES;
                return new WrongView(ValueRule.VALUE_VIEW_PADDING, 0, bytes, limit);
            }
            boolean isAscii = ((prefix | tail) & Utf8Checker.HIGH_BITS) == 0;
            return !isText || isAscii || isUtf8(row, bytes)
                    ? null
                    : new WrongView(ValueCheck.notUtf8(), Integer.BYTES, bytes, 0);
        }
        int buffer = (int) tail;
        int offset = (int) (tail >>> Integer.SIZE);
        ByteSlice variadic = variadics.has(buffer) ? variadic(buffer) : numbers;
        boolean isInside = bytes >= 0 && offset >= 0 && offset <= variadic.length() - bytes;
        if (!isInside || !variadics.has(buffer)) {
            return variadics.wrong(bytes, buffer, offset, variadic);
        }
        int found = variadic.int32(offset);
        if (found != (int) prefix) {
            return new WrongView(ValueRule.VALUE_VIEW_PREFIX, Integer.BYTES, (int) prefix, found);
        }
        return !isText || isUtf8(buffer, offset, bytes)
                ? null
                : new WrongView(ValueCheck.notUtf8(), 0, bytes, 0);
    }

    /// The end of the blocks at the start of a buffer that are ASCII. Values in them are text: a
    /// third of the time of checking each.
    private long ascii(ByteSlice bytes) {
        long position = 0;
        long block = Math.min(ValueCheck.BLOCK_BYTES, bytes.length());
        while (block > 0 && bytes.areUpTo(position, block, Byte.BYTES, Byte.MAX_VALUE)) {
            check.work(block);
            position += block;
            block = Math.min(ValueCheck.BLOCK_BYTES, bytes.length() - position);
        }
        return position;
    }

    /// Whether a short value, which is not ASCII, is text.
    private boolean isUtf8(long row, int bytes) {
        long from = row * TypeFacts.VIEW_BYTES + Integer.BYTES;
        return numbers.afterUtf8(from, from + bytes, from + bytes) == from + bytes;
    }

    /// Whether a long value is text.
    ///
    /// Views may share bytes. So values are checked directly only while their lengths add up to a
    /// few times the buffer. After that, all of the buffer is checked once: if it is text, a value
    /// is text that neither begins nor ends inside a character. If it is not, the field is not
    /// checked further.
    private boolean isUtf8(int buffer, long position, int bytes) {
        if (position + bytes <= ascii[buffer]) {
            return true;
        }
        ByteSlice all = variadic(buffer);
        if (texts[buffer] >= 0 && texts[buffer] < bytes) {
            check.work(all.length());
            boolean isText = all.afterUtf8(0, all.length(), all.length()) == all.length();
            texts[buffer] = isText ? ALL_TEXT : TOO_MUCH;
            if (!isText) {
                check.countUnchecked("values share bytes that are not all text");
            }
        }
        if (texts[buffer] < 0) {
            return texts[buffer] == TOO_MUCH
                    || !all.isInsideCharacter(position) && !all.isInsideCharacter(position + bytes);
        }
        texts[buffer] -= bytes;
        check.worked(bytes);
        return all.afterUtf8(position, position + bytes, position + bytes) == position + bytes;
    }
}
