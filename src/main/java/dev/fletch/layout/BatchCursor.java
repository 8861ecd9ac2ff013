// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// Shows which nodes and buffers of a batch belong to a field: for one field after another, or for a
/// single one.
///
/// ```java
/// cursor.bind(layout, batch, memory, frame.bodyOffset(), frame.bodyLength());
/// cursor.column(layout.find("price"));
/// long nulls = cursor.nullCount();
/// if (!cursor.isAbsent(BufferRole.VALIDITY)) {
///     cursor.buffer(BufferRole.VALIDITY, bits);
/// }
/// cursor.buffer(BufferRole.DATA, values);
/// ```
///
/// Binding checks that the batch has the nodes and buffers that the layout needs, and for fields of view
/// types adds up the batch's variadic buffer counts. Going to a field then takes the same time wherever it
/// is. Further nodes and buffers are ignored: see [#extraNodes()], [#extraBuffers()].
///
/// **Modes** differ in when the numbers of nodes and buffers are copied out of the batch. The accessors show
/// them as they were then:
///
/// - [#BatchCursor()]: all numbers of the plan at once, when a batch is bound. For reading most columns.
/// - [#inPlace()]: those of one field, when the cursor goes there. For a few columns of a very wide batch:
///   the cost follows the fields that are read.
/// - [#checked()]: all at once, and each buffer is checked to be inside the body.
///
/// In the first two, numbers are shown as they are in the batch; methods that read a buffer's bytes, such as
/// [#buffer], check that they are inside the body.
///
/// **Buffers** are found by their role, such as the validity of a column, or by index from 0 to
/// [#bufferCount()] - 1. Variadic buffers have only an index. In a compressed batch each buffer of more than
/// 0 bytes begins with a prefix, little-endian in any schema:
///
/// ```text
///   0   i64  bytes after decompression, or -1 if the bytes are stored as they are
///   8        the bytes
/// ```
///
/// **Values** of a type are bound as an array by [#values] and the methods after it, which check once that the
/// field has them. Numbers of more than 8 bits must be little-endian, and no buffer compressed.
///
/// **Errors.** A [LayoutException]: binding, if the batch does not have what the layout needs, or in a
/// checked cursor a buffer is not inside the body; going to a field that cannot be placed, as its type or one
/// before it is unknown; reading a buffer that is not inside the body, or too short for its prefix. An
/// [IllegalArgumentException]: the field's type has no buffer of a role. An [IndexOutOfBoundsException]: there
/// is no such column, field or buffer. An [IllegalStateException]: going to a field before a batch is bound;
/// asking about a field as long as the cursor is at none; reading a buffer's
/// bytes if the batch was bound without its body; in place, if the batch is out of date. After binding has
/// failed, no batch is bound.
///
/// **Lifetime and threads.** Nothing is allocated after the first batch of a layout. It is valid as long as
/// the layout stays unchanged and the body's memory is there; in place, also as long as the batch's flyweight
/// stays bound. It belongs to one thread at a time; the layout of a schema may be shared.
public final class BatchCursor {
    /// All bits of an index, so that none changes.
    ///
    /// A field has up to three buffers, and C2 makes a loop over them ready for many rounds, as long as
    /// it sees that an index goes up by one. Behind a mask it does not: a third less time.
    private static final int ANY_INDEX = Integer.MAX_VALUE;

    private static final int SHAPE = (1 << FieldTable.SHAPE_BITS) - 1;

    private static final long[] NO_NUMBERS = {};

    private static final int PREFIX_BYTES = 8;

    /// What the prefix of a buffer says that is stored as it is.
    private static final long STORED = -1;

    /// The numbers of a node, and those of a buffer.
    private static final int PAIR = 2;

    private enum Mode {
        COPY,
        IN_PLACE,
        CHECKED
    }

    private final Mode mode;
    private final BodyCompression compression = new BodyCompression();
    private final ByteSlice body = new ByteSlice();
    // Null if the body is in one piece.
    private ReceivedBody pieces;
    private final ByteSlice prefix = new ByteSlice();

    private final RecordBatch own = new RecordBatch();
    // Null until needed.
    private DictionaryBatch dictionary;
    private EncapsulatedMessage fileFrame;
    private Message fileMessage;
    // The last file, and a plan that fits it.
    private ArrowFile fileOfPlan;
    private FieldLayout filePlan;

    private FieldLayout layout;
    private RecordBatch batch = own;
    private long rowCount;
    private boolean hasBody;
    private boolean compressed;
    private int codec;
    // Copies of the layout's parts that going to a field needs.
    private int[] columns;
    private int[] buffersAt;
    private int[] firstViews;
    private int base;
    private int firstNode;
    private int firstBuffer;
    // Fields from this one on cannot be placed; 0 as long as nothing is bound.
    private int placeable;
    private boolean hasViews;
    // Whether all numbers were copied, and no buffer is variadic.
    private boolean isPlain;

    // Numbers of the nodes, then of the buffers: of all fields of the plan, or of the current one.
    private long[] numbers = NO_NUMBERS;
    // Which buffer of the batch the first number in there is of, and where it is.
    private int copiedBuffer;
    private int buffersFrom;

    // What the batch of the layout has. Fields from `placed` on cannot be placed.
    private int placed;
    private int placedBuffers;
    private int extraNodes;
    private int extraBuffers;
    // The batch's variadic buffer counts, and their sums: before each view field of the layout,
    // and in the end before what follows.
    private long[] counts = NO_NUMBERS;
    private int[] variadicsBefore = new int[1];

    // The plan that the last batch had the counts for, and how many nodes and buffers that had.
    private FieldLayout passed;
    private int passedNodes;
    private int passedBuffers;

    // The current field, where its numbers are, and what BufferShape says of its buffers.
    private int field = FieldLayout.NONE;
    private int nodeNumbers = FieldLayout.NONE;
    private int bufferNumbers;
    private long roles = BufferShape.NO_ROLES;
    private int variadics;

    /// Creates a cursor that is bound to nothing. It copies all numbers when it is bound.
    public BatchCursor() {
        this(Mode.COPY);
    }

    private BatchCursor(Mode mode) {
        this.mode = mode;
    }

    /// {@return a cursor that is bound to nothing, and copies the numbers of a field when it goes there}
    public static BatchCursor inPlace() {
        return new BatchCursor(Mode.IN_PLACE);
    }

    /// {@return a cursor that is bound to nothing, copies all numbers when it is bound, and checks that all
    /// buffers are inside the body}
    public static BatchCursor checked() {
        return new BatchCursor(Mode.CHECKED);
    }

    // ---- binding

    /// Binds to a batch whose body fills a segment.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @param bodyBytes the whole body
    /// @return this, at no field
    public BatchCursor bind(FieldLayout plan, RecordBatch header, MemorySegment bodyBytes) {
        return bind(plan, header, bodyBytes, 0, bodyBytes.byteSize());
    }

    /// Binds to a batch.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @param memory any kind of memory, which has the body
    /// @param bodyOffset offset of the body's first byte in it
    /// @param bodyLength length of the body
    /// @return this, at no field
    /// @throws IndexOutOfBoundsException if the body is not inside `memory`
    public BatchCursor bind(
            FieldLayout plan,
            RecordBatch header,
            MemorySegment memory,
            long bodyOffset,
            long bodyLength) {
        leave();
        body.wrap(memory, bodyOffset, bodyLength);
        hasBody = true;
        bind(plan, header, 2);
        return this;
    }

    /// Binds to a batch without its body, for readers that only need its numbers. What reads a buffer's
    /// bytes then throws an [IllegalStateException]. A [#checked()] cursor only checks that each buffer
    /// of more than 0 bytes is between 0 and 2^63 - 1.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @return this, at no field
    public BatchCursor bind(FieldLayout plan, RecordBatch header) {
        leave();
        hasBody = false;
        bind(plan, header, 2);
        return this;
    }

    /// Binds to the batch of a message, or to the values of a dictionary batch, whose body is in the memory
    /// of its frame.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param frame bound to the message's place
    /// @param message bound to its metadata
    /// @return this, at no field
    /// @throws LayoutException also if the message has no batch, or if its metadata version is not the
    ///     plan's and they lay out unions differently
    /// @throws dev.fletch.ipc.ArrowFormatException if the body is not completely in memory
    public BatchCursor bind(FieldLayout plan, EncapsulatedMessage frame, Message message) {
        leave();
        final RecordBatch header = batchOf(plan, message);
        frame.body(body);
        hasBody = true;
        bind(plan, header, 2);
        return this;
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] for a body that is elsewhere, such as one that
    /// [dev.fletch.ipc.MessageReader#readBody] has read.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @param bodyBytes the whole body
    /// @return this, at no field
    public BatchCursor bind(FieldLayout plan, Message message, MemorySegment bodyBytes) {
        leave();
        return bind(plan, batchOf(plan, message), bodyBytes);
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] for a body that was received in pieces. What
    /// crosses pieces is copied each time that it is read.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @param received all pieces of the body; bytes behind it are ignored
    /// @return this, at no field
    /// @throws LayoutException also if bytes of the body are missing
    public BatchCursor bind(FieldLayout plan, Message message, ReceivedBody received) {
        leave();
        final RecordBatch header = batchOf(plan, message);
        if (received.length() < message.bodyLength()) {
            throw LayoutException.of(
                    ValueRules.INCOMPLETE_BODY,
                    "received",
                    received.length(),
                    "bodyLength",
                    message.bodyLength());
        }
        pieces = received;
        hasBody = true;
        bind(plan, header, 2);
        return this;
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] without the body: see
    /// [#bind(FieldLayout, RecordBatch)].
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @return this, at no field
    public BatchCursor bind(FieldLayout plan, Message message) {
        leave();
        return bind(plan, batchOf(plan, message));
    }

    /// Gives the cursor the body of the batch that it was bound to without one, such as a body that comes in pieces
    /// after its message. It keeps the numbers that it has copied, so the message need not be there any more.
    ///
    /// @param bodyBytes the whole body
    /// @return this, at no field
    /// @throws IllegalStateException if no batch is bound, or the cursor reads its numbers in place
    /// @throws LayoutException if the cursor is a [#checked()] one, and a buffer is not inside the body
    public BatchCursor body(MemorySegment bodyBytes) {
        if (layout == null) {
            throw unbound();
        }
        if (mode == Mode.IN_PLACE) {
            throw new IllegalStateException(
                    "cursor reads in place, and needs the body when it is bound");
        }
        leaveField();
        pieces = null;
        body.wrap(bodyBytes, 0, bodyBytes.byteSize());
        hasBody = true;
        if (mode == Mode.CHECKED) {
            checkAll();
        }
        return this;
    }

    private RecordBatch batchOf(FieldLayout plan, Message message) {
        if (!message.header(own) && !(message.header(dictionaryBatch()) && dictionary.data(own))) {
            throw new LayoutException(
                    ValueRules.NO_BATCH, "kind=" + MessageHeader.NAMES.name(message.headerType()));
        }
        if (message.version() != plan.version() && plan.table.hasUnions) {
            throw new LayoutException(
                    ValueRules.OTHER_VERSION,
                    "batch="
                            + MetadataVersion.NAMES.name(message.version())
                            + ", layout="
                            + MetadataVersion.NAMES.name(plan.version()));
        }
        return own;
    }

    /// Binds to a record batch of a file. The cursor allocates what it needs for this at the first call.
    ///
    /// The first time with a plan and a file, it compares their columns, unless the plan was made by
    /// [BatchLayout#of(ArrowFile)] of this file or of a known schema. The other methods that bind cannot tell whether
    /// a plan is that of the batch's schema: one of another schema may give wrong numbers.
    ///
    /// @param plan of the file's schema, or of one column
    /// @param file open
    /// @param index from 0 to [ArrowFile#recordBatchCount] - 1
    /// @return this, at no field
    /// @throws LayoutException as for [#bind(FieldLayout, EncapsulatedMessage, Message)], or if the plan's columns
    ///     are not the file's
    /// @throws dev.fletch.ipc.ArrowFormatException as for [ArrowFile#recordBatch]
    public BatchCursor bind(FieldLayout plan, ArrowFile file, int index) {
        leave();
        if (fileFrame == null) {
            fileFrame = new EncapsulatedMessage();
            fileMessage = new Message();
        }
        if (plan != filePlan || file != fileOfPlan || plan instanceof ColumnLayout) {
            requireFit(plan, file);
        }
        file.recordBatch(index, fileFrame, fileMessage);
        return bind(plan, fileFrame, fileMessage);
    }

    private void requireFit(FieldLayout plan, ArrowFile file) {
        final LayoutException misfit = plan.misfit(file);
        if (misfit != null) {
            throw misfit;
        }
        filePlan = plan;
        fileOfPlan = file;
    }

    private DictionaryBatch dictionaryBatch() {
        if (dictionary == null) {
            dictionary = new DictionaryBatch();
        }
        return dictionary;
    }

    /// Stays a call, by the detours of [dev.fletch.flatbuf.Table]'s binding. Inlined, it takes so much of
    /// what C2 may inline into the caller that the accessors in the caller's loop stay calls: 10
    /// columns in direct memory took 310 ns instead of 110.
    private void bind(FieldLayout plan, RecordBatch header, int detours) {
        if (detours != 0) {
            try {
                bind(plan, header, detours - 1);
                return;
            } catch (InternalError e) {
                throw UnreadableFileException.of(e);
            }
        }
        if (batch != header) {
            batch = header; // compared first: storing a reference costs a barrier
        }
        rowCount = header.length();
        compressed = header.compression(compression);
        codec = compressed ? compression.codec() : 0;
        fit(plan);
        take(plan);
    }

    /// {@return about how many bytes it keeps in arrays, for numbers and variadic buffers: they grow to
    /// what the largest batch needs}
    public long memoryBytes() {
        return (long) Long.BYTES * (numbers.length + counts.length)
                + (long) Integer.BYTES * variadicsBefore.length;
    }

    /// Until all is checked.
    private void leave() {
        layout = null;
        if (pieces != null) {
            pieces = null;
        }
        placeable = 0;
        leaveField();
    }

    private void leaveField() {
        field = FieldLayout.NONE;
        nodeNumbers = FieldLayout.NONE;
        roles = BufferShape.NO_ROLES;
        variadics = 0;
    }

    private void take(FieldLayout plan) {
        final FieldTable table = plan.table;
        if (columns != plan.columnFields()) { // compared first, as above
            columns = plan.columnFields();
        }
        if (buffersAt != table.buffersAt) {
            buffersAt = table.buffersAt;
            firstViews = table.firstView;
        }
        base = plan.section.start;
        firstNode = plan.firstNode();
        hasViews = plan.viewCount() != 0;
        isPlain = !hasViews && mode != Mode.IN_PLACE;
        // Without fields of a view type, all variadic buffers are those of columns before.
        firstBuffer = plan.firstBuffer() + (hasViews ? 0 : variadicsBefore[0]);
        if (mode != Mode.IN_PLACE) {
            copyAll(placed, plan.firstBuffer() + variadicsBefore[0]);
        }
        layout = plan;
        placeable = placed;
        if (mode == Mode.CHECKED) {
            checkAll();
        }
    }

    private void copyAll(int nodes, int from) {
        final int count = placedBuffers;
        reserve((long) nodes + count);
        copiedBuffer = from;
        buffersFrom = PAIR * nodes;
        batch.copyNodes(firstNode, nodes, numbers, 0);
        batch.copyBuffers(from, count, numbers, buffersFrom);
    }

    private void reserve(long entries) {
        if (PAIR * entries > numbers.length) {
            numbers = new long[Math.toIntExact(PAIR * entries)];
        }
    }

    private void checkAll() {
        final long size = hasBody ? bodyLength() : Long.MAX_VALUE;
        final long[] all = numbers;
        final int end = buffersFrom + PAIR * placedBuffers;
        for (int i = buffersFrom; i < end; i += PAIR) {
            if (!isInside(all[i], all[i + 1], size)) {
                throw outOfBody(size);
            }
        }
    }

    /// Finds the first buffer that is not inside the body.
    private LayoutException outOfBody(long size) {
        for (int f = 0; f < placeable; f++) {
            field(f);
            for (int i = 0; i < buffers(); i++) {
                if (!isInside(bufferOffset(i), bufferLength(i), size)) {
                    final LayoutException fault = outOfBody(i, size);
                    leave();
                    return fault;
                }
            }
        }
        throw new IllegalStateException("numbers of a batch changed while they were checked");
    }

    // ---- comparing the batch with the layout

    /// Checks that the batch has the nodes and buffers of a plan, and adds up its variadic buffer counts.
    private void fit(FieldLayout plan) {
        if (plan == passed
                && batch.nodesCount() == passedNodes
                && batch.buffersCount() == passedBuffers) {
            return;
        }
        passed = null;
        placed = plan.placeable();
        checkNodes(plan);
        checkBuffers(plan, countVariadics(plan));
        // A plan of one column may be filled anew; of view fields, the batch's counts decide.
        if (plan instanceof BatchLayout && plan.viewCount() == 0) {
            passed = plan;
            passedNodes = batch.nodesCount();
            passedBuffers = batch.buffersCount();
        }
    }

    private boolean isWhole(FieldLayout plan) {
        return placed == plan.fieldCount();
    }

    private void checkNodes(FieldLayout plan) {
        final int count = batch.nodesCount();
        final long least = plan.firstNode() + (long) placed;
        if (count < least) {
            throw tooFew(LayoutRules.NODE_COUNT, count, least);
        }
        extraNodes = (int) (count - least);
    }

    private void checkBuffers(FieldLayout plan, int variadic) {
        final int count = batch.buffersCount();
        final int own =
                isWhole(plan)
                        ? plan.bufferCount()
                        : plan.table.firstBuffer(plan.section.start + placed);
        final long least = plan.firstBuffer() + (long) own + variadic;
        if (count < least) {
            throw tooFew(LayoutRules.BUFFER_COUNT, count, least);
        }
        extraBuffers = (int) (count - least);
        placedBuffers = own + variadic - variadicsBefore[0];
    }

    /// Adds up the counts up to the layout's last view field that can be placed.
    ///
    /// @return the sum
    private int countVariadics(FieldLayout plan) {
        final int before = plan.firstView();
        final int own =
                isWhole(plan)
                        ? plan.viewCount()
                        : plan.table.viewsBefore(plan.section.start + placed);
        final int found = batch.variadicBufferCountsCount();
        if (found < before + (long) own) {
            throw tooFew(LayoutRules.VARIADIC_COUNTS, found, before + (long) own);
        }
        if (variadicsBefore.length <= own) {
            variadicsBefore = new int[own + 1];
        }
        if (before + own == 0) {
            variadicsBefore[0] = 0;
        } else {
            if (counts.length < found) {
                counts = new long[found];
            }
            batch.copyVariadicBufferCounts(counts, 0);
            int sum = sum(0, before, 0);
            for (int i = 0; i < own; i++) {
                variadicsBefore[i] = sum;
                sum = sum(before + i, before + i + 1, sum);
            }
            variadicsBefore[own] = sum;
        }
        return variadicsBefore[own];
    }

    /// Adds counts to a sum, which never gets above the number of buffers.
    private int sum(int from, int to, int start) {
        final int limit = batch.buffersCount();
        final long[] all = counts;
        long bits = 0;
        long sum = start;
        for (int i = from; i < to; i++) {
            bits |= all[i];
            sum += all[i];
        }
        if (bits >>> Integer.SIZE - 1 != 0 || sum > limit) { // else it cannot have overflowed
            throw outOfRange(from, start, limit);
        }
        return (int) sum;
    }

    private LayoutException outOfRange(int from, int start, int limit) {
        int index = from;
        long sum = start;
        while (counts[index] >= 0 && counts[index] <= limit - sum) {
            sum += counts[index++];
        }
        return new LayoutException(
                LayoutRules.VARIADIC_COUNT_RANGE,
                String.format(
                        Locale.ROOT,
                        "index=%d, count=%d, before=%d, buffers=%d",
                        index,
                        counts[index],
                        sum,
                        limit));
    }

    private static LayoutException tooFew(Rule fault, long count, long least) {
        return LayoutException.of(fault, "found", count, "least", least);
    }

    // ---- the batch

    /// {@return number of rows, as the batch says; 0 before one is bound}
    public long rowCount() {
        return layout == null ? 0 : rowCount;
    }

    /// {@return number of nodes that the batch has after those that the layout places}
    public int extraNodes() {
        return extraNodes;
    }

    /// {@return number of buffers that the batch has after those that the layout places}
    public int extraBuffers() {
        return extraBuffers;
    }

    /// {@return whether the batch says that its buffers are compressed}
    public boolean isCompressed() {
        return compressed;
    }

    /// {@return how buffers are compressed, if they are: one of [dev.fletch.format.CompressionType]}
    public int codec() {
        return codec;
    }

    // ---- going to a field

    /// Goes to a column.
    ///
    /// @param column from 0 to the layout's number of columns - 1
    /// @return this
    public BatchCursor column(int column) {
        return field(columns == null || placeable == 0 ? column : columns[column]);
    }

    /// Goes to the first column of a name.
    ///
    /// @param name any text
    /// @return this
    /// @throws LayoutException if there is no such column
    public BatchCursor column(CharSequence name) {
        if (layout == null) {
            throw unbound();
        }
        return column(layout.column(name));
    }

    /// Goes to a field.
    ///
    /// @param number its number in the layout
    /// @return this
    public BatchCursor field(int number) {
        if (number < 0 || number >= placeable) {
            throw layout != null ? noPlace(number) : unbound();
        }
        final int own = buffersAt[base + number];
        if (isPlain) {
            field = number;
            nodeNumbers = PAIR * number;
            bufferNumbers = buffersFrom + PAIR * (own >>> FieldTable.SHAPE_BITS);
            roles = BufferShape.roles(own & SHAPE);
        } else {
            goTo(number, own);
        }
        return this;
    }

    /// Goes to a field in place, or where there are variadic buffers.
    private void goTo(int number, int own) {
        leaveField();
        final long ownRoles = BufferShape.roles(own & SHAPE);
        int from = firstBuffer + (own >>> FieldTable.SHAPE_BITS);
        int more = 0;
        if (hasViews) {
            final int view = firstViews[base + number];
            final int before = variadicsBefore[view];
            from += before;
            if (BufferShape.of(own & SHAPE) == BufferShape.VIEW) {
                more = variadicsBefore[view + 1] - before;
            }
        }
        int node = number;
        if (mode == Mode.IN_PLACE) {
            final int count = BufferShape.count(ownRoles) + more;
            reserve(1L + count);
            batch.copyNodes(firstNode + number, 1, numbers, 0);
            batch.copyBuffers(from, count, numbers, PAIR);
            node = 0;
            copiedBuffer = from;
            buffersFrom = PAIR;
        }
        field = number;
        nodeNumbers = PAIR * node;
        bufferNumbers = buffersFrom + PAIR * (from - copiedBuffer);
        roles = ownRoles;
        variadics = more;
    }

    /// {@return the layout that it is bound to}
    FieldLayout layout() {
        return layout;
    }

    // ---- the current field

    /// {@return its number in the layout; -1 if the cursor is at no field}
    public int fieldNumber() {
        return field;
    }

    /// {@return place of its node among those of the batch}
    public int nodeIndex() {
        return firstNode + current();
    }

    /// {@return number of its values, as its node says: any number, in bytes that are not trusted. Of a column it
    /// should be [#rowCount()], which is not checked; the methods that bind to values check their buffers by it}
    public long length() {
        return numbers[node()];
    }

    /// {@return number of nulls among them, as its node says}
    public long nullCount() {
        return numbers[node() + 1];
    }

    /// {@return number of its buffers, variadic ones included}
    public int bufferCount() {
        current();
        return buffers();
    }

    /// {@return number of its variadic buffers}
    public int variadicCount() {
        current();
        return variadics;
    }

    private int node() {
        if (nodeNumbers < 0) {
            throw noField();
        }
        return nodeNumbers;
    }

    private BufferShape shape() {
        return BufferShape.of(buffersAt[base + current()] & SHAPE);
    }

    private int buffers() {
        return BufferShape.count(roles) + variadics;
    }

    private int current() {
        if (field < 0) {
            throw noField();
        }
        return field;
    }

    // ---- its buffers, by role

    /// {@return whether the field's type has a buffer of a role}
    ///
    /// @param role any role
    public boolean has(BufferRole role) {
        final BufferShape own = shape();
        return role == BufferRole.VARIADIC
                ? own == BufferShape.VIEW
                : BufferShape.index(roles, role) != BufferShape.NO_INDEX;
    }

    /// {@return the index of the buffer of a role, for the methods that take one}
    ///
    /// @param role any role but [BufferRole#VARIADIC], of which a field may have several
    public int index(BufferRole role) {
        final int index = BufferShape.index(roles, role);
        if (index == BufferShape.NO_INDEX) {
            throw noRole(current(), role);
        }
        return index;
    }

    /// Tells whether a buffer has been omitted, as the format allows: a validity buffer of length 0, as
    /// there are no nulls; offsets of length 0, as there are no values.
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    /// @return whether it is absent; false for an empty buffer that could not be omitted
    public boolean isAbsent(BufferRole role) {
        return bufferLength(role) == 0
                && (role == BufferRole.VALIDITY || role == BufferRole.OFFSETS && length() == 0);
    }

    /// {@return distance in bytes from the start of the body to the buffer of a role}
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    public long bufferOffset(BufferRole role) {
        return numbers[bufferNumbers + PAIR * index(role)];
    }

    /// {@return number of bytes in the body of the buffer of a role, without the padding after them}
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    public long bufferLength(BufferRole role) {
        return numbers[bufferNumbers + PAIR * index(role) + 1];
    }

    /// Binds to the bytes in the body of the buffer of a role. One of length 0 is empty at any
    /// offset.
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    /// @param into bound to them
    /// @return `into`
    public ByteSlice buffer(BufferRole role, ByteSlice into) {
        return buffer(index(role), into);
    }

    // ---- its buffers, by index

    /// {@return what a buffer is for}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public BufferRole role(int index) {
        Objects.checkIndex(index, buffers());
        return shape().role(index);
    }

    /// {@return place of a buffer among those of the batch}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public int bufferIndex(int index) {
        Objects.checkIndex(index, buffers());
        return copiedBuffer + (bufferNumbers - buffersFrom) / PAIR + index;
    }

    /// {@return distance in bytes from the start of the body to a buffer}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public long bufferOffset(int index) {
        return numbers[bufferNumbers + PAIR * (Objects.checkIndex(index, buffers()) & ANY_INDEX)];
    }

    /// {@return number of a buffer's bytes in the body, without the padding after them}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public long bufferLength(int index) {
        return numbers[
                bufferNumbers + PAIR * (Objects.checkIndex(index, buffers()) & ANY_INDEX) + 1];
    }

    /// Binds to a buffer's bytes in the body. One of length 0 is empty at any offset.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param into bound to them
    /// @return `into`
    public ByteSlice buffer(int index, ByteSlice into) {
        final long offset = bufferOffset(index);
        final long length = bufferLength(index);
        if (!hasBody) {
            throw new IllegalStateException("cursor is bound without a body");
        }
        final long size = bodyLength();
        if (length != 0 && !isInside(offset, length, size)) {
            throw outOfBody(index, size);
        }
        final long at = length == 0 ? Math.clamp(offset, 0, size) : offset;
        return pieces == null ? into.wrap(body, at, length) : pieces.slice(at, length, into);
    }

    /// Checks that a buffer is inside a body that is elsewhere, and that the cursor was bound without.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param bodyLength length of the body
    public void requireInside(int index, long bodyLength) {
        if (!isInside(bufferOffset(index), bufferLength(index), bodyLength)) {
            throw outOfBody(index, bodyLength);
        }
    }

    /// Binds to a buffer's bytes as [#buffer] does, without the prefix that it has in a compressed
    /// batch.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param into bound to compressed bytes where [#isCompressed(int)] says so, else to plain ones
    /// @return `into`
    public ByteSlice content(int index, ByteSlice into) {
        buffer(index, into);
        if (!compressed || into.length() == 0) {
            return into;
        }
        checkPrefix(index, into);
        return into.wrap(into, PREFIX_BYTES, into.length() - PREFIX_BYTES);
    }

    /// {@return whether a buffer's bytes have to be decompressed; even in a compressed batch, a buffer
    /// may be stored as it is}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public boolean isCompressed(int index) {
        Objects.checkIndex(index, buffers());
        return compressed
                && buffer(index, prefix).length() != 0
                && checkPrefix(index, prefix) != STORED;
    }

    /// {@return number of a buffer's bytes once decompressed, as its prefix claims: set a limit before
    /// you allocate by it. If the bytes are stored as they are, how many there are}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public long uncompressedLength(int index) {
        final long length = buffer(index, prefix).length();
        if (!compressed || length == 0) {
            return length;
        }
        final long claim = checkPrefix(index, prefix);
        return claim == STORED ? length - PREFIX_BYTES : claim;
    }

    private long checkPrefix(int index, ByteSlice bytes) {
        final boolean isCut = bytes.length() < PREFIX_BYTES;
        final long claim = isCut ? Long.MIN_VALUE : bytes.int64(0);
        if (claim < STORED) {
            throw new LayoutException(
                    LayoutRules.COMPRESSED_PREFIX,
                    bufferText(index, bodyLength()) + (isCut ? "" : ", uncompressed=" + claim));
        }
        return claim;
    }

    private long bodyLength() {
        return pieces == null ? body.length() : pieces.length();
    }

    /// Tells whether a buffer is inside a body of so many bytes. One of length 0 always is.
    private static boolean isInside(long offset, long length, long size) {
        return length == 0 || (offset | length) >= 0 && length <= size && offset <= size - length;
    }

    // ---- its values

    /// {@return how the values are stored; of a dictionary-encoded field its indices}
    public ValueType valueType() {
        return layout.valueType(current());
    }

    /// Binds to the validity bits: bit `i` is set if value `i` is not null.
    ///
    /// @param into bound to the bits of all values; empty if there are none
    /// @return false if the buffer is absent: then no value is null
    /// @throws LayoutException also if there is no buffer although the node counts nulls among its values
    /// @throws IllegalArgumentException if values of the type have no validity bits of their own: `Null`, run-end
    ///     encoded and, since version 5, unions; see [#has]
    public boolean validity(ByteSlice into) {
        if (length() < 0) {
            throw fault(ValueRules.NEGATIVE_LENGTH, "length=" + length());
        }
        if (isAbsent(BufferRole.VALIDITY)) {
            if (nullCount() != 0 && length() != 0) {
                throw fault(ValueRules.NO_VALIDITY, "nulls=" + nullCount());
            }
            buffer(BufferRole.VALIDITY, into);
            return false;
        }
        array(BufferRole.VALIDITY, 1, length(), into);
        return true;
    }

    /// Binds to the values of a field of a fixed width, as an array of [#length()] values.
    ///
    /// @param type the type that the values must have
    /// @param into bound to them
    /// @return `into`
    /// @throws LayoutException also if the field has values of another type, or is dictionary-encoded
    public ByteSlice values(ValueType type, ByteSlice into) {
        final int number = current();
        if (layout.valueType(number) != type || layout.isDictionaryEncoded(number)) {
            throw otherType(type.text());
        }
        return data(type, into);
    }

    /// Binds to the values of an [ValueType#INT8] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#int8At]
    /// @return `into`
    public ByteSlice int8Values(ByteSlice into) {
        return values(ValueType.INT8, into);
    }

    /// Binds to the values of an [ValueType#INT16] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#int16At]
    /// @return `into`
    public ByteSlice int16Values(ByteSlice into) {
        return values(ValueType.INT16, into);
    }

    /// Binds to the values of an [ValueType#INT32] field, dates and times of that width included: see
    /// [#values].
    ///
    /// @param into bound to them, for [ByteSlice#int32At]
    /// @return `into`
    public ByteSlice int32Values(ByteSlice into) {
        return values(ValueType.INT32, into);
    }

    /// Binds to the values of an [ValueType#INT64] field, timestamps, durations, and dates and times of
    /// that width included: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#int64At]
    /// @return `into`
    public ByteSlice int64Values(ByteSlice into) {
        return values(ValueType.INT64, into);
    }

    /// Binds to the values of a [ValueType#UINT8] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#uint8At]
    /// @return `into`
    public ByteSlice uint8Values(ByteSlice into) {
        return values(ValueType.UINT8, into);
    }

    /// Binds to the values of a [ValueType#UINT16] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#uint16At]
    /// @return `into`
    public ByteSlice uint16Values(ByteSlice into) {
        return values(ValueType.UINT16, into);
    }

    /// Binds to the values of a [ValueType#UINT32] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#uint32At]
    /// @return `into`
    public ByteSlice uint32Values(ByteSlice into) {
        return values(ValueType.UINT32, into);
    }

    /// Binds to the values of a [ValueType#UINT64] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#int64At]
    /// @return `into`
    public ByteSlice uint64Values(ByteSlice into) {
        return values(ValueType.UINT64, into);
    }

    /// Binds to the values of a [ValueType#FLOAT16] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#float16At]
    /// @return `into`
    public ByteSlice float16Values(ByteSlice into) {
        return values(ValueType.FLOAT16, into);
    }

    /// Binds to the values of a [ValueType#FLOAT32] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#float32At]
    /// @return `into`
    public ByteSlice float32Values(ByteSlice into) {
        return values(ValueType.FLOAT32, into);
    }

    /// Binds to the values of a [ValueType#FLOAT64] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#float64At]
    /// @return `into`
    public ByteSlice float64Values(ByteSlice into) {
        return values(ValueType.FLOAT64, into);
    }

    /// Binds to the values of a [ValueType#BOOL] field: see [#values].
    ///
    /// @param into bound to them, for [ByteSlice#bit]
    /// @return `into`
    public ByteSlice boolValues(ByteSlice into) {
        return values(ValueType.BOOL, into);
    }

    /// Binds to the indices of a dictionary-encoded field, which are whole numbers of [#valueType()].
    /// [ColumnValues] resolves them.
    ///
    /// @param into bound to them
    /// @return `into`
    /// @throws LayoutException also if the field is not dictionary-encoded
    public ByteSlice indices(ByteSlice into) {
        final ValueType type = valueType();
        if (!layout.isDictionaryEncoded(current()) || !type.isInteger()) {
            throw otherType("dictionary indices");
        }
        return data(type, into);
    }

    /// Binds to the bytes of a `Utf8`, `Binary`, `LargeUtf8` or `LargeBinary` field. Value `i` is between
    /// offsets `i` and `i + 1`, which are not checked here; [ColumnValues] checks each.
    ///
    /// @param into bound to all bytes
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice bytes(ByteSlice into) {
        final ValueType type = valueType();
        if (type != ValueType.BYTES && type != ValueType.LARGE_BYTES) {
            throw otherType("bytes or large_bytes");
        }
        return plain(index(BufferRole.DATA), into);
    }

    /// Binds to offsets of 32 bits: of a `Utf8`, `Binary`, `List` or `Map` field one more than it has
    /// values, or none for no values; of a `ListView` or dense `Union` field as many as values.
    ///
    /// @param into bound to them, for [ByteSlice#int32At]
    /// @return `into`
    /// @throws LayoutException also if the field has no offsets, or wider ones
    public ByteSlice offsets32(ByteSlice into) {
        return offsets(Integer.SIZE, into);
    }

    /// Binds to offsets of 64 bits: of a `LargeUtf8`, `LargeBinary` or `LargeList` field one more than it has
    /// values, or none for no values; of a `LargeListView` field as many as values.
    ///
    /// @param into bound to them, for [ByteSlice#int64At]
    /// @return `into`
    /// @throws LayoutException also if the field has no offsets, or narrower ones
    public ByteSlice offsets64(ByteSlice into) {
        return offsets(Long.SIZE, into);
    }

    /// Binds to the sizes of a `ListView` field.
    ///
    /// @param into bound to them, for [ByteSlice#int32At]
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice sizes32(ByteSlice into) {
        return counts(BufferRole.SIZES, Integer.SIZE, length(), into);
    }

    /// Binds to the sizes of a `LargeListView` field.
    ///
    /// @param into bound to them, for [ByteSlice#int64At]
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice sizes64(ByteSlice into) {
        return counts(BufferRole.SIZES, Long.SIZE, length(), into);
    }

    /// Binds to the type ids of a `Union` field.
    ///
    /// @param into bound to them, for [ByteSlice#int8At]
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice typeIds(ByteSlice into) {
        if (!has(BufferRole.TYPE_IDS)) {
            throw otherType("union");
        }
        return array(BufferRole.TYPE_IDS, Byte.SIZE, length(), into);
    }

    /// Binds to the views of a `Utf8View` or `BinaryView` field, 16 bytes each. [ColumnValues] follows them.
    ///
    /// @param into bound to them
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice views(ByteSlice into) {
        if (valueType() != ValueType.BYTES_VIEW) {
            throw otherType(ValueType.BYTES_VIEW.text());
        }
        return array(BufferRole.VIEWS, 2 * Long.SIZE, length(), into);
    }

    /// Binds to a variadic buffer of a `Utf8View` or `BinaryView` field.
    ///
    /// @param number from 0 to [#variadicCount()] - 1, as views count them
    /// @param into bound to its bytes
    /// @return `into`
    public ByteSlice variadic(int number, ByteSlice into) {
        if (valueType() != ValueType.BYTES_VIEW) {
            throw otherType(ValueType.BYTES_VIEW.text());
        }
        Objects.checkIndex(number, variadicCount());
        return plain(BufferShape.count(roles) + number, into);
    }

    private ByteSlice data(ValueType type, ByteSlice into) {
        if (!has(BufferRole.DATA) || type == ValueType.BYTES || type == ValueType.LARGE_BYTES) {
            throw otherType("a fixed width");
        }
        return array(BufferRole.DATA, layout.valueBits(field), length(), into);
    }

    private ByteSlice offsets(int bits, ByteSlice into) {
        final BufferShape shape = shape();
        final boolean hasEnd = shape == BufferShape.VARIABLE_WIDTH || shape == BufferShape.LIST;
        final long count = length();
        final boolean isEmpty =
                count == 0 && has(BufferRole.OFFSETS) && isAbsent(BufferRole.OFFSETS);
        return counts(
                BufferRole.OFFSETS,
                bits,
                hasEnd && !isEmpty && count >= 0 && count < Long.MAX_VALUE ? count + 1 : count,
                into);
    }

    /// Offsets or sizes.
    private ByteSlice counts(BufferRole role, int bits, long count, ByteSlice into) {
        if (!has(role) || TypeFacts.of(layout.typeType(field)).offsetBytes() != bits / Byte.SIZE) {
            throw otherType(role.text() + " of " + bits + " bits");
        }
        return array(role, bits, count, into);
    }

    /// Binds to a buffer as an array of numbers in the order of bytes that [ByteSlice] reads.
    private ByteSlice array(BufferRole role, long bits, long count, ByteSlice into) {
        plain(index(role), into);
        if (bits > Byte.SIZE
                && layout.endianness() != Endianness.LITTLE
                && layout.valueType(field) != ValueType.FIXED_BYTES) {
            throw fault(
                    ValueRules.FOREIGN_BYTE_ORDER,
                    "endianness=" + Endianness.NAMES.name(layout.endianness()));
        }
        if (count < 0) {
            throw fault(ValueRules.NEGATIVE_LENGTH, "length=" + count);
        }
        final long bytes = bits == 1 ? count - 1 >> 3 : bits / Byte.SIZE;
        final boolean fits =
                bits == 1 ? bytes < into.length() : bytes == 0 || count <= into.length() / bytes;
        if (!fits) {
            throw fault(
                    ValueRules.BUFFER_TOO_SHORT,
                    String.format(
                            Locale.ROOT,
                            "role=%s, length=%d, values=%d, bits=%d",
                            role.text(),
                            into.length(),
                            count,
                            bits));
        }
        return into.wrap(into, 0, bits == 1 ? bytes + 1 : bytes * count);
    }

    /// Binds to a buffer that needs no decompression.
    private ByteSlice plain(int index, ByteSlice into) {
        if (isCompressed(index)) {
            throw fault(
                    ValueRules.COMPRESSED_BUFFER,
                    "role="
                            + role(index).text()
                            + ", codec="
                            + CompressionType.NAMES.name(codec()));
        }
        return content(index, into);
    }

    private LayoutException otherType(String expected) {
        final int number = current();
        final String encoded =
                layout.isDictionaryEncoded(number)
                        ? ", dictionary=" + layout.dictionaryId(number)
                        : "";
        return fault(
                ValueRules.OTHER_TYPE,
                "expected="
                        + expected
                        + ", found="
                        + valueType().text()
                        + ", type="
                        + TypeFacts.of(layout.typeType(number)).name()
                        + encoded);
    }

    private LayoutException fault(Rule rule, String details) {
        return new LayoutException(rule, "column=" + layout.shownPath(field) + ", " + details);
    }

    // ---- what is thrown

    private static IllegalStateException unbound() {
        return new IllegalStateException("cursor is bound to no batch");
    }

    private static IllegalStateException noField() {
        return new IllegalStateException("cursor is at no field");
    }

    private LayoutException noPlace(int number) {
        Objects.checkIndex(number, layout.fieldCount());
        return new LayoutException(
                FormatRules.UNKNOWN_TYPE,
                "column="
                        + layout.shownPath(number)
                        + ", field="
                        + number
                        + ", first="
                        + placeable);
    }

    private IllegalArgumentException noRole(int number, BufferRole role) {
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i < layout.bufferCount(number); i++) {
            all.append(i == 0 ? "" : " ").append(layout.role(number, i).text());
        }
        final String reason =
                role == BufferRole.VARIADIC
                        ? "variadic buffers are found by index only"
                        : "type has no such buffer";
        return new IllegalArgumentException(
                String.format(
                        Locale.ROOT,
                        "%s: column=%s, type=%s, role=%s, roles=%s",
                        reason,
                        layout.shownPath(number),
                        Type.NAMES.name(layout.typeType(number)),
                        role.text(),
                        all));
    }

    private LayoutException outOfBody(int index, long size) {
        return new LayoutException(LayoutRules.BUFFER_OUT_OF_BODY, bufferText(index, size));
    }

    private String bufferText(int index, long size) {
        return String.format(
                Locale.ROOT,
                "column=%s, buffer=%d, role=%s, offset=%d, length=%d, body=%d",
                layout.shownPath(field),
                bufferIndex(index),
                role(index).text(),
                bufferOffset(index),
                bufferLength(index),
                size);
    }
}
