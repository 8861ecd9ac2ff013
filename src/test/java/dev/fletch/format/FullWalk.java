// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Reads everything that a buffer holds by every accessor that allocates nothing, and allocates
/// nothing itself: [TableVisits] says which accessors, this goes from table to table.
///
/// All that was seen goes into a number, the digest that each walk returns: values, positions, and what was thrown. Bytes
/// that are damaged may lead to the same place again and again, so depth, elements and tables are
/// limited.
final class FullWalk {
    /// Texts that random and real buffers hold, and one that none holds.
    private static final String[] TEXTS = {"", "name", "key", "Größe", "🙂", "item", "no such"};

    private static final int MAX_DEPTH = 12;

    private final Kinds kinds = new Kinds();
    private final Field[] fieldByDepth = new Field[MAX_DEPTH + 1];
    private final Utf8Slice slice = new Utf8Slice();
    private final Utf8Slice other = new Utf8Slice();
    private final byte[] bytes;
    private final MemorySegment bytesSegment;
    private final long[] longs;
    private final int maxElements;
    private final int maxTables;

    private boolean writes;
    private long digest;
    private long reads;
    private int depth;
    private int tables;
    private int formatFaults;
    private int indexFaults;

    /// A flyweight of each kind.
    static final class Kinds {
        final Message message = new Message();
        final Schema schema = new Schema();
        final Footer footer = new Footer();
        final Tensor tensor = new Tensor();
        final SparseTensor sparseTensor = new SparseTensor();
        final KeyValue keyValue = new KeyValue();
        final DictionaryEncoding dictionaryEncoding = new DictionaryEncoding();
        final DictionaryBatch dictionaryBatch = new DictionaryBatch();
        final RecordBatch recordBatch = new RecordBatch();
        final BodyCompression bodyCompression = new BodyCompression();
        final Int int_ = new Int();
        final FloatingPoint floatingPoint = new FloatingPoint();
        final Decimal decimal = new Decimal();
        final Date date = new Date();
        final Time time = new Time();
        final Timestamp timestamp = new Timestamp();
        final Interval interval = new Interval();
        final Union union = new Union();
        final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
        final FixedSizeList fixedSizeList = new FixedSizeList();
        final Map map = new Map();
        final Duration duration = new Duration();
        final TensorDim tensorDim = new TensorDim();
        final SparseTensorIndexCOO coo = new SparseTensorIndexCOO();
        final SparseMatrixIndexCSX csx = new SparseMatrixIndexCSX();
        final SparseTensorIndexCSF csf = new SparseTensorIndexCSF();
        final Buffer buffer = new Buffer();
        final FieldNode fieldNode = new FieldNode();
        final Block block = new Block();
    }

    /// Binds a flyweight below another, if there is something.
    @FunctionalInterface
    interface Child<P, C> {
        boolean bind(P from, C into);
    }

    /// Binds a flyweight to an element.
    @FunctionalInterface
    interface Element<P, C> {
        C bind(P from, int index, C into);
    }

    /// Reads an element.
    @FunctionalInterface
    interface Number<P> {
        long at(P from, int index);
    }

    /// Copies a vector.
    @FunctionalInterface
    interface Copy<P> {
        int copy(P from, long[] into, int at);
    }

    /// Compares a string.
    @FunctionalInterface
    interface Matches<P> {
        boolean matches(P from, CharSequence text);
    }

    /// Reads what has been bound.
    @FunctionalInterface
    interface Visit<C> {
        void visit(FullWalk walk, C bound);
    }

    private FullWalk(int maxElements, int maxTables) {
        this.maxElements = maxElements;
        this.maxTables = maxTables;
        this.bytes = new byte[maxElements];
        this.bytesSegment = MemorySegment.ofArray(new byte[maxElements]);
        this.longs = new long[3 * maxElements];
        for (int i = 0; i < fieldByDepth.length; i++) {
            fieldByDepth[i] = new Field();
        }
    }

    /// Returns a walk that reads all there is in a buffer of reasonable size.
    static FullWalk complete() {
        return new FullWalk(100_000, Integer.MAX_VALUE);
    }

    /// Returns a walk that reads all of a small buffer, and gives up early in one that leads in
    /// circles.
    static FullWalk bounded() {
        return new FullWalk(48, 300);
    }

    /// Also sets every number that is present, to what it is.
    FullWalk thatWrites() {
        writes = true;
        return this;
    }

    // ---- what came out

    /// How many results of accessors went into the digests.
    long reads() {
        return reads;
    }

    /// How many tables and structs could not be bound for what their bytes say.
    int formatFaults() {
        return formatFaults;
    }

    /// How many times an access was out of bounds of the memory, or an index of its vector.
    int indexFaults() {
        return indexFaults;
    }

    // ---- roots

    private void restart() {
        digest = 0;
        depth = 0;
        tables = 0;
    }

    /// Reads all of a buffer that begins with this table.
    private <R extends Table> long walk(
            Wrap<R> wrap, R root, Visit<R> visit, MemorySegment memory, long offset, long length) {
        restart();
        try {
            wrap.wrap(root, memory, offset, length);
            enter(root, visit);
        } catch (FlatBufferFormatException | IndexOutOfBoundsException e) {
            fault(e);
        }
        return digest;
    }

    /// Reads all of a buffer that begins with this table.
    private <R extends Table> long walk(
            WrapBuffer<R> wrap, R root, Visit<R> visit, ByteBuffer buffer) {
        restart();
        try {
            wrap.wrap(root, buffer);
            enter(root, visit);
        } catch (FlatBufferFormatException | IndexOutOfBoundsException e) {
            fault(e);
        }
        return digest;
    }

    /// Wraps a range of a segment.
    @FunctionalInterface
    private interface Wrap<R> {
        R wrap(R root, MemorySegment memory, long offset, long length);
    }

    /// Wraps a buffer.
    @FunctionalInterface
    private interface WrapBuffer<R> {
        R wrap(R root, ByteBuffer buffer);
    }

    long message(MemorySegment memory, long offset, long length) {
        return walk(Message::wrap, kinds.message, TableVisits::message, memory, offset, length);
    }

    long message(ByteBuffer buffer) {
        return walk(Message::wrap, kinds.message, TableVisits::message, buffer);
    }

    long schema(MemorySegment memory, long offset, long length) {
        return walk(Schema::wrap, kinds.schema, TableVisits::schema, memory, offset, length);
    }

    long footer(MemorySegment memory, long offset, long length) {
        return walk(Footer::wrap, kinds.footer, TableVisits::footer, memory, offset, length);
    }

    long tensor(MemorySegment memory, long offset, long length) {
        return walk(Tensor::wrap, kinds.tensor, TensorVisits::tensor, memory, offset, length);
    }

    long sparseTensor(MemorySegment memory, long offset, long length) {
        return walk(
                SparseTensor::wrap,
                kinds.sparseTensor,
                TensorVisits::sparseTensor,
                memory,
                offset,
                length);
    }

    /// Reads all of a buffer that begins with the root table of this name.
    long root(String name, MemorySegment memory, long offset, long length) {
        return switch (name) {
            case "Message" -> message(memory, offset, length);
            case "Schema" -> schema(memory, offset, length);
            case "Footer" -> footer(memory, offset, length);
            case "Tensor" -> tensor(memory, offset, length);
            case "SparseTensor" -> sparseTensor(memory, offset, length);
            default -> throw new IllegalArgumentException("not a root: " + name);
        };
    }

    // ---- what visits use

    /// The flyweights that are bound below another, but for fields.
    Kinds flyweights() {
        return kinds;
    }

    /// The flyweight for fields below the table that is being visited.
    Field nextField() {
        return fieldByDepth[Math.min(depth, MAX_DEPTH)];
    }

    void add(long value) {
        reads++;
        digest = (digest ^ value) * 0x9E3779B97F4A7C15L;
        digest ^= digest >>> 32;
    }

    void add(boolean value) {
        add(value ? 1 : 0);
    }

    /// Notes which fields are present, and where the table is.
    void present(Table table) {
        for (int i = 0; i < Wire.SLOTS; i++) {
            add(table.isPresent(i));
        }
        add(table.position());
    }

    /// Tells whether a number is to be set.
    boolean mayWrite(Table table, int slot) {
        return writes && table.isPresent(slot);
    }

    boolean writes() {
        return writes;
    }

    <P, C> void child(P from, C into, Child<P, C> child, Visit<C> visit) {
        try {
            boolean there = child.bind(from, into);
            add(there);
            if (there) {
                enter(into, visit);
            }
        } catch (FlatBufferFormatException | IndexOutOfBoundsException e) {
            fault(e);
        }
    }

    <P, C> void elements(P from, int count, C into, Element<P, C> element, Visit<C> visit) {
        add(count);
        int shown = Math.min(count, maxElements);
        for (int i = 0; i < shown && tables < maxTables; i++) {
            // Of a vector that is cut short, the last element in place of the next.
            int index = i < shown - 1 ? i : count - 1;
            try {
                enter(element.bind(from, index, into), visit);
            } catch (FlatBufferFormatException | IndexOutOfBoundsException e) {
                fault(e);
            }
        }
    }

    <P> void numbers(P from, int count, Number<P> number) {
        add(count);
        int shown = Math.min(count, maxElements);
        for (int i = 0; i < shown; i++) {
            add(number.at(from, i < shown - 1 ? i : count - 1));
        }
    }

    <P> void copy(P from, int count, int perElement, Copy<P> copy) {
        if (count <= maxElements) {
            int copied = copy.copy(from, longs, 0);
            add(copied);
            for (int i = 0; i < count * perElement; i++) {
                add(longs[i]);
            }
        }
    }

    <P> void text(P from, int length, Child<P, Utf8Slice> text, Matches<P> matches) {
        add(length);
        for (int i = 0; i < TEXTS.length; i++) {
            add(matches.matches(from, TEXTS[i]));
        }
        boolean there = text.bind(from, slice);
        add(there);
        if (there) {
            text.bind(from, other);
            slice();
        }
    }

    private void slice() {
        int length = slice.length();
        add(length);
        add(slice.isEmpty());
        add(slice.hashCode());
        add(slice.equals(other) && slice.contentEquals(other));
        for (int i = 0; i < TEXTS.length; i++) {
            add(slice.contentEquals(TEXTS[i]));
        }
        int shown = Math.min(length, maxElements);
        for (int i = 0; i < shown; i++) {
            add(slice.byteAt(i < shown - 1 ? i : length - 1));
        }
        if (length <= maxElements) {
            add(slice.copyTo(bytes, 0) + slice.copyTo(bytesSegment, 0));
            add(length == 0 ? 0 : bytes[length - 1]);
            add(slice.contentEquals(bytes));
        }
    }

    private <C> void enter(C bound, Visit<C> visit) {
        tables++;
        if (depth < MAX_DEPTH && tables < maxTables) {
            depth++;
            try {
                visit.visit(this, bound);
            } finally {
                depth--;
            }
        }
    }

    /// Not reached when the bytes are well-formed: this may allocate.
    private void fault(RuntimeException e) {
        if (e instanceof FlatBufferFormatException format) {
            formatFaults++;
            add(format.offset());
        } else {
            indexFaults++;
        }
        add(e.getClass().getName().hashCode());
        add(String.valueOf(e.getMessage()).hashCode());
    }
}
