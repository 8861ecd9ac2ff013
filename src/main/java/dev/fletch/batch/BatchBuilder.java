// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// Builds batches of a schema from their buffers: knows which nodes and buffers belong to each
/// field, in which order. [BatchCursor] is the counterpart for reading.
///
/// ```java
/// batch.begin(3);
/// batch.buffer(id, BufferRole.DATA, ids);
/// batch.buffer(name, BufferRole.VALIDITY, bits);
/// batch.buffer(name, BufferRole.OFFSETS, offsets);
/// batch.buffer(name, BufferRole.DATA, text);
/// out.write(batch);
/// ```
///
/// where `out` is a `dev.fletch.ipc.MessageWriter` or `MessageEncoder`. Fields have the numbers of
/// the layout, and buffers come in any order. They are not copied.
///
/// **Lengths.** A column has the batch's rows, and a child of a struct or a sparse union the length
/// of its parent. A child of a fixed-size list has its parent's length times the list size; a child
/// of a list or map as many values as its parent's last offset says, or more if [#length] says so.
/// [#length] gives that of others: children of list views, dense unions and run-end encoded fields,
/// and of lists with compressed offsets. Runs are at most as many as the values of their parent.
///
/// **Nulls.** Without [#nullCount], the null bits are counted. A field without validity buffer has
/// no nulls; of the type `Null`, all values are.
///
/// **Checks** by [#encode], before anything is written. An [IllegalStateException] names the field
/// if a buffer is shorter than its values need, or than the last offset of binary and text: so one
/// that was not given is missing if there are values. Or if a length is missing or wrong, there are
/// more nulls than values, or nulls without a validity buffer or among run ends. Values are not
/// read, except for null bits and last offsets; a given number of nulls is not compared with the
/// bits. Whether the schema permits nulls is not checked.
///
/// **Allocation.** None after the first batches, if segments are the same objects and there are not
/// more variadic buffers than before.
///
/// **Lifetime and threads.** The bytes must be readable until they are written or sent. Segments
/// stay referenced until others replace them. Belongs to one thread at a time. Methods that return
/// a builder return this.
///
/// Source: Columnar format, "Recordbatch message", "Buffer Listing for Each Layout".
public final class BatchBuilder {
    /// For [#compression]: buffers are not compressed.
    public static final int NOT_COMPRESSED = -1;

    private static final int PAIR = BufferShape.PAIR;
    private static final long MISSING = -1;
    private static final int NONE = -1;

    private final BatchLayout columns;
    private final BodyLayout numbers;

    // The batch: its layout is null before the first.
    private BatchLayout layout;
    private long rows;
    private CustomMetadata metadata;
    private boolean isBegun;

    // By field. Lengths that were given, and those of the nodes.
    private long[] givenLengths = {};
    private long[] lengths = {};
    private long[] nullCounts = {};
    private int[] firstVariadic = {};
    private int[] lastVariadic = {};
    // By buffer: its segment, offset and length. Variadic ones follow those of the layout; each
    // has the number of the next of its field.
    private MemorySegment[] segments = {};
    private long[] ranges = {};
    private int[] next = {};
    private int buffers;
    private final ByteSlice bits = new ByteSlice();

    // The message: what it is like, and its bytes.
    private final RecordBatchTemplate template;
    private final FlatBufferWriter exampleWriter;
    private final Message example = new Message();
    private final RecordBatch exampleBatch = new RecordBatch();
    private final DictionaryBatch exampleDictionary = new DictionaryBatch();
    private int nextCodec = NOT_COMPRESSED;
    private int codec = NOT_COMPRESSED;

    /// Creates a builder of batches in arrow-java's byte layout, with buffers aligned to 8 bytes.
    ///
    /// @param columns the layout of the batches
    /// @throws FletchException if the type of a field is unknown
    public BatchBuilder(BatchLayout columns) {
        this(columns, EmissionOrder.ARROW_JAVA, BodyLayout.LEAST_ALIGNMENT);
    }

    /// Creates a builder.
    ///
    /// @param columns the layout of the batches
    /// @param order the producer whose byte layout to write
    /// @param alignment of buffers in bytes: a power of two from 8 to 4096; the format recommends
    ///     64
    /// @throws FletchException if the type of a field is unknown
    /// @throws IllegalArgumentException if `alignment` is another number
    public BatchBuilder(BatchLayout columns, EmissionOrder order, int alignment) {
        this.columns = columns.requireKnown();
        numbers = new BodyLayout(alignment);
        template = new RecordBatchTemplate(order);
        exampleWriter = order.newWriter();
    }

    // ---- a batch

    /// Begins a record batch, without buffers and custom metadata.
    ///
    /// @throws IllegalArgumentException if the number of rows is negative
    public BatchBuilder begin(long rowCount) {
        begin(columns, rowCount);
        int header = batch();
        example(MessageHeader.RECORD_BATCH, header).header(exampleBatch);
        return this;
    }

    /// Begins a dictionary batch, without buffers and custom metadata. Its values are field 0 of
    /// the dictionary's layout: see [BatchLayout#dictionaryLayout].
    ///
    /// @param values number of values
    /// @param isDelta whether it extends the dictionary
    /// @throws IllegalArgumentException if no field uses the dictionary, or `values` is negative
    public BatchBuilder beginDictionary(long id, long values, boolean isDelta) {
        BatchLayout dictionary = columns.dictionaryLayout(id);
        if (dictionary == null) {
            throw new IllegalArgumentException("no field uses the dictionary: dictionaryId=" + id);
        }
        begin(dictionary, values);
        int data = batch();
        int header = TableEncoder.createDictionaryBatch(exampleWriter, id, data, isDelta);
        example(MessageHeader.DICTIONARY_BATCH, header).header(exampleDictionary);
        exampleDictionary.data(exampleBatch);
        return this;
    }

    private void begin(BatchLayout of, long rowCount) {
        requireCount(rowCount);
        layout = of;
        codec = nextCodec;
        rows = rowCount;
        metadata = null;
        isBegun = true;
        int fields = of.fieldCount();
        buffers = of.bufferCount();
        if (lengths.length < fields) {
            givenLengths = new long[fields];
            lengths = new long[fields];
            nullCounts = new long[fields];
            firstVariadic = new int[fields];
            lastVariadic = new int[fields];
        }
        Arrays.fill(givenLengths, 0, fields, MISSING);
        Arrays.fill(nullCounts, 0, fields, MISSING);
        Arrays.fill(firstVariadic, 0, fields, NONE);
        reserve();
        Arrays.fill(ranges, 0, PAIR * buffers, MISSING);
    }

    private void reserve() {
        if (segments.length < buffers) {
            int size = Math.multiplyExact(2, buffers);
            segments = Arrays.copyOf(segments, size);
            ranges = Arrays.copyOf(ranges, Math.multiplyExact(PAIR, size));
            next = Arrays.copyOf(next, size);
        }
    }

    /// Writes the header of the example, without the numbers that differ.
    private int batch() {
        exampleWriter.reset();
        int compression =
                codec == NOT_COMPRESSED
                        ? 0
                        : TableEncoder.createBodyCompression(
                                exampleWriter, codec, BodyCompressionMethod.BUFFER);
        return TableEncoder.createRecordBatch(exampleWriter, 0, 0, 0, compression, 0);
    }

    private Message example(int kind, int header) {
        exampleWriter.finish(
                TableEncoder.createMessage(exampleWriter, columns.version(), kind, header, 0, 0));
        return example.wrap(exampleWriter.target(), exampleWriter.offset(), exampleWriter.length());
    }

    private BatchLayout begun() {
        if (layout == null) {
            throw new IllegalStateException("no batch: call begin first");
        }
        return layout;
    }

    /// Marks the buffers of batches that begin from now on as compressed: their bytes are those
    /// after compression, with the uncompressed length before them. These 8 bytes must be there;
    /// the lengths are not checked further.
    ///
    /// @param by one of [CompressionType]; [#NOT_COMPRESSED] for none, which is the default
    /// @throws IllegalArgumentException if the codec is unknown
    public BatchBuilder compression(int by) {
        if (by != NOT_COMPRESSED && !CompressionType.NAMES.isKnown(by)) {
            throw new IllegalArgumentException("codec is unknown: codec=" + by);
        }
        nextCodec = by;
        return this;
    }

    /// Sets the custom metadata of the batch.
    ///
    /// @param pairs read when the batch is written; null for none
    public BatchBuilder metadata(CustomMetadata pairs) {
        begun();
        metadata = pairs;
        return this;
    }

    // ---- its fields

    /// Sets the number of a field's values: see **Lengths**.
    ///
    /// @throws IllegalArgumentException if it is negative
    public BatchBuilder length(int field, long values) {
        givenLengths[requireField(field)] = requireCount(values);
        return this;
    }

    /// Sets the number of nulls among a field's values.
    ///
    /// @throws IllegalArgumentException if it is negative
    public BatchBuilder nullCount(int field, long nulls) {
        nullCounts[requireField(field)] = requireCount(nulls);
        return this;
    }

    private int requireField(int field) {
        int fields = begun().fieldCount();
        if (field < 0 || field >= fields) {
            throw new IndexOutOfBoundsException(
                    String.format(
                            Locale.ROOT,
                            "field is not in the layout of the batch: field=%d, fields=%d",
                            field,
                            fields));
        }
        return field;
    }

    private static long requireCount(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("count is negative: count=" + count);
        }
        return count;
    }

    /// [#buffer(int, BufferRole, MemorySegment, long, long)] of a complete segment.
    public BatchBuilder buffer(int field, BufferRole role, MemorySegment memory) {
        return buffer(field, role, memory, 0, memory.byteSize());
    }

    /// Gives a buffer, in place of one given before. [BufferRole#VARIADIC] adds another one to
    /// those of the field.
    ///
    /// @param memory contains the buffer; any kind of memory
    /// @param offset byte offset of its first byte
    /// @param bytes its length in bytes
    /// @throws IllegalArgumentException if the field's type has no such buffer
    /// @throws IndexOutOfBoundsException if the buffer is not inside `memory`
    public BatchBuilder buffer(
            int field, BufferRole role, MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        requireField(field);
        if (!layout.has(field, role)) {
            throw layout.noRole(field, role);
        }
        int number = role == BufferRole.VARIADIC ? addVariadic(field) : number(field, role);
        if (segments[number] != memory) {
            segments[number] = memory; // compared before it is stored
        }
        ranges[PAIR * number] = offset;
        ranges[PAIR * number + 1] = bytes;
        return this;
    }

    private int number(int field, BufferRole role) {
        return layout.section.buffersBefore(field) + layout.shape(field).index(role);
    }

    private int addVariadic(int field) {
        int number = buffers++;
        reserve();
        next[number] = NONE;
        if (firstVariadic[field] == NONE) {
            firstVariadic[field] = number;
        } else {
            next[lastVariadic[field]] = number;
        }
        lastVariadic[field] = number;
        return number;
    }

    // ---- the message

    /// Checks and encodes the batch, which stays until the next call of [#begin]: it can be
    /// completed after an exception, and encoded again.
    ///
    /// @return length in bytes of the message in [#message]
    /// @throws IllegalStateException if no batch was begun, or it is incomplete or wrong
    /// @throws IllegalArgumentException if the body would be longer than 2^63 - 1 bytes
    /// @throws dev.fletch.FletchException if the message exceeds the limits of a
    ///     [dev.fletch.format.write.MetadataWriter]
    /// @throws UnreadableFileException if another process truncates a mapped file meanwhile
    public int encode() {
        try {
            collect();
            int length = template.write(example, exampleBatch, rows, numbers, metadata);
            isBegun = false;
            return length;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// {@return whether a batch was begun, and not encoded since}
    public boolean isBegun() {
        return isBegun;
    }

    /// Adds all nodes and buffers.
    private void collect() {
        begun();
        numbers.reset();
        for (int field = 0; field < layout.fieldCount(); field++) {
            lengths[field] = requireLength(field);
            add(field, lengths[field]);
        }
    }

    /// {@return memory of this builder, with the message of [#encode] at its start; valid until the
    /// next call of that}
    public MemorySegment message() {
        return template.message();
    }

    /// {@return the body of that batch, valid as long}
    public SegmentList body() {
        return numbers.body();
    }

    /// Adds a field's node and buffers.
    private void add(int field, long length) {
        BufferShape shape = layout.shape(field);
        int first = layout.section.buffersBefore(field);
        for (int i = 0; i < shape.count(); i++) {
            requireReadable(field, first + i);
        }
        numbers.addNode(length, requireNulls(field, shape, length));
        for (int i = 0; i < shape.count(); i++) {
            int number = first + i;
            requireBytes(field, shape.role(i), number, length);
            add(number);
        }
        if (shape == BufferShape.VIEW) {
            int count = 0;
            for (int each = firstVariadic[field]; each != NONE; each = next[each]) {
                requireReadable(field, each);
                add(each);
                count++;
            }
            numbers.addVariadicCount(count);
        }
    }

    private void requireBytes(int field, BufferRole role, int number, long length) {
        long needed = needed(field, role, length);
        if (codec != NOT_COMPRESSED) { // the length before the compressed bytes
            needed = needed == 0 && bytes(number) == 0 ? 0 : CompressedBuffer.PREFIX_BYTES;
        }
        if (bytes(number) < needed) {
            throw tooShort(field, role, number, needed, length);
        }
    }

    private void requireReadable(int field, int number) {
        if (bytes(number) != 0
                && !(segments[number].scope().isAlive()
                        && segments[number].isAccessibleBy(Thread.currentThread()))) {
            throw new IllegalStateException(
                    "memory of a buffer was freed, or belongs to another thread: column="
                            + layout.shownPath(field));
        }
    }

    private void add(int number) {
        long bytes = bytes(number);
        if (bytes == 0) {
            numbers.addBuffer(0);
        } else {
            numbers.addBuffer(segments[number], ranges[PAIR * number], bytes);
        }
    }

    private long bytes(int number) {
        return Math.max(0, ranges[PAIR * number + 1]);
    }

    private long needed(int field, BufferRole role, long length) {
        if (role == BufferRole.VALIDITY || role == BufferRole.OFFSETS && length == 0) {
            return 0; // validity is checked together with the nulls
        }
        return role == BufferRole.DATA && layout.shape(field) == BufferShape.VARIABLE_WIDTH
                ? lastOffset(field, length)
                : facts(field).leastBytes(role, length, layout.valueBits(field));
    }

    private TypeFacts facts(int field) {
        return TypeFacts.of(layout.typeType(field));
    }

    // ---- lengths and nulls

    private long requireLength(int field) {
        long given = givenLengths[field];
        int parent = layout.parent(field);
        long derived = parent < 0 ? rows : derived(parent, field);
        if (given == MISSING && derived == MISSING) {
            throw new IllegalStateException(
                    "length is missing: column=" + layout.shownPath(field) + ", call length");
        }
        boolean mayBeLonger = parent >= 0 && mayBeLonger(parent);
        boolean isRight =
                given == MISSING
                        || derived == MISSING
                        || given == derived
                        || mayBeLonger && given > derived;
        boolean hasRuns =
                !isRunEnds(field)
                        || given <= lengths[parent] && (lengths[parent] == 0) == (given <= 0);
        if (!isRight || !hasRuns) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "length is wrong: column=%s, length=%d, needed=%s",
                            layout.shownPath(field),
                            given,
                            derived != MISSING
                                    ? derived
                                    : lengths[parent] == 0 ? "0" : "1 to " + lengths[parent]));
        }
        return given == MISSING ? derived : given;
    }

    /// Whether a field's children may have values that it does not use.
    private boolean mayBeLonger(int field) {
        return switch (layout.shape(field)) {
            case LIST, LIST_VIEW, DENSE_UNION, DENSE_UNION_V4 -> true;
            default -> false;
        };
    }

    /// Whether a field has the run ends of a run-end encoded one.
    private boolean isRunEnds(int field) {
        int parent = layout.parent(field);
        return parent >= 0 && field == parent + 1 && isOf(parent, Type.RUN_END_ENCODED);
    }

    private boolean isOf(int field, int type) {
        return layout.table.isOf(layout.row(field), type);
    }

    /// The length of a child according to its parent; [#MISSING] if it does not follow.
    private long derived(int parent, int field) {
        long length = lengths[parent];
        if (isOf(parent, Type.RUN_END_ENCODED) && !isRunEnds(field)) {
            return lengths[parent + 1]; // a value for each run
        }
        return switch (layout.shape(parent)) {
            case VALIDITY_ONLY ->
                    isOf(parent, Type.RUN_END_ENCODED)
                            ? free(length)
                            : isOf(parent, Type.FIXED_SIZE_LIST) ? product(parent, length) : length;
            case SPARSE_UNION, SPARSE_UNION_V4 -> length;
            case LIST -> codec == NOT_COMPRESSED ? lastOffset(parent, length) : free(length);
            default -> free(length);
        };
    }

    /// 0 without values of the parent, else unknown.
    private static long free(long length) {
        return length == 0 ? 0 : MISSING;
    }

    private long product(int list, long length) {
        int size = layout.listSize(list);
        long values = size < 0 ? MISSING : TypeFacts.product(length, size);
        if (values == MISSING || values == Long.MAX_VALUE) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "list size is wrong: column=%s, listSize=%d, values=%d",
                            layout.shownPath(list),
                            size,
                            length));
        }
        return values;
    }

    /// The last of a field's offsets, in a buffer whose length was checked.
    private long lastOffset(int field, long length) {
        if (length == 0 || codec != NOT_COMPRESSED) {
            return 0;
        }
        int number = number(field, BufferRole.OFFSETS);
        int width = facts(field).offsetBytes();
        long needed = facts(field).leastBytes(BufferRole.OFFSETS, length, 0);
        MemorySegment memory = segments[number];
        long position = ranges[PAIR * number] + needed - width;
        boolean isShort = width == Integer.BYTES;
        long stored = isShort ? Wire.int32(memory, position) : Wire.int64(memory, position);
        long last = layout.inOrder(stored, width);
        if (last < 0) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "last offset is negative: column=%s, offset=%d",
                            layout.shownPath(field),
                            last));
        }
        return last;
    }

    private long requireNulls(int field, BufferShape shape, long length) {
        long given = nullCounts[field];
        if (layout.isAllNull(field)) {
            return length;
        }
        int number = shape.has(BufferRole.VALIDITY) ? number(field, BufferRole.VALIDITY) : NONE;
        long bytes = number == NONE ? 0 : bytes(number);
        long needed = facts(field).leastBytes(BufferRole.VALIDITY, length, 0);
        long nulls = given;
        if (codec == NOT_COMPRESSED && bytes != 0 && bytes < needed) {
            throw tooShort(field, BufferRole.VALIDITY, number, needed, length);
        }
        if (given == MISSING) {
            nulls =
                    bytes == 0
                            ? 0
                            : codec == NOT_COMPRESSED ? length - ones(number, length) : MISSING;
        }
        boolean mayHaveNulls = bytes != 0 && !isRunEnds(field);
        if (nulls < 0 || nulls > length || nulls > 0 && !mayHaveNulls) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            nulls == MISSING
                                    ? "null count is missing: column=%s, call nullCount"
                                    : "null count is wrong: column=%s, nulls=%d, values=%d,"
                                            + " validity=%d",
                            layout.shownPath(field),
                            nulls,
                            length,
                            bytes));
        }
        return nulls;
    }

    private long ones(int number, long count) {
        long offset = ranges[PAIR * number];
        return bits.wrap(segments[number], offset, bytes(number)).countBits(0, count);
    }

    private IllegalStateException tooShort(
            int field, BufferRole role, int number, long needed, long length) {
        boolean isMissing = ranges[PAIR * number] == MISSING;
        return new IllegalStateException(
                String.format(
                        Locale.ROOT,
                        "buffer is %s: column=%s, buffer=%s, length=%d, needed=%d, values=%d",
                        isMissing ? "missing" : "too short",
                        layout.shownPath(field),
                        role.text(),
                        bytes(number),
                        needed,
                        length));
    }
}
