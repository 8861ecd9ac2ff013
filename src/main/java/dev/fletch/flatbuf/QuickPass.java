// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The first way of [VerifierEngine]: accepts nearly every buffer in which all is right, by the same
/// rules, and says nothing of the others. For those the engine begins anew.
///
/// What it buys: nothing is kept of the way down, and each kind of field is checked by one small
/// method that reads heap bytes only. Other memory is copied, as far as it is needed; for a message
/// that takes less time than what every single read of a segment asks.
///
/// It gives up at what a normal buffer does not have: tables nested deeper than [#LEVELS], unions
/// with a tag or a value alone, elements with an offset of 0, strings that overlap while UTF-8 is
/// checked, and in memory that is not heap bytes at whatever lies behind [#MOST_COPIED]. It reaches
/// no more tables than the options allow, so its work is bounded as the engine's is.
final class QuickPass {
    /// It goes down by recursion, which this keeps short.
    private static final int LEVELS = 32;

    /// Most schemas of a dozen columns; of wide batches all but the vectors.
    private static final int FIRST_COPIED = 1 << 11;

    private static final int MOST_COPIED = 1 << 18;

    private static final int MIN_SIZE = 12;

    /// No sum of two positions overflows.
    private static final int MAX_SIZE = 1 << 30;

    private final TableKind[] kinds;
    private final Checks checks;
    private final VerifierOptions options;
    private final int wordMask;
    private final int vtableMask;
    private final int maxDepth;
    private final boolean utf8Strings;
    private final boolean alignedElements;

    final KnownReads known = new KnownReads();

    private byte[] copy = new byte[FIRST_COPIED];
    private Source source;

    // The bytes that are read, the place of the buffer's first one, and the place behind the last
    // one that is there: of a copy more may follow.
    private byte[] array;
    private int base;
    private int end;

    private int size;
    private long round;
    private long maxTables;
    private long tables;
    private boolean remembering;

    QuickPass(TableKind[] kinds, VerifierOptions options, Checks checks) {
        this.kinds = kinds;
        this.options = options;
        this.checks = checks;
        wordMask = options.checkAlignment() ? Integer.BYTES - 1 : 0;
        vtableMask = options.checkAlignment() ? Short.BYTES - 1 : 0;
        maxDepth = Math.min(options.maxDepth(), LEVELS);
        utf8Strings = options.checkUtf8();
        alignedElements = options.vectorAlignment() != VectorAlignment.NONE;
    }

    /// How many tables were reached in the buffer that was accepted last.
    long tablesReached() {
        return tables;
    }

    /// Tells whether a buffer is right.
    ///
    /// @param root kind of its root
    /// @param memory its bytes, whose size [Checks#size] is
    /// @return false if that is not known
    boolean accepts(int root, Source memory) {
        final long bytes = checks.size;
        if (bytes < MIN_SIZE || bytes > options.maxSize() || bytes > MAX_SIZE) {
            return false;
        }
        if (known.areIn(memory, root)) {
            tables = known.tables();
            return true;
        }
        if (source != memory) {
            source = memory; // compared first: storing a reference costs a barrier
        }
        size = (int) bytes;
        maxTables = options.maxTables(bytes);
        if (!(memory.array == null ? copied(root) : inPlace(root))) {
            return false;
        }
        if (tables <= KnownReads.MOST_TABLES && checks.utf8.bytesRead() == 0 && known.areWanted()) {
            remember(root);
        }
        return true;
    }

    private boolean inPlace(int root) {
        base = (int) source.start;
        end = base + size;
        return all(root, source.array);
    }

    private boolean copied(int root) {
        base = 0;
        end = 0;
        return more(Math.min(size, FIRST_COPIED)) && all(root, copy);
    }

    private boolean all(int root, byte[] bytes) {
        if (array != bytes) {
            array = bytes; // as above
        }
        // Not only for another buffer: a vtable that was met in other bytes means nothing here.
        checks.round++;
        round = checks.round;
        tables = 0;
        final int at = follow(base);
        return at >= 0 && table(kinds[root], at, 1);
    }

    /// Goes through a copy of what was accepted, to recognize it the next time.
    private void remember(int root) {
        final long reached = tables;
        known.clear(size);
        remembering = true;
        if (copied(root)) {
            known.take(root, copy, end, round, kinds);
        }
        remembering = false;
        tables = reached;
    }

    // ---- more of a copy

    /// Copies on, until the buffer is there up to a place.
    ///
    /// @return false if the buffer ends before
    private boolean more(long to) {
        if (to - base > size || end - base == size) {
            return false;
        }
        final int next = (int) Math.min(Math.max(to, 2L * end), size);
        if (next > MOST_COPIED) {
            return false;
        }
        if (next > copy.length) {
            copy = Arrays.copyOf(copy, Math.max(next, 2 * copy.length));
            array = copy;
        }
        final byte[] a = source.array;
        if (a != null) {
            System.arraycopy(a, (int) source.start + end, copy, end, next - end);
        } else {
            final MemorySegment s = source.segment();
            final long from = source.start + end;
            MemorySegment.copy(s, ValueLayout.JAVA_BYTE, from, copy, end, next - end);
        }
        end = next;
        return true;
    }

    // ---- tables

    /// Checks a table of which four bytes are there.
    private boolean table(TableKind kind, int at, int depth) {
        if (depth > maxDepth || ++tables > maxTables || (at - base & wordMask) != 0) {
            return false;
        }
        final long vtable = (long) at - base - Wire.int32(array, at);
        VtablePlan plan = kind.last;
        if (!plan.isAt(round, vtable)) {
            plan = otherPlan(kind, at, vtable);
            if (plan == null) {
                return false;
            }
        }
        return (plan.reach <= end - at || more((long) at + plan.reach))
                && (plan.unfit & 1 + (at - base >>> 2 & 1)) == 0
                && (plan.isPlain || contents(kind, plan, at, depth));
    }

    /// Finds what a vtable means that is not the one of the last table of its kind.
    private VtablePlan otherPlan(TableKind kind, int at, long vtable) {
        if (vtable < 0 || vtable >= end - base - Wire.WIDE_VTABLE_BYTES) {
            return planAtEnd(kind, at, vtable);
        }
        final byte[] a = array;
        final int from = base + (int) vtable;
        final int head = Wire.int32(a, from);
        final long low = Wire.int64(a, from + Wire.VTABLE_HEAD_BYTES);
        final long high = Wire.int64(a, from + Wire.VTABLE_HEAD_BYTES + Long.BYTES);
        final VtablePlan last = kind.last;
        if ((vtable & vtableMask) == 0) {
            if (last.isLike(head, low, high)) {
                return last.at(round, vtable);
            }
            final VtablePlan alike = kind.planLike(round, vtable, head, low, high);
            if (alike != null) {
                return alike;
            }
        }
        return checks.planFor(a, null, base, kind, at - base);
    }

    /// The same for a vtable near the end of what is there.
    private VtablePlan planAtEnd(TableKind kind, int at, long vtable) {
        if (vtable < 0 || vtable > size - Short.BYTES) {
            return null;
        }
        final long to = base + Math.min(vtable + Wire.WIDE_VTABLE_BYTES, size);
        return end - base < size && !more(to)
                ? null
                : checks.planFor(array, null, base, kind, at - base);
    }

    private boolean contents(TableKind kind, VtablePlan plan, int at, int depth) {
        int distance;
        for (int i = 0; (distance = plan.strings[i]) != 0; i++) {
            if (!string(at + distance)) {
                return false;
            }
        }
        int vector;
        for (int i = 0; (vector = plan.vectors[i]) != 0; i++) {
            if (!vector(at + (vector & 0xFFFF), vector)) {
                return false;
            }
        }
        final int made = plan.made();
        long op;
        for (int i = 0; (op = plan.ops[i]) != 0; i++) {
            if (!below(kind, at, op, depth + 1) || plan.made() != made) {
                return false;
            }
        }
        return true;
    }

    /// Checks what one of a table's offsets to other tables leads to.
    private boolean below(TableKind kind, int at, long op, int depth) {
        final int code = VtablePlan.code(op);
        if (code == VtablePlan.UNION) {
            return member(kind, at, op, depth);
        }
        final TableKind child = kinds[VtablePlan.target(op)];
        if (code == VtablePlan.TABLES) {
            return tables(child, at + VtablePlan.distance(op), depth);
        }
        final int to = follow(at + VtablePlan.distance(op));
        return to >= 0 && table(child, to, depth);
    }

    private boolean member(TableKind kind, int at, long op, int depth) {
        final int distance = VtablePlan.distance(op);
        final int tagDistance = VtablePlan.tagDistance(op);
        if (distance == 0 || tagDistance == 0) {
            return false;
        }
        final int to = follow(at + distance);
        final int child = kind.member(op, array[at + tagDistance]);
        return to >= 0 && child >= 0 && table(kinds[child], to, depth);
    }

    private boolean tables(TableKind kind, int offsetAt, int depth) {
        final int at = follow(offsetAt);
        if (at < 0 || (at - base & wordMask) != 0) {
            return false;
        }
        final int count = Wire.int32(array, at);
        final int first = at + Wire.OFFSET_BYTES;
        if (Integer.compareUnsigned(count, base + size - first >>> 2) > 0
                || (alignedElements && !checks.elementsAligned(at - base, count, Integer.BYTES))) {
            return false;
        }
        final int behind = first + (count << 2);
        return (behind <= end || more(behind)) && elements(kind, first, behind, depth);
    }

    private boolean elements(TableKind kind, int first, int behind, int depth) {
        for (int element = first; element < behind; element += Wire.OFFSET_BYTES) {
            final int to = follow(element);
            if (to < 0 || !table(kind, to, depth)) {
                return false;
            }
        }
        return true;
    }

    // ---- what is no table

    /// Follows an offset to four bytes that are there.
    ///
    /// @return their place; negative if there are none
    private int follow(int offsetAt) {
        final int offset = Wire.int32(array, offsetAt);
        return offset > 0
                        && (offset <= end - Wire.OFFSET_BYTES - offsetAt
                                || more((long) offsetAt + offset + Wire.OFFSET_BYTES))
                ? offsetAt + offset
                : -1;
    }

    private boolean string(int offsetAt) {
        final int at = follow(offsetAt);
        if (at < 0 || (at - base & wordMask) != 0) {
            return false;
        }
        final int length = Wire.int32(array, at);
        final int chars = at + Wire.OFFSET_BYTES;
        return (Integer.compareUnsigned(length, end - chars) < 0
                        || (length >= 0 && more((long) chars + length + 1)))
                && array[chars + length] == 0
                && (!utf8Strings || isUtf8(chars, length));
    }

    private boolean isUtf8(int chars, int length) {
        return checks.utf8.isDirect(length)
                && checks.utf8.isUtf8(array, null, base, chars - base, length);
    }

    /// Checks a vector of numbers or structs. Its length word need not be in the copy.
    private boolean vector(int offsetAt, int vector) {
        final int offset = Wire.int32(array, offsetAt);
        final int last = base + size - Wire.OFFSET_BYTES;
        if (offset <= 0 || offset > last - offsetAt) {
            return false;
        }
        final int at = offsetAt + offset;
        final int count = at <= end - Wire.OFFSET_BYTES ? Wire.int32(array, at) : farCount(at);
        return (at - base & wordMask) == 0
                && (count & 0xFFFF_FFFFL) * VtablePlan.elementBytes(vector) <= last - at
                && (!alignedElements
                        || checks.elementsAligned(
                                at - base, count, VtablePlan.elementAlignment(vector)));
    }

    private int farCount(int at) {
        final byte[] a = source.array;
        final MemorySegment s = a == null ? source.segment() : null;
        final int count = Wire.int32(a, s, source.start + at);
        if (remembering) {
            known.add(at, Wire.OFFSET_BYTES, count);
        }
        return count;
    }
}
