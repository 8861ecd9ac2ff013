// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.write.SegmentList;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Finds the bytes of a batch that none of its values uses, and sets them to 0. They may be left
/// from other data.
///
/// ```java
/// cursor.bind(layout, message).body(body);
/// unused.find(cursor).clear(body);
/// ```
///
/// **Used** are, bit by bit:
///
/// - values that are not null: numbers, indices, views and the bytes they refer to, the bytes
///   between offsets, offsets and sizes of list views. A view of at most 12 bytes uses as many of
///   its own;
/// - what keeps a batch valid: validity bits, offsets, type ids and run ends of all values;
/// - of children, only values that a used value of the parent refers to. So nothing of a child is
///   used below a null, between the lists of a list view, in a union where another child is
///   selected, behind the last value of the parent, or behind the last run of a run-end encoded
///   field.
///
/// All else is unused: also bits behind the last one of a bitmap, bytes of the body that no buffer
/// has, and buffers that no field of the layout has. All values of a dictionary are used, also
/// those without an index. Buffers that share bytes are used as a whole, and so are the values of
/// their fields: see [#sharedCount]. Otherwise, a value that nothing refers to could be cleared in
/// part, and break a rule.
///
/// **Positions** are those of bytes in the body. In a compressed batch they are those of
/// decompressed bytes, with the buffers one after the other: see [#start].
///
/// **Errors.** The batch and its values must be sound, as verified. [FletchException]: values refer
/// to something that is not there, a buffer cannot be read, or there are more bytes of memory
/// needed than allowed.
///
/// **Memory and time.** At most a bit for each bit of the body and each value of a child, and a
/// 60th of that: none as long as all before are used, and none for children without bytes, of any
/// length. It is used again for later batches. Time is in proportion to body and memory.
///
/// **Threads.** Belongs to one thread at a time.
public final class UnusedBytes {
    private static final int FIRST_BUFFERS = 16;
    private static final int VIEW_BITS = Byte.SIZE * TypeFacts.VIEW_BYTES;

    private final UsedBits.Memory memory;
    // Bits of all bytes.
    private final UsedBits used;
    // Values in use of each field.
    private UsedBits[] rows = {};
    // Position and length of each buffer; the number of a field's first one.
    private long[] starts = {};
    private long[] lengths = {};
    private int[] firsts = {};
    // If they are not in order.
    private final SharedRanges ranges = new SharedRanges();
    private int sharedCount;
    // Whether a field, or one below it, has bytes.
    private boolean[] hasBytes = {};
    private long firstNonzero;
    // A batch whose body is copied, and the copy.
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCursor own = new BatchCursor();
    private MemorySegment copied = MemorySegment.ofArray(new byte[0]);

    // The batch.
    private BatchCursor cursor;
    private BatchLayout layout;
    private boolean isCompressed;
    private boolean isFound;

    // The field, and a range of its used values that are not null.
    private int field;
    private long length;
    private boolean hasValidity;
    private long from;
    private long to;
    private final ByteSlice validity = new ByteSlice();
    private final ByteSlice numbers = new ByteSlice();
    private final ByteSlice more = new ByteSlice();

    /// Creates an object without a batch.
    ///
    /// @param mostBytes maximum number of bytes of memory
    public UnusedBytes(long mostBytes) {
        memory = new UsedBits.Memory(mostBytes);
        used = new UsedBits(memory);
    }

    /// Finds the unused bytes of a batch.
    ///
    /// @param bound to the batch with its body; with a source that decompresses its buffers, if
    ///     they are compressed
    /// @return this
    public UnusedBytes find(BatchCursor bound) {
        cursor = bound;
        layout = bound.layout();
        isCompressed = bound.isCompressed();
        isFound = false;
        field = 0;
        try {
            begin();
            for (; field < layout.fieldCount(); field++) {
                if (hasBytes[field]) {
                    field();
                }
            }
        } catch (IndexOutOfBoundsException _) {
            String column = "column=" + layout.shownPath(field);
            throw FletchException.of(
                    ValueRule.VALUE_OFFSET_RANGE, column + ", verify values first");
        }
        isFound = true;
        return this;
    }

    /// Places the buffers. All values of columns are used.
    private void begin() {
        int count = layout.fieldCount();
        if (rows.length < count) {
            int before = rows.length;
            rows = Arrays.copyOf(rows, count);
            Arrays.setAll(rows, i -> i < before ? rows[i] : new UsedBits(memory));
            firsts = new int[count];
            hasBytes = new boolean[count];
        }
        int buffers = 0;
        boolean isInOrder = true;
        long behind = 0;
        long end = 0;
        for (int i = 0; i < count; i++) {
            firsts[i] = buffers;
            hasBytes[i] = false;
            for (int buffer = 0; buffer < cursor.bufferCount(i); buffer++) {
                if (buffers == starts.length) {
                    starts = Arrays.copyOf(starts, Math.max(FIRST_BUFFERS, 2 * buffers));
                    lengths = Arrays.copyOf(lengths, starts.length);
                }
                long bytes = cursor.bufferLength(i, buffer);
                if (isCompressed && bytes != 0) {
                    if (cursor.source() == null) {
                        throw cursor.compressed(i, buffer);
                    }
                    bytes = cursor.uncompressedLength(i, buffer);
                }
                long start = isCompressed ? end : cursor.bufferOffset(i, buffer);
                if (bytes != 0) {
                    isInOrder &= start >= behind;
                    behind = Math.max(behind, start + bytes);
                    end = behind + Long.BYTES - 1 & -Long.BYTES;
                    hasBytes[i] = true;
                }
                starts[buffers] = start;
                lengths[buffers++] = bytes;
            }
        }
        for (int i = count - 1; i >= 0; i--) {
            int parent = layout.parent(i);
            rows[i].clear(Math.max(0, cursor.length(i)));
            rows[i].add(0, parent < 0 ? cursor.length(i) : 0);
            if (parent >= 0) {
                hasBytes[parent] |= hasBytes[i];
            }
        }
        used.clear(Byte.SIZE * end);
        sharedCount = 0;
        if (!isInOrder) {
            shared(buffers);
        }
    }

    /// Uses the buffers that share bytes, and all values of their fields, if there are any: they
    /// are not in the order of their bytes.
    private void shared(int buffers) {
        ranges.begin(buffers);
        for (int i = 0; i < buffers; i++) {
            ranges.add(starts[i], lengths[i]);
        }
        ranges.sort();
        for (int i = 0; i < layout.fieldCount(); i++) {
            for (int buffer = 0; buffer < cursor.bufferCount(i); buffer++) {
                long start = start(i, buffer);
                long bytes = length(i, buffer);
                if (ranges.isShared(start, bytes)) {
                    used.add(Byte.SIZE * start, Byte.SIZE * (start + bytes));
                    rows[i].add(0, cursor.length(i));
                    sharedCount++;
                }
            }
        }
    }

    // ---- what is used

    private void field() {
        length = cursor.length(field);
        hasValidity = layout.has(field, BufferRole.VALIDITY) && cursor.validity(field, validity);
        if (hasValidity) {
            use(BufferRole.VALIDITY, 0, length, 1);
        }
        switch (layout.shape(field)) {
            case FIXED_WIDTH -> numbers();
            case VARIABLE_WIDTH -> bytes();
            case VIEW -> views();
            case LIST -> lists();
            case LIST_VIEW -> listViews();
            case NOTHING, VALIDITY_ONLY -> children();
            default -> union();
        }
    }

    private void numbers() {
        if (length(field, cursor.index(field, BufferRole.DATA)) != 0) { // else all are null
            for (next(0); from < length; next(to)) {
                use(BufferRole.DATA, from, to, layout.valueBits(field));
            }
        }
    }

    private void bytes() {
        int width = offsets();
        for (next(0); from < length; next(to)) {
            use(
                    BufferRole.DATA,
                    number(numbers, from, width),
                    number(numbers, to, width),
                    Byte.SIZE);
        }
    }

    private void views() {
        read(BufferRole.VIEWS, numbers);
        for (next(0); from < length; next(to)) {
            for (long row = from; row < to; row++) {
                long position = row * TypeFacts.VIEW_BYTES;
                int size = int32(numbers, position);
                if (size >= 0 && size <= TypeFacts.INLINE_BYTES) {
                    long first = row * VIEW_BITS;
                    use(BufferRole.VIEWS, first, first + Byte.SIZE * (Integer.BYTES + size), 1);
                    continue;
                }
                use(BufferRole.VIEWS, row, row + 1, VIEW_BITS);
                int buffer = int32(numbers, position + TypeFacts.VIEW_BUFFER_AT);
                long offset = int32(numbers, position + TypeFacts.VIEW_OFFSET_AT);
                int index = 2 + Objects.checkIndex(buffer, cursor.variadicCount(field));
                use(field, index, offset, offset + size, Byte.SIZE);
            }
        }
    }

    private void lists() {
        int width = offsets();
        for (next(0); from < length; next(to)) {
            useRows(field + 1, number(numbers, from, width), number(numbers, to, width));
        }
    }

    private void listViews() {
        int width = TypeFacts.of(layout.typeType(field)).offsetBytes();
        read(BufferRole.OFFSETS, numbers);
        read(BufferRole.SIZES, more);
        for (next(0); from < length; next(to)) {
            use(BufferRole.OFFSETS, from, to, (long) Byte.SIZE * width);
            use(BufferRole.SIZES, from, to, (long) Byte.SIZE * width);
            for (long row = from; row < to; row++) {
                long offset = number(numbers, row, width);
                long size = number(more, row, width);
                Objects.checkFromIndexSize(offset, size, cursor.length(field + 1));
                useRows(field + 1, offset, offset + size);
            }
        }
    }

    /// Structs, fixed-size lists, runs, and the type Null, which has no children.
    private void children() {
        if (layout.typeType(field) == Type.RUN_END_ENCODED) {
            runs();
            return;
        }
        boolean isList = layout.typeType(field) == Type.FIXED_SIZE_LIST;
        long size = isList ? layout.listSize(field) : 1;
        int end = layout.end(field);
        if (field + 1 == end || size <= 0) {
            return;
        }
        for (next(0); from < length; next(to)) {
            for (int child = field + 1; child < end; child = layout.end(child)) {
                Objects.checkFromToIndex(from, to, cursor.length(child) / size);
                useRows(child, from * size, to * size);
            }
        }
    }

    private void union() {
        read(BufferRole.TYPE_IDS, numbers);
        use(BufferRole.TYPE_IDS, 0, length, Byte.SIZE);
        boolean isDense = layout.has(field, BufferRole.OFFSETS);
        if (isDense) {
            read(BufferRole.OFFSETS, more);
            use(BufferRole.OFFSETS, 0, length, Integer.SIZE);
        }
        for (next(0); from < length; next(to)) {
            for (long row = from; row < to; row++) {
                long position = isDense ? int32(more, row * Integer.BYTES) : row;
                useRows(layout.childOf(field, numbers.int8(row)), position, position + 1);
            }
        }
    }

    private void runs() {
        int ends = field + 1;
        int width = (int) layout.valueBits(ends) / Byte.SIZE;
        long count = cursor.length(ends);
        int data = cursor.index(ends, BufferRole.DATA);
        if (cursor.decompressed(ends, data, numbers).length() == 0) {
            return;
        }
        use(ends, data, 0, count, layout.valueBits(ends)); // also of nulls
        next(0);
        long end = 0;
        for (long run = 0; run < count && from < length; run++) {
            if (to <= end) {
                next(end);
            }
            end = number(numbers, run, width);
            if (from < Math.min(end, length)) {
                useRows(layout.end(ends), run, run + 1);
            }
        }
    }

    /// Finds the next range of used values that are not null, from a value on; behind all if there
    /// is none.
    private void next(long row) {
        UsedBits all = rows[field];
        from = all.next(row);
        while (from < length) {
            to = Math.min(all.nextAbsent(from), length);
            if (!hasValidity) {
                return;
            }
            from = nextBit(from, to, 0);
            if (from < to) {
                to = nextBit(from, to, -1);
                return;
            }
            from = all.next(to);
        }
    }

    /// The first validity bit of a range that differs from those of a word; the end if there is
    /// none.
    private long nextBit(long first, long end, long equal) {
        long position = first;
        while (position < end) {
            boolean isLong = validity.length() - (position >> 3) >= Long.BYTES;
            long word = isLong ? validity.int64(position >> 3) : validity.int8(position >> 3);
            int bits = (isLong ? Long.SIZE : Byte.SIZE) - (int) (position & 7);
            int found = Long.numberOfTrailingZeros((word ^ equal) >> (position & 7));
            if (found < bits) {
                return Math.min(position + found, end);
            }
            position += bits;
        }
        return end;
    }

    /// Uses values of a child.
    private void useRows(int child, long first, long end) {
        Objects.checkFromToIndex(first, end, cursor.length(child));
        if (hasBytes[child]) {
            rows[child].add(first, end);
        }
    }

    private void use(BufferRole role, long first, long end, long bits) {
        use(field, cursor.index(field, role), first, end, bits);
    }

    /// Uses numbers of a buffer.
    ///
    /// @param bits of a number
    private void use(int field, int buffer, long first, long end, long bits) {
        long limit = Byte.SIZE * length(field, buffer);
        Objects.checkFromToIndex(first, end, bits == 0 ? end : limit / bits);
        long start = Byte.SIZE * start(field, buffer);
        used.add(start + first * bits, start + end * bits);
    }

    // ---- buffers

    /// Binds [#numbers] to the offsets, all of which are used; none if there are no values.
    ///
    /// @return bytes of an offset
    private int offsets() {
        int width = TypeFacts.of(layout.typeType(field)).offsetBytes();
        read(BufferRole.OFFSETS, numbers);
        use(BufferRole.OFFSETS, 0, length == 0 ? 0 : length + 1, (long) Byte.SIZE * width);
        return width;
    }

    private void read(BufferRole role, ByteSlice into) {
        cursor.decompressed(field, cursor.index(field, role), into);
    }

    private int int32(ByteSlice bytes, long position) {
        return (int) number(bytes, position / Integer.BYTES, Integer.BYTES);
    }

    private long number(ByteSlice bytes, long index, int width) {
        return layout.inOrder(bytes.integerAt(index, width), width);
    }

    /// {@return position of the first byte of a buffer}
    public long start(int field, int buffer) {
        return starts[firsts[field] + buffer];
    }

    /// {@return number of bytes of a buffer; of a compressed one, decompressed}
    public long length(int field, int buffer) {
        return lengths[firsts[field] + buffer];
    }

    /// {@return number of buffers that share bytes with others, and are kept as a whole}
    public int sharedCount() {
        return sharedCount;
    }

    // ---- what is unused

    /// {@return the bits of a byte that are used}
    ///
    /// @param position of the byte
    int usedBits(long position) {
        return (int) (used.word(position >> 3) >>> (Byte.SIZE * (position & 7))) & 0xFF;
    }

    private void requireFound() {
        if (!isFound) {
            throw new IllegalStateException("no batch was searched");
        }
    }

    /// Sets all unused bits of the body to 0.
    ///
    /// @param body the body in writable memory, or a copy of it
    /// @throws IllegalArgumentException if the batch is compressed, or its layout is one of some
    ///     columns only: then the bytes of others would be cleared
    /// @throws IllegalStateException if [#find] was not called, or has failed
    public void clear(MemorySegment body) {
        requireFound();
        requireWhole(isCompressed, layout);
        clear(0, body, 0, body.byteSize());
    }

    private static void requireWhole(boolean isCompressed, BatchLayout layout) {
        if (isCompressed || !layout.isWhole()) {
            throw new IllegalArgumentException("batch is compressed, or has other columns");
        }
    }

    /// Replaces a body by a copy whose unused bits are 0. The bytes of the body stay as they are,
    /// such as those of a mapped file. The copy is in memory of this object, as long as the body
    /// and beside the limit, and valid until the next one.
    ///
    /// @param all the layout of record batches with the fields of this one
    /// @param message bound to a record batch, or a dictionary batch
    /// @param body its body; then, the copy
    /// @return the copy
    /// @throws FletchException also if buffers are compressed, or the body is too long for an array
    /// @throws IllegalArgumentException if the layout is one of some columns of the batch
    public SegmentList clear(BatchLayout all, Message message, SegmentList body) {
        requireWhole(false, all);
        boolean isDictionary = message.header(dictionary);
        own.bind(isDictionary ? all.dictionaryLayout(dictionary.id()) : all, message);
        long bytes = body.length();
        if (copied.byteSize() < bytes) {
            copied = MemorySegment.NULL; // first: both may not fit
            copied = allocate(bytes);
        }
        long position = 0;
        for (int i = 0; i < body.count(); i++) {
            MemorySegment.copy(body.segment(i), body.offset(i), copied, position, body.bytes(i));
            position += body.bytes(i);
        }
        find(own.body(copied, 0, bytes));
        clear(0, copied, 0, bytes);
        return body.reset().add(copied, 0, bytes);
    }

    private static MemorySegment allocate(long length) {
        if (length <= Wire.LONGEST_ARRAY) {
            try {
                return MemorySegment.ofArray(new byte[(int) length]);
            } catch (OutOfMemoryError _) {
                // as if it were too long
            }
        }
        throw DecompressedBuffers.tooMuch(
                "body to clear, length=" + length + ", limit=" + Wire.LONGEST_ARRAY);
    }

    /// Sets all unused bits of a range to 0.
    ///
    /// @param position of the first byte
    /// @param bytes writable memory with a copy of the range, or the range itself
    /// @param offset offset of the first byte in `bytes`
    /// @param count number of bytes
    public void clear(long position, MemorySegment bytes, long offset, long count) {
        requireFound();
        Objects.checkFromIndexSize(offset, count, bytes.byteSize());
        long i = 0;
        while (i < count) {
            long word = used.word(position + i >> 3);
            if ((position + i & 7) == 0 && count - i >= Long.BYTES) {
                long before = bytes.get(Wire.LONG, offset + i);
                if ((before & word) != before) { // else pages of a file would be written
                    bytes.set(Wire.LONG, offset + i, before & word);
                }
                i += Long.BYTES;
            } else {
                byte kept = (byte) (Wire.int8(bytes, offset + i) & usedBits(position + i));
                Wire.setInt8(null, bytes, offset + i, kept);
                i++;
            }
        }
    }

    /// {@return number of bytes of a range that have unused bits which are not 0}
    ///
    /// @param position of the first byte
    /// @param bytes memory with the range
    /// @param offset offset of the first byte in `bytes`
    /// @param count number of bytes
    public long nonzero(long position, MemorySegment bytes, long offset, long count) {
        Objects.checkFromIndexSize(offset, count, bytes.byteSize());
        firstNonzero = -1;
        long found = 0;
        for (long i = 0; i < count; i++) {
            boolean isWord = (position + i & 7) == 0 && count - i >= Long.BYTES;
            if (isWord && (Wire.int64(bytes, offset + i) & ~used.word(position + i >> 3)) == 0) {
                i += Long.BYTES - 1;
            } else if ((Wire.int8(bytes, offset + i) & ~usedBits(position + i) & 0xFF) != 0) {
                firstNonzero = found == 0 ? i : firstNonzero;
                found++;
            }
        }
        return found;
    }

    /// {@return the first such byte, counted from the start of the range; -1 if there was none}
    public long firstNonzero() {
        return firstNonzero;
    }
}
