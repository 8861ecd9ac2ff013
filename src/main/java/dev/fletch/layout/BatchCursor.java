// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.rules.CompressedBuffer.PREFIX_BYTES;
import static dev.fletch.format.rules.CompressedBuffer.STORED;

import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BufferRole;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.format.rules.BatchCounts;
import dev.fletch.format.rules.BufferRange;
import dev.fletch.format.rules.BufferShape;
import dev.fletch.format.rules.CompressedBuffer;
import dev.fletch.format.rules.FirstError;
import dev.fletch.format.rules.TypeFacts;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// Locates a field's node and buffers in a record batch, and binds slices to its values.
///
/// ```java
/// cursor.bind(layout, batch).body(memory, frame.bodyOffset(), frame.bodyLength());
/// cursor.column(layout.find("price"));
/// long nulls = cursor.nullCount();
/// if (!cursor.isAbsent(BufferRole.VALIDITY)) {
///     cursor.buffer(BufferRole.VALIDITY, bits);
/// }
/// cursor.buffer(BufferRole.DATA, values);
/// ```
///
/// Binding checks that the batch has the nodes and buffers of the layout, and sums
/// `variadicBufferCounts` if the layout or earlier columns have view fields. With a layout of
/// another schema, values may be wrong. Moving to a field then takes constant time. Additional
/// nodes and buffers are ignored: see [#extraNodes()], [#extraBuffers()].
///
/// **Copies.** Accessors return copies of the numbers of nodes (length, null count) and buffers
/// (offset, length):
///
/// - [#BatchCursor()] copies those of all fields of the layout when a batch is bound. For reading
///   most columns.
/// - [#inPlace()] copies those of one field when the cursor moves to it. For few columns of a very
///   wide batch: time grows with the fields read, not with the batch.
///
/// **Binding.** A batch is bound with the layout of its schema, of its dictionary's values, or of
/// one column; without a body, to read only lengths, null counts and offsets. A method `body` then
/// sets the complete body. The cursor has no current field afterwards.
///
/// **Buffers** are selected by role, or by index from 0 to [#bufferCount()] - 1. Variadic buffers
/// have only an index. Methods with a slice `into` bind it to bytes of the body and return it; they
/// need the body, and check that the buffer is inside. In a compressed batch, each buffer of more
/// than 0 bytes begins with a prefix that is always little-endian:
///
/// ```text
///   0   i64  uncompressed length in bytes, or -1 if the bytes are not compressed
///   8        the bytes
/// ```
///
/// **Values** are bound as an array by [#values] and the methods after it, which check type and
/// buffer length once. Values of more than 8 bits must be little-endian, and buffers must not be
/// compressed.
///
/// **Errors.** [LayoutException]: the batch lacks nodes or buffers of the layout; a buffer is not
/// inside the body, or too short for its prefix; the field cannot be located, because its type or
/// that of an earlier field is unknown. [IllegalArgumentException]: the field's type has no buffer
/// with a role. [IndexOutOfBoundsException]: there is no such column, field or buffer.
/// [IllegalStateException]: the cursor has no batch, no current field, or no body; in place, the
/// batch's flyweight is bound to other bytes. If binding fails, the cursor is unbound.
///
/// **Allocation, lifetime and threads.** Allocates nothing after the first batch of a layout,
/// except for more buffers than before. Valid as long as the layout is unchanged and the body's
/// memory is valid; in place, also as long as the batch's flyweight stays bound. Belongs to one
/// thread at a time; a [BatchLayout] may be shared.
public final class BatchCursor {
    /// A mask that keeps all bits of an index.
    ///
    /// A field has up to three buffers. C2 unrolls a loop over them for many iterations if it
    /// recognizes an index that increments by one. The mask hides that, and saves a third of the
    /// time.
    private static final int ANY_INDEX = Integer.MAX_VALUE;

    private static final int SHAPE = (1 << BufferShape.BITS) - 1;
    private static final int PAIR = BatchParts.PAIR;
    private static final int NO_ROLES = BufferShape.roles(BufferShape.NOTHING.ordinal());
    private static final long UNKNOWN = -1;

    private final BatchParts parts;
    private final BatchBody body = new BatchBody();
    private final RecordBatch own = new RecordBatch();
    // Null until needed.
    private DictionaryBatch dictionary;
    private final ByteSlice prefix = new ByteSlice();
    // According to the message; UNKNOWN without one.
    private long bodyLength;

    // Copies of what the parts have. Faster: with one object between, three columns of a batch took
    // a quarter longer.
    private long[] numbers;
    private int[] columns;
    private int[] buffersAt;
    private int base;
    private int buffersFrom;
    private int placeable;
    private boolean isPlain;

    // The current field, the positions of its node and buffers in `numbers`, and its BufferShape
    // roles.
    private int field = FieldLayout.NONE;
    private int nodeNumbers = FieldLayout.NONE;
    private int bufferNumbers;
    private int roles = NO_ROLES;
    // Number of buffers, variadic ones included.
    private int buffers;

    /// Creates an unbound cursor that copies the numbers of all fields when it is bound.
    public BatchCursor() {
        this(false);
    }

    private BatchCursor(boolean isInPlace) {
        parts = new BatchParts(isInPlace);
        numbers = parts.numbers;
    }

    /// {@return an unbound cursor that copies a field's numbers when it moves to the field}
    public static BatchCursor inPlace() {
        return new BatchCursor(true);
    }

    // ---- binding

    /// Binds to a batch, without its body.
    public BatchCursor bind(FieldLayout layout, RecordBatch batch) {
        leave();
        bodyLength = UNKNOWN;
        parts.bind(layout, batch);
        adopt();
        return this;
    }

    /// Binds to a batch with its body.
    public BatchCursor bind(FieldLayout layout, RecordBatch batch, MemorySegment bytes) {
        return bind(layout, batch).body(bytes);
    }

    /// Binds to a record batch message, or to the values of a dictionary batch message, without its
    /// body.
    ///
    /// @throws LayoutException also if the message has no batch, or if the layout has unions and
    ///     another metadata version
    public BatchCursor bind(FieldLayout layout, Message message) {
        leave();
        RecordBatch batch = batchOf(layout, message);
        bodyLength = message.bodyLength();
        parts.bind(layout, batch);
        adopt();
        return this;
    }

    /// [#bind(FieldLayout, Message)] with the body.
    public BatchCursor bind(FieldLayout layout, Message message, MemorySegment bytes) {
        return bind(layout, message).body(bytes);
    }

    private RecordBatch batchOf(FieldLayout layout, Message message) {
        if (!message.header(own) && !(message.header(dictionaryBatch()) && dictionary.data(own))) {
            throw new LayoutException(
                    LayoutRules.NO_BATCH, "kind=" + MessageHeader.NAMES.name(message.headerType()));
        }
        if (message.version() != layout.version() && layout.table.dependsOnVersion) {
            throw new LayoutException(
                    LayoutRules.OTHER_VERSION,
                    "batch="
                            + MetadataVersion.NAMES.name(message.version())
                            + ", layout="
                            + MetadataVersion.NAMES.name(layout.version()));
        }
        return own;
    }

    private DictionaryBatch dictionaryBatch() {
        if (dictionary == null) {
            dictionary = new DictionaryBatch();
        }
        return dictionary;
    }

    private void adopt() {
        // References are compared first: storing one costs a barrier.
        if (numbers != parts.numbers) {
            numbers = parts.numbers;
        }
        if (columns != parts.columns) {
            columns = parts.columns;
        }
        if (buffersAt != parts.buffersAt) {
            buffersAt = parts.buffersAt;
        }
        base = parts.base;
        buffersFrom = parts.buffersFrom;
        placeable = parts.placeable;
        isPlain = parts.isPlain;
    }

    /// Unbinds, until all is checked.
    private void leave() {
        parts.unbind();
        placeable = 0;
        body.clear();
        leaveField();
    }

    private void leaveField() {
        if (field < 0) {
            return;
        }
        field = FieldLayout.NONE;
        nodeNumbers = FieldLayout.NONE;
        roles = NO_ROLES;
        buffers = 0;
    }

    // ---- the body

    /// Sets the body of the batch. It may arrive after the message: the cursor has copies of the
    /// message's numbers, unless it is an [#inPlace()] one.
    ///
    /// @throws IllegalStateException if no batch is bound
    public BatchCursor body(MemorySegment bytes) {
        return body(bytes, 0, bytes.byteSize());
    }

    /// Sets the body of the batch: see [#body(MemorySegment)].
    ///
    /// @param memory any kind of memory that contains the body
    /// @param offset byte offset of the body in `memory`
    /// @param length length of the body in bytes
    /// @throws IndexOutOfBoundsException if the body is not inside `memory`; the cursor is then
    ///     unbound
    public BatchCursor body(MemorySegment memory, long offset, long length) {
        leaveField();
        try {
            body.wrap(memory, offset, length);
        } catch (IndexOutOfBoundsException e) {
            leave();
            throw e;
        }
        return requireBound();
    }

    /// Sets the body of the batch, received in pieces; bytes after it are ignored. A buffer that
    /// spans pieces is copied on each access.
    ///
    /// @throws LayoutException if bytes of the body are missing
    public BatchCursor body(ReceivedBody received) {
        leaveField();
        if (received.length() < bodyLength) {
            leave();
            throw LayoutException.of(
                    LayoutRules.INCOMPLETE_BODY,
                    "received",
                    received.length(),
                    "bodyLength",
                    bodyLength);
        }
        body.wrap(received);
        return requireBound();
    }

    private BatchCursor requireBound() {
        if (!parts.isBound) {
            throw unbound();
        }
        return this;
    }

    // ---- the batch

    /// {@return number of rows (Message.fbs, `RecordBatch.length`), not checked; 0 if unbound}
    public long rowCount() {
        return parts.isBound ? parts.rowCount : 0;
    }

    /// {@return number of the batch's nodes after those of the layout}
    public int extraNodes() {
        return parts.extraNodes;
    }

    /// {@return number of the batch's buffers after those of the layout}
    public int extraBuffers() {
        return parts.extraBuffers;
    }

    /// {@return whether the batch declares compressed buffers (Message.fbs, `compression`)}
    public boolean isCompressed() {
        return parts.isCompressed;
    }

    /// {@return the codec, one of [dev.fletch.format.CompressionType] or an unknown number; 0 if
    /// the batch is not compressed}
    public int codec() {
        return parts.codec;
    }

    /// {@return the layout of the bound batch}
    FieldLayout layout() {
        return parts.layout;
    }

    // ---- moving to a field

    /// Moves to a column.
    public BatchCursor column(int column) {
        return field(columns == null || placeable == 0 ? column : columns[column]);
    }

    /// Moves to the first column with a name.
    ///
    /// @throws LayoutException if there is no such column
    public BatchCursor column(CharSequence name) {
        return column(requireBound().layout().column(name));
    }

    /// Moves to a field.
    public BatchCursor field(int number) {
        if (number < 0 || number >= placeable) {
            throw parts.isBound ? noPlace(number) : unbound();
        }
        int shapeAndFirst = buffersAt[base + number];
        if (isPlain) {
            field = number;
            nodeNumbers = PAIR * number;
            bufferNumbers = buffersFrom + PAIR * (shapeAndFirst >>> BufferShape.BITS);
            roles = BufferShape.roles(shapeAndFirst & SHAPE);
            buffers = BufferShape.count(roles);
        } else {
            goTo(number, shapeAndFirst);
        }
        return this;
    }

    /// Moves to a field of an in-place cursor, or of a layout with variadic buffers.
    ///
    /// Copies the numbers itself: in a method of the parts, C2 did not inline the copies into a
    /// caller's loop, and three columns took a quarter longer.
    private void goTo(int number, int shapeAndFirst) {
        leaveField();
        BatchParts all = parts;
        int ownRoles = BufferShape.roles(shapeAndFirst & SHAPE);
        int first = all.firstBuffer + (shapeAndFirst >>> BufferShape.BITS);
        int count = BufferShape.count(ownRoles);
        if (all.hasViews) {
            first = all.firstBuffer(number, shapeAndFirst);
            if (BufferShape.of(shapeAndFirst & SHAPE) == BufferShape.VIEW) {
                count += all.variadicCount(number);
            }
        }
        if (all.isInPlace) {
            long[] own = numbers;
            if (PAIR * (1L + count) > own.length) {
                own = all.reserve(1L + count);
                numbers = own;
            }
            all.batch.copyNodes(all.firstNode + number, 1, own, 0);
            all.batch.copyBuffers(first, count, own, PAIR);
            all.copiedBuffer = first;
            buffersFrom = PAIR;
            nodeNumbers = 0;
            bufferNumbers = PAIR;
        } else {
            nodeNumbers = PAIR * number;
            bufferNumbers = buffersFrom + PAIR * (first - all.copiedBuffer);
        }
        field = number;
        roles = ownRoles;
        buffers = count;
    }

    // ---- the current field

    /// {@return the current field's number in the layout; -1 if there is none}
    public int fieldNumber() {
        return field;
    }

    /// {@return index of the field's node in the batch}
    public int nodeIndex() {
        return parts.firstNode + current();
    }

    /// {@return number of values (Message.fbs, `FieldNode.length`), not checked: may be negative in
    /// untrusted input, or differ from [#rowCount()] for a column. Methods that bind to values
    /// check their buffers against it}
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
        int at = bufferNumbers + BufferShape.place(roles, role);
        // For C2: with this form of the check, it checks an index once.
        if (Integer.compareUnsigned(at, numbers.length) >= 0) {
            throw noRole(current(), role);
        }
        return at;
    }

    /// Returns whether a buffer is omitted as the format permits: a validity buffer of length 0, so
    /// no value is null (the null count is not checked), or offsets of length 0 for a field without
    /// values.
    ///
    /// @return whether the buffer is absent; false for empty buffers of other roles
    public boolean isAbsent(BufferRole role) {
        return bufferLength(role) == 0
                && (role == BufferRole.VALIDITY || role == BufferRole.OFFSETS && length() == 0);
    }

    /// {@return byte offset in the body of the buffer with a role, not checked}
    public long bufferOffset(BufferRole role) {
        return numbers[numbersOf(role)];
    }

    /// {@return length in bytes of the buffer with a role, without padding; not checked}
    public long bufferLength(BufferRole role) {
        return numbers[numbersOf(role) + 1];
    }

    /// Binds to the bytes of the buffer with a role. A buffer of length 0 may have any offset.
    public ByteSlice buffer(BufferRole role, ByteSlice into) {
        return bytes(numbersOf(role), into);
    }

    // ---- its buffers, by index

    /// {@return the role of a buffer}
    public BufferRole role(int index) {
        Objects.checkIndex(index, buffers);
        return shape().role(index);
    }

    /// {@return index of a buffer in the batch}
    public int bufferIndex(int index) {
        Objects.checkIndex(index, buffers);
        return indexOf(bufferNumbers + PAIR * index);
    }

    /// Index in the batch of the buffer whose numbers are at a position.
    private int indexOf(int at) {
        return parts.copiedBuffer + (at - buffersFrom) / PAIR;
    }

    private int numbersOf(int index) {
        return bufferNumbers + PAIR * (Objects.checkIndex(index, buffers) & ANY_INDEX);
    }

    /// {@return byte offset of a buffer in the body, not checked}
    public long bufferOffset(int index) {
        return numbers[numbersOf(index)];
    }

    /// {@return length of a buffer in bytes, without padding; not checked}
    public long bufferLength(int index) {
        return numbers[numbersOf(index) + 1];
    }

    /// Binds to a buffer's bytes. A buffer of length 0 may have any offset.
    public ByteSlice buffer(int index, ByteSlice into) {
        return bytes(numbersOf(index), into);
    }

    private ByteSlice bytes(int at, ByteSlice into) {
        long[] numbers = this.numbers;
        if (!body.slice(numbers[at], numbers[at + 1], into)) {
            throw outOfBody(at, body.length());
        }
        return into;
    }

    /// Checks that a buffer is inside a body that is not bound.
    ///
    /// @param size length of the body in bytes
    public void requireInside(int index, long size) {
        if (!BufferRange.isInside(bufferOffset(index), bufferLength(index), size)) {
            throw outOfBody(numbersOf(index), size);
        }
    }

    // ---- compressed buffers

    /// Binds to a buffer's bytes without the prefix of compressed batches.
    ///
    /// @param into bound to compressed bytes if [#isCompressed(int)], else to plain bytes
    public ByteSlice content(int index, ByteSlice into) {
        int at = numbersOf(index);
        bytes(at, into);
        if (!parts.isCompressed || into.length() == 0) {
            return into;
        }
        prefix(at, into);
        return into.wrap(into, PREFIX_BYTES, into.length() - PREFIX_BYTES);
    }

    /// {@return whether a buffer's bytes are compressed; a compressed batch may also have
    /// uncompressed buffers}
    public boolean isCompressed(int index) {
        int at = numbersOf(index);
        return parts.isCompressed
                && bytes(at, prefix).length() != 0
                && prefix(at, prefix) != STORED;
    }

    /// {@return uncompressed length of a buffer in bytes. For compressed bytes it comes from the
    /// prefix, and is not more than the codec can store in them: 256 times their length for LZ4,
    /// 32,768 times for Zstandard. Limit it further before you allocate}
    public long uncompressedLength(int index) {
        int at = numbersOf(index);
        long length = bytes(at, prefix).length();
        if (!parts.isCompressed || length == 0) {
            return length;
        }
        long claim = prefix(at, prefix);
        return claim == STORED ? length - PREFIX_BYTES : claim;
    }

    /// Reads and checks the prefix of a buffer.
    private long prefix(int at, ByteSlice bytes) {
        long claim = bytes.length() < PREFIX_BYTES ? UNKNOWN : bytes.int64(0);
        if (bytes.length() < PREFIX_BYTES
                || !CompressedBuffer.isPossible(claim, parts.codec, bytes.length())) {
            throw badPrefix(at, claim);
        }
        return claim;
    }

    // ---- its values

    /// {@return the physical type of the values; for a dictionary-encoded field, of its indices}
    public ValueType valueType() {
        return layout().valueType(current());
    }

    /// Binds to the validity bits: bit `i` is set if value `i` is not null.
    ///
    /// @param into bound to the bits of all values; empty if the buffer is absent
    /// @return false if the buffer is absent, so no value is null
    /// @throws LayoutException also if the buffer is absent, but the node has values and nulls
    /// @throws IllegalArgumentException if the type has no validity buffer: `Null`, run-end encoded
    ///     and, since V5, unions; see [#has]
    public boolean validity(ByteSlice into) {
        if (length() < 0) {
            throw negativeLength();
        }
        if (isAbsent(BufferRole.VALIDITY)) {
            if (nullCount() != 0 && length() != 0) {
                throw fault(LayoutRules.NO_VALIDITY, "nulls=" + nullCount());
            }
            buffer(BufferRole.VALIDITY, into);
            return false;
        }
        array(BufferRole.VALIDITY, 1, length(), into);
        return true;
    }

    /// Binds to the values of a fixed-width field, as an array of [#length()] values.
    ///
    /// @throws LayoutException also if the field has another type, or is dictionary-encoded
    public ByteSlice values(ValueType type, ByteSlice into) {
        int number = current();
        if (valueType() != type || layout().isDictionaryEncoded(number)) {
            throw otherType(type.text());
        }
        return data(type, into);
    }

    /// Binds to the indices of a dictionary-encoded field, integers of [#valueType()].
    /// [ColumnValues] resolves them.
    ///
    /// @throws LayoutException also if the field is not dictionary-encoded
    public ByteSlice indices(ByteSlice into) {
        ValueType type = valueType();
        if (!layout().isDictionaryEncoded(current()) || !type.isInteger()) {
            throw otherType("dictionary indices");
        }
        return data(type, into);
    }

    /// Binds to the data buffer of a `Utf8`, `Binary`, `LargeUtf8` or `LargeBinary` field. Value
    /// `i` has the bytes between offsets `i` and `i + 1`, which this method does not check;
    /// [ColumnValues] checks each.
    ///
    /// @throws LayoutException also if the field is of another type
    public ByteSlice bytes(ByteSlice into) {
        ValueType type = valueType();
        if (type != ValueType.BYTES && type != ValueType.LARGE_BYTES) {
            throw otherType("bytes or large_bytes");
        }
        return plain(numbersOf(BufferRole.DATA), into);
    }

    /// Binds to 32-bit offsets. A `Utf8`, `Binary`, `List` or `Map` field has one more offset than
    /// values, or none without values; a `ListView` or dense `Union` field has as many as values.
    ///
    /// @throws LayoutException also if the field has no offsets, or 64-bit offsets
    public ByteSlice offsets32(ByteSlice into) {
        return offsets(Integer.SIZE, into);
    }

    /// Binds to 64-bit offsets. A `LargeUtf8`, `LargeBinary` or `LargeList` field has one more
    /// offset than values, or none without values; a `LargeListView` field has as many as values.
    ///
    /// @throws LayoutException also if the field has no offsets, or 32-bit offsets
    public ByteSlice offsets64(ByteSlice into) {
        return offsets(Long.SIZE, into);
    }

    /// Binds to the sizes of a `ListView` field.
    ///
    /// @throws LayoutException also if the field is of another type
    public ByteSlice sizes32(ByteSlice into) {
        return counts(BufferRole.SIZES, Integer.SIZE, length(), into);
    }

    /// Binds to the sizes of a `LargeListView` field.
    ///
    /// @throws LayoutException also if the field is of another type
    public ByteSlice sizes64(ByteSlice into) {
        return counts(BufferRole.SIZES, Long.SIZE, length(), into);
    }

    /// Binds to the type ids of a `Union` field.
    ///
    /// @throws LayoutException also if the field is of another type
    public ByteSlice typeIds(ByteSlice into) {
        if (!has(BufferRole.TYPE_IDS)) {
            throw otherType("union");
        }
        return array(BufferRole.TYPE_IDS, Byte.SIZE, length(), into);
    }

    /// Binds to the views of a `Utf8View` or `BinaryView` field, 16 bytes each. [ColumnValues]
    /// resolves them.
    ///
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
    public ByteSlice variadic(int number, ByteSlice into) {
        if (valueType() != ValueType.BYTES_VIEW) {
            throw otherType(ValueType.BYTES_VIEW.text());
        }
        Objects.checkIndex(number, variadicCount());
        return plain(numbersOf(BufferShape.count(roles) + number), into);
    }

    private ByteSlice data(ValueType type, ByteSlice into) {
        if (!has(BufferRole.DATA) || type == ValueType.BYTES || type == ValueType.LARGE_BYTES) {
            throw otherType("a fixed width");
        }
        return array(BufferRole.DATA, layout().valueBits(field), length(), into);
    }

    private ByteSlice offsets(int bits, ByteSlice into) {
        boolean hasEnd = shape().hasEndOffset();
        long count = length();
        boolean isEmpty = count == 0 && has(BufferRole.OFFSETS) && isAbsent(BufferRole.OFFSETS);
        return counts(
                BufferRole.OFFSETS,
                bits,
                hasEnd && !isEmpty && count >= 0 && count < Long.MAX_VALUE ? count + 1 : count,
                into);
    }

    /// Offsets or sizes.
    private ByteSlice counts(BufferRole role, int bits, long count, ByteSlice into) {
        if (!has(role)
                || TypeFacts.of(layout().typeType(field)).offsetBytes() != bits / Byte.SIZE) {
            throw otherType(role.text() + " of " + bits + " bits");
        }
        return array(role, bits, count, into);
    }

    /// Binds to a buffer as an array of little-endian values.
    private ByteSlice array(BufferRole role, long bits, long count, ByteSlice into) {
        plain(numbersOf(role), into);
        if (bits > Byte.SIZE
                && layout().endianness() != Endianness.LITTLE
                && layout().valueType(field) != ValueType.FIXED_BYTES) {
            throw fault(
                    LayoutRules.FOREIGN_BYTE_ORDER,
                    "endianness=" + Endianness.NAMES.name(layout().endianness()));
        }
        if (count < 0) {
            throw negativeLength();
        }
        long bytes = bits == 1 ? count - 1 >> 3 : bits / Byte.SIZE;
        boolean fits =
                bits == 1 ? bytes < into.length() : bytes == 0 || count <= into.length() / bytes;
        if (!fits) {
            throw fault(
                    BufferRange.length(into.length(), Long.MAX_VALUE),
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
    private ByteSlice plain(int at, ByteSlice into) {
        bytes(at, into);
        if (parts.isCompressed && into.length() != 0) {
            if (prefix(at, into) != STORED) {
                throw fault(
                        LayoutRules.COMPRESSED_BUFFER,
                        "role="
                                + shape().role((at - bufferNumbers) / PAIR).text()
                                + ", codec="
                                + CompressionType.NAMES.name(codec()));
            }
            into.wrap(into, PREFIX_BYTES, into.length() - PREFIX_BYTES);
        }
        return into;
    }

    // ---- what is thrown

    private static IllegalStateException unbound() {
        return new IllegalStateException("cursor is not bound to a batch");
    }

    private static IllegalStateException noField() {
        return new IllegalStateException("cursor has no current field: call column or field");
    }

    private LayoutException fault(Rule rule, String details) {
        return new LayoutException(rule, "column=" + layout().shownPath(field) + ", " + details);
    }

    private LayoutException otherType(String expected) {
        int number = current();
        String encoded =
                layout().isDictionaryEncoded(number)
                        ? ", dictionary=" + layout().dictionaryId(number)
                        : "";
        return fault(
                LayoutRules.OTHER_TYPE,
                "expected="
                        + expected
                        + ", found="
                        + valueType().text()
                        + ", type="
                        + TypeFacts.of(layout().typeType(number)).name()
                        + encoded);
    }

    private LayoutException noPlace(int number) {
        Objects.checkIndex(number, layout().fieldCount());
        return new LayoutException(
                TypeFacts.withoutShape(),
                "column="
                        + layout().shownPath(number)
                        + ", field="
                        + number
                        + ", first="
                        + placeable);
    }

    private IllegalArgumentException noRole(int number, BufferRole role) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < layout().bufferCount(number); i++) {
            all.append(i == 0 ? "" : " ").append(layout().role(number, i).text());
        }
        String reason =
                role == BufferRole.VARIADIC
                        ? "variadic buffers have only an index"
                        : "type has no buffer with this role";
        return new IllegalArgumentException(
                String.format(
                        Locale.ROOT,
                        "%s: column=%s, type=%s, role=%s, roles=%s",
                        reason,
                        layout().shownPath(number),
                        Type.NAMES.name(layout().typeType(number)),
                        role.text(),
                        all));
    }

    // The following methods repeat a check that failed by the class that has the rule, which
    // throws.

    private FirstError errors() {
        return LayoutException.errors(layout().shownPath(field));
    }

    IllegalStateException negativeLength() {
        long at = parts.nodePosition(nodeIndex(), length());
        new BatchCounts(errors()).negativeLength(at, length(), nodeIndex());
        return BatchParts.changed();
    }

    private IllegalStateException outOfBody(int at, long size) {
        range(at, size);
        return BatchParts.changed();
    }

    private IllegalStateException badPrefix(int at, long claim) {
        BufferRange range = range(at, body.length());
        range.prefix();
        range.uncompressedLength(claim, codec());
        return BatchParts.changed();
    }

    private BufferRange range(int at, long size) {
        BufferRange range = new BufferRange(errors(), false);
        long offset = numbers[at];
        long length = numbers[at + 1];
        int index = indexOf(at);
        long position = parts.bufferPosition(index, offset, length);
        range.check(position, offset, length, size, "buffers", index);
        return range;
    }
}
