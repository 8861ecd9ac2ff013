// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.verify.FieldRule;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Words of one flatbuffer, and what is wrong with them where a walk can go no further. Positions
/// are those of the memory.
public abstract class BufferWords {
    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final int WORD = Integer.BYTES;
    static final int VTABLE_HEAD = 4;
    static final long NOWHERE = Region.NOWHERE;

    /// Takes what is wrong, with the codes and values of verifiers.
    @FunctionalInterface
    interface Problems {
        /// @param at where in the memory
        /// @param path the field that is concerned
        void found(Rule code, long at, long value, String path);
    }

    final MemorySegment memory;
    final long start;
    final long end;
    private final Problems problems;

    BufferWords(MemorySegment memory, long start, long length, Problems problems) {
        this.memory = memory;
        this.start = start;
        this.end = start + length;
        this.problems = problems;
    }

    final int uint16(long at) {
        return Short.toUnsignedInt(memory.get(SHORT, at));
    }

    final int int32(long at) {
        return memory.get(INT, at);
    }

    final long uint32(long at) {
        return Integer.toUnsignedLong(int32(at));
    }

    final void problem(Rule code, long at, long value, Node node, FieldRule field) {
        problems.found(code, at, value, node == null ? "" : node.path(field));
    }

    /// Follows an offset that is inside.
    ///
    /// @return where it leads, [#NOWHERE] if that is not inside
    final long follow(long at, Node node, FieldRule field) {
        int offset = int32(at);
        if (offset > 0 && offset < end - at) {
            return at + offset;
        }
        Rule code =
                offset == 0
                        ? StructureRules.OFFSET_ZERO
                        : offset < 0
                                ? StructureRules.OFFSET_TOO_LARGE
                                : StructureRules.OFFSET_TARGET_OUT_OF_RANGE;
        problem(code, at, uint32(at), node, field);
        return NOWHERE;
    }

    /// Whether a table could begin here: for what no rule leads to.
    final boolean isPlausibleTable(long at) {
        if (at < start || end - at < WORD || (at - start) % WORD != 0) {
            return false;
        }
        long vtable = at - int32(at);
        if (vtable < start || end - vtable < VTABLE_HEAD || (vtable - start) % Short.BYTES != 0) {
            return false;
        }
        int bytes = uint16(vtable);
        int tableBytes = uint16(vtable + Short.BYTES);
        return bytes >= VTABLE_HEAD
                && bytes % Short.BYTES == 0
                && bytes <= end - vtable
                && tableBytes >= WORD
                && tableBytes <= end - at;
    }
}
