// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.values;

import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BufferRole;
import dev.fletch.format.Endianness;
import dev.fletch.format.rules.CompressedBuffer;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.ipc.walk.Work;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BufferSource;
import dev.fletch.layout.DecompressedBuffers;
import dev.fletch.layout.Dictionaries;
import dev.fletch.layout.DictionaryValues;
import dev.fletch.layout.LayoutException;
import dev.fletch.layout.LayoutRules;
import dev.fletch.layout.ValueType;
import dev.fletch.wire.Escaper;

import java.util.Arrays;

/// Checks the values of single fields of a batch. Each check returns whether to continue.
///
/// Most values are checked by [ByteSlice#areUpTo] and [ByteSlice#areAscending], block by block. Only
/// in a block with a fault, or with a null that would be one, the rows are checked one by one.
final class FieldCheck {
    /// Of a block, a multiple of all widths. Small enough for the first cache.
    static final int BLOCK_BYTES = 16 << 10;

    private static final long NO_ROW = ValueFault.NO_ROW;

    /// The number of faults that does not end the verification.
    private static final int ALL = Integer.MAX_VALUE;

    private final ValueFault fault;
    // Null if nothing is decompressed here.
    private final DecompressedBuffers buffers;
    private FaultSink sink;
    private int left;
    private int unchecked;
    // Field that was counted as unchecked last.
    private int uncheckedField;
    private long bytesRead;

    // The batch.
    private BatchCursor cursor;
    // Of the cursor, to set it again.
    private BufferSource source;
    private ValuePlan plan;
    private Dictionaries dictionaries;

    // The field.
    private int field;
    private long length;
    private boolean hasValidity;
    // Bytes of an offset, after #bindOffsets.
    private int width;
    private final ByteSlice validity = new ByteSlice();
    private final ByteSlice numbers = new ByteSlice();
    private final ByteSlice more = new ByteSlice();
    private final ByteSlice dataValidity = new ByteSlice();
    private final ByteSlice shapeValidity = new ByteSlice();
    private final ViewCheck views = new ViewCheck(this);
    // Bytes of work that were not reported yet.
    private long unreported;
    // Of each child of a dense union, the greatest offset so far.
    private final long[] ends = new long[TypeFacts.MAX_UNION_CHILDREN];

    FieldCheck(ValueFault fault, DecompressedBuffers buffers) {
        this.fault = fault;
        this.buffers = buffers;
    }

    /// Starts a verification.
    ///
    /// @param to receives the faults; null if they are only kept
    /// @param most number of faults after which it ends
    void start(FaultSink to, int most) {
        sink = to;
        left = most;
        unchecked = 0;
        bytesRead = 0;
    }

    /// {@return number of bytes of the bodies that were read, some more than once}
    long bytesRead() {
        return bytesRead;
    }

    /// {@return number of fields that were not checked: see [ValueVerifier#unchecked]}
    int unchecked() {
        return unchecked;
    }

    /// Begins a batch.
    ///
    /// @param defined the dictionaries of its indices
    void begin(BatchCursor batch, ValuePlan expected, Dictionaries defined) {
        cursor = batch;
        plan = expected;
        dictionaries = defined;
        uncheckedField = -1;
        source = batch.source();
        if (buffers != null) {
            batch.source(buffers);
        }
    }

    /// Ends the batch.
    void end() {
        cursor.source(source);
    }

    /// Checks a field, without its children.
    ///
    /// @param indices whether to check indices into dictionaries
    /// @param others whether to check all else
    boolean field(int number, boolean indices, boolean others) {
        field = number;
        length = cursor.length(field);
        try {
            if (plan.layout.endianness() != Endianness.LITTLE || isUnreadable(field)) {
                return countUnchecked();
            }
            if (buffers != null) {
                buffers.release(); // those of the field before
            }
            boolean isIndices = plan.kinds[field] == ValuePlan.Kind.INDICES;
            return validity(others) && (!(isIndices ? indices : others) || values());
        } catch (LayoutException e) {
            if (e.rule() == LayoutRules.TOO_MUCH_MEMORY
                    || e.rule() == LayoutRules.COMPRESSED_BUFFER) {
                return countUnchecked();
            }
            fault.set(e.rule(), 0, length);
            fault.place(plan.layout, field, null, NO_ROW, 0);
            String column =
                    "column=" + Escaper.name(fault.column()) + ", "; // the fault has it as well
            boolean isNamed = e.details().startsWith(column);
            fault.text(isNamed ? e.details().substring(column.length()) : e.details());
            return accept();
        }
    }

    /// Counts the field as not checked, once.
    boolean countUnchecked() {
        unchecked += field == uncheckedField ? 0 : 1;
        uncheckedField = field;
        return true;
    }

    /// Whether a buffer is compressed, and nothing decompresses it. If something does, counts that as
    /// work.
    private boolean isUnreadable(int of) {
        for (int i = 0; cursor.isCompressed() && i < cursor.bufferCount(of); i++) {
            if (cursor.isCompressed(of, i)) {
                if (cursor.source() == null) {
                    return true;
                }
                work(cursor.uncompressedLength(of, i));
            }
        }
        return false;
    }

    // ---- faults

    /// Adds a fault of a number.
    ///
    /// @param role of its buffer
    /// @param at its offset in the buffer
    boolean add(Rule rule, BufferRole role, long row, long at, long value, long limit) {
        fault.set(rule, cursor.bufferOffset(field, role) + offset(role, at), value);
        fault.place(plan.layout, field, role, row, limit);
        return accept();
    }

    /// The offset of a number in a buffer as it is stored; 0 if that is compressed.
    private long offset(BufferRole role, long at) {
        if (!cursor.isCompressed()) {
            return at;
        }
        boolean isStored = !cursor.isCompressed(field, cursor.index(field, role));
        return isStored ? CompressedBuffer.PREFIX_BYTES + at : 0;
    }

    /// Adds text that is not UTF-8.
    boolean addNotUtf8(BufferRole role, long row, long at, long value) {
        return add(ValueRules.NOT_UTF8, role, row, at, value, 0);
    }

    /// Adds a fault of a node.
    private boolean addToNode(Rule rule, long row, long value, long limit) {
        fault.set(rule, 0, value);
        fault.place(plan.layout, field, null, row, limit);
        return accept();
    }

    private boolean accept() {
        if (sink != null) {
            sink.accept(fault);
        }
        return left == ALL || --left > 0;
    }

    /// Reports work on single values, block by block: asking for the monitor takes as long as a view.
    void worked(long bytes) {
        unreported += bytes;
        if (unreported >= BLOCK_BYTES) {
            work(unreported);
            unreported = 0;
        }
    }

    /// Reports the work on a block.
    void work(long bytes) {
        bytesRead += bytes;
        Work.worked(bytes);
    }

    // ---- nodes and nulls

    private boolean validity(boolean isChecked) {
        hasValidity =
                plan.layout.has(field, BufferRole.VALIDITY) && cursor.validity(field, validity);
        if (!hasValidity || !isChecked) {
            return true;
        }
        work(validity.length());
        long nulls = length - validity.countBits(0, length);
        long found = cursor.nullCount(field);
        return nulls == found || addToNode(ValueRules.NULL_COUNT, NO_ROW, found, nulls);
    }

    boolean isNull(long row) {
        return hasValidity && !validity.bit(row);
    }

    private boolean values() {
        return switch (plan.kinds[field]) {
            case NOTHING -> true;
            case FIXED_WIDTH -> fixedWidth();
            case STRUCTS -> structs();
            case TENSORS -> structs() && tensors();
            case FIXED_SIZE_LISTS -> child(field + 1, plan.layout.listSize(field), lastValue());
            case INDICES -> indices();
            case BYTES -> bytes(false);
            case TEXT -> bytes(true);
            case BYTE_VIEWS -> views.check(cursor, field, length, false);
            case TEXT_VIEWS -> views.check(cursor, field, length, true);
            case LISTS -> lists();
            case LIST_VIEWS -> listViews();
            case UNION -> union();
            case RUNS -> runs();
            case DECIMALS -> decimals();
            case TIMES -> times();
            case DATES -> dates();
        };
    }

    // ---- numbers

    /// Any number is a value: only the buffer must be there.
    private boolean fixedWidth() {
        cursor.values(field, plan.layout.valueType(field), numbers);
        return true;
    }

    private boolean indices() {
        cursor.indices(field, numbers);
        DictionaryValues values =
                dictionaries == null ? null : dictionaries.values(plan.layout.dictionaryId(field));
        ValueType type = plan.layout.valueType(field);
        boolean isUnsigned = type.compareTo(ValueType.UINT8) >= 0;
        if (values == null) {
            return countUnchecked();
        }
        return upTo(ValueRules.DICTIONARY_INDEX, values.length() - 1, isUnsigned);
    }

    private boolean times() {
        cursor.values(field, plan.layout.valueType(field), numbers);
        return upTo(ValueRules.TIME_RANGE, plan.most[field], false);
    }

    /// Checks that no number is negative or greater than another.
    private boolean upTo(Rule rule, long most, boolean isUnsigned) {
        int width = (int) plan.layout.valueBits(field) / Byte.SIZE;
        long greatest = Long.MAX_VALUE >>> Long.SIZE - Byte.SIZE * width;
        if (isUnsigned && width < Long.BYTES && most > 2 * greatest) {
            return true; // all numbers are less
        }
        // Words take numbers from half of the unsigned ones on as negative.
        boolean byWords = most >= 0 && !(isUnsigned && most > greatest);
        long rows = BLOCK_BYTES / width;
        for (long from = 0; from < length; from += rows) {
            long count = Math.min(rows, length - from);
            work(count * width);
            if (byWords && numbers.areUpTo(from, count, width, Math.min(most, greatest))) {
                continue;
            }
            for (long row = from; row < from + count; row++) {
                long number = number(numbers, row, width, isUnsigned);
                if ((number < 0 || number > most)
                        && !isNull(row)
                        && !add(rule, BufferRole.DATA, row, row * width, number, most)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long number(ByteSlice from, long row, int width, boolean isUnsigned) {
        return switch (width) {
            case Byte.BYTES -> isUnsigned ? from.uint8At(row) : from.int8At(row);
            case Short.BYTES -> isUnsigned ? from.uint16At(row) : from.int16At(row);
            case Integer.BYTES -> isUnsigned ? from.uint32At(row) : from.int32At(row);
            default -> from.int64At(row);
        };
    }

    private boolean dates() {
        cursor.values(field, ValueType.INT64, numbers);
        for (long row = 0; row < length; row++) {
            worked(Long.BYTES);
            long date = numbers.int64At(row);
            long rest = date % ValuePlan.DAY_MILLIS;
            if (rest != 0
                    && !isNull(row)
                    && !add(
                            ValueRules.DATE_PARTIAL,
                            BufferRole.DATA,
                            row,
                            row * Long.BYTES,
                            date,
                            date - rest)) {
                return false;
            }
        }
        return true;
    }

    private boolean decimals() {
        cursor.values(field, plan.layout.valueType(field), numbers);
        int width = (int) plan.layout.valueBits(field) / Byte.SIZE;
        long[] limit = plan.numbers[field];
        for (long row = 0; row < length; row++) {
            worked(width);
            if (!Decimals.isLess(numbers, row * width, width, limit)
                    && !isNull(row)
                    && !add(
                            ValueRules.DECIMAL_PRECISION,
                            BufferRole.DATA,
                            row,
                            row * width,
                            Decimals.lowest(numbers, row * width, width),
                            limit[Decimals.WORDS])) {
                return false;
            }
        }
        return true;
    }

    // ---- children of the same rows

    private boolean structs() {
        boolean goOn = true;
        int end = plan.layout.end(field);
        long last = lastValue();
        for (int child = field + 1; child < end && goOn; child = plan.layout.end(child)) {
            goOn = child(child, 1, last);
        }
        return goOn;
    }

    /// Checks that each tensor has the elements that its shape says, and the sizes that all have. A
    /// tensor with a null part is not checked.
    private boolean tensors() {
        int data = field + 1;
        int shapes = plan.layout.end(data);
        if (isUnreadable(data) || isUnreadable(shapes) || isUnreadable(shapes + 1)) {
            return countUnchecked();
        }
        boolean hasDataNulls;
        boolean hasShapeNulls;
        try {
            hasDataNulls = cursor.validity(data, dataValidity);
            hasShapeNulls = cursor.validity(shapes, shapeValidity);
            cursor.offsets32(data, numbers);
            cursor.values(shapes + 1, ValueType.INT32, more);
        } catch (LayoutException _) {
            return true; // the child has this fault
        }
        int dimensions = plan.layout.listSize(shapes);
        long all = dimensions <= 0 ? length : cursor.length(shapes + 1) / dimensions;
        long rows =
                Math.min(
                        Math.min(length, all),
                        Math.min(cursor.length(data), cursor.length(shapes)));
        for (long row = 0; row < rows; row++) {
            worked((1L + dimensions) * Integer.BYTES);
            boolean isPartNull =
                    hasDataNulls && !dataValidity.bit(row)
                            || hasShapeNulls && !shapeValidity.bit(row);
            if (!isNull(row) && !isPartNull && !tensor(row, dimensions)) {
                return false;
            }
        }
        return true;
    }

    private boolean tensor(long row, int dimensions) {
        long[] sizes = plan.numbers[field];
        long elements = 1;
        for (int i = 0; i < dimensions; i++) {
            long size = more.int32At(row * dimensions + i);
            long expected = sizes == null ? -1 : sizes[i];
            if (size < 0 || expected >= 0 && size != expected) {
                return addToNode(ValueRules.TENSOR_SHAPE, row, size, Math.max(0, expected));
            }
            elements = size == 0 ? 0 : Math.min(elements, Long.MAX_VALUE / size) * size;
        }
        long found = (long) numbers.int32At(row + 1) - numbers.int32At(row);
        return found == elements || addToNode(ValueRules.TENSOR_SIZE, row, found, elements);
    }

    /// The last row that is not null; -1 if there is none.
    private long lastValue() {
        long row = length - 1;
        // A node may claim any length without a bit that is set.
        if (row >= 0 && isNull(row) && validity.countBits(0, length) == 0) {
            return -1;
        }
        while (row >= 0 && isNull(row)) {
            worked(1);
            row--;
        }
        return row;
    }

    /// Checks that a child has values for the last row that is not null.
    private boolean child(int child, int size, long last) {
        long found = cursor.length(child);
        return size <= 0
                || last < found / size
                || addToNode(ValueRules.CHILD_LENGTH, last, last, found);
    }

    // ---- offsets

    private boolean lists() {
        bindOffsets();
        return offsets(cursor.length(field + 1));
    }

    private void bindOffsets() {
        width = TypeFacts.of(plan.layout.typeType(field)).offsetBytes();
        if (width == Integer.BYTES) {
            cursor.offsets32(field, numbers);
        } else {
            cursor.offsets64(field, numbers);
        }
    }

    private boolean bytes(boolean isText) {
        bindOffsets();
        cursor.bytes(field, more);
        int before = left;
        return offsets(more.length()) && (!isText || left != before || length == 0 || texts());
    }

    private long offset(long index) {
        return number(numbers, index, width, false);
    }

    /// Checks that offsets do not fall, and are at most the length of the data or of the child.
    private boolean offsets(long most) {
        long rows = BLOCK_BYTES / width;
        long limit = 0; // the greatest offset before
        for (long from = 0; from < length; from += rows) {
            long count = Math.min(rows, length - from);
            work(count * width);
            boolean isSound =
                    offset(from) >= limit
                            && offset(from + count) <= most
                            && numbers.areAscending(from, count + 1, width);
            if (isSound) {
                limit = offset(from + count);
                continue;
            }
            for (long i = from; i <= from + count; i++) {
                boolean isFirst = i == from && from != 0; // checked as the last of the block before
                long offset = offset(i);
                if (!isFirst && !offset(i, offset, limit, most)) {
                    return false;
                }
                limit = Math.max(limit, offset);
            }
        }
        return true;
    }

    private boolean offset(long index, long offset, long limit, long most) {
        boolean isOrder = offset < limit;
        if (!isOrder && offset <= most) {
            return true;
        }
        return add(
                isOrder ? ValueRules.OFFSET_ORDER : ValueRules.OFFSET_RANGE,
                BufferRole.OFFSETS,
                index == 0 ? 0 : index - 1,
                index * width,
                offset,
                isOrder ? limit : most);
    }

    private boolean listViews() {
        bindOffsets();
        if (width == Integer.BYTES) {
            cursor.sizes32(field, more);
        } else {
            cursor.sizes64(field, more);
        }
        long most = cursor.length(field + 1);
        for (long row = 0; row < length; row++) {
            worked(2L * width);
            long offset = number(numbers, row, width, false);
            long size = number(more, row, width, false);
            boolean isInside = offset >= 0 && offset <= most;
            if (isInside && size >= 0 && size <= most - offset) {
                continue;
            }
            boolean goOn =
                    isInside
                            ? add(
                                    ValueRules.SIZE_RANGE,
                                    BufferRole.SIZES,
                                    row,
                                    row * width,
                                    size,
                                    most - offset)
                            : add(
                                    ValueRules.OFFSET_RANGE,
                                    BufferRole.OFFSETS,
                                    row,
                                    row * width,
                                    offset,
                                    most);
            if (!goOn) {
                return false;
            }
        }
        return true;
    }

    // ---- text

    /// Checks the text of all values. All of it is read at once: if it is UTF-8, and no value begins
    /// inside a character, each value is UTF-8.
    private boolean texts() {
        long end = offset(length);
        boolean isAscii = true;
        for (long at = offset(0); at < end; ) {
            long block = Math.min(BLOCK_BYTES, end - at);
            work(block);
            if (more.areUpTo(at, block, Byte.BYTES, Byte.MAX_VALUE)) {
                at += block;
                continue;
            }
            isAscii = false;
            long after = more.afterUtf8(at, at + block, end);
            if (after < at + block) {
                return eachText();
            }
            at = after;
        }
        return isAscii || beginCharacters() || eachText();
    }

    private boolean beginCharacters() {
        long end = offset(length);
        for (long row = 0; row < length; row++) {
            worked(width);
            long at = offset(row);
            if (at < end && more.isInsideCharacter(at)) {
                return false;
            }
        }
        return true;
    }

    private boolean eachText() {
        for (long row = 0; row < length; row++) {
            if (isNull(row)) {
                continue;
            }
            long end = offset(row + 1);
            worked(end - offset(row));
            long after = more.afterUtf8(offset(row), end, end);
            if (after != end && !addNotUtf8(BufferRole.DATA, row, after, more.int8(after) & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    // ---- unions and runs

    private boolean union() {
        cursor.typeIds(field, numbers);
        boolean isDense = plan.layout.has(field, BufferRole.OFFSETS);
        boolean isShort = false;
        if (isDense) {
            cursor.offsets32(field, more);
            Arrays.fill(ends, 0);
        } else {
            int end = plan.layout.end(field);
            for (int child = field + 1; child < end; child = plan.layout.end(child)) {
                isShort |= cursor.length(child) < length;
            }
        }
        long[] children = plan.numbers[field];
        for (long from = 0; from < length; from += BLOCK_BYTES) {
            long count = Math.min(BLOCK_BYTES, length - from);
            work(isDense ? count * (1 + Integer.BYTES) : count);
            if (!isDense
                    && !isShort
                    && plan.most[field] >= 0
                    && numbers.areUpTo(from, count, Byte.BYTES, plan.most[field])) {
                continue;
            }
            for (long row = from; row < from + count; row++) {
                int id = numbers.int8At(row);
                int child = id < 0 ? -1 : (int) children[id];
                boolean isSound = child >= 0 && !isDense && row < cursor.length(child);
                if (isSound || isNull(row)) {
                    continue;
                }
                boolean goOn =
                        child < 0
                                ? add(
                                        ValueRules.TYPE_ID,
                                        BufferRole.TYPE_IDS,
                                        row,
                                        row,
                                        id,
                                        plan.most[field])
                                : isDense
                                        ? unionOffset(row, id, cursor.length(child) - 1)
                                        : addToNode(
                                                ValueRules.CHILD_LENGTH,
                                                row,
                                                row,
                                                cursor.length(child));
                if (!goOn) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean unionOffset(long row, int id, long most) {
        long offset = more.int32At(row);
        long at = row * Integer.BYTES;
        if (offset < 0 || offset > most) {
            return add(ValueRules.UNION_OFFSET, BufferRole.OFFSETS, row, at, offset, most);
        }
        boolean falls = offset < ends[id];
        long before = ends[id];
        ends[id] = Math.max(before, offset);
        return !falls || add(ValueRules.UNION_ORDER, BufferRole.OFFSETS, row, at, offset, before);
    }

    private boolean runs() {
        long values = length;
        int width = (int) plan.layout.valueBits(field + 1) / Byte.SIZE;
        field++; // the run ends have the faults
        if (isUnreadable(field)) {
            return countUnchecked();
        }
        cursor.values(field, plan.layout.valueType(field), numbers);
        long runs = cursor.length(field);
        long before = 0;
        for (long run = 0; run < runs; run++) {
            worked(width);
            long end = number(numbers, run, width, false);
            if (end <= before
                    && !add(
                            ValueRules.RUN_END_ORDER,
                            BufferRole.DATA,
                            run,
                            run * width,
                            end,
                            before + 1)) {
                return false;
            }
            before = Math.max(before, end);
        }
        return before >= values
                || add(
                        ValueRules.RUN_END_RANGE,
                        BufferRole.DATA,
                        runs - 1,
                        Math.max(0, runs - 1) * width,
                        before,
                        values);
    }
}
