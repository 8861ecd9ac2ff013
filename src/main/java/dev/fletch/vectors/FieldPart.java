// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.batch.BatchCursor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.ChildLength;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.wire.Escaper;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.Field;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A vector and its children, and their parts of the current batch. Each loading step covers the
/// complete tree, so that vectors change only after all checks:
///
/// 1. [#place] reads and checks node, offsets and lengths. 2. Values are verified, for which
/// [#buffer] decompresses buffers. 3. [#fetch] gets all buffers from the body, adds those that
/// arrow-java needs, and checks sizes. 4. [#load] passes the buffers to the vectors. 5. [#release]
/// always runs.
final class FieldPart {
    private final FieldPart parent;
    private final Field field;
    private final FieldVector vector;
    private final ArrowType type;
    private final TypeFacts facts;
    private final BufferShape shape;
    private final List<FieldPart> children = new ArrayList<>();
    private final BatchCounts counts;
    private final BufferRange ranges;

    private final FieldNode node = new FieldNode();
    private final Buffer entry = new Buffer();

    // The batch, and the number of this field in its layout.
    private RecordBatch batch;
    private BatchCursor cursor;
    private int number;
    private long nodePosition;
    private int length;
    private long nullCount;
    private VectorBody body;
    private long bodyLength;
    // Null if not fetched yet.
    private final List<ArrowBuf> buffers = new ArrayList<>();

    /// @param field of the vector; dictionary-encoded fields have the type of their indices
    FieldPart(FieldPart parent, Field field, FieldVector vector) {
        this.parent = parent;
        this.field = field;
        this.vector = vector;
        type = storage(field.getType());
        int mode = type instanceof ArrowType.Union u ? u.getMode().getFlatbufID() : 0;
        facts = TypeFacts.of(type.getTypeID().getFlatbufID());
        shape = facts.shape(mode, MetadataVersion.V5);
        List<FieldVector> vectors = vector.getChildrenFromFields();
        if (vectors.size() != field.getChildren().size()) {
            throw VectorErrors.unsupported(
                    "duplicate names of children, column=%s, children=%d, vectors=%d",
                    path(), field.getChildren().size(), vectors.size());
        }
        for (int i = 0; i < vectors.size(); i++) {
            children.add(new FieldPart(this, field.getChildren().get(i), vectors.get(i)));
        }
        ValueVector plain =
                vector instanceof ExtensionTypeVector<?> e ? e.getUnderlyingVector() : vector;
        if (plain instanceof UnionVector union) {
            requireReadable(union, ((ArrowType.Union) type).getTypeIds());
        }
        FaultSink errors = FaultSink.throwing(fault -> FletchException.inColumn(fault, path()));
        counts = new BatchCounts(errors);
        ranges = new BufferRange(errors, false);
    }

    /// Requires that a sparse union's vector returns each child for its id. arrow-java's has one
    /// child of a type, no children of some types, and creates another child if names are not
    /// usual.
    private void requireReadable(UnionVector union, int[] typeIds) {
        for (int i = 0; i < typeIds.length; i++) {
            ValueVector found = null;
            RuntimeException cause = null;
            try {
                found = union.getVectorByType(typeIds[i]);
            } catch (RuntimeException e) {
                cause = e;
            }
            boolean isNull = children.get(i).vector instanceof NullVector;
            if (found != (isNull ? null : children.get(i).vector)) {
                union.close();
                throw VectorErrors.unsupportedBy(
                        cause,
                        "child of a sparse union, column=%s, type=%s, typeId=%d",
                        children.get(i).path(),
                        children.get(i).type,
                        typeIds[i]);
            }
        }
    }

    /// {@return the storage type of an extension type, else the type itself}
    static ArrowType storage(ArrowType type) {
        return type instanceof ExtensionType extension ? storage(extension.storageType()) : type;
    }

    // ---- the field

    /// {@return the names from the column to this field, joined by dots, for errors}
    String path() {
        return parent == null ? name(field) : path(parent.path(), field);
    }

    static String path(String above, Field below) {
        return above + "." + name(below);
    }

    private static String name(Field field) {
        return Escaper.shortenedName(field.getName() == null ? "" : field.getName());
    }

    FieldVector vector() {
        return vector;
    }

    Field field() {
        return field;
    }

    ArrowType type() {
        return type;
    }

    BufferShape shape() {
        return shape;
    }

    /// {@return whether these are the run ends of another field}
    boolean isRunEnds() {
        return parent != null
                && parent.shape == BufferShape.NOTHING
                && parent.children.getFirst() == this;
    }

    /// {@return whether the field or a descendant has offsets, views, type ids, run ends,
    /// dictionary indices or text. Of all others, each number is a value}
    boolean refers() {
        boolean isPlain =
                switch (shape) {
                    case FIXED_WIDTH -> field.getDictionary() == null;
                    case VALIDITY_ONLY -> true;
                    case NOTHING -> children.isEmpty(); // else, run-end encoded
                    default -> false;
                };
        return !isPlain || children.stream().anyMatch(FieldPart::refers);
    }

    List<FieldPart> children() {
        return children;
    }

    // ---- its parts of the batch

    /// {@return this field and its descendants, in pre-order}
    Stream<FieldPart> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(FieldPart::all));
    }

    /// {@return its number in the layout of the batch, after [#place]}
    int number() {
        return number;
    }

    /// {@return position of its node in the memory of the metadata}
    long nodePosition() {
        return nodePosition;
    }

    /// Checks node, offsets and lengths of this field and its descendants.
    ///
    /// @param bound to the header of the batch
    /// @param numbers bound to it, too
    /// @param field number of this field in the cursor's layout
    /// @param from has the buffers later
    /// @param bytes length of the body
    /// @return number of the field after the descendants
    int place(RecordBatch bound, BatchCursor numbers, int field, VectorBody from, long bytes) {
        batch = bound;
        cursor = numbers;
        number = field;
        body = from;
        bodyLength = bytes;
        int index = cursor.layout().nodeIndex(number);
        batch.nodes(index, node);
        nodePosition = node.position();
        counts.length(node, index);
        nullCount = cursor.nullCount(number);
        counts.nullCount(node, index, cursor.layout().isAllNull(number));
        if (cursor.length(number) > Integer.MAX_VALUE) {
            throw VectorErrors.tooLarge(
                    nodePosition,
                    "column=%s, length=%d, limit=%d",
                    path(),
                    cursor.length(number),
                    Integer.MAX_VALUE);
        }
        length = (int) cursor.length(number);
        for (int i = 0; i < cursor.bufferCount(number); i++) {
            if (cursor.bufferLength(number, i) != 0) {
                ranges.check(entry(i), bodyLength, "buffers", cursor.bufferIndex(number, i));
            }
        }
        int next = number + 1;
        for (FieldPart child : children) {
            next = child.place(batch, cursor, next, body, bodyLength);
        }
        if (parent == null) {
            counts.columnLength(node, index, batch.length());
        }
        return next;
    }

    /// The numbers of a buffer in the metadata.
    private Buffer entry(int buffer) {
        return batch.buffers(cursor.bufferIndex(number, buffer), entry);
    }

    /// The bytes of a buffer in the body; an empty one is at 0.
    private ByteRange range(int buffer) {
        long bytes = cursor.bufferLength(number, buffer);
        return new ByteRange(bytes == 0 ? 0 : cursor.bufferOffset(number, buffer), bytes);
    }

    /// Adds the body ranges of this field and its descendants.
    void addRangesTo(List<ByteRange> all) {
        IntStream.range(0, cursor.bufferCount(number)).mapToObj(this::range).forEach(all::add);
        children.forEach(child -> child.addRangesTo(all));
    }

    /// Checks lengths of children that depend only on a field's node, not on values: of this field
    /// and its descendants.
    ///
    /// Deviations are refused, too, but after values: arrow-js writes sparse unions with shorter
    /// children, which arrow-java cannot load.
    ///
    /// @param least severity of what is refused
    void requireChildren(Severity least) {
        children.forEach(child -> child.requireChildren(least));
        if (shape == BufferShape.NOTHING && !children.isEmpty()) { // run ends and values
            requireRuns(children.getFirst(), children.getLast(), least);
        }
        boolean isDense = shape == BufferShape.DENSE_UNION;
        int size = type instanceof ArrowType.FixedSizeList list ? list.getListSize() : 0;
        for (FieldPart child : children) {
            Rule broken =
                    ChildLength.of(facts.id(), isDense, size, length, nullCount, child.length);
            child.require(broken, length, least);
        }
    }

    private void requireRuns(FieldPart ends, FieldPart values, Severity least) {
        ends.require(ChildLength.runEnds(length, ends.length), length, least);
        Rule broken = ChildLength.runEndNulls(ends.nullCount);
        if (isRefused(broken, least)) {
            long position = ends.nodePosition + FieldNode.NULL_COUNT_AT;
            throw VectorErrors.at(
                    position, broken, "column=%s, nulls=%d", ends.path(), ends.nullCount);
        }
        values.require(ChildLength.runValues(ends.length, values.length), ends.length, least);
    }

    private static boolean isRefused(Rule broken, Severity least) {
        return broken != null && broken.severity().compareTo(least) <= 0;
    }

    /// @param broken rule of the number of values; null if none is
    /// @param above the number that determines it
    private void require(Rule broken, int above, Severity least) {
        if (isRefused(broken, least)) {
            throw VectorErrors.at(
                    nodePosition, broken, "column=%s, length=%d, parent=%d", path(), length, above);
        }
    }

    /// {@return memory that arrow-java allocates for validity because of lengths alone: of this
    /// field and its descendants, if their values have no bytes}
    long unbackedBytes() {
        long bytes = isBacked() ? 0 : leastBytes(BufferRole.VALIDITY, length);
        return bytes + children.stream().mapToLong(FieldPart::unbackedBytes).sum();
    }

    /// {@return whether the number of values is limited by bytes, or needs no memory}
    private boolean isBacked() {
        boolean isEmptyList =
                type instanceof ArrowType.FixedSizeList list && list.getListSize() == 0;
        return shape != BufferShape.VALIDITY_ONLY
                || !isEmptyList
                        && children.stream()
                                .anyMatch(
                                        child ->
                                                child.shape != BufferShape.NOTHING
                                                        && child.isBacked());
    }

    // ---- its buffers

    /// Gets the buffers of this field and its descendants from the body.
    void fetch() {
        for (int i = 0; i < cursor.bufferCount(number); i++) {
            buffer(i);
        }
        for (int i = 0; i < shape.count(); i++) {
            complete(i, shape.role(i));
        }
        children.forEach(FieldPart::fetch);
    }

    /// {@return a buffer of the body, decompressed; valid until [#release]}
    ArrowBuf buffer(int index) {
        while (buffers.size() <= index) {
            buffers.add(null);
        }
        ArrowBuf known = buffers.get(index);
        if (known == null) {
            ByteRange range = range(index);
            known =
                    range.length() == 0
                            ? body.allocator().getEmpty()
                            : body.isCompressed() ? decompress(index) : body.buffer(range);
            buffers.set(index, known);
        }
        return known;
    }

    /// {@return all buffers of the body}
    ///
    /// @param owner gets them, and closes them
    List<ArrowBuf> retained(List<ArrowBuf> owner) {
        for (int i = 0; i < cursor.bufferCount(number); i++) {
            ArrowBuf buffer = buffer(i);
            buffer.getReferenceManager().retain();
            owner.add(buffer);
        }
        return List.copyOf(buffers);
    }

    /// Checks the prefix of a buffer, and decompresses it.
    private ArrowBuf decompress(int buffer) {
        int index = cursor.bufferIndex(number, buffer);
        ArrowBuf compressed = body.buffer(range(buffer));
        int prefix = CompressedBuffer.PREFIX_BYTES;
        long bytes = compressed.capacity();
        long position = entry(buffer).position();
        try {
            ranges.check(entry(buffer), bodyLength, "buffers", index);
            int start = (int) Math.min(prefix, bytes);
            MemorySegment memory = MemorySegment.ofBuffer(compressed.nioBuffer(0, start));
            ranges.prefix(new ByteSlice().wrap(memory, 0, start), cursor.codec());
        } catch (FletchException e) {
            compressed.close();
            throw e;
        }
        if (ranges.uncompressed() == CompressedBuffer.STORED) {
            return compressed.slice(prefix, bytes - prefix);
        }
        if (body.verified() == null) {
            return body.codec().decompress(compressed, path(), index, position);
        }
        compressed.close();
        ByteSlice plain = body.verified().decompressed(number, buffer, new ByteSlice());
        ArrowBuf copy = body.allocator().buffer(plain.length());
        copy.setBytes(0, plain.asSlice().asByteBuffer());
        return copy.slice(0, plain.length());
    }

    /// Checks the size of a buffer. Creates the single offset of an empty vector, which a batch may
    /// omit but arrow-java needs. Vectors create absent validity buffers themselves.
    private void complete(int index, BufferRole role) {
        long found = buffers.get(index).capacity();
        long needed = leastBytes(role, length);
        if (found >= needed) {
            return;
        }
        Rule broken = BufferRange.size(role, found, needed, length, nullCount);
        if (broken != null && broken.severity() == Severity.ERROR) {
            throw VectorErrors.at(
                    entry(index).position() + Buffer.LENGTH_AT,
                    broken,
                    "column=%s, buffer=%s, length=%d, needed=%d, values=%d, nulls=%d",
                    path(),
                    role.text(),
                    found,
                    needed,
                    length,
                    nullCount);
        }
        if (role == BufferRole.VALIDITY) {
            replace(index, body.allocator().getEmpty());
        } else if (role == BufferRole.OFFSETS) {
            replace(index, zeros(needed, body.allocator()));
        }
    }

    private static ArrowBuf zeros(long bytes, BufferAllocator allocator) {
        ArrowBuf zeros = allocator.buffer(bytes);
        zeros.setZero(0, zeros.capacity());
        return zeros;
    }

    private void replace(int index, ArrowBuf other) {
        buffers.set(index, other).close();
    }

    /// {@return bits of a number in a buffer of this field; 0 if they have no fixed width}
    long bits(BufferRole role) {
        return facts.bits(role, cursor.layout().valueBits(number));
    }

    /// {@return least length in bytes of a buffer of this field; 0 if it depends on the values}
    long leastBytes(BufferRole role, long count) {
        return facts.leastBytes(role, count, cursor.layout().valueBits(number));
    }

    /// Passes the buffers to the vectors, which retain them.
    void load() {
        vector.loadFieldBuffers(new ArrowFieldNode(length, Math.max(nullCount, 0)), buffers);
        children.forEach(FieldPart::load);
    }

    /// Passes the buffers of dense unions' children again, after arrow-java has set the number of
    /// rows: it then gives each child as many values as rows have its type id, which may be too
    /// few.
    void loadUnionsAgain() {
        boolean isDense = shape == BufferShape.DENSE_UNION;
        children.forEach(isDense ? FieldPart::load : FieldPart::loadUnionsAgain);
    }

    /// Passes other buffers to the vector, without those of the children.
    void load(int values, List<ArrowBuf> others) {
        length = values;
        vector.loadFieldBuffers(new ArrowFieldNode(values, 0), others);
    }

    /// Releases the buffers.
    void release() {
        buffers.stream().filter(Objects::nonNull).forEach(ArrowBuf::close);
        buffers.clear();
        children.forEach(FieldPart::release);
    }
}
