// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rules of values, written as plainly as possible, value by value. Slow. Faults are texts of
/// column, rule and row.
final class ReferenceValues {
    private final BatchCursor cursor;
    private final Dictionaries dictionaries;
    private final List<String> faults = new ArrayList<>();

    // The current field.
    private int next;
    private int field;
    private int rows;
    private String path;
    private ArrowField type;
    private ByteBuffer bits;

    // Copies of the buffers of views that were read, by their numbers.
    private final Map<Integer, ByteBuffer> variadic = new HashMap<>();

    private ReferenceValues(BatchCursor cursor, Dictionaries dictionaries) {
        this.cursor = cursor;
        this.dictionaries = dictionaries;
    }

    /// {@return the faults of a record batch}
    static List<String> faults(
            List<ArrowField> fields, BatchCursor cursor, Dictionaries dictionaries) {
        ReferenceValues all = new ReferenceValues(cursor, dictionaries);
        fields.forEach(each -> all.field(each, each.name(), false));
        return all.faults;
    }

    /// {@return the faults of the values of a dictionary, but for indices inside them}
    static List<String> faultsOfDictionary(ArrowField values, BatchCursor cursor) {
        ReferenceValues all = new ReferenceValues(cursor, null);
        all.field(values, values.name(), true);
        return all.faults;
    }

    private void add(Rule rule, long row) {
        faults.add(path + " " + rule.id() + " " + row);
    }

    private void field(ArrowField of, String name, boolean isDictionary) {
        field = next++;
        rows = (int) cursor.length(field);
        path = name;
        type = of;
        bits =
                cursor.layout().has(field, BufferRole.VALIDITY)
                        ? buffer(BufferRole.VALIDITY)
                        : ByteBuffer.allocate(0);
        boolean isEncoded = of.isDictionaryEncoded() && !isDictionary;
        if (bits.capacity() != 0) {
            int nulls = 0;
            for (int i = 0; i < rows; i++) {
                nulls += isNull(i) ? 1 : 0;
            }
            if (nulls != cursor.nullCount(field)) {
                add(ValueRule.VALUE_NULL_COUNT, -1);
            }
        }
        if (isEncoded) {
            if (dictionaries != null) {
                indices(of);
            }
            return;
        }
        values(of.type());
        for (ArrowField child : of.children()) {
            field(child, name + "." + child.name(), false);
        }
    }

    /// Adds the last value that is not null, if it is behind the end of a child.
    private void children(int size) {
        int child = field + 1;
        for (int i = 0; i < type.children().size(); i++) {
            int row = rows - 1;
            while (row >= 0 && isNull(row)) {
                row--;
            }
            if (row >= 0 && (row + 1L) * size > cursor.length(child)) {
                add(ValueRule.VALUE_CHILD_LENGTH, row);
            }
            child = cursor.layout().end(child);
        }
    }

    private ByteBuffer buffer(BufferRole role) {
        return buffer(field, role);
    }

    private ByteBuffer buffer(int of, BufferRole role) {
        int index = cursor.index(of, role);
        ByteSlice bytes = cursor.content(of, index, new ByteSlice());
        if (cursor.isCompressed(of, index)) {
            cursor.source().bytes(cursor, of, index, bytes);
        }
        return ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private boolean isNull(int row) {
        return bits.capacity() != 0 && (bits.get(row / 8) >> row % 8 & 1) == 0;
    }

    private static BigInteger number(ByteBuffer from, int row, int bits, boolean isSigned) {
        byte[] bytes = new byte[bits / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[bytes.length - 1 - i] = from.get(row * bytes.length + i);
        }
        return isSigned ? new BigInteger(bytes) : new BigInteger(1, bytes);
    }

    private void indices(ArrowField of) {
        DictionaryValues values = dictionaries.values(of.dictionary().id());
        BigInteger count = BigInteger.valueOf(values.length());
        ArrowType.Int index = of.dictionary().indexType();
        ByteBuffer data = buffer(BufferRole.DATA);
        for (int i = 0; i < rows; i++) {
            BigInteger found = number(data, i, index.bitWidth(), index.isSigned());
            if (!isNull(i) && (found.signum() < 0 || found.compareTo(count) >= 0)) {
                add(ValueRule.VALUE_DICTIONARY_INDEX, i);
            }
        }
    }

    private void values(ArrowType of) {
        switch (of) {
            case ArrowType.Simple.BINARY -> bytes(Integer.BYTES, false);
            case ArrowType.Simple.UTF8 -> bytes(Integer.BYTES, true);
            case ArrowType.Simple.LARGE_BINARY -> bytes(Long.BYTES, false);
            case ArrowType.Simple.LARGE_UTF8 -> bytes(Long.BYTES, true);
            case ArrowType.Simple.BINARY_VIEW -> views(false);
            case ArrowType.Simple.UTF8_VIEW -> views(true);
            case ArrowType.Simple.LIST -> offsets(Integer.BYTES, cursor.length(field + 1));
            case ArrowType.Map _ -> offsets(Integer.BYTES, cursor.length(field + 1));
            case ArrowType.Simple.LARGE_LIST -> offsets(Long.BYTES, cursor.length(field + 1));
            case ArrowType.Simple.LIST_VIEW -> listViews(Integer.BYTES);
            case ArrowType.Simple.LARGE_LIST_VIEW -> listViews(Long.BYTES);
            case ArrowType.Simple.STRUCT -> children(1);
            case ArrowType.FixedSizeList list -> children(list.listSize());
            case ArrowType.Union union -> union(union);
            case ArrowType.Simple.RUN_END_ENCODED -> runs();
            case ArrowType.Decimal decimal -> decimals(decimal);
            case ArrowType.Time time -> times(time);
            case ArrowType.Date date -> dates(date);
            default -> {}
        }
    }

    private long offset(ByteBuffer from, int row, int width) {
        return number(from, row, 8 * width, true).longValue();
    }

    private boolean offsets(int width, long most) {
        ByteBuffer offsets = buffer(BufferRole.OFFSETS);
        long greatest = 0;
        boolean isSound = true;
        for (int i = 0; rows > 0 && i <= rows; i++) {
            long offset = offset(offsets, i, width);
            if (offset < greatest || offset > most) {
                boolean falls = offset < greatest;
                add(
                        falls ? ValueRule.VALUE_OFFSET_ORDER : ValueRule.VALUE_OFFSET_RANGE,
                        Math.max(0, i - 1));
                isSound = false;
            }
            greatest = Math.max(greatest, offset);
        }
        return isSound;
    }

    private void bytes(int width, boolean isText) {
        ByteBuffer data = buffer(BufferRole.DATA);
        if (!offsets(width, data.capacity()) || !isText) {
            return;
        }
        ByteBuffer offsets = buffer(BufferRole.OFFSETS);
        for (int i = 0; i < rows; i++) {
            int from = (int) offset(offsets, i, width);
            int to = (int) offset(offsets, i + 1, width);
            if (!isNull(i) && !isUtf8(data.slice(from, to - from))) {
                add(ValueRule.VALUE_NOT_UTF8, i);
            }
        }
    }

    private static boolean isUtf8(ByteBuffer bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private void views(boolean isText) {
        ByteBuffer views = buffer(BufferRole.VIEWS);
        variadic.clear();
        for (int i = 0; i < rows; i++) {
            Rule broken = isNull(i) ? null : view(views, 16 * i, isText);
            if (broken != null) {
                add(broken, i);
            }
        }
    }

    private Rule view(ByteBuffer views, int at, boolean isText) {
        int length = views.getInt(at);
        if (length < 0) {
            return ValueRule.VALUE_VIEW_LENGTH;
        }
        if (length <= 12) {
            for (int i = length; i < 12; i++) {
                if (views.get(at + 4 + i) != 0) {
                    return ValueRule.VALUE_VIEW_PADDING;
                }
            }
            return isText && !isUtf8(views.slice(at + 4, length)) ? ValueRule.VALUE_NOT_UTF8 : null;
        }
        int number = views.getInt(at + 8);
        if (number < 0 || number >= cursor.variadicCount(field)) {
            return ValueRule.VALUE_VIEW_BUFFER;
        }
        ByteBuffer bytes =
                variadic.computeIfAbsent(
                        number,
                        n -> {
                            ByteSlice slice = cursor.variadic(field, n, new ByteSlice());
                            return ByteBuffer.wrap(slice.toByteArray());
                        });
        long offset = views.getInt(at + 12);
        if (offset < 0 || offset + length > bytes.capacity()) {
            return ValueRule.VALUE_VIEW_RANGE;
        }
        ByteBuffer value = bytes.slice((int) offset, length);
        if (!value.slice(0, 4).equals(views.slice(at + 4, 4))) {
            return ValueRule.VALUE_VIEW_PREFIX;
        }
        return isText && !isUtf8(value) ? ValueRule.VALUE_NOT_UTF8 : null;
    }

    private void listViews(int width) {
        ByteBuffer offsets = buffer(BufferRole.OFFSETS);
        ByteBuffer sizes = buffer(BufferRole.SIZES);
        BigInteger most = BigInteger.valueOf(cursor.length(field + 1));
        for (int i = 0; i < rows; i++) {
            BigInteger offset = number(offsets, i, 8 * width, true);
            BigInteger size = number(sizes, i, 8 * width, true);
            if (offset.signum() < 0 || offset.compareTo(most) > 0) {
                add(ValueRule.VALUE_OFFSET_RANGE, i);
            } else if (size.signum() < 0 || offset.add(size).compareTo(most) > 0) {
                add(ValueRule.VALUE_SIZE_RANGE, i);
            }
        }
    }

    private void union(ArrowType.Union union) {
        ByteBuffer ids = buffer(BufferRole.TYPE_IDS);
        boolean isDense = union.isDense();
        ByteBuffer offsets = isDense ? buffer(BufferRole.OFFSETS) : null;
        int[] before = new int[128];
        for (int i = 0; i < rows; i++) {
            int child = union.typeIds().indexOf((int) ids.get(i));
            if (isNull(i)) {
                continue;
            }
            if (child < 0) {
                add(ValueRule.VALUE_TYPE_ID, i);
                continue;
            }
            int number = field + 1;
            for (int k = 0; k < child; k++) {
                number = cursor.layout().end(number);
            }
            if (!isDense) {
                if (i >= cursor.length(number)) {
                    add(ValueRule.VALUE_CHILD_LENGTH, i);
                }
            } else {
                int offset = offsets.getInt(4 * i);
                if (offset < 0 || offset >= cursor.length(number)) {
                    add(ValueRule.VALUE_UNION_OFFSET, i);
                } else if (offset < before[child]) {
                    add(ValueRule.VALUE_UNION_ORDER, i);
                } else {
                    before[child] = offset;
                }
            }
        }
    }

    private void runs() {
        String above = path;
        int bits = (int) cursor.layout().valueBits(field + 1);
        ByteBuffer ends = buffer(field + 1, BufferRole.DATA);
        int count = (int) cursor.length(field + 1);
        long greatest = 0;
        path += "." + type.children().getFirst().name();
        for (int i = 0; i < count; i++) {
            long end = number(ends, i, bits, true).longValue();
            if (end <= greatest) {
                add(ValueRule.VALUE_RUN_END_ORDER, i);
            }
            greatest = Math.max(greatest, end);
        }
        if (greatest < rows) {
            add(ValueRule.VALUE_RUN_END_RANGE, count - 1);
        }
        path = above;
    }

    private void decimals(ArrowType.Decimal decimal) {
        ByteBuffer data = buffer(BufferRole.DATA);
        BigInteger limit = BigInteger.TEN.pow(decimal.precision());
        for (int i = 0; i < rows; i++) {
            BigInteger found = number(data, i, decimal.bitWidth(), true);
            if (!isNull(i) && found.abs().compareTo(limit) >= 0) {
                add(ValueRule.VALUE_DECIMAL_PRECISION, i);
            }
        }
    }

    private void times(ArrowType.Time time) {
        ByteBuffer data = buffer(BufferRole.DATA);
        long day = 86_400 * (long) Math.pow(1000, time.unit().ordinal());
        for (int i = 0; i < rows; i++) {
            long found = number(data, i, time.bitWidth(), true).longValue();
            if (!isNull(i) && (found < 0 || found >= day)) {
                add(ValueRule.VALUE_TIME_RANGE, i);
            }
        }
    }

    private void dates(ArrowType.Date date) {
        ByteBuffer data = buffer(BufferRole.DATA);
        for (int i = 0; date == ArrowType.Date.MILLISECOND && i < rows; i++) {
            long found = number(data, i, Long.SIZE, true).longValue();
            if (!isNull(i) && found % 86_400_000 != 0) {
                add(ValueRule.VALUE_DATE_PARTIAL, i);
            }
        }
    }
}
