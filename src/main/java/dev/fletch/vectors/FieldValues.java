// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static dev.fletch.layout.BufferRole.DATA;
import static dev.fletch.layout.BufferRole.OFFSETS;
import static dev.fletch.layout.BufferRole.SIZES;
import static dev.fletch.layout.BufferRole.TYPE_IDS;
import static dev.fletch.layout.BufferRole.VIEWS;

import dev.fletch.layout.BufferRole;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Checks values that refer to other values: offsets, sizes, views, type ids, run ends and dictionary
/// indices. Buffer sizes are checked before.
final class FieldValues {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BUFFER_AT = 8;
    private static final int VIEW_OFFSET_AT = 12;
    private static final int TYPE_IDS_COUNT = 128;

    /// Type id that arrow-java reads and writes for nulls of dense unions.
    private static final int NULL_OF_DENSE_UNION = -1;

    /// Type id of nulls of sparse unions.
    private static final int NULL_OF_SPARSE_UNION = 0;

    private FieldValues() {}

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

    private static long number(ArrowBuf buffer, int width, long index) {
        return switch (width) {
            case Byte.BYTES -> buffer.getByte(index);
            case Short.BYTES -> buffer.getShort(index << 1);
            case Integer.BYTES -> buffer.getInt(index << 2);
            default -> buffer.getLong(index << 3);
        };
    }

    private static void ascending(FieldPart part, long limit) {
        final ArrowBuf offsets = part.buffer(OFFSETS);
        final int width = part.offsetBytes();
        final long count = part.length() == 0 ? 0 : part.length() + 1L;
        if (QuickValues.ascend(offsets, width, count, limit)) {
            return;
        }
        long least = 0;
        for (long i = 0; i < count; i++) {
            final long offset = number(offsets, width, i);
            if (offset < least || offset > limit) {
                throw wrong(part, OFFSETS, i, offset, least, limit);
            }
            least = offset;
        }
    }

    private static void listViews(FieldPart part, long limit) {
        final ArrowBuf offsets = part.buffer(OFFSETS);
        final ArrowBuf sizes = part.buffer(SIZES);
        final int width = part.offsetBytes();
        for (long i = 0; i < part.length(); i++) {
            final long offset = number(offsets, width, i);
            if (offset < 0 || offset > limit) {
                throw wrong(part, OFFSETS, i, offset, 0, limit);
            }
            final long size = number(sizes, width, i);
            if (size < 0 || size > limit - offset) {
                throw wrong(part, SIZES, i, size, 0, limit - offset);
            }
        }
    }

    /// Views of nulls may have any content.
    private static void views(FieldPart part) {
        final ArrowBuf views = part.buffer(VIEWS);
        final List<ArrowBuf> variadics = part.variadicBuffers();
        if (QuickValues.areInside(views, part.length(), variadics)) {
            return;
        }
        for (long i = 0; i < part.length(); i++) {
            final long at = i * VIEW_BYTES;
            final int length = views.getInt(at);
            if (length >= 0 && length <= INLINE_BYTES || !part.isValid(i)) {
                continue;
            }
            if (length < 0) {
                throw wrong(part, VIEWS, i, length, 0, Integer.MAX_VALUE);
            }
            final int buffer = views.getInt(at + VIEW_BUFFER_AT);
            if (buffer < 0 || buffer >= variadics.size()) {
                throw wrong(part, VIEWS, i, buffer, 0, variadics.size() - 1);
            }
            final int offset = views.getInt(at + VIEW_OFFSET_AT);
            final long limit = variadics.get(buffer).capacity() - length;
            if (offset < 0 || offset > limit) {
                throw wrong(part, VIEWS, i, offset, 0, limit);
            }
        }
    }

    private static void union(FieldPart part) {
        final ArrowType.Union type = (ArrowType.Union) part.type();
        final boolean isDense = type.getMode() == UnionMode.Dense;
        final int none = isDense ? NULL_OF_DENSE_UNION : NULL_OF_SPARSE_UNION;
        final FieldPart[] children = new FieldPart[TYPE_IDS_COUNT];
        for (int i = 0; i < part.children().size(); i++) {
            children[type.getTypeIds()[i]] = part.children().get(i);
        }
        final ArrowBuf ids = part.buffer(TYPE_IDS);
        final ArrowBuf offsets = isDense ? part.buffer(OFFSETS) : null;
        for (long i = 0; i < part.length(); i++) {
            final int id = ids.getByte(i);
            final FieldPart child = id < 0 ? null : children[id];
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
            if (child != null && isDense) {
                final int offset = offsets.getInt(i << 2);
                if (offset < 0 || offset >= child.length()) {
                    throw wrong(part, OFFSETS, i, offset, 0, child.length() - 1L);
                }
            }
        }
    }

    /// Run ends must ascend strictly, and the last must not be less than the field's length. A `Null` field
    /// has none.
    private static void runEnds(FieldPart part) {
        if (part.children().isEmpty() || part.length() == 0) {
            return;
        }
        final FieldPart runs = part.children().getFirst();
        final ArrowBuf ends = runs.buffer(DATA);
        final int width = (int) runs.valueBits() / Byte.SIZE;
        long before = 0;
        for (long i = 0; i < runs.length(); i++) {
            final long end = number(ends, width, i);
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
    /// @param dictionaries by id
    static void requireIndexes(FieldPart part, Map<Long, Dictionary> dictionaries) {
        final DictionaryEncoding encoding = part.field().getDictionary();
        if (encoding != null) {
            final FieldVector values = dictionaries.get(encoding.getId()).getVector();
            indexes(part, part.vector(), values.getValueCount());
        }
        part.children().forEach(child -> requireIndexes(child, dictionaries));
    }

    /// Unsigned 64-bit values above `Long.MAX_VALUE` are negative here, and rejected.
    private static void indexes(FieldPart part, FieldVector indexes, int limit) {
        final ArrowType.Int type = (ArrowType.Int) part.type();
        final int width = type.getBitWidth() / Byte.SIZE;
        final long mask =
                type.getIsSigned() || width == Long.BYTES ? -1 : (1L << type.getBitWidth()) - 1;
        final ArrowBuf numbers = indexes.getDataBuffer();
        final int count = indexes.getValueCount();
        if (QuickValues.areBelow(numbers, width, mask, count, limit)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            final long index = number(numbers, width, i) & mask;
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
