// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.types.pojo.ArrowType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A field of a dictionary to which deltas are appended, and its children. It owns copies of all
/// buffers, with room for more. arrow-java's `VectorAppender` does not know all types, doubles
/// buffers without end for values that have none, and mixes up others.
///
/// Bytes behind those in use are not visible, so that a part which failed may be closed: the
/// vectors keep what they have.
final class GrowingPart implements AutoCloseable {
    private static final int NONE = -1;

    /// Data of a delta's views up to this length is copied: a vector takes longer for each buffer.
    private static final long MOST_COPIED = 64 << 10;

    private final FieldPart part;
    private final BufferAllocator allocator;
    private final List<GrowingPart> children;
    private final ArrowBuf[] buffers;
    private final List<ArrowBuf> variadics = new ArrayList<>();
    // Number of the variadic buffer with the copied data of views.
    private int copies = NONE;
    private int length;
    // Of the data of binary or text, or of the copied data of views.
    private long dataBytes;

    /// Creates an empty one.
    GrowingPart(FieldPart part, BufferAllocator allocator) {
        this.part = part;
        this.allocator = allocator;
        children = part.children().stream().map(each -> new GrowingPart(each, allocator)).toList();
        buffers = new ArrowBuf[part.shape().count()];
        Arrays.fill(buffers, allocator.getEmpty());
    }

    /// Appends all values.
    ///
    /// @param from of the same field, with a vector that has values
    void append(FieldPart from) {
        append(from, 0, from.vector().getValueCount());
    }

    private void append(FieldPart from, int first, int count) {
        if (count > Integer.MAX_VALUE - length) {
            throw tooLong((long) length + count, Integer.MAX_VALUE);
        }
        if (count == 0) {
            return;
        }
        List<ArrowBuf> found = from.vector().getFieldBuffers();
        for (int i = 0; i < buffers.length; i++) {
            int bits = bits(i);
            boolean isCopied = part.shape().role(i) != BufferRole.OFFSETS && bits > 0;
            if (isCopied && bits >= Byte.SIZE) {
                long width = bits / Byte.SIZE;
                copy(i, length * width, found.get(i), first * width, count * width);
            } else if (isCopied) {
                room(i, Math.ceilDiv((long) length, 8), Math.ceilDiv((long) length + count, 8));
                for (int j = 0; j < count; j++) {
                    int bit = BitVectorHelper.get(found.get(i), first + j);
                    BitVectorHelper.setValidityBit(buffers[i], length + j, bit);
                }
            }
        }
        switch (part.shape()) {
            case VIEW -> appendViews(found, count);
            case NOTHING -> appendRuns(from, first, count);
            case VALIDITY_ONLY, SPARSE_UNION -> {
                boolean isList = part.type() instanceof ArrowType.FixedSizeList;
                int size = isList ? ((ArrowType.FixedSizeList) part.type()).getListSize() : 1;
                for (int i = 0; i < children.size(); i++) {
                    children.get(i).append(from.children().get(i), first * size, count * size);
                }
            }
            case DENSE_UNION -> appendDense(from, found, first, count);
            case LIST, VARIABLE_WIDTH, LIST_VIEW -> appendOffsets(from, found, first, count);
            default -> {}
        }
        length += count;
    }

    // ---- types whose values refer to others

    private void appendOffsets(FieldPart from, List<ArrowBuf> buffers, int first, int count) {
        ArrowBuf offsets = buffers.get(1);
        boolean isView = part.shape() == BufferShape.LIST_VIEW;
        long start = isView ? 0 : number(1, offsets, first);
        long used = children.isEmpty() ? dataBytes : children.getFirst().length;
        long size =
                isView
                        ? from.children().getFirst().vector().getValueCount()
                        : number(1, offsets, first + count) - start;
        if (bits(1) == Integer.SIZE && size > Integer.MAX_VALUE - used) {
            throw tooLong(used + size, Integer.MAX_VALUE);
        }
        if (children.isEmpty()) {
            copy(2, used, buffers.get(2), start, size);
            dataBytes += size;
        } else {
            children.getFirst().append(from.children().getFirst(), (int) start, (int) size);
        }
        int ends = isView ? 0 : 1;
        long width = bits(1) / Byte.SIZE;
        room(1, (length + ends) * width, (length + (long) count + ends) * width);
        if (length == 0 && !isView) {
            put(1, 0, 0);
        }
        for (int i = ends; i < count + ends; i++) {
            put(1, length + i, number(1, offsets, first + i) - start + used);
        }
    }

    private void appendDense(FieldPart from, List<ArrowBuf> buffers, int first, int count) {
        int[] typeIds = ((ArrowType.Union) part.type()).getTypeIds();
        int[] used = new int[Byte.MAX_VALUE + 1];
        for (int i = 0; i < typeIds.length; i++) {
            used[typeIds[i]] = children.get(i).length;
            children.get(i).append(from.children().get(i));
        }
        room(1, (long) length * Integer.BYTES, ((long) length + count) * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            byte id = buffers.get(0).getByte(first + i);
            put(1, length + i, id < 0 ? 0 : number(1, buffers.get(1), first + i) + used[id]);
        }
    }

    /// Views into the data of a delta get the indices of its buffers here, and their offsets in
    /// copies.
    private void appendViews(List<ArrowBuf> found, int count) {
        List<ArrowBuf> data = found.subList(2, found.size());
        int[] indices = new int[data.size()];
        int[] shifts = new int[data.size()];
        long bytes = data.stream().mapToLong(ArrowBuf::capacity).sum();
        boolean isCopied = bytes <= Math.min(MOST_COPIED, Integer.MAX_VALUE - dataBytes);
        for (int i = 0; i < indices.length; i++) {
            if (isCopied) {
                shifts[i] = copyData(data.get(i));
                indices[i] = copies;
            } else {
                data.get(i).getReferenceManager().retain();
                indices[i] = variadics.size();
                variadics.add(data.get(i));
            }
        }
        for (int i = length; i < length + count; i++) {
            long view = (long) i * TypeFacts.VIEW_BYTES;
            long index = view + TypeFacts.VIEW_BUFFER_AT;
            long offset = view + TypeFacts.VIEW_OFFSET_AT;
            int of = buffers[1].getInt(index);
            boolean isLong = buffers[1].getInt(view) > TypeFacts.INLINE_BYTES;
            if (isLong && of >= 0 && of < indices.length) { // a null may have any
                buffers[1].setInt(index, indices[of]);
                buffers[1].setInt(offset, buffers[1].getInt(offset) + shifts[of]);
            }
        }
    }

    /// Copies the data of views.
    ///
    /// @return its offset in the buffer with the number [#copies]
    private int copyData(ArrowBuf from) {
        if (copies == NONE) {
            copies = variadics.size();
            variadics.add(allocator.getEmpty());
        }
        int position = (int) dataBytes;
        dataBytes += from.capacity();
        ArrowBuf into = withRoom(variadics.get(copies), position, dataBytes);
        variadics.set(copies, into);
        into.setBytes(position, from, 0, from.capacity());
        return position;
    }

    /// Appends the runs of run-end encoded values, the first and last one shortened.
    private void appendRuns(FieldPart from, int first, int count) {
        if (children.isEmpty()) {
            return; // null
        }
        GrowingPart ends = children.getFirst();
        FieldPart ofRuns = from.children().getFirst();
        ArrowBuf buffer = ofRuns.vector().getFieldBuffers().get(1);
        long limit = -1L >>> Long.SIZE - ends.bits(1) + 1;
        if ((long) length + count > limit) {
            throw tooLong((long) length + count, limit);
        }
        int firstRun = 0;
        while (ends.number(1, buffer, firstRun) <= first) {
            firstRun++;
        }
        int run = firstRun;
        while (ends.number(1, buffer, run) < (long) first + count) {
            run++;
        }
        int used = ends.length;
        int runs = run + 1 - firstRun;
        ends.append(ofRuns, firstRun, runs);
        for (int i = 0; i < runs; i++) {
            long end = Math.min(ends.number(1, buffer, firstRun + i), (long) first + count);
            ends.put(1, used + i, end - first + length);
        }
        children.getLast().append(from.children().getLast(), firstRun, runs);
    }

    // ---- buffers

    private int bits(int buffer) {
        return (int) part.bits(part.shape().role(buffer));
    }

    private long number(int buffer, ArrowBuf in, long index) {
        return switch (bits(buffer)) {
            case Short.SIZE -> in.getShort(index * Short.BYTES);
            case Integer.SIZE -> in.getInt(index * Integer.BYTES);
            default -> in.getLong(index * Long.BYTES);
        };
    }

    private void put(int buffer, long index, long number) {
        switch (bits(buffer)) {
            case Short.SIZE -> buffers[buffer].setShort(index * Short.BYTES, (short) number);
            case Integer.SIZE -> buffers[buffer].setInt(index * Integer.BYTES, (int) number);
            default -> buffers[buffer].setLong(index * Long.BYTES, number);
        }
    }

    private void copy(int buffer, long used, ArrowBuf from, long position, long bytes) {
        room(buffer, used, used + bytes);
        buffers[buffer].setBytes(used, from, position, bytes);
    }

    /// Makes room in a buffer.
    private void room(int buffer, long used, long needed) {
        buffers[buffer] = withRoom(buffers[buffer], used, needed);
    }

    /// Replaces a buffer by a larger one, if it has no room.
    private ArrowBuf withRoom(ArrowBuf old, long used, long needed) {
        if (old.capacity() >= needed) {
            return old;
        }
        ArrowBuf larger = allocator.buffer(Math.max(needed, 2 * used));
        larger.setBytes(0, old, 0, Math.min(used, old.capacity()));
        old.close();
        return larger;
    }

    private FletchException tooLong(long found, long limit) {
        return VectorErrors.tooLarge(
                FletchException.NO_OFFSET,
                "column=%s, length=%d, limit=%d",
                part.path(),
                found,
                limit);
    }

    /// Passes the buffers to the vectors, which retain them.
    void load() {
        List<ArrowBuf> inUse = new ArrayList<>();
        for (int i = 0; i < buffers.length; i++) {
            long bytes =
                    part.shape() == BufferShape.VARIABLE_WIDTH && i == 2
                            ? dataBytes
                            : part.leastBytes(part.shape().role(i), length);
            inUse.add(buffers[i].slice(0, Math.min(bytes, buffers[i].capacity())));
        }
        for (int i = 0; i < variadics.size(); i++) {
            inUse.add(i == copies ? variadics.get(i).slice(0, dataBytes) : variadics.get(i));
        }
        part.load(length, inUse);
        children.forEach(GrowingPart::load);
    }

    @Override
    public void close() {
        for (ArrowBuf each : buffers) {
            each.close();
        }
        variadics.forEach(ArrowBuf::close);
        children.forEach(GrowingPart::close);
    }
}
