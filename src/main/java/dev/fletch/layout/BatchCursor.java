// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.RecordBatch;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Shows which nodes and buffers of a batch belong to a field, be it for one field after another or
/// for a single one.
///
/// ```java
/// cursor.bind(layout, batch, memory, frame.bodyOffset(), frame.bodyLength());
/// cursor.column(layout.find("price"));
/// long nulls = cursor.nullCount();
/// for (int i = 0; i < cursor.bufferCount(); i++) {
///     cursor.buffer(i, slice);
/// }
/// ```
///
/// Binding checks that the batch has the nodes and buffers that the layout needs, and for fields of
/// view types adds up the batch's variadic buffer counts, once. Going to a field then takes the same
/// time wherever it is. Further nodes and buffers are ignored: see [#extraNodes()], [#extraBuffers()].
///
/// Numbers are shown as they stand in the batch; only what reads a buffer's bytes, such as [#buffer],
/// checks them against the body.
///
/// Nothing is allocated after the first batch of a layout. As long as the cursor is at no field, there
/// are no buffers, and whatever else is about a field throws an [IllegalStateException]; so does going
/// to a field before a batch is bound, and reading nodes and buffers of a batch that is out of date.
///
/// **Lifetime and threads.** It is valid as long as the batch's flyweight stays bound as it was,
/// the layout stays as it was and the memory is there. It belongs to one thread at a time; the
/// layout of a schema may be shared.
public final class BatchCursor {
    /// All bits of an index, so that none changes.
    ///
    /// What it buys: a field has up to three buffers, and C2 makes a loop over them ready for many
    /// rounds, as long as it sees that an index goes up by one. Behind a mask it does not: half the
    /// time in native memory, a fifth less on the heap.
    private static final int ANY_INDEX = Integer.MAX_VALUE;

    private final BodyCompression compression = new BodyCompression();
    private final BatchBody body = new BatchBody();
    private final ByteSlice prefix = new ByteSlice();
    private final BatchFit fit = new BatchFit();

    private FieldLayout layout;
    private RecordBatch batch = new RecordBatch();
    private boolean compressed;
    // What of the layout going to a field takes, so that it asks nobody.
    private int[] columns;
    private byte[] shapes;
    private int[] firstBuffers;
    private int[] firstViews;
    private int base;
    private int firstNode;
    private int firstBuffer;
    // Fields from this one on cannot be placed; 0 as long as nothing is bound.
    private int placeable;
    private boolean hasViews;

    // The current field.
    private int field = FieldLayout.NONE;
    private byte shape;
    private int buffersAt;
    private int buffers;

    /// Creates a cursor that is bound to nothing.
    public BatchCursor() {}

    // ---- binding

    /// Binds to a batch whose body fills a segment.
    ///
    /// @param plan of the batch's schema, or of its dictionary's values, or of one column
    /// @param header bound to the batch
    /// @param bodyBytes the whole body
    /// @return this, at no field
    /// @throws LayoutException if the batch does not have what the layout needs
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
    /// @throws LayoutException if the batch does not have what the layout needs
    public BatchCursor bind(
            FieldLayout plan,
            RecordBatch header,
            MemorySegment memory,
            long bodyOffset,
            long bodyLength) {
        bind(plan, header, memory, bodyOffset, bodyLength, 2);
        return this;
    }

    /// Stays a call, by the detours of [dev.fletch.flatbuf.Table]'s binding. What it buys: inlined, it
    /// takes so much of what C2 may inline into the caller that the accessors in the caller's loop
    /// stay calls, and 10 columns in direct memory take 310 ns and not 110.
    private void bind(
            FieldLayout plan,
            RecordBatch header,
            MemorySegment memory,
            long bodyOffset,
            long bodyLength,
            int detours) {
        if (detours != 0) {
            bind(plan, header, memory, bodyOffset, bodyLength, detours - 1);
            return;
        }
        leave();
        body.wrap(memory, bodyOffset, bodyLength);
        batch = header;
        fit.check(plan, header);
        compressed = header.compression(compression);
        take(plan);
    }

    /// Goes on to another plan for the same batch, such as that of another column. If the schema has
    /// fields of view types, the variadic buffer counts of all columns are added up on the first call,
    /// and kept for the plans that follow.
    ///
    /// @param plan of the batch's schema, or of one column of it
    /// @return this, at no field
    /// @throws IllegalStateException if no batch is bound
    /// @throws LayoutException if the batch does not have what the layout needs
    public BatchCursor rebind(FieldLayout plan) {
        if (layout == null) {
            throw CursorFaults.unbound();
        }
        leave();
        fit.checkAgain(plan);
        take(plan);
        return this;
    }

    /// {@return about how many bytes it keeps in arrays for variadic buffers: they grow to what the
    /// largest batch needs}
    public long memoryBytes() {
        return fit.memoryBytes();
    }

    /// Until all is checked.
    private void leave() {
        layout = null;
        placeable = 0;
        field = FieldLayout.NONE;
        shape = 0;
        buffers = 0;
    }

    private void take(FieldLayout plan) {
        final FieldTable table = plan.table;
        if (columns != plan.columnFields()) { // compared first: storing a reference costs a barrier
            columns = plan.columnFields();
        }
        if (shapes != table.shape) {
            shapes = table.shape;
            firstBuffers = table.firstBuffer;
            firstViews = table.firstView;
        }
        base = plan.base();
        firstNode = plan.firstNode();
        hasViews = plan.viewCount() != 0;
        // Without fields of a view type, all variadic buffers are those of columns before.
        firstBuffer = plan.firstBuffer() + (hasViews ? 0 : fit.variadicsBefore(0));
        placeable = fit.placeable();
        layout = plan;
    }

    // ---- the batch

    /// {@return number of rows, as the batch says; 0 before one is bound}
    public long rowCount() {
        return batch.length();
    }

    /// {@return number of nodes that the batch has after those that the layout places}
    public int extraNodes() {
        return fit.extraNodes();
    }

    /// {@return number of buffers that the batch has after those that the layout places}
    public int extraBuffers() {
        return fit.extraBuffers();
    }

    /// {@return whether the batch says that its buffers are compressed}
    public boolean isCompressed() {
        return compressed;
    }

    /// {@return how buffers are compressed, if they are: one of [dev.fletch.format.CompressionType]}
    public int codec() {
        return compressed ? compression.codec() : 0;
    }

    // ---- going to a field

    /// Goes to a column.
    ///
    /// @param column from 0 to the layout's number of columns - 1
    /// @return this
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws LayoutException if it cannot be placed, as its type or one before it is unknown
    public BatchCursor column(int column) {
        return field(columns == null ? only(column) : columns[column]);
    }

    private int only(int column) {
        return layout == null ? column : Objects.checkIndex(column, 1);
    }

    /// Goes to a field.
    ///
    /// @param number its number in the layout
    /// @return this
    /// @throws IndexOutOfBoundsException if there is no such field
    /// @throws LayoutException if it cannot be placed, as its type or one before it is unknown
    public BatchCursor field(int number) {
        if (number < 0 || number >= placeable) {
            throw layout != null
                    ? CursorFaults.noPlace(layout, number, placeable)
                    : CursorFaults.unbound();
        }
        final int row = base + number;
        final byte own = shapes[row];
        field = number;
        shape = own;
        buffersAt = firstBuffer + firstBuffers[row];
        buffers = BufferShape.count(own);
        if (hasViews) {
            addVariadics(firstViews[row]);
        }
        return this;
    }

    private void addVariadics(int view) {
        final int before = fit.variadicsBefore(view);
        buffersAt += before;
        if (BufferShape.of(shape) == BufferShape.VIEW) {
            buffers += fit.variadicsBefore(view + 1) - before;
        }
    }

    // ---- the current field

    /// {@return its number in the layout; -1 if the cursor is at no field}
    public int fieldNumber() {
        return field;
    }

    /// {@return place of its node among those of the batch}
    public int nodeIndex() {
        return (firstNode + current()) & ANY_INDEX;
    }

    /// {@return number of its values, as its node says: any number, in bytes that are not trusted}
    public long length() {
        return batch.nodesLength(nodeIndex());
    }

    /// {@return number of nulls among them, as its node says}
    public long nullCount() {
        return batch.nodesNullCount(nodeIndex());
    }

    /// {@return number of its buffers, variadic ones included}
    public int bufferCount() {
        current();
        return buffers;
    }

    /// {@return number of its variadic buffers}
    public int variadicCount() {
        current();
        return buffers - BufferShape.count(shape);
    }

    private int current() {
        if (field < 0) {
            throw CursorFaults.noField();
        }
        return field;
    }

    // ---- its buffers

    /// {@return what a buffer is for}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    public BufferRole role(int index) {
        return BufferShape.of(shape).role(Objects.checkIndex(index, buffers));
    }

    /// {@return place of a buffer among those of the batch}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    public int bufferIndex(int index) {
        return (buffersAt + Objects.checkIndex(index, buffers)) & ANY_INDEX;
    }

    /// {@return distance in bytes from the start of the body to a buffer}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    public long bufferOffset(int index) {
        return batch.buffersOffset(bufferIndex(index));
    }

    /// {@return number of a buffer's bytes in the body, without the padding after them}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    public long bufferLength(int index) {
        return batch.buffersLength(bufferIndex(index));
    }

    /// Binds to a buffer's bytes in the body. One of length 0 is empty, whatever its offset.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param into bound to them
    /// @return `into`
    /// @throws IndexOutOfBoundsException if there is no such buffer
    /// @throws LayoutException if they are not inside the body
    public ByteSlice buffer(int index, ByteSlice into) {
        final int place = bufferIndex(index);
        if (!body.bind(batch.buffersOffset(place), batch.buffersLength(place), into)) {
            throw CursorFaults.outOfBody(this, layout, index, body.length());
        }
        return into;
    }

    /// Binds to a buffer's bytes as [#buffer] does, without the prefix that it has in a compressed
    /// batch.
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @param into bound to compressed bytes where [#isCompressed(int)] says so, else to plain ones
    /// @return `into`
    /// @throws IndexOutOfBoundsException if there is no such buffer
    /// @throws LayoutException if they are not inside the body, or too few for the prefix
    public ByteSlice content(int index, ByteSlice into) {
        buffer(index, into);
        if (!compressed || into.length() == 0) {
            return into;
        }
        checkPrefix(index, into);
        return BatchBody.behindPrefix(into);
    }

    /// {@return whether a buffer's bytes have to be decompressed; even in a compressed batch, a buffer
    /// may be stored as it is}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    /// @throws LayoutException if it is not inside the body, or too short for its prefix
    public boolean isCompressed(int index) {
        Objects.checkIndex(index, buffers);
        return compressed
                && buffer(index, prefix).length() != 0
                && checkPrefix(index, prefix) != BatchBody.STORED;
    }

    /// {@return number of a buffer's bytes once decompressed, as its prefix claims: set a limit before
    /// you allocate by it. If the bytes are stored as they are, how many there are}
    ///
    /// @param index from 0 to [#bufferCount()] - 1
    /// @throws IndexOutOfBoundsException if there is no such buffer
    /// @throws LayoutException if it is not inside the body, too short for its prefix, or the
    ///     prefix says less than -1
    public long uncompressedLength(int index) {
        final long length = buffer(index, prefix).length();
        if (!compressed || length == 0) {
            return length;
        }
        final long claim = checkPrefix(index, prefix);
        return claim == BatchBody.STORED ? length - BatchBody.PREFIX_BYTES : claim;
    }

    private long checkPrefix(int index, ByteSlice bytes) {
        final long claim = BatchBody.claim(bytes);
        if (claim < BatchBody.STORED) {
            throw CursorFaults.prefix(this, layout, index, body.length(), claim);
        }
        return claim;
    }
}
