// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Flyweight;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Map;

/// Reads everything that a buffer holds by every accessor that allocates nothing, and allocates
/// nothing itself. A [TableReader] knows the accessors of a table; this goes from table to table.
///
/// Each walk returns a digest of all that it read: values, positions, and what was thrown. Damaged
/// bytes may lead to the same place again and again, so depth, elements and tables are limited.
final class FullWalk {
    /// Texts that random and real buffers hold, and one that none holds.
    private static final String[] TEXTS = {"", "name", "key", "Größe", "🙂", "item", "no such"};

    private static final int MAX_DEPTH = 12;

    private static final Map<String, TableReader> READERS = TableReader.all(TableReader::handle);

    private final Map<String, TableReader> readers;
    private final Flyweight[][] flyweights;
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

    private FullWalk(Map<String, TableReader> readers, int maxElements, int maxTables) {
        this.readers = readers;
        this.flyweights =
                readers.values().stream()
                        .map(each -> each.flyweights(MAX_DEPTH + 1))
                        .toArray(Flyweight[][]::new);
        this.maxElements = maxElements;
        this.maxTables = maxTables;
        this.bytes = new byte[maxElements];
        this.bytesSegment = MemorySegment.ofArray(new byte[maxElements]);
        this.longs = new long[3 * maxElements];
    }

    /// Returns a walk that reads all there is in a buffer of reasonable size.
    static FullWalk complete() {
        return complete(READERS);
    }

    /// Returns such a walk with these readers.
    static FullWalk complete(Map<String, TableReader> readers) {
        return new FullWalk(readers, 100_000, Integer.MAX_VALUE);
    }

    /// Returns a walk that reads all of a small buffer, and gives up early in one that leads in
    /// circles.
    static FullWalk bounded() {
        return new FullWalk(READERS, 48, 300);
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

    long message(MemorySegment memory, long offset, long length) {
        return root("Message", memory, offset, length);
    }

    long message(ByteBuffer buffer) {
        return walk(readers.get("Message"), null, buffer, null, 0, 0);
    }

    /// Reads all of a buffer that begins with the root table of this name.
    long root(String name, MemorySegment memory, long offset, long length) {
        return walk(readers.get(name), null, null, memory, offset, length);
    }

    /// Reads all of a table that is bound already.
    long bound(Table table) {
        return walk(readers.get(table.getClass().getSimpleName()), table, null, null, 0, 0);
    }

    /// Reads all of a bound table, of a message in a buffer, or of any root in a range of a
    /// segment.
    private long walk(
            TableReader reader,
            Table bound,
            ByteBuffer buffer,
            MemorySegment memory,
            long offset,
            long length) {
        digest = 0;
        depth = 0;
        tables = 0;
        Flyweight root = bound == null ? flyweight(reader) : bound;
        try {
            if (buffer != null) {
                ((Message) root).wrap(buffer);
            } else if (bound == null) {
                reader.wrap().invokeExact(root, memory, offset, length);
            }
            enter(root, reader);
        } catch (FletchException | IndexOutOfBoundsException e) {
            fault(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return digest;
    }

    private Flyweight flyweight(TableReader reader) {
        return flyweights[reader.index()][Math.min(depth, MAX_DEPTH)];
    }

    private void enter(Flyweight bound, TableReader reader) throws Throwable {
        tables++;
        if (depth < MAX_DEPTH && tables < maxTables) {
            depth++;
            try {
                reader.read(this, bound);
            } finally {
                depth--;
            }
        }
    }

    // ---- for table readers

    void add(long value) {
        reads++;
        digest = (digest ^ value) * 0x9E3779B97F4A7C15L;
        digest ^= digest >>> 32;
    }

    private void add(boolean value) {
        add(value ? 1 : 0);
    }

    /// Reads which fields are present, and where the table and its buffer are.
    void present(Table table) {
        for (int i = 0; i < Wire.SLOTS; i++) {
            add(table.isPresent(i));
        }
        add(table.position());
        add(table.bufferLength());
    }

    void number(Flyweight from, MethodHandle get) throws Throwable {
        add((long) get.invokeExact(from));
    }

    private static int count(Flyweight from, MethodHandle get) throws Throwable {
        return (int) (long) get.invokeExact(from);
    }

    void set(Flyweight from, MethodHandle setSame, boolean present) throws Throwable {
        if (writes && present) {
            setSame.invokeExact(from);
        }
    }

    void child(Flyweight from, MethodHandle bind, TableReader reader) throws Throwable {
        Flyweight into = flyweight(reader);
        try {
            boolean there = (boolean) bind.invokeExact(from, into);
            add(there);
            if (there) {
                enter(into, reader);
            }
        } catch (FletchException | IndexOutOfBoundsException e) {
            fault(e);
        }
    }

    void elements(Flyweight from, MethodHandle counter, MethodHandle bind, TableReader reader)
            throws Throwable {
        int count = count(from, counter);
        add(count);
        Flyweight into = flyweight(reader);
        int shown = Math.min(count, maxElements);
        for (int i = 0; i < shown && tables < maxTables; i++) {
            // Of a vector that is cut short, the last element in place of the next.
            int index = i < shown - 1 ? i : count - 1;
            try {
                bind.invokeExact(from, index, into);
                enter(into, reader);
            } catch (FletchException | IndexOutOfBoundsException e) {
                fault(e);
            }
        }
    }

    void numbers(Flyweight from, MethodHandle counter, MethodHandle get) throws Throwable {
        int count = count(from, counter);
        add(count);
        int shown = Math.min(count, maxElements);
        for (int i = 0; i < shown; i++) {
            add((long) get.invokeExact(from, i < shown - 1 ? i : count - 1));
        }
    }

    void setElements(Flyweight from, MethodHandle counter, MethodHandle setSame) throws Throwable {
        int count = writes ? count(from, counter) : 0;
        for (int i = 0; i < count; i++) {
            setSame.invokeExact(from, i);
        }
    }

    void copy(Flyweight from, MethodHandle counter, int numbersPerElement, MethodHandle copy)
            throws Throwable {
        int count = count(from, counter);
        if (count <= maxElements) {
            int copied = (int) copy.invokeExact(from, count, longs, 0);
            add(copied);
            for (int i = 0; i < count * numbersPerElement; i++) {
                add(longs[i]);
            }
        }
    }

    void parts(
            Flyweight from, MethodHandle nodeCounter, MethodHandle bufferCounter, MethodHandle copy)
            throws Throwable {
        int nodes = count(from, nodeCounter);
        int buffers = count(from, bufferCounter);
        if (4L * nodes + 2 * buffers + 2 <= longs.length) {
            int firstNode = (int) copy.invokeExact(from, nodes, buffers, longs);
            int firstBuffer = 2 * nodes + 1;
            for (int i = 0; i < 2 * buffers; i++) {
                add(longs[firstBuffer + i]);
            }
            for (int i = 0; i < 2 * nodes; i++) {
                add(longs[firstNode + i]);
            }
        }
    }

    void text(Flyweight from, MethodHandle length, MethodHandle equals, MethodHandle bind)
            throws Throwable {
        number(from, length);
        for (int i = 0; i < TEXTS.length; i++) {
            CharSequence text = TEXTS[i];
            add((boolean) equals.invokeExact(from, text));
        }
        boolean there = (boolean) bind.invokeExact(from, slice);
        add(there);
        if (there && (boolean) bind.invokeExact(from, other)) {
            slice();
        }
    }

    private void slice() {
        int length = slice.length();
        add(length);
        add(slice.hashCode());
        add(slice.equals(other));
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
            add(slice.contentEquals(bytes, 0, bytes.length));
        }
    }

    /// Not reached when the bytes are well-formed: this may allocate.
    private void fault(RuntimeException e) {
        if (e instanceof FletchException format) {
            formatFaults++;
            add(format.offset());
        } else {
            indexFaults++;
        }
        add(e.getClass().getName().hashCode());
        add(String.valueOf(e.getMessage()).hashCode());
    }
}
