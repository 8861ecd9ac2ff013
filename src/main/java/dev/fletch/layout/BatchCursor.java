// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.rules.CompressedBuffer.PREFIX_BYTES;
import static dev.fletch.format.rules.CompressedBuffer.STORED;

import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.BufferRole;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.format.rules.BufferShape;
import dev.fletch.format.rules.CompressedBuffer;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// Locates a field's node and buffers in a record batch, and binds slices to its values.
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
/// Binding checks that the batch has the nodes and buffers of the layout, and sums `variadicBufferCounts` if
/// the layout or earlier columns have view fields. Moving to a field then takes constant time. Additional
/// nodes and buffers are ignored: see [#extraNodes()], [#extraBuffers()].
///
/// **Modes** differ in when a cursor copies nodes (length, null count) and buffers (offset, length) from the
/// batch. Accessors return these copies:
///
/// - [#BatchCursor()]: copies all fields of the layout when a batch is bound. For reading most columns.
/// - [#inPlace()]: copies one field when the cursor moves to it. For few columns of a very wide batch: time
///   grows with the fields read, not with the batch.
/// - [#checked()]: copies all fields, and checks that each buffer is inside the body.
///
/// The first two do not check offsets and lengths; methods that bind to a buffer's bytes, such as [#buffer],
/// check that the buffer is inside the body.
///
/// **Buffers** are selected by role, or by index from 0 to [#bufferCount()] - 1. Variadic buffers have only
/// an index. In a compressed batch, each buffer of more than 0 bytes begins with a prefix that is always
/// little-endian:
///
/// ```text
///   0   i64  uncompressed length in bytes, or -1 if the bytes are not compressed
///   8        the bytes
/// ```
///
/// **Values** are bound as an array by [#values] and the methods after it, which check type and buffer length
/// once. Values of more than 8 bits must be little-endian, and buffers must not be compressed.
///
/// **Errors.** [LayoutException]: the batch lacks nodes or buffers of the layout; a buffer is not inside the
/// body, or too short for its prefix; the field cannot be located, because its type or that of an earlier
/// field is unknown. [IllegalArgumentException]: the field's type has no buffer with a role.
/// [IndexOutOfBoundsException]: there is no such column, field or buffer. [IllegalStateException]: the cursor
/// has no batch, no current field, or no body; in place, the batch's flyweight is bound to other bytes. If
/// binding fails, the cursor is unbound.
///
/// **Allocation, lifetime and threads.** Allocates nothing after the first batch of a layout, except for more
/// buffers than before. Valid as long as the layout is unchanged and the body's memory is valid; in place,
/// also as long as the batch's flyweight stays bound. Belongs to one thread at a time; a [BatchLayout] may be
/// shared.
public final class BatchCursor {
    /// A mask that keeps all bits of an index.
    ///
    /// A field has up to three buffers. C2 unrolls a loop over them for many iterations if it recognizes an
    /// index that increments by one. The mask hides that, and saves a third of the time.
    private static final int ANY_INDEX = Integer.MAX_VALUE;

    private static final int SHAPE = (1 << BufferShape.BITS) - 1;

    private static final int NO_ROLES = BufferShape.roles(BufferShape.NOTHING.ordinal());

    private static final long[] NO_NUMBERS = {};

    /// Numbers per node, and per buffer.
    private static final int PAIR = BufferShape.PAIR;

    private enum Mode {
        COPY,
        IN_PLACE,
        CHECKED
    }

    private final Mode mode;
    private final BodyCompression compression = new BodyCompression();
    private final ByteSlice body = new ByteSlice();
    // Null if the body is one segment.
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

    private boolean isBound;
    // Of the batch that is bound, or was.
    private FieldLayout layout;
    private RecordBatch batch = own;
    private long rowCount;
    private boolean hasBody;
    private boolean compressed;
    private int codec;
    // References to parts of the layout, for moving to a field.
    private int[] columns;
    private int[] buffersAt;
    private int[] firstViews;
    private int base;
    private int firstNode;
    private int firstBuffer;
    // Fields from this one on cannot be located; 0 if unbound.
    private int placeable;
    private boolean hasViews;
    // Whether all numbers were copied, and no buffer is variadic.
    private boolean isPlain;

    // Nodes, then buffers: of all fields of the layout, or of the current one.
    private long[] numbers = NO_NUMBERS;
    // Index in the batch of the first copied buffer, and its position in `numbers`.
    private int copiedBuffer;
    private int buffersFrom;

    // Fields and buffers of the layout that can be located in the batch, and the batch's others.
    private int placed;
    private int placedBuffers;
    private int extraNodes;
    private int extraBuffers;
    // The batch's variadic buffer counts, and their sums before each view field of the layout and
    // after the last.
    private long[] counts = NO_NUMBERS;
    private int[] variadicsBefore = new int[1];

    // The layout that the last batch matched, and that batch's number of nodes and buffers.
    private FieldLayout passed;
    private int passedNodes;
    private int passedBuffers;

    // The current field, the positions of its node and buffers in `numbers`, and its BufferShape
    // roles.
    private int field = FieldLayout.NONE;
    private int nodeNumbers = FieldLayout.NONE;
    private int bufferNumbers;
    private int roles = NO_ROLES;
    // Number of buffers, variadic ones included.
    private int buffers;

    /// Creates an unbound cursor that copies all nodes and buffers when it is bound.
    public BatchCursor() {
        this(Mode.COPY);
    }

    private BatchCursor(Mode mode) {
        this.mode = mode;
    }

    /// {@return an unbound cursor that copies a field's node and buffers when it moves to the field}
    public static BatchCursor inPlace() {
        return new BatchCursor(Mode.IN_PLACE);
    }

    /// {@return an unbound cursor that copies all nodes and buffers when it is bound, and checks that all
    /// buffers are inside the body}
    public static BatchCursor checked() {
        return new BatchCursor(Mode.CHECKED);
    }

    // ---- binding

    /// Binds to a batch whose body is a segment.
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @param bodyBytes the complete body
    /// @return this, without a current field
    public BatchCursor bind(FieldLayout plan, RecordBatch header, MemorySegment bodyBytes) {
        return bind(plan, header, bodyBytes, 0, bodyBytes.byteSize());
    }

    /// Binds to a batch.
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @param memory any kind of memory that contains the body
    /// @param bodyOffset byte offset of the body in `memory`
    /// @param bodyLength length of the body in bytes
    /// @return this, without a current field
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
        bindTo(plan, header);
        return this;
    }

    /// Binds to a batch without its body, to read only lengths, null counts and offsets. Methods that bind to
    /// a buffer's bytes then throw an [IllegalStateException]. A [#checked()] cursor only checks that no
    /// buffer of more than 0 bytes has a negative offset or an end above 2^63 - 1.
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @return this, without a current field
    public BatchCursor bind(FieldLayout plan, RecordBatch header) {
        leave();
        hasBody = false;
        bindTo(plan, header);
        return this;
    }

    /// Binds to a record batch message, or to the values of a dictionary batch message, whose body is in the
    /// memory of its frame.
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param frame bound to the message's place
    /// @param message bound to its metadata
    /// @return this, without a current field
    /// @throws LayoutException also if the message has no batch, or if the layout has unions and another
    ///     metadata version
    /// @throws dev.fletch.ipc.ArrowFormatException if the body exceeds the input
    public BatchCursor bind(FieldLayout plan, EncapsulatedMessage frame, Message message) {
        leave();
        final RecordBatch header = batchOf(plan, message);
        frame.body(body);
        hasBody = true;
        bindTo(plan, header);
        return this;
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] for a separate body, such as one from
    /// [dev.fletch.ipc.MessageReader#readBody].
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @param bodyBytes the complete body
    /// @return this, without a current field
    public BatchCursor bind(FieldLayout plan, Message message, MemorySegment bodyBytes) {
        leave();
        return bind(plan, batchOf(plan, message), bodyBytes);
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] for a body received in pieces. A buffer that spans
    /// pieces is copied on each access.
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @param received all pieces of the body; bytes after the body are ignored
    /// @return this, without a current field
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
        bindTo(plan, header);
        return this;
    }

    /// [#bind(FieldLayout, EncapsulatedMessage, Message)] without the body: see
    /// [#bind(FieldLayout, RecordBatch)].
    ///
    /// @param plan layout of the batch's schema, of its dictionary's values, or of one column
    /// @param message bound to the metadata
    /// @return this, without a current field
    public BatchCursor bind(FieldLayout plan, Message message) {
        leave();
        return bind(plan, batchOf(plan, message));
    }

    /// Sets the body of a batch that was bound without one, such as a body that arrives after its message.
    /// The cursor uses its copies of nodes and buffers, so the message may be gone.
    ///
    /// @param bodyBytes the complete body
    /// @return this, without a current field
    /// @throws IllegalStateException if no batch is bound, or the cursor is an [#inPlace()] one
    /// @throws LayoutException if the cursor is a [#checked()] one, and a buffer is not inside the body
    public BatchCursor body(MemorySegment bodyBytes) {
        if (!isBound) {
            throw unbound();
        }
        if (mode == Mode.IN_PLACE) {
            throw new IllegalStateException("in-place cursor needs its body when it is bound");
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
        if (message.version() != plan.version() && plan.table.dependsOnVersion) {
            throw new LayoutException(
                    ValueRules.OTHER_VERSION,
                    "batch="
                            + MetadataVersion.NAMES.name(message.version())
                            + ", layout="
                            + MetadataVersion.NAMES.name(plan.version()));
        }
        return own;
    }

    /// Binds to a record batch of a file. The first call allocates two flyweights.
    ///
    /// The first call for a layout and a file compares their columns, unless the layout comes from
    /// [BatchLayout#of(ArrowFile)] for this file or for its known schema. The other bind methods cannot
    /// compare: with a layout of another schema they may return wrong values.
    ///
    /// @param plan layout of the file's schema, or of one column
    /// @param file open
    /// @param index from 0 to [ArrowFile#recordBatchCount] - 1
    /// @return this, without a current field
    /// @throws LayoutException as for [#bind(FieldLayout, EncapsulatedMessage, Message)], or if the columns
    ///     differ
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

    /// Has more than 325 bytes of code, so that C2 never inlines it: inlined, it exhausts the caller's inlining
    /// budget, and accessors in the caller's loop remain calls. 10 columns in direct memory took 310 ns
    /// instead of 110.
    private void bindTo(FieldLayout plan, RecordBatch header) {
        try {
            // References are compared first: storing one costs a barrier.
            if (batch != header) {
                batch = header;
            }
            rowCount = header.length();
            compressed = header.compression(compression);
            codec = compressed ? compression.codec() : 0;
            if (plan != passed
                    || header.nodesCount() != passedNodes
                    || header.buffersCount() != passedBuffers) {
                fit(plan);
            }
            final FieldTable table = plan.table;
            if (layout != plan) {
                layout = plan;
            }
            if (columns != plan.columnFields()) { // a ColumnLayout may be refilled
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
            final int before = variadicsBefore[0];
            // Without view fields, all variadic buffers belong to earlier columns.
            firstBuffer = plan.firstBuffer() + (hasViews ? 0 : before);
            final int nodes = placed;
            if (mode != Mode.IN_PLACE) {
                final int buffers = placedBuffers;
                reserve((long) nodes + buffers);
                copiedBuffer = plan.firstBuffer() + before;
                buffersFrom = PAIR * nodes;
                header.copyNodes(firstNode, nodes, numbers, 0);
                header.copyBuffers(copiedBuffer, buffers, numbers, buffersFrom);
            }
            isBound = true;
            placeable = nodes;
            if (mode == Mode.CHECKED) {
                checkAll();
            }
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// {@return approximate size in bytes of the cursor's arrays, which grow to the needs of the largest
    /// batch}
    public long memoryBytes() {
        return (long) Long.BYTES * (numbers.length + counts.length)
                + (long) Integer.BYTES * variadicsBefore.length;
    }

    /// Unbinds, until all is checked.
    private void leave() {
        isBound = false;
        if (pieces != null) {
            pieces = null;
        }
        placeable = 0;
        leaveField();
    }

    private void leaveField() {
        field = FieldLayout.NONE;
        nodeNumbers = FieldLayout.NONE;
        roles = NO_ROLES;
        buffers = 0;
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
            for (int i = 0; i < buffers; i++) {
                if (!isInside(bufferOffset(i), bufferLength(i), size)) {
                    final LayoutException fault = outOfBody(i, size);
                    leave();
                    return fault;
                }
            }
        }
        throw new IllegalStateException("batch changed while it was checked");
    }

    // ---- comparing the batch with the layout

    /// Checks that the batch has the nodes and buffers of a layout, and sums its variadic buffer counts.
    private void fit(FieldLayout plan) {
        passed = null;
        placed = plan.placeable();
        checkNodes(plan);
        checkBuffers(plan, countVariadics(plan));
        // A ColumnLayout may be refilled; with view fields, the batch's counts may differ.
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

    /// Sums the counts up to the last view field that can be located.
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

    /// Adds counts to a sum, at most the number of buffers.
    private int sum(int from, int to, int start) {
        final int limit = batch.buffersCount();
        final long[] all = counts;
        long bits = 0;
        long sum = start;
        for (int i = from; i < to; i++) {
            bits |= all[i];
            sum += all[i];
        }
        if (bits >>> Integer.SIZE - 1 != 0 || sum > limit) { // otherwise no overflow is possible
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

    /// {@return number of rows (Message.fbs, `RecordBatch.length`), not checked; 0 if unbound}
    public long rowCount() {
        return isBound ? rowCount : 0;
    }

    /// {@return number of the batch's nodes after those of the layout}
    public int extraNodes() {
        return extraNodes;
    }

    /// {@return number of the batch's buffers after those of the layout}
    public int extraBuffers() {
        return extraBuffers;
    }

    /// {@return whether the batch declares compressed buffers (Message.fbs, `compression`)}
    public boolean isCompressed() {
        return compressed;
    }

    /// {@return the codec, one of [dev.fletch.format.CompressionType] or an unknown number; 0 if the batch is
    /// not compressed}
    public int codec() {
        return codec;
    }

    // ---- going to a field

    /// Moves to a column.
    ///
    /// @param column from 0 to the layout's number of columns - 1
    /// @return this
    public BatchCursor column(int column) {
        return field(columns == null || placeable == 0 ? column : columns[column]);
    }

    /// Moves to the first column with a name.
    ///
    /// @param name any text
    /// @return this
    /// @throws LayoutException if there is no such column
    public BatchCursor column(CharSequence name) {
        if (!isBound) {
            throw unbound();
        }
        return column(layout.column(name));
    }

    /// Moves to a field.
    ///
    /// @param number its number in the layout
    /// @return this
    public BatchCursor field(int number) {
        if (number < 0 || number >= placeable) {
            throw isBound ? noPlace(number) : unbound();
        }
        final int own = buffersAt[base + number];
        if (isPlain) {
            field = number;
            nodeNumbers = PAIR * number;
            bufferNumbers = buffersFrom + PAIR * (own >>> BufferShape.BITS);
            roles = BufferShape.roles(own & SHAPE);
            buffers = BufferShape.count(roles);
        } else {
            goTo(number, own);
        }
        return this;
    }

    /// Moves to a field of an in-place cursor, or of a layout with variadic buffers.
    private void goTo(int number, int own) {
        leaveField();
        final int ownRoles = BufferShape.roles(own & SHAPE);
        int from = firstBuffer + (own >>> BufferShape.BITS);
        int more = 0;
        if (hasViews) {
            final int view = firstViews[base + number];
            final int before = variadicsBefore[view];
            from += before;
            if (BufferShape.of(own & SHAPE) == BufferShape.VIEW) {
                more = variadicsBefore[view + 1] - before;
            }
        }
        final int count = BufferShape.count(ownRoles) + more;
        int node = number;
        if (mode == Mode.IN_PLACE) {
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
        buffers = count;
    }

    /// {@return the layout of the bound batch}
    FieldLayout layout() {
        return layout;
    }

    // ---- the current field

    /// {@return the current field's number in the layout; -1 if there is none}
    public int fieldNumber() {
        return field;
    }

    /// {@return index of the field's node in the batch}
    public int nodeIndex() {
        return firstNode + current();
    }

    /// {@return number of values (Message.fbs, `FieldNode.length`), not checked: may be negative in untrusted
    /// input, or differ from [#rowCount()] for a column. Methods that bind to values check their buffers
    /// against it}
    public long length() {
        return numbers[node()];
    }

    /// {@return number of nulls (Message.fbs, `FieldNode.null_count`), not checked}
    public long nullCount() {
        return numbers[node() + 1];
    }

    /// {@return number of the field's buffers, variadic ones included}
    public int bufferCount() {
        current();
        return buffers;
    }

    /// {@return number of the field's variadic buffers}
    public int variadicCount() {
        current();
        return buffers - BufferShape.count(roles);
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

    private int current() {
        if (field < 0) {
            throw noField();
        }
        return field;
    }

    // ---- its buffers, by role

    /// {@return whether the field's type has a buffer with a role}
    ///
    /// @param role any role
    public boolean has(BufferRole role) {
        return shape().has(role);
    }

    /// {@return the index of the buffer with a role, for the methods that take an index}
    ///
    /// @param role any role except [BufferRole#VARIADIC], which several buffers may have
    public int index(BufferRole role) {
        return (numbersOf(role) - bufferNumbers) / PAIR;
    }

    /// The position in `numbers` of the buffer with a role.
    private int numbersOf(BufferRole role) {
        final int at = bufferNumbers + BufferShape.place(roles, role);
        // For C2: with this form of the check, it checks an index once.
        if (Integer.compareUnsigned(at, numbers.length) >= 0) {
            throw noRole(current(), role);
        }
        return at;
    }

    /// Returns whether a buffer is omitted as the format permits: a validity buffer of length 0, so no value
    /// is null (the null count is not checked), or offsets of length 0 for a field without values.
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    /// @return whether the buffer is absent; false for empty buffers of other roles
    public boolean isAbsent(BufferRole role) {
        return bufferLength(role) == 0
                && (role == BufferRole.VALIDITY || role == BufferRole.OFFSETS && length() == 0);
    }

    /// {@return byte offset in the body of the buffer with a role, not checked}
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    public long bufferOffset(BufferRole role) {
        return numbers[numbersOf(role)];
    }

    /// {@return length in bytes of the buffer with a role, without padding; not checked}
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    public long bufferLength(BufferRole role) {
        return numbers[numbersOf(role) + 1];
    }

    /// Binds to the bytes of the buffer with a role. A buffer of length 0 may have any offset.
    ///
    /// @param role any role but [BufferRole#VARIADIC]
    /// @param into bound to them
    /// @return `into`
    public ByteSlice buffer(BufferRole role, ByteSlice into) {
        return buffer(index(role), into);
    }

    // ---- its buffers, by index

    /// {@return the role of a buffer}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public BufferRole role(int index) {
        Objects.checkIndex(index, buffers);
        return shape().role(index);
    }

    /// {@return index of a buffer in the batch}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public int bufferIndex(int index) {
        Objects.checkIndex(index, buffers);
        return copiedBuffer + (bufferNumbers - buffersFrom) / PAIR + index;
    }

    /// {@return byte offset of a buffer in the body, not checked}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public long bufferOffset(int index) {
        return numbers[bufferNumbers + PAIR * (Objects.checkIndex(index, buffers) & ANY_INDEX)];
    }

    /// {@return length of a buffer in bytes, without padding; not checked}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public long bufferLength(int index) {
        return numbers[bufferNumbers + PAIR * (Objects.checkIndex(index, buffers) & ANY_INDEX) + 1];
    }

    /// Binds to a buffer's bytes. A buffer of length 0 may have any offset.
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

    /// Checks that a buffer is inside a body that is not bound.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param bodyLength length of the body in bytes
    public void requireInside(int index, long bodyLength) {
        if (!isInside(bufferOffset(index), bufferLength(index), bodyLength)) {
            throw outOfBody(index, bodyLength);
        }
    }

    /// Binds to a buffer's bytes without the prefix of compressed batches.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param into bound to compressed bytes if [#isCompressed(int)], else to plain bytes
    /// @return `into`
    public ByteSlice content(int index, ByteSlice into) {
        buffer(index, into);
        if (!compressed || into.length() == 0) {
            return into;
        }
        checkPrefix(index, into);
        return into.wrap(into, PREFIX_BYTES, into.length() - PREFIX_BYTES);
    }

    /// {@return whether a buffer's bytes are compressed; a compressed batch may also have uncompressed
    /// buffers}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    public boolean isCompressed(int index) {
        Objects.checkIndex(index, buffers);
        return compressed
                && buffer(index, prefix).length() != 0
                && checkPrefix(index, prefix) != STORED;
    }

    /// {@return uncompressed length of a buffer in bytes. For compressed bytes it comes from the prefix, and
    /// is not more than the codec can store in them: 256 times their length for LZ4, 32,768 times for
    /// Zstandard. Limit it further before you allocate}
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
        if (bytes.length() < PREFIX_BYTES) {
            throw new LayoutException(
                    LayoutRules.COMPRESSED_TOO_SHORT, bufferText(index, bodyLength()));
        }
        final long claim = bytes.int64(0);
        if (!CompressedBuffer.isPossible(claim, codec, bytes.length())) {
            throw new LayoutException(
                    LayoutRules.UNCOMPRESSED_LENGTH,
                    bufferText(index, bodyLength())
                            + ", uncompressed="
                            + claim
                            + ", limit="
                            + CompressedBuffer.limit(codec, bytes.length()));
        }
        return claim;
    }

    private long bodyLength() {
        return pieces == null ? body.length() : pieces.length();
    }

    /// Returns whether a buffer is inside a body of `size` bytes; true for length 0.
    private static boolean isInside(long offset, long length, long size) {
        return length == 0 || (offset | length) >= 0 && length <= size && offset <= size - length;
    }

    // ---- its values

    /// {@return the physical type of the values; for a dictionary-encoded field, of its indices}
    public ValueType valueType() {
        return layout.valueType(current());
    }

    /// Binds to the validity bits: bit `i` is set if value `i` is not null.
    ///
    /// @param into bound to the bits of all values; empty if the buffer is absent
    /// @return false if the buffer is absent, so no value is null
    /// @throws LayoutException also if the buffer is absent, but the node has values and nulls
    /// @throws IllegalArgumentException if the type has no validity buffer: `Null`, run-end encoded and,
    ///     since V5, unions; see [#has]
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

    /// Binds to the values of a fixed-width field, as an array of [#length()] values.
    ///
    /// @param type the expected type
    /// @param into bound to them
    /// @return `into`
    /// @throws LayoutException also if the field has another type, or is dictionary-encoded
    public ByteSlice values(ValueType type, ByteSlice into) {
        final int number = current();
        if (layout.valueType(number) != type || layout.isDictionaryEncoded(number)) {
            throw otherType(type.text());
        }
        return data(type, into);
    }

    /// {@return `into`, bound to the values of an [ValueType#INT8] field: see [#values]}
    ///
    /// @param into for [ByteSlice#int8At]
    public ByteSlice int8Values(ByteSlice into) {
        return values(ValueType.INT8, into);
    }

    /// {@return `into`, bound to the values of an [ValueType#INT16] field: see [#values]}
    ///
    /// @param into for [ByteSlice#int16At]
    public ByteSlice int16Values(ByteSlice into) {
        return values(ValueType.INT16, into);
    }

    /// {@return `into`, bound to the values of an [ValueType#INT32] field, dates and times of that width
    /// included: see [#values]}
    ///
    /// @param into for [ByteSlice#int32At]
    public ByteSlice int32Values(ByteSlice into) {
        return values(ValueType.INT32, into);
    }

    /// {@return `into`, bound to the values of an [ValueType#INT64] field, timestamps, durations, and dates
    /// and times of that width included: see [#values]}
    ///
    /// @param into for [ByteSlice#int64At]
    public ByteSlice int64Values(ByteSlice into) {
        return values(ValueType.INT64, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#UINT8] field: see [#values]}
    ///
    /// @param into for [ByteSlice#uint8At]
    public ByteSlice uint8Values(ByteSlice into) {
        return values(ValueType.UINT8, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#UINT16] field: see [#values]}
    ///
    /// @param into for [ByteSlice#uint16At]
    public ByteSlice uint16Values(ByteSlice into) {
        return values(ValueType.UINT16, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#UINT32] field: see [#values]}
    ///
    /// @param into for [ByteSlice#uint32At]
    public ByteSlice uint32Values(ByteSlice into) {
        return values(ValueType.UINT32, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#UINT64] field: see [#values]}
    ///
    /// @param into for [ByteSlice#int64At]
    public ByteSlice uint64Values(ByteSlice into) {
        return values(ValueType.UINT64, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#FLOAT16] field: see [#values]}
    ///
    /// @param into for [ByteSlice#float16At]
    public ByteSlice float16Values(ByteSlice into) {
        return values(ValueType.FLOAT16, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#FLOAT32] field: see [#values]}
    ///
    /// @param into for [ByteSlice#float32At]
    public ByteSlice float32Values(ByteSlice into) {
        return values(ValueType.FLOAT32, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#FLOAT64] field: see [#values]}
    ///
    /// @param into for [ByteSlice#float64At]
    public ByteSlice float64Values(ByteSlice into) {
        return values(ValueType.FLOAT64, into);
    }

    /// {@return `into`, bound to the values of a [ValueType#BOOL] field: see [#values]}
    ///
    /// @param into for [ByteSlice#bit]
    public ByteSlice boolValues(ByteSlice into) {
        return values(ValueType.BOOL, into);
    }

    /// Binds to the indices of a dictionary-encoded field, integers of [#valueType()]. [ColumnValues]
    /// resolves them.
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

    /// Binds to the data buffer of a `Utf8`, `Binary`, `LargeUtf8` or `LargeBinary` field. Value `i` has the
    /// bytes between offsets `i` and `i + 1`, which this method does not check; [ColumnValues] checks each.
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

    /// Binds to 32-bit offsets. A `Utf8`, `Binary`, `List` or `Map` field has one more offset than values, or
    /// none without values; a `ListView` or dense `Union` field has as many as values.
    ///
    /// @param into bound to them, for [ByteSlice#int32At]
    /// @return `into`
    /// @throws LayoutException also if the field has no offsets, or 64-bit offsets
    public ByteSlice offsets32(ByteSlice into) {
        return offsets(Integer.SIZE, into);
    }

    /// Binds to 64-bit offsets. A `LargeUtf8`, `LargeBinary` or `LargeList` field has one more offset than
    /// values, or none without values; a `LargeListView` field has as many as values.
    ///
    /// @param into bound to them, for [ByteSlice#int64At]
    /// @return `into`
    /// @throws LayoutException also if the field has no offsets, or 32-bit offsets
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

    /// Binds to the views of a `Utf8View` or `BinaryView` field, 16 bytes each. [ColumnValues] resolves them.
    ///
    /// @param into bound to them
    /// @return `into`
    /// @throws LayoutException also if the field is of another type
    public ByteSlice views(ByteSlice into) {
        if (valueType() != ValueType.BYTES_VIEW) {
            throw otherType(ValueType.BYTES_VIEW.text());
        }
        return array(BufferRole.VIEWS, Byte.SIZE * TypeFacts.VIEW_BYTES, length(), into);
    }

    /// Binds to a variadic buffer of a `Utf8View` or `BinaryView` field.
    ///
    /// @param number the buffer index of views, from 0 to [#variadicCount()] - 1
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
        final boolean hasEnd = shape().hasEndOffset();
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

    /// Binds to a buffer as an array of little-endian values.
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

    /// Binds to an uncompressed buffer.
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
        return new IllegalStateException("cursor is not bound to a batch");
    }

    private static IllegalStateException noField() {
        return new IllegalStateException("cursor has no current field: call column or field");
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
                        ? "variadic buffers have only an index"
                        : "type has no buffer with this role";
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
