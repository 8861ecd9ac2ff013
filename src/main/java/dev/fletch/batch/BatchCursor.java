// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.internal.CompressedBuffer.PREFIX_BYTES;
import static dev.fletch.format.internal.CompressedBuffer.STORED;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.internal.EndiannessCheck;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/// Locates the nodes and buffers of fields in a record batch, and binds slices to their values.
///
/// ```java
/// int price = layout.field("price");
/// cursor.bind(layout, batch).body(memory, frame.bodyOffset(), frame.bodyLength());
/// long nulls = cursor.nullCount(price);
/// if (!cursor.isAbsent(price, BufferRole.VALIDITY)) {
///     cursor.buffer(price, BufferRole.VALIDITY, bits);
/// }
/// cursor.buffer(price, BufferRole.DATA, values);
/// ```
///
/// A cursor goes from batch to batch. `field` in all methods is a field's number in the layout: see
/// [BatchLayout#field], [BatchLayout#columnField]. Each method takes constant time, except for
/// binding and [#requireSound].
///
/// Binding checks that the batch has the nodes and buffers of the layout, and sums
/// `variadicBufferCounts` if the layout or earlier columns have view fields. With a layout of
/// another schema, values may be wrong. Additional nodes and buffers are ignored:
/// [BatchLayout#requireExact] rejects them.
///
/// **Copies.** When a batch is bound, the numbers of nodes (length, null count) and buffers
/// (offset, length) are copied: the message's memory may then be used again. For few columns of a
/// very wide batch, bind a layout of only these: see [BatchLayout#choose].
///
/// **Binding.** A batch is bound with the layout of its schema, of its dictionary's values, or of
/// some columns; a message with that of its metadata version, see [BatchLayout#forVersion]; without
/// a body, to read only lengths, null counts and offsets. A method `body` then sets the complete
/// body.
///
/// **Buffers** are selected by role, or by index from 0 to [#bufferCount(int)] - 1. Variadic
/// buffers have only an index. Methods with a slice `into` bind it to bytes of the body and return
/// it; they need the body, and check that the buffer is inside. In a compressed batch, each buffer
/// of more than 0 bytes begins with a prefix that is always little-endian:
///
/// ```text
///   0   i64  uncompressed length in bytes, or -1 if the bytes are not compressed
///   8        the bytes
/// ```
///
/// **Values** are bound as an array by [#values] and the methods after it, which check type and
/// buffer length once. Values of more than 8 bits must be little-endian. Compressed buffers need a
/// [#source].
///
/// **Errors.** [FletchException]: the batch lacks nodes or buffers of the layout, or its codec or
/// method of compression is unknown ([dev.fletch.format.BatchCodec]); a buffer is not inside the
/// body, or too short for its prefix; the field cannot be located, because its type or that of an
/// earlier field is unknown; the field has no values, indices, offsets, sizes, type ids or views of
/// the kind and width that the method binds. [IllegalArgumentException]: the field's type has no
/// buffer with a role. [IndexOutOfBoundsException]: there is no such field or buffer.
/// [IllegalStateException]: the cursor has no batch or no body. If binding fails, the cursor is
/// unbound.
///
/// **Allocation, lifetime and threads.** Allocates nothing after the first batch of a layout,
/// except for more buffers than before. Valid as long as the body's memory is valid. Belongs to one
/// thread at a time; a [BatchLayout] may be shared.
public final class BatchCursor {
    private static final int SHAPE = (1 << BufferShape.BITS) - 1;
    private static final int PAIR = BufferShape.PAIR;
    private static final int DETOURS = 2;
    private static final long UNKNOWN = -1;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final BatchParts parts = new BatchParts();
    // The body, if it is in one range of memory.
    private final ByteSlice whole = new ByteSlice();
    // Null if it is in one range.
    private BufferSource body;
    private boolean hasBody;
    private final RecordBatch flyweight = new RecordBatch();
    // Null until needed.
    private DictionaryBatch dictionary;
    private final ByteSlice content = new ByteSlice();
    // Of compressed buffers; may be null.
    private BufferSource source;
    // Number of batches that were bound.
    private int bindings;
    // According to the message; UNKNOWN without one.
    private long bodyLength;
    // Of buffers that do not ascend.
    private final SharedRanges ranges = new SharedRanges();

    /// Creates an unbound cursor.
    public BatchCursor() {}

    // ---- binding

    /// Binds to a batch, without its body.
    public BatchCursor bind(BatchLayout layout, RecordBatch batch) {
        leave();
        try {
            bodyLength = UNKNOWN;
            parts.bind(layout, batch, DETOURS);
            return this;
        } finally {
            parts.dropUnlessBound();
        }
    }

    /// Binds to a record batch message, or to the values of a dictionary batch message, without its
    /// body.
    ///
    /// @throws FletchException also if the message has no batch, or another metadata version than
    ///     V4 and V5 while the layout has unions
    public BatchCursor bind(BatchLayout layout, Message message) {
        leave();
        try {
            requireBatch(message);
            BatchLayout ofVersion = layout.forVersion(message.version());
            if (ofVersion == null) {
                throw otherVersion(layout, message);
            }
            bodyLength = message.bodyLength();
            parts.bind(ofVersion, flyweight, DETOURS);
            return this;
        } finally {
            parts.dropUnlessBound();
        }
    }

    private void requireBatch(Message message) {
        if (!message.header(flyweight) && !isDictionary(message)) {
            int kind = message.headerType();
            long position = message.position(Message.HEADER_TYPE_SLOT);
            throw FletchException.of(
                    Fault.of(MeaningRule.NO_BATCH, position, kind)
                            .because("kind=" + MessageHeader.NAMES.name(kind)));
        }
    }

    private static FletchException otherVersion(BatchLayout layout, Message message) {
        return FletchException.of(
                MeaningRule.OTHER_VERSION,
                "batch="
                        + MetadataVersion.NAMES.name(message.version())
                        + ", layout="
                        + MetadataVersion.NAMES.name(layout.version()));
    }

    /// Binds to the values of a dictionary batch.
    private boolean isDictionary(Message message) {
        if (dictionary == null) {
            dictionary = new DictionaryBatch();
        }
        return message.header(dictionary)
                && BatchCounts.data(dictionary, flyweight, FletchException::raise);
    }

    /// Unbinds, until all is checked.
    private void leave() {
        bindings++;
        parts.isBound = false;
        clearBody();
    }

    private void clearBody() {
        hasBody = false;
        if (body != null) { // compared before it is stored
            body = null;
        }
    }

    // ---- the body

    /// Sets the body of the batch. It may arrive after the message: the cursor has copies of the
    /// message's numbers.
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
        clearBody();
        try {
            whole.wrap(memory, offset, length);
        } catch (IndexOutOfBoundsException e) {
            leave();
            parts.dropUnlessBound();
            throw e;
        }
        hasBody = true;
        return requireBound();
    }

    /// Sets the body of the batch in another form, such as a [ReceivedBody]. The source gives each
    /// buffer as it was written, with the prefix of compressed batches.
    ///
    /// @throws FletchException if bytes of the body are missing
    public BatchCursor body(BufferSource buffers) {
        if (buffers.length() < bodyLength) {
            leave();
            parts.dropUnlessBound();
            throw FletchException.of(
                    MeaningRule.INCOMPLETE_BODY,
                    "received=" + buffers.length() + ", bodyLength=" + bodyLength);
        }
        body = buffers;
        hasBody = true;
        return requireBound();
    }

    /// Sets what decompresses the buffers of this and later batches, such as [DecompressedBuffers].
    /// The methods for values call it for compressed buffers, and only for these.
    ///
    /// @param buffers null to reject compressed buffers
    public BatchCursor source(BufferSource buffers) {
        source = buffers;
        return this;
    }

    /// {@return what decompresses buffers; may be null}
    public BufferSource source() {
        return source;
    }

    private long bodySize() {
        if (!hasBody) {
            throw new IllegalStateException("cursor is bound without a body");
        }
        if (body == null) {
            return whole.length();
        }
        return bodyLength == UNKNOWN ? body.length() : Math.min(bodyLength, body.length());
    }

    /// {@return byte offset of the body in its memory; none if it is not in one}
    private long bodyOffset() {
        return hasBody && body == null ? whole.offset() : FletchException.NO_OFFSET;
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

    /// {@return whether the batch declares compressed buffers: see [dev.fletch.format.BatchCodec]}
    public boolean isCompressed() {
        return parts.isCompressed;
    }

    /// {@return the codec, one of [dev.fletch.format.ids.CompressionType]; 0 if the batch is not
    /// compressed}
    public int codec() {
        return parts.codec;
    }

    /// {@return the layout of the bound batch}
    public BatchLayout layout() {
        return parts.layout;
    }

    // ---- a field's node

    // The accessors of numbers are short, or C2 sometimes does not inline them into a loop.

    /// {@return number of values (Message.fbs, `FieldNode.length`), not checked: may be negative in
    /// untrusted input, or differ from [#rowCount()] for a column. Methods that bind to values
    /// check their buffers against it}
    public long length(int field) {
        return parts.numbers[parts.nodeAt(checked(field))];
    }

    /// {@return number of nulls (Message.fbs, `FieldNode.null_count`), not checked}
    public long nullCount(int field) {
        return parts.numbers[parts.nodeAt(checked(field)) + 1];
    }

    /// {@return position of a field's node in the memory of the metadata, for faults; none if that
    /// has changed}
    public long nodePosition(int field) {
        long length = length(field); // first: throws if there is no such field
        return parts.nodePosition(layout().nodeIndex(field), length);
    }

    private int checked(int field) {
        if (Integer.compareUnsigned(field, parts.buffersAt.length) >= 0) {
            throw noPlace(field);
        }
        return field;
    }

    // ---- its buffers

    /// {@return number of a field's buffers, variadic ones included}
    public int bufferCount(int field) {
        return count(field, buffersOf(field));
    }

    /// {@return number of a field's variadic buffers}
    public int variadicCount(int field) {
        return variadicCount(field, buffersOf(field));
    }

    private int count(int field, int buffers) {
        int count = BufferShape.count(buffers);
        return parts.hasViews ? count + variadicCount(field, buffers) : count;
    }

    private int variadicCount(int field, int buffers) {
        return BufferShape.of(buffers & SHAPE) == BufferShape.VIEW ? parts.variadicCount(field) : 0;
    }

    /// Position and shape of the field's buffers: see [FieldTable#buffersAt].
    private int buffersOf(int field) {
        int[] all = parts.buffersAt;
        if (Integer.compareUnsigned(field, all.length) >= 0) { // replaces the array's check
            throw noPlace(field);
        }
        return all[field];
    }

    /// {@return the role of a buffer}
    public BufferRole role(int field, int index) {
        int buffers = buffersOf(field);
        Objects.checkIndex(index, count(field, buffers));
        return BufferShape.of(buffers & SHAPE).role(index);
    }

    /// {@return the index of the buffer with a role, for the methods that take an index}
    ///
    /// @param role any role except [BufferRole#VARIADIC], which several buffers may have
    public int index(int field, BufferRole role) {
        return index(field, position(field, role));
    }

    /// {@return index of a buffer in the batch}
    public int bufferIndex(int field, int index) {
        return parts.bufferIndex(position(field, index));
    }

    /// The index of a buffer among those of the layout's fields.
    int ownIndex(int field, int index) {
        return parts.ownIndex(position(field, index));
    }

    /// Returns whether a buffer is omitted as the format permits: a validity buffer of length 0, so
    /// no value is null (the null count is not checked), or offsets of length 0 for a field without
    /// values.
    ///
    /// @return whether the buffer is absent; false for empty buffers of other roles, and for those
    ///     of a compressed batch that have a prefix
    public boolean isAbsent(int field, BufferRole role) {
        return bufferLength(field, role) == 0
                && (role == BufferRole.VALIDITY
                        || role == BufferRole.OFFSETS && length(field) == 0);
    }

    /// {@return byte offset in the body of the buffer with a role, not checked}
    public long bufferOffset(int field, BufferRole role) {
        return parts.numbers[position(field, role)];
    }

    /// {@return byte offset of a buffer in the body, not checked}
    public long bufferOffset(int field, int index) {
        return parts.numbers[position(field, index)];
    }

    /// {@return length in bytes of the buffer with a role, without padding; not checked}
    public long bufferLength(int field, BufferRole role) {
        return parts.numbers[position(field, role) + 1];
    }

    /// {@return length of a buffer in bytes, without padding; not checked}
    public long bufferLength(int field, int index) {
        return parts.numbers[position(field, index) + 1];
    }

    /// {@return byte offset in the body of a byte of a buffer, without the prefix of compressed
    /// batches; if the buffer is compressed, the offset of the buffer}
    ///
    /// @param position position of the byte in the buffer, after decompression
    public long byteOffset(int field, BufferRole role, long position) {
        int buffer = position(field, role);
        long start = parts.numbers[buffer];
        if (!parts.isCompressed) {
            return start + position;
        }
        return withoutPrefix(field, buffer, content) == STORED
                ? start + PREFIX_BYTES + position
                : start;
    }

    /// Binds to the bytes of the buffer with a role. A buffer of length 0 may have any offset.
    public ByteSlice buffer(int field, BufferRole role, ByteSlice into) {
        return bytes(field, position(field, role), into);
    }

    /// Binds to a buffer's bytes. A buffer of length 0 may have any offset.
    public ByteSlice buffer(int field, int index, ByteSlice into) {
        return bytes(field, position(field, index), into);
    }

    /// The position of the buffer with a role: see [BatchParts].
    private int position(int field, BufferRole role) {
        int position = parts.bufferAt(checked(field), role);
        if (Integer.compareUnsigned(position, parts.numbers.length)
                >= 0) { // replaces the array's check
            throw layout().noRole(field, role);
        }
        return position;
    }

    private int position(int field, int index) {
        int buffers = buffersOf(field);
        int checked = Objects.checkIndex(index, count(field, buffers));
        return parts.bufferAt(field, buffers) + PAIR * checked;
    }

    private ByteSlice bytes(int field, int position, ByteSlice into) {
        long offset = parts.numbers[position];
        long length = parts.numbers[position + 1];
        long size = bodySize();
        if (!BufferRange.isInside(offset, length, size)) {
            throw outOfBody(field, position, size);
        }
        if (body == null) {
            into.wrap(whole, length == 0 ? Math.clamp(offset, 0, size) : offset, length);
        } else if (length == 0) {
            into.wrap(NOTHING, 0, 0);
        } else {
            body.bytes(this, field, index(field, position), into);
        }
        return into;
    }

    /// Checks the numbers of the batch, for its layout's fields:
    ///
    /// - no length is negative, and each column has as many values as the batch has rows
    /// - null counts are from 0 to the length; for the type Null, -1 means unknown
    /// - buffers are inside the body, and nonempty ones share no bytes
    ///
    /// Not checked: whether buffers are long enough, and the values. Call it while the message's
    /// memory is unchanged: errors take positions from it.
    ///
    /// @param size length of the body in bytes; a negative one is 0
    /// @return this
    public BatchCursor requireSound(long size) {
        requireSoundNodes();
        long[] all = parts.numbers;
        long limit = Math.max(0, size);
        long end = 0;
        boolean ascends = true;
        for (int position = parts.firstPosition();
                position < parts.endPosition();
                position += PAIR) {
            long offset = all[position];
            long length = all[position + 1];
            if (!BufferRange.isInside(offset, length, limit)) {
                throw outOfBody(parts.fieldAt(position), position, limit);
            }
            if (length != 0) {
                ascends &= offset >= end;
                end = offset + length;
            }
        }
        if (!ascends) {
            requireApart();
        }
        return this;
    }

    private void requireSoundNodes() {
        requireBound();
        long[] all = parts.numbers;
        for (int field = 0; field < parts.buffersAt.length; field++) {
            long length = all[parts.nodeAt(field)];
            long nulls = all[parts.nodeAt(field) + 1];
            if (length < 0
                    || !BatchCounts.isInRange(
                            nulls, length, nulls < 0 && layout().isAllNull(field))) {
                throw unsoundNode(field);
            }
        }
        for (int field : parts.layout.section.columns) {
            if (field < parts.buffersAt.length && all[parts.nodeAt(field)] != parts.rowCount) {
                throw otherRows(field);
            }
        }
    }

    /// Checks that buffers share no bytes.
    private void requireApart() {
        ranges.begin((parts.endPosition() - parts.firstPosition()) / PAIR);
        for (int position = parts.firstPosition();
                position < parts.endPosition();
                position += PAIR) {
            ranges.add(parts.numbers[position], parts.numbers[position + 1]);
        }
        long shared = ranges.sort().firstShared();
        if (shared >= 0) {
            throw sharedBytes(shared);
        }
    }

    // ---- compressed buffers

    /// Binds to a buffer's bytes without the prefix of compressed batches.
    ///
    /// @param into bound to compressed bytes if [#isCompressed(int, int)], else to plain bytes
    public ByteSlice content(int field, int index, ByteSlice into) {
        withoutPrefix(field, position(field, index), into);
        return into;
    }

    /// Binds to a buffer's bytes without prefix, and decompressed by the [#source].
    public ByteSlice decompressed(int field, int index, ByteSlice into) {
        return plain(field, position(field, index), into);
    }

    /// {@return whether a buffer has bytes that are compressed; a compressed batch may also have
    /// uncompressed buffers}
    public boolean isCompressed(int field, int index) {
        int position = position(field, index);
        return parts.isCompressed && withoutPrefix(field, position, content) != STORED;
    }

    /// {@return uncompressed length of a buffer in bytes. For compressed bytes it comes from the
    /// prefix, and is not more than the codec can store in them: 256 times their length for LZ4,
    /// 32,768 times for Zstandard. Limit it further before you allocate}
    public long uncompressedLength(int field, int index) {
        long claim = withoutPrefix(field, position(field, index), content);
        return claim == STORED ? content.length() : claim;
    }

    /// Binds to a buffer's bytes without a prefix, and returns what that says: `STORED` without
    /// one, and if no bytes are behind it.
    private long withoutPrefix(int field, int position, ByteSlice into) {
        long length = bytes(field, position, into).length();
        if (!parts.isCompressed || length == 0) {
            return STORED;
        }
        long claim = CompressedBuffer.uncompressedLength(into, parts.codec, length);
        if (claim == CompressedBuffer.IMPOSSIBLE) {
            throw badPrefix(field, position, into);
        }
        into.wrap(into, PREFIX_BYTES, length - PREFIX_BYTES);
        return claim;
    }

    // ---- its values

    /// Binds to the validity bits: bit `i` is set if value `i` is not null.
    ///
    /// @param into bound to the bits of all values; empty if this returns false
    /// @return false if the buffer is absent, or too short while the null count is 0: no value is
    ///     null
    /// @throws FletchException also if the buffer is too short, but the node has nulls
    /// @throws IllegalArgumentException if the type has no validity buffer: `Null`, run-end encoded
    ///     and, since V5, unions; see [BatchLayout#has]
    public boolean validity(int field, ByteSlice into) {
        return elements(field, BufferRole.VALIDITY, 1, length(field), into).length() != 0;
    }

    /// Binds to the values of a fixed-width field, as an array of [#length] values. Some writers
    /// omit the values if all are null: then the array is empty.
    public ByteSlice values(int field, ValueType type, ByteSlice into) {
        if (type(field) != type || layout().isDictionaryEncoded(field)) {
            throw otherType(field, type.text());
        }
        return data(field, type, into);
    }

    /// Binds to the indices of a dictionary-encoded field, integers of [BatchLayout#valueType].
    /// [ColumnValues] resolves them.
    public ByteSlice indices(int field, ByteSlice into) {
        ValueType type = type(field);
        if (!layout().isDictionaryEncoded(field) || !type.isInteger()) {
            throw otherType(field, "dictionary indices");
        }
        return data(field, type, into);
    }

    /// Binds to the data buffer of a `Utf8`, `Binary`, `LargeUtf8` or `LargeBinary` field. Value
    /// `i` has the bytes between offsets `i` and `i + 1`, which this method does not check;
    /// [ColumnValues] checks each.
    public ByteSlice bytes(int field, ByteSlice into) {
        ValueType type = type(field);
        if (type != ValueType.BYTES && type != ValueType.LARGE_BYTES) {
            throw otherType(field, "bytes or large_bytes");
        }
        return plain(field, position(field, BufferRole.DATA), into);
    }

    /// Binds to offsets, sizes, type ids or views, as an array of one for each value:
    ///
    /// | role | type | fields |
    /// |---|---|---|
    /// | `OFFSETS` | `INT32` | `Utf8`, `Binary`, `List`, `Map`; `ListView`, dense `Union` |
    /// | `OFFSETS` | `INT64` | `LargeUtf8`, `LargeBinary`, `LargeList`; `LargeListView` |
    /// | `SIZES` | `INT32` | `ListView` |
    /// | `SIZES` | `INT64` | `LargeListView` |
    /// | `TYPE_IDS` | `INT8` | `Union` |
    /// | `VIEWS` | `BYTES_VIEW` | `Utf8View`, `BinaryView`: 16 bytes each, see [ColumnValues] |
    ///
    /// Fields before a semicolon have one more offset than values, or none without values.
    ///
    /// @throws IllegalArgumentException if the table has no row with this role and type
    public ByteSlice array(int field, BufferRole role, ValueType type, ByteSlice into) {
        if ((role == BufferRole.OFFSETS || role == BufferRole.SIZES)
                && (type == ValueType.INT32 || type == ValueType.INT64)) {
            return counts(field, role, type.bits(), into);
        }
        if (role == BufferRole.TYPE_IDS && type == ValueType.INT8) {
            if (!has(field, role)) {
                throw otherType(field, "union");
            }
            return elements(field, role, Byte.SIZE, length(field), into);
        }
        if (role == BufferRole.VIEWS && type == ValueType.BYTES_VIEW) {
            requireViews(field);
            return elements(field, role, Byte.SIZE * TypeFacts.VIEW_BYTES, length(field), into);
        }
        checked(field);
        throw new IllegalArgumentException(
                "no such array: role=" + role.text() + ", type=" + type.text());
    }

    /// Binds to a variadic buffer of a `Utf8View` or `BinaryView` field.
    ///
    /// @param number the buffer index of views, from 0 to [#variadicCount] - 1
    public ByteSlice variadic(int field, int number, ByteSlice into) {
        requireViews(field);
        int variadics = variadicCount(field);
        Objects.checkIndex(number, variadics);
        return plain(field, position(field, bufferCount(field) - variadics + number), into);
    }

    private void requireViews(int field) {
        if (type(field) != ValueType.BYTES_VIEW) {
            throw otherType(field, ValueType.BYTES_VIEW.text());
        }
    }

    /// The physical type of the values; for a dictionary-encoded field, of its indices.
    ValueType type(int field) {
        return layout().valueType(checked(field));
    }

    private boolean has(int field, BufferRole role) {
        return layout().has(checked(field), role);
    }

    private ByteSlice data(int field, ValueType type, ByteSlice into) {
        if (!has(field, BufferRole.DATA)
                || type == ValueType.BYTES
                || type == ValueType.LARGE_BYTES) {
            throw otherType(field, "a fixed width");
        }
        return elements(field, BufferRole.DATA, layout().valueBits(field), length(field), into);
    }

    /// Binds to offsets or sizes.
    private ByteSlice counts(int field, BufferRole role, int bits, ByteSlice into) {
        if (!has(field, role)
                || TypeFacts.of(layout().typeType(field)).offsetBytes() != bits / Byte.SIZE) {
            throw otherType(field, role.text() + " of " + bits + " bits");
        }
        return elements(field, role, bits, layout().shape(field).count(role, length(field)), into);
    }

    /// Binds to a buffer as an array of little-endian values.
    private ByteSlice elements(int field, BufferRole role, long bits, long count, ByteSlice into) {
        plain(field, position(field, role), into);
        if (bits > Byte.SIZE
                && layout().endianness() != Endianness.LITTLE
                && layout().valueType(field) != ValueType.FIXED_BYTES) {
            throw fault(
                    field,
                    EndiannessCheck.broken(layout().endianness(), true),
                    "endianness=" + Endianness.NAMES.name(layout().endianness()),
                    FletchException.NO_OFFSET);
        }
        if (count < 0) {
            throw negativeLength(field);
        }
        long bytes = TypeFacts.bytes(count, bits);
        return bytes <= into.length()
                ? into.wrap(into, 0, bytes)
                : absent(field, role, bits, count, into);
    }

    /// Checks that a buffer that is too short may be, and is then as good as absent.
    private ByteSlice absent(int field, BufferRole role, long bits, long count, ByteSlice into) {
        long needed = TypeFacts.bytes(count, bits);
        Rule broken =
                BufferRange.size(role, into.length(), needed, length(field), nullCount(field));
        if (broken != null && broken.severity() == Rule.Severity.ERROR) {
            throw tooShort(field, role, broken, bits, count, into.length());
        }
        return into.wrap(into, 0, 0);
    }

    /// Binds to a buffer without prefix, decompressed by the source.
    private ByteSlice plain(int field, int position, ByteSlice into) {
        if (withoutPrefix(field, position, into) != STORED) {
            int index = index(field, position);
            if (source == null) {
                throw compressed(field, index);
            }
            source.bytes(this, field, index, into);
        }
        return into;
    }

    /// The index of the buffer at a position.
    private int index(int field, int position) {
        return (position - parts.bufferAt(field, buffersOf(field))) / PAIR;
    }

    // ---- what is thrown

    private static IllegalStateException unbound() {
        return new IllegalStateException("cursor is not bound to a batch");
    }

    /// @param position in the memory of the metadata
    private FletchException fault(int field, Rule rule, String details, long position) {
        String column = "column=" + layout().shownPath(field);
        return FletchException.of(Fault.of(rule, position, 0).because(column + ", " + details));
    }

    private FletchException tooShort(
            int field, BufferRole role, Rule broken, long bits, long count, long bytes) {
        String numbers = "role=%s, length=%d, values=%d, bits=%d";
        String details = String.format(Locale.ROOT, numbers, role.text(), bytes, count, bits);
        long position =
                range(field, position(field, role), Long.MAX_VALUE).atLength(broken, 0).position();
        return fault(field, broken, details, position);
    }

    /// The number of the batch that is bound: see [#numberPosition].
    int binding() {
        return bindings;
    }

    /// {@return position in the body's memory of a byte of a buffer: see [#byteOffset]; none if the
    /// body is not in one memory, or another batch is bound now}
    ///
    /// @param binding returned by [#binding] when the buffer was bound
    long numberPosition(int binding, int field, BufferRole role, long position) {
        return binding == bindings && bodyOffset() != FletchException.NO_OFFSET
                ? bodyOffset() + byteOffset(field, role, position)
                : FletchException.NO_OFFSET;
    }

    /// The exception for the two offsets of a row, of which one is wrong.
    ///
    /// @param binding see [#numberPosition]
    /// @param of the layout of that batch
    /// @param limit the greatest offset that is right
    FletchException wrongOffset(
            int binding, BatchLayout of, int field, long row, long from, long to, long limit) {
        boolean isStart = from < 0 || from > limit; // else the end is wrong
        long found = isStart ? from : to;
        long before = isStart ? 0 : from;
        boolean isInOrder = found >= before;
        Rule broken = isInOrder ? ValueRule.VALUE_OFFSET_RANGE : ValueRule.VALUE_OFFSET_ORDER;
        long offset = (isStart ? row : row + 1) * TypeFacts.of(of.typeType(field)).offsetBytes();
        long position = numberPosition(binding, field, BufferRole.OFFSETS, offset);
        Fault fault = Fault.of(broken, position, found);
        return of.wrongNumber(fault, field, row, isInOrder ? limit : before);
    }

    /// {@return position of a field's node in the memory of the metadata; none if another batch is
    /// bound now}
    long nodePosition(int binding, int field) {
        return binding == bindings && parts.isBound
                ? nodePosition(field)
                : FletchException.NO_OFFSET;
    }

    FletchException compressed(int field, int index) {
        String codec = "codec=" + CompressionType.NAMES.name(codec());
        return unreadable(field, index, MeaningRule.COMPRESSED_BUFFER, codec);
    }

    FletchException unreadable(int field, int index, Rule rule, String details) {
        String role = "role=" + role(field, index).text();
        return fault(field, rule, role + ", " + details, bufferPosition(position(field, index)));
    }

    FletchException otherType(int number, String expected) {
        String encoded =
                layout().isDictionaryEncoded(number)
                        ? ", dictionary=" + layout().dictionaryId(number)
                        : "";
        return fault(
                number,
                MeaningRule.OTHER_TYPE,
                "expected="
                        + expected
                        + ", found="
                        + layout().valueType(number).text()
                        + ", type="
                        + TypeFacts.of(layout().typeType(number)).name()
                        + encoded,
                FletchException.NO_OFFSET);
    }

    private RuntimeException noPlace(int number) {
        if (!parts.isBound) {
            return unbound();
        }
        Objects.checkIndex(number, layout().fieldCount());
        return FletchException.of(
                layout().withoutPlace(),
                "column="
                        + layout().shownPath(number)
                        + ", field="
                        + number
                        + ", first="
                        + parts.buffersAt.length);
    }

    // The following methods repeat a check that failed by the class that has the rule, which
    // throws.

    private FaultSink errors(int field) {
        return FletchException.errors(layout().shownPath(field));
    }

    IllegalStateException negativeLength(int field) {
        int index = layout().nodeIndex(field);
        new BatchCounts(errors(field)).negativeLength(nodePosition(field), length(field), index);
        return BatchParts.changed();
    }

    private IllegalStateException unsoundNode(int field) {
        int index = layout().nodeIndex(field);
        FieldNode node = parts.batch.nodes(index, new FieldNode());
        BatchCounts counts = new BatchCounts(errors(field));
        counts.length(node, index);
        counts.nullCount(node, index, layout().isAllNull(field));
        return BatchParts.changed();
    }

    private IllegalStateException otherRows(int field) {
        int index = layout().nodeIndex(field);
        FieldNode node = parts.batch.nodes(index, new FieldNode());
        new BatchCounts(errors(field)).columnLength(node, index, rowCount());
        return BatchParts.changed();
    }

    /// @param start of a buffer that begins inside another
    private FletchException sharedBytes(long start) {
        int first = -1;
        int other = -1;
        for (int at = parts.firstPosition(); at < parts.endPosition(); at += PAIR) {
            long distance = start - parts.numbers[at];
            if (distance >= 0 && distance < parts.numbers[at + 1]) {
                other = first;
                first = at;
            }
        }
        int index = parts.bufferIndex(first);
        long offset = parts.numbers[first];
        long length = parts.numbers[first + 1];
        String details =
                String.format(
                        Locale.ROOT,
                        "column=%s, buffer=%d, offset=%d, length=%d, other=%s, its buffer=%d,"
                                + " offset=%d, length=%d",
                        layout().shownPath(parts.fieldAt(first)),
                        index,
                        offset,
                        length,
                        layout().shownPath(parts.fieldAt(other)),
                        parts.bufferIndex(other),
                        parts.numbers[other],
                        parts.numbers[other + 1]);
        return FletchException.of(
                Fault.of(MeaningRule.SHARED_BYTES, bufferPosition(first), offset).because(details));
    }

    private IllegalStateException outOfBody(int field, int position, long size) {
        range(field, position, size);
        return BatchParts.changed();
    }

    private IllegalStateException badPrefix(int field, int position, ByteSlice buffer) {
        range(field, position, bodySize()).prefix(buffer, codec());
        return BatchParts.changed();
    }

    private BufferRange range(int field, int at, long size) {
        BufferRange range = new BufferRange(errors(field), false);
        long offset = parts.numbers[at];
        long length = parts.numbers[at + 1];
        int index = parts.bufferIndex(at);
        range.check(bufferPosition(at), offset, length, Math.max(0, size), "buffers", index);
        return range;
    }

    /// The position of a buffer's numbers in the memory of the metadata.
    private long bufferPosition(int at) {
        return parts.bufferPosition(
                parts.bufferIndex(at), parts.numbers[at], parts.numbers[at + 1]);
    }
}
