// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FieldNode;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.ipc.internal.DictionaryNeeds;
import dev.fletch.ipc.internal.Work;
import dev.fletch.wire.Escaper;

import java.util.Arrays;

/// Checks the values of single fields of a batch.
///
/// Most values are checked by [ByteSlice#areUpTo] and [ByteSlice#areAscending], block by block.
/// Only in a block with a fault, or with a null that would be one, the rows are checked one by one.
final class ValueCheck {
    /// Of a block, a multiple of all widths. Small enough for the first cache.
    static final int BLOCK_BYTES = 16 << 10;

    private static final long NO_ROW = ValueFault.NO_ROW;
    private static final String NOT_DECOMPRESSED = "no decompressor";

    // Null if nothing is decompressed here.
    private final DecompressedBuffers buffers;
    private FaultSink sink;
    private long faults;
    private boolean hasEnded;
    // What the sink has thrown: it is not a fault of the buffers.
    private FletchException thrown;
    private int unchecked;
    // Receives the fields that are not checked; null for none.
    private ValueVerifier.Unchecked uncheckedSink;
    // Field that was counted as unchecked last.
    private int uncheckedField;
    private long bytesRead;
    private long greatestIndex;

    // The batch.
    private ValueFault.Batch place;
    private BatchCursor cursor;
    // Of the cursor, to set it again.
    private BufferSource source;
    private ValuePlan plan;
    private Dictionaries dictionaries;

    // The field.
    private int field;
    private long length;
    private boolean hasValidity;
    // Bytes of each of the numbers.
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

    ValueCheck(DecompressedBuffers buffers) {
        this.buffers = buffers;
    }

    /// Sets what receives the fields that are not checked.
    void onUnchecked(ValueVerifier.Unchecked to) {
        uncheckedSink = to;
    }

    /// Starts a verification.
    ///
    /// @param to receives the faults; when it is full, the verification ends
    void start(FaultSink to) {
        sink = to;
        faults = 0;
        hasEnded = false;
        unchecked = 0;
        bytesRead = 0;
    }

    boolean hasFaults() {
        return faults > 0;
    }

    /// {@return whether there are so many faults that nothing more is checked}
    boolean hasEnded() {
        return hasEnded;
    }

    /// {@return number of bytes of the bodies that were read, some more than once}
    long bytesRead() {
        return bytesRead;
    }

    /// {@return number of fields that were not checked: see [ValueVerifier#unchecked]}
    int unchecked() {
        return unchecked;
    }

    /// {@return the greatest index of the last field, if its indices were not checked: 2^63 - 1 if
    /// one is negative, -1 if there is none}
    long greatestIndex() {
        return greatestIndex;
    }

    /// Begins a batch.
    ///
    /// @param of says which one in faults
    /// @param defined the dictionaries of its indices
    void begin(ValueFault.Batch of, BatchCursor batch, ValuePlan expected, Dictionaries defined) {
        place = of;
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
    /// @param indices whether to check indices into dictionaries; else they are only read
    /// @param others whether to check all else
    void field(int number, boolean indices, boolean others) {
        field = number;
        length = cursor.length(field);
        greatestIndex = -1;
        try {
            if (plan.layout.endianness() != Endianness.LITTLE) {
                countUnchecked("big-endian");
                return;
            }
            if (isUnreadable(field)) {
                countUnchecked(NOT_DECOMPRESSED);
                return;
            }
            if (buffers != null) {
                buffers.release(); // those of the field before
            }
            validity(others);
            if (!hasEnded()) {
                values(indices);
            }
        } catch (FletchException e) {
            if (e == thrown) {
                throw e;
            }
            if (e.rule() == MeaningRule.COMPRESSED_BUFFER) {
                countUnchecked(NOT_DECOMPRESSED);
                return;
            }
            if (e.rule() == MeaningRule.TOO_MUCH_MEMORY) {
                countUnchecked(e.rule().description());
                return;
            }
            // The fault has the column as well.
            String column = "column=" + Escaper.name(plan.layout.shortPath(field)) + ", ";
            String details = e.fault().details();
            boolean isNamed = details.startsWith(column);
            String text = isNamed ? details.substring(column.length()) : details;
            report(e.rule(), null, NO_ROW, e.offset(), length, 0, text);
        }
    }

    /// Counts the field as not checked, once.
    void countUnchecked(String reason) {
        if (field == uncheckedField) {
            return;
        }
        unchecked++;
        uncheckedField = field;
        if (uncheckedSink != null) {
            boolean isOfCodec = reason.equals(NOT_DECOMPRESSED);
            uncheckedSink.field(
                    plan.layout,
                    field,
                    isOfCodec
                            ? reason + ", codec=" + CompressionType.NAMES.name(cursor.codec())
                            : reason);
        }
    }

    /// Whether a buffer is compressed, and nothing decompresses it. If something does, counts that
    /// as work.
    private boolean isUnreadable(int field) {
        for (int i = 0; cursor.isCompressed() && i < cursor.bufferCount(field); i++) {
            if (cursor.isCompressed(field, i)) {
                if (cursor.source() == null) {
                    return true;
                }
                work(cursor.uncompressedLength(field, i));
            }
        }
        return false;
    }

    // ---- faults

    /// Adds a fault of a number.
    ///
    /// @param role of its buffer
    /// @param position its offset in the buffer
    void add(Rule rule, BufferRole role, long row, long position, long value, long limit) {
        add(rule, role, row, position, value, limit, null);
    }

    private void add(
            Rule rule,
            BufferRole role,
            long row,
            long position,
            long value,
            long limit,
            String text) {
        report(rule, role, row, cursor.byteOffset(field, role, position), value, limit, text);
    }

    /// {@return the rule that text which is not UTF-8 breaks; for both classes that find such text}
    static Rule notUtf8() {
        return ValueRule.VALUE_NOT_UTF8;
    }

    /// Adds a fault of the number of a row.
    private void addNumber(Rule rule, long row, long value, long limit) {
        add(rule, BufferRole.DATA, row, row * width, value, limit);
    }

    /// Adds a fault of a node.
    private void addToNode(int node, Rule rule, long row, long value, long limit) {
        report(rule, null, row, cursor.nodePosition(node), value, limit, null);
    }

    /// Reports a fault, unless there were enough.
    ///
    /// @param position its offset in the body; without a role, in the memory of the metadata
    /// @param text what is wrong; null for value and limit
    private void report(
            Rule rule,
            BufferRole role,
            long row,
            long position,
            long value,
            long limit,
            String text) {
        if (hasEnded) {
            return;
        }
        faults++;
        try {
            sink.accept(
                    new ValueFault(rule, place, field, role, row, position, value, limit, text));
            hasEnded = sink.isFull();
        } catch (FletchException e) {
            thrown = e;
            throw e;
        }
    }

    /// Reports work on single values, block by block: asking for the monitor takes as long as a
    /// view.
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

    private void validity(boolean isChecked) {
        hasValidity =
                cursor.layout().has(field, BufferRole.VALIDITY) && cursor.validity(field, validity);
        if (!hasValidity || !isChecked) {
            return;
        }
        work(validity.length());
        long nulls = length - validity.countBits(0, length);
        long found = cursor.nullCount(field);
        if (nulls != found) {
            long position = cursor.nodePosition(field);
            position += position == Fault.NO_OFFSET ? 0 : FieldNode.NULL_COUNT_AT;
            report(ValueRule.VALUE_NULL_COUNT, null, NO_ROW, position, found, nulls, null);
        }
    }

    boolean isNull(long row) {
        return hasValidity && !validity.bit(row);
    }

    /// The nulls among 64 rows, the first in the lowest bit; bits behind the last row say nothing.
    ///
    /// @param first a multiple of 64
    long nulls(long first) {
        long position = first / Byte.SIZE;
        long rest = hasValidity ? validity.length() - position : 0;
        if (rest >= Long.BYTES) {
            return ~validity.int64(position);
        }
        long nulls = 0;
        for (int i = 0; i < rest; i++) {
            nulls |= (~validity.int8(position + i) & 0xFFL) << i * Byte.SIZE;
        }
        return nulls;
    }

    private void values(boolean checksIndices) {
        switch (plan.kinds[field]) {
            case NOTHING -> {}
            case FIXED_WIDTH -> bindNumbers(); // any number is a value
            case STRUCTS -> structs();
            case TENSORS -> {
                structs();
                tensors();
            }
            case FIXED_SIZE_LISTS -> child(field + 1, plan.layout.listSize(field), lastValue());
            case INDICES -> {
                if (checksIndices) {
                    indices();
                } else {
                    greatestIndex = findGreatestIndex();
                }
            }
            case BYTES -> bytes(false);
            case TEXT -> bytes(true);
            case BYTE_VIEWS -> views.check(cursor, field, length, false);
            case TEXT_VIEWS -> views.check(cursor, field, length, true);
            case LISTS -> {
                bindOffsets();
                offsets(cursor.length(field + 1));
            }
            case LIST_VIEWS -> listViews();
            case UNION -> union();
            case RUNS -> runs();
            case DECIMALS -> decimals();
            case TIMES -> {
                length = bindNumbers();
                upTo(ValueRule.VALUE_TIME_RANGE, plan.most[field], false);
            }
            case DATES -> dates();
        }
    }

    // ---- numbers

    /// Binds to the numbers of the field.
    ///
    /// @return how many there are; none if the buffer is absent, as all values are null
    private long bindNumbers() {
        cursor.values(field, plan.layout.valueType(field), numbers);
        width = (int) plan.layout.valueBits(field) / Byte.SIZE;
        return numbers.length() == 0 ? 0 : cursor.length(field);
    }

    private void bindIndices() {
        cursor.indices(field, numbers);
        width = (int) plan.layout.valueBits(field) / Byte.SIZE;
    }

    private boolean areUnsigned() {
        return plan.layout.valueType(field).compareTo(ValueType.UINT8) >= 0;
    }

    private void indices() {
        bindIndices();
        DictionaryValues values =
                dictionaries == null ? null : dictionaries.values(plan.layout.dictionaryId(field));
        if (values == null) {
            if (DictionaryNeeds.hasValues(cursor.nullCount(field), length)) { // nulls have no index
                countUnchecked(ValueVerifier.UNDEFINED);
            }
            return;
        }
        length = numbers.length() == 0 ? 0 : length;
        upTo(ValueRule.VALUE_DICTIONARY_INDEX, values.length() - 1, areUnsigned());
    }

    private long findGreatestIndex() {
        bindIndices();
        boolean isUnsigned = areUnsigned();
        long greatest = -1;
        for (long row = 0; row < length && numbers.length() > 0; row++) {
            worked(width);
            long index = number(numbers, row, width, isUnsigned);
            if ((index < 0 || index > greatest) && !isNull(row)) {
                greatest = index < 0 ? Long.MAX_VALUE : index;
            }
        }
        return greatest;
    }

    /// Checks that no number is negative or greater than another.
    private void upTo(Rule rule, long limit, boolean isUnsigned) {
        long greatest = Long.MAX_VALUE >>> Long.SIZE - Byte.SIZE * width;
        if (isUnsigned && width < Long.BYTES && limit > 2 * greatest) {
            return; // all numbers are less
        }
        // Words take numbers from half of the unsigned ones on as negative.
        boolean byWords = limit >= 0 && !(isUnsigned && limit > greatest);
        long rows = BLOCK_BYTES / width;
        for (long from = 0; from < length && !hasEnded(); from += rows) {
            long count = Math.min(rows, length - from);
            work(count * width);
            if (byWords && numbers.areUpTo(from, count, width, Math.min(limit, greatest))) {
                continue;
            }
            for (long row = from; row < from + count; row++) {
                long number = number(numbers, row, width, isUnsigned);
                if ((number < 0 || number > limit) && !isNull(row)) {
                    addNumber(rule, row, number, limit);
                }
            }
        }
    }

    private static long number(ByteSlice from, long row, int width, boolean isUnsigned) {
        long number = from.integerAt(row, width);
        return isUnsigned ? number & -1L >>> Long.SIZE - Byte.SIZE * width : number;
    }

    private void dates() {
        length = bindNumbers();
        for (long row = 0; row < length; row++) {
            worked(Long.BYTES);
            long date = numbers.int64At(row);
            long rest = date % ValuePlan.DAY_MILLIS;
            if (rest != 0 && !isNull(row)) {
                addNumber(ValueRule.VALUE_DATE_PARTIAL, row, date, date - rest);
                if (hasEnded()) {
                    return;
                }
            }
        }
    }

    private void decimals() {
        length = bindNumbers();
        int bytes = width;
        long[] limit = plan.numbers[field];
        for (long row = 0; row < length; row++) {
            worked(bytes);
            if (!Decimals.isLess(numbers, row * bytes, bytes, limit) && !isNull(row)) {
                long lowest = Decimals.lowest(numbers, row * bytes, bytes);
                long position = row * bytes;
                String text =
                        hasEnded() || bytes <= Long.BYTES
                                ? null // value and limit are exact
                                : "row="
                                        + row
                                        + ", value="
                                        + Decimals.number(numbers, position, bytes)
                                        + ", limit="
                                        + Decimals.before(limit);
                Rule rule = ValueRule.VALUE_DECIMAL_PRECISION;
                add(rule, BufferRole.DATA, row, position, lowest, limit[Decimals.WORDS], text);
                if (hasEnded()) {
                    return;
                }
            }
        }
    }

    // ---- children of the same rows

    private void structs() {
        int end = plan.layout.end(field);
        long last = lastValue();
        for (int child = field + 1; child < end; child = plan.layout.end(child)) {
            child(child, 1, last);
        }
    }

    /// Checks that each tensor has the elements that its shape says, and the sizes that all have. A
    /// tensor with a null part is not checked, nor a nested one with no size above 0: if nothing
    /// refers to it, its shape may have been cleared.
    private void tensors() {
        int data = field + 1;
        int shapes = plan.layout.end(data);
        if (isUnreadable(data) || isUnreadable(shapes) || isUnreadable(shapes + 1)) {
            countUnchecked(NOT_DECOMPRESSED);
            return;
        }
        boolean hasDataNulls;
        boolean hasShapeNulls;
        try {
            hasDataNulls = cursor.validity(data, dataValidity);
            hasShapeNulls = cursor.validity(shapes, shapeValidity);
            cursor.array(data, BufferRole.OFFSETS, ValueType.INT32, numbers);
            cursor.values(shapes + 1, ValueType.INT32, more);
        } catch (FletchException _) {
            return; // the child has this fault
        }
        int dimensions = plan.layout.listSize(shapes);
        long all = dimensions <= 0 ? length : more.length() / Integer.BYTES / dimensions;
        long rows =
                Math.min(
                        Math.min(length, all),
                        Math.min(cursor.length(data), cursor.length(shapes)));
        for (long row = 0; row < rows && !hasEnded(); row++) {
            worked((1L + dimensions) * Integer.BYTES);
            boolean isPartNull =
                    hasDataNulls && !dataValidity.bit(row)
                            || hasShapeNulls && !shapeValidity.bit(row);
            if (!isNull(row) && !isPartNull) {
                tensor(row, dimensions);
            }
        }
    }

    private void tensor(long row, int dimensions) {
        long[] sizes = plan.numbers[field];
        boolean mayBeCleared = plan.layout.depth(field) > 0;
        for (int i = 0; i < dimensions && mayBeCleared; i++) {
            mayBeCleared = more.int32At(row * dimensions + i) == 0;
        }
        if (mayBeCleared && dimensions > 0) {
            return;
        }
        long elements = 1;
        for (int i = 0; i < dimensions; i++) {
            long size = more.int32At(row * dimensions + i);
            long expected = sizes == null ? -1 : sizes[i];
            if (size < 0 || expected >= 0 && size != expected) {
                addToNode(field, ValueRule.VALUE_TENSOR_SHAPE, row, size, Math.max(0, expected));
                return;
            }
            elements = size == 0 ? 0 : Math.min(elements, Long.MAX_VALUE / size) * size;
        }
        long found = (long) numbers.int32At(row + 1) - numbers.int32At(row);
        if (found != elements) {
            addToNode(field, ValueRule.VALUE_TENSOR_SIZE, row, found, elements);
        }
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
    private void child(int child, int size, long last) {
        long found = cursor.length(child);
        if (size > 0 && last >= found / size) {
            addToNode(child, ValueRule.VALUE_CHILD_LENGTH, last, last, found);
        }
    }

    // ---- offsets

    private void bindOffsets() {
        width = TypeFacts.of(plan.layout.typeType(field)).offsetBytes();
        cursor.array(field, BufferRole.OFFSETS, ofWidth(), numbers);
    }

    private ValueType ofWidth() {
        return width == Integer.BYTES ? ValueType.INT32 : ValueType.INT64;
    }

    private void bytes(boolean isText) {
        bindOffsets();
        cursor.bytes(field, more);
        long before = faults;
        offsets(more.length());
        if (isText && faults == before && length > 0 && !areTexts()) {
            eachText();
        }
    }

    private long offset(long index) {
        return number(numbers, index, width, false);
    }

    /// Checks that offsets do not fall, and are at most the length of the data or of the child.
    private void offsets(long end) {
        long rows = BLOCK_BYTES / width;
        long limit = 0; // the greatest offset before
        for (long from = 0; from < length && !hasEnded(); from += rows) {
            long count = Math.min(rows, length - from);
            work(count * width);
            boolean isSound =
                    offset(from) >= limit
                            && offset(from + count) <= end
                            && numbers.areAscending(from, count + 1, width);
            if (isSound) {
                limit = offset(from + count);
                continue;
            }
            // The first one was checked as the last of the block before.
            for (long i = from == 0 ? 0 : from + 1; i <= from + count; i++) {
                long offset = offset(i);
                long row = Math.max(0, i - 1);
                if (offset < limit) {
                    offset(ValueRule.VALUE_OFFSET_ORDER, row, i, offset, limit);
                } else if (offset > end) {
                    offset(ValueRule.VALUE_OFFSET_RANGE, row, i, offset, end);
                }
                limit = Math.max(limit, offset);
            }
        }
    }

    private void offset(Rule rule, long row, long index, long value, long limit) {
        add(rule, BufferRole.OFFSETS, row, index * width, value, limit);
    }

    private void listViews() {
        bindOffsets();
        cursor.array(field, BufferRole.SIZES, ofWidth(), more);
        long end = cursor.length(field + 1);
        for (long row = 0; row < length && !hasEnded(); row++) {
            worked(2L * width);
            long offset = offset(row);
            long size = number(more, row, width, false);
            if (offset < 0 || offset > end) {
                offset(ValueRule.VALUE_OFFSET_RANGE, row, row, offset, end);
            } else if (size < 0 || size > end - offset) {
                long limit = end - offset;
                add(ValueRule.VALUE_SIZE_RANGE, BufferRole.SIZES, row, row * width, size, limit);
            }
        }
    }

    // ---- text

    /// Whether the text of all values is UTF-8, also of nulls. All of it is read at once: each
    /// value is UTF-8 if all is, and none begins inside a character.
    private boolean areTexts() {
        long end = offset(length);
        boolean isAscii = true;
        for (long position = offset(0); position < end; ) {
            long block = Math.min(BLOCK_BYTES, end - position);
            work(block);
            if (more.areUpTo(position, block, Byte.BYTES, Byte.MAX_VALUE)) {
                position += block;
                continue;
            }
            isAscii = false;
            long after = more.afterUtf8(position, position + block, end);
            if (after < position + block) {
                return false;
            }
            position = after;
        }
        if (isAscii) {
            return true;
        }
        for (long row = 0; row < length; row++) {
            worked(width);
            long offset = offset(row);
            if (offset < end && more.isInsideCharacter(offset)) {
                return false;
            }
        }
        return true;
    }

    private void eachText() {
        for (long row = 0; row < length; row++) {
            if (isNull(row)) {
                continue;
            }
            long end = offset(row + 1);
            worked(end - offset(row));
            long after = more.afterUtf8(offset(row), end, end);
            if (after != end) {
                int found = more.int8(after) & 0xFF;
                add(notUtf8(), BufferRole.DATA, row, after, found, 0);
                if (hasEnded()) {
                    return;
                }
            }
        }
    }

    // ---- unions and runs

    private void union() {
        cursor.array(field, BufferRole.TYPE_IDS, ValueType.INT8, numbers);
        boolean isDense = plan.layout.has(field, BufferRole.OFFSETS);
        boolean isShort = false;
        if (isDense) {
            cursor.array(field, BufferRole.OFFSETS, ValueType.INT32, more);
            Arrays.fill(ends, 0);
        } else {
            int end = plan.layout.end(field);
            for (int child = field + 1; child < end; child = plan.layout.end(child)) {
                isShort |= cursor.length(child) < length;
            }
        }
        long greatest = plan.most[field];
        boolean byBlocks = !isDense && !isShort && greatest >= 0;
        for (long from = 0; from < length && !hasEnded(); from += BLOCK_BYTES) {
            long count = Math.min(BLOCK_BYTES, length - from);
            work(isDense ? count * (1 + Integer.BYTES) : count);
            if (byBlocks && numbers.areUpTo(from, count, Byte.BYTES, greatest)) {
                continue;
            }
            for (long row = from; row < from + count; row++) {
                int id = numbers.int8At(row);
                int child = plan.childOf(field, id);
                boolean isSound = child >= 0 && !isDense && row < cursor.length(child);
                if (isSound || isNull(row)) {
                    continue;
                }
                if (child < 0) {
                    add(ValueRule.VALUE_TYPE_ID, BufferRole.TYPE_IDS, row, row, id, greatest);
                } else if (isDense) {
                    unionOffset(row, id, cursor.length(child) - 1);
                } else {
                    addToNode(child, ValueRule.VALUE_CHILD_LENGTH, row, row, cursor.length(child));
                }
            }
        }
    }

    private void unionOffset(long row, int id, long last) {
        long offset = more.int32At(row);
        long position = row * Integer.BYTES;
        if (offset < 0 || offset > last) {
            add(ValueRule.VALUE_UNION_OFFSET, BufferRole.OFFSETS, row, position, offset, last);
        } else if (offset < ends[id]) {
            add(ValueRule.VALUE_UNION_ORDER, BufferRole.OFFSETS, row, position, offset, ends[id]);
        } else {
            ends[id] = offset;
        }
    }

    private void runs() {
        long values = length;
        field++; // the run ends have the faults
        if (isUnreadable(field)) {
            return; // counted as a field of its own
        }
        long runs = bindNumbers();
        long before = 0;
        int bytes = width;
        for (long run = 0; run < runs; run++) {
            worked(bytes);
            long end = number(numbers, run, bytes, false);
            if (end <= before) {
                addNumber(ValueRule.VALUE_RUN_END_ORDER, run, end, before + 1);
                if (hasEnded()) {
                    return;
                }
            }
            before = Math.max(before, end);
        }
        if (before < values) {
            long position = Math.max(0, runs - 1) * width;
            add(ValueRule.VALUE_RUN_END_RANGE, BufferRole.DATA, runs - 1, position, before, values);
        }
    }
}
