// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static dev.fletch.format.BufferRole.DATA;
import static dev.fletch.format.BufferRole.OFFSETS;
import static dev.fletch.format.BufferRole.SIZES;
import static dev.fletch.format.BufferRole.TYPE_IDS;
import static dev.fletch.format.BufferRole.VIEWS;

import dev.fletch.format.BufferRole;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.wire.Wire;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/// Checks values that refer to other values: offsets, sizes, views, type ids, run ends and
/// dictionary indices. Buffer sizes are checked before.
final class FieldValues {
    /// Type id that arrow-java reads and writes for nulls of dense unions.
    private static final int NULL_OF_DENSE_UNION = -1;

    /// Type id of nulls of sparse unions.
    private static final int NULL_OF_SPARSE_UNION = 0;

    private FieldValues() {}

    /// Reads the numbers of a buffer in their order. Each read of an [ArrowBuf] checks its
    /// reference count, which takes longer; a `ByteBuffer` cannot be longer than 2 GiB, hence the
    /// windows.
    private static final class Numbers {
        /// A multiple of all widths.
        private static final int WINDOW_BYTES = 1 << 28;

        private final ArrowBuf buffer;
        private final int width;
        private MemorySegment window = MemorySegment.NULL;
        private long windowAt;
        private long at;

        /// @param width of a number in bytes
        Numbers(ArrowBuf buffer, int width) {
            this.buffer = buffer;
            this.width = width;
        }

        /// {@return the next number, signed}
        long next() {
            if (at == window.byteSize()) {
                windowAt += at;
                at = 0;
                long left = buffer.capacity() - windowAt;
                int bytes = (int) Math.min(WINDOW_BYTES, left);
                window = MemorySegment.ofBuffer(buffer.nioBuffer(windowAt, bytes));
            }
            long number =
                    switch (width) {
                        case Byte.BYTES -> window.get(ValueLayout.JAVA_BYTE, at);
                        case Short.BYTES -> window.get(Wire.SHORT, at);
                        case Integer.BYTES -> window.get(Wire.INT, at);
                        default -> window.get(Wire.LONG, at);
                    };
            at += width;
            return number;
        }
    }

    /// Checks a field and its descendants, except for dictionary indices.
    static void require(FieldPart part) {
        switch (part.shape()) {
            case VARIABLE_WIDTH -> ascending(part, part.buffer(DATA).capacity());
            case LIST -> ascending(part, part.children().getFirst().length());
            case LIST_VIEW -> listViews(part, part.children().getFirst().length());
            case VIEW -> views(part);
            case SPARSE_UNION, DENSE_UNION -> union(part);
            case NOTHING -> runEnds(part);
            default -> {}
        }
        part.children().forEach(FieldValues::require);
    }

    private static void ascending(FieldPart part, long limit) {
        Numbers offsets = new Numbers(part.buffer(OFFSETS), part.offsetBytes());
        long count = part.length() == 0 ? 0 : part.length() + 1L;
        long least = 0;
        for (long i = 0; i < count; i++) {
            long offset = offsets.next();
            if (offset < least || offset > limit) {
                throw wrong(part, OFFSETS, i, offset, least, limit);
            }
            least = offset;
        }
    }

    private static void listViews(FieldPart part, long limit) {
        Numbers offsets = new Numbers(part.buffer(OFFSETS), part.offsetBytes());
        Numbers sizes = new Numbers(part.buffer(SIZES), part.offsetBytes());
        for (long i = 0; i < part.length(); i++) {
            long offset = offsets.next();
            if (offset < 0 || offset > limit) {
                throw wrong(part, OFFSETS, i, offset, 0, limit);
            }
            long size = sizes.next();
            if (size < 0 || size > limit - offset) {
                throw wrong(part, SIZES, i, size, 0, limit - offset);
            }
        }
    }

    /// Views of nulls may have any content.
    private static void views(FieldPart part) {
        Numbers words = new Numbers(part.buffer(VIEWS), Integer.BYTES);
        List<ArrowBuf> variadics = part.variadicBuffers();
        for (long i = 0; i < part.length(); i++) {
            long length = words.next();
            words.next(); // the first four bytes
            long buffer = words.next();
            long offset = words.next();
            if (length >= 0 && length <= TypeFacts.INLINE_BYTES) {
                continue;
            }
            if (length < 0) {
                requireNull(part, i, length, Integer.MAX_VALUE);
            } else if (buffer < 0 || buffer >= variadics.size()) {
                requireNull(part, i, buffer, variadics.size() - 1L);
            } else {
                long limit = variadics.get((int) buffer).capacity() - length;
                if (offset < 0 || offset > limit) {
                    requireNull(part, i, offset, limit);
                }
            }
        }
    }

    /// Rejects a number of a view, unless the value is null.
    private static void requireNull(FieldPart part, long index, long value, long limit) {
        if (part.isValid(index)) {
            throw wrong(part, VIEWS, index, value, 0, limit);
        }
    }

    private static void union(FieldPart part) {
        ArrowType.Union type = (ArrowType.Union) part.type();
        boolean isDense = type.getMode() == UnionMode.Dense;
        int none = isDense ? NULL_OF_DENSE_UNION : NULL_OF_SPARSE_UNION;
        FieldPart[] children = new FieldPart[TypeFacts.MAX_UNION_CHILDREN];
        for (int i = 0; i < part.children().size(); i++) {
            children[type.getTypeIds()[i]] = part.children().get(i);
        }
        Numbers ids = new Numbers(part.buffer(TYPE_IDS), Byte.BYTES);
        Numbers offsets = isDense ? new Numbers(part.buffer(OFFSETS), Integer.BYTES) : null;
        for (long i = 0; i < part.length(); i++) {
            int id = (int) ids.next();
            long offset = isDense ? offsets.next() : 0;
            FieldPart child = id < 0 ? null : children[id];
            if (child == null && id != none) {
                throw VectorException.of(
                        VectorRules.VALUE_RANGE,
                        "column=%s, buffer=%s, index=%d, value=%d, typeIds=%s",
                        part.path(),
                        TYPE_IDS.text(),
                        i,
                        id,
                        Arrays.toString(type.getTypeIds()));
            }
            if (child != null && isDense && (offset < 0 || offset >= child.length())) {
                throw wrong(part, OFFSETS, i, offset, 0, child.length() - 1L);
            }
        }
    }

    /// Run ends must ascend strictly, and the last must not be less than the field's length. A
    /// `Null` field has none.
    private static void runEnds(FieldPart part) {
        if (part.children().isEmpty() || part.length() == 0) {
            return;
        }
        FieldPart runs = part.children().getFirst();
        var ends = new Numbers(runs.buffer(DATA), (int) runs.valueBits() / Byte.SIZE);
        long before = 0;
        for (long i = 0; i < runs.length(); i++) {
            long end = ends.next();
            if (!runs.isValid(i)) {
                throw VectorException.of(
                        VectorRules.VALUE_RANGE, "column=%s, index=%d, value=null", runs.path(), i);
            }
            if (end <= before) {
                throw wrong(runs, DATA, i, end, before + 1, Long.MAX_VALUE);
            }
            before = end;
        }
        if (before < part.length()) {
            throw wrong(runs, DATA, runs.length() - 1L, before, part.length(), Long.MAX_VALUE);
        }
    }

    /// Checks the dictionary indices of a field and its descendants after [FieldPart#load].
    ///
    /// @param used returns the values of a dictionary, by its id; called if an index is not null
    static void requireIndexes(FieldPart part, LongFunction<FieldVector> used) {
        DictionaryEncoding encoding = part.field().getDictionary();
        if (encoding != null) {
            indexes(part, part.vector(), encoding.getId(), used);
        }
        part.children().forEach(child -> requireIndexes(child, used));
    }

    /// Unsigned 64-bit values above `Long.MAX_VALUE` are negative here, and rejected.
    private static void indexes(
            FieldPart part, FieldVector indexes, long id, LongFunction<FieldVector> used) {
        int count = indexes.getValueCount();
        if (indexes.getNullCount() == count) {
            return;
        }
        int limit = used.apply(id).getValueCount();
        ArrowType.Int type = (ArrowType.Int) part.type();
        int width = type.getBitWidth() / Byte.SIZE;
        long mask = type.getIsSigned() || width == Long.BYTES ? -1 : (1L << type.getBitWidth()) - 1;
        Numbers numbers = new Numbers(indexes.getDataBuffer(), width);
        for (int i = 0; i < count; i++) {
            long index = numbers.next() & mask;
            if ((index < 0 || index >= limit) && !indexes.isNull(i)) {
                throw wrong(part, DATA, i, index, 0, limit - 1L);
            }
        }
    }

    private static VectorException wrong(
            FieldPart part, BufferRole role, long index, long value, long least, long limit) {
        return VectorException.of(
                VectorRules.VALUE_RANGE,
                "column=%s, buffer=%s, index=%d, value=%d, least=%d, limit=%d",
                part.path(),
                role.text(),
                index,
                value,
                least,
                limit);
    }
}
