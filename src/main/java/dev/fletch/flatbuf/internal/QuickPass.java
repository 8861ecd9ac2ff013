// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Limits;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8Checker;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The pass of [VerifierEngine] that accepts nearly all valid buffers, by the same rules as
/// [FullPass]. For any other buffer its result is "unknown".
///
/// Faster: it keeps no path, caches the plans of vtables, and reads only heap bytes. It copies
/// other memory, and batch messages in long arrays, as far as needed, which takes less time than
/// checking single reads.
///
/// It gives up if tables are nested deeper than [#LEVELS], a union has no known tag or no value, an
/// element has the offset 0, strings overlap while UTF-8 is checked, or more than 128 kB are needed
/// of a buffer that is longer than [#MOST_COPIED] and copied. It reaches no more tables than the
/// options allow, so its work is bounded.
///
/// Positions are indexes into [#array].
public final class QuickPass {
    /// Returned instead of a position if there is none.
    public static final int NOWHERE = -1;

    static final int MIN_BYTES = 12;

    /// Limits the recursion.
    private static final int LEVELS = 32;

    /// Enough for most schemas of a dozen columns.
    private static final int FIRST_COPIED = 1 << 11;

    /// A longer copy takes the complete buffer, and is not kept.
    private static final int MOST_KEPT = 1 << 18;

    /// Enough for schemas of 200,000 columns.
    private static final int MOST_COPIED = 1 << 24;

    /// Below this size, no sum of two distances overflows. Positions are subtracted, or added as
    /// `long`.
    private static final int MAX_SIZE = 1 << 30;

    private static final byte[] NOTHING = {};

    private final QuickRules rules;
    private final Limits limits;
    private final long maxBytes;
    private final int maxDepth;
    private final int wordMask;
    private final int vtableMask;
    private final boolean alignedElements;
    // Null if UTF-8 is not checked.
    private final Utf8Checker utf8;

    private final VtablePlans plans;

    private byte[] copy = NOTHING;
    private MemoryRange source;

    // The bytes to read, the index of the buffer's first byte, and the index after the last
    // available byte: a copy may still grow.
    private byte[] array;
    private int base;
    private int end;

    private int size;
    private long maxTables;
    private long tableCount;

    QuickPass(QuickRules rules, Utf8Checker utf8) {
        this.rules = rules;
        this.utf8 = utf8;
        limits = rules.options.limits();
        maxBytes = Math.min(limits.metadataBytes(), MAX_SIZE);
        maxDepth = Math.min(limits.depth(), LEVELS);
        wordMask = rules.wordMask;
        vtableMask = rules.vtableMask;
        alignedElements = rules.alignedElements;
        plans = new VtablePlans(rules);
    }

    /// {@return whether the text of strings is checked}
    public boolean checksText() {
        return utf8 != null;
    }

    /// {@return number of tables in the buffer that was accepted last}
    public long tableCount() {
        return tableCount;
    }

    /// Returns whether a buffer is known to be valid.
    ///
    /// @param root kind of its root
    /// @return false if that is unknown
    boolean accepts(int root, MemoryRange memory) {
        boolean accepted =
                start(memory, FIRST_COPIED, Integer.MAX_VALUE) != NOWHERE && table(root, base, 1);
        end();
        return accepted;
    }

    /// Releases the buffer that was verified last.
    public void release() {
        source = null;
        array = NOTHING;
    }

    /// Releases the copy of a long buffer.
    public void end() {
        if (copy.length > MOST_KEPT) {
            copy = NOTHING;
            array = NOTHING;
        }
    }

    /// Prepares for a buffer, of which the root offset is then available.
    ///
    /// @param copied number of bytes to copy at first, if it is not in heap bytes
    /// @param longest length of the longest array that is read in place; of a longer one, the
    ///     buffer is copied as from other memory
    /// @return the position of the root offset; [#NOWHERE] if the buffer is too short or too large
    public int start(MemoryRange memory, int copied, int longest) {
        long bytes = memory.end - memory.start;
        if (bytes < MIN_BYTES || bytes > maxBytes) {
            return NOWHERE;
        }
        if (source != memory) {
            source = memory; // compared before it is stored
        }
        if (utf8 != null) {
            utf8.reset(bytes);
        }
        size = (int) bytes;
        maxTables = limits.tables(bytes);
        tableCount = 0;
        byte[] a = memory.array;
        if (a == null || a.length > longest) {
            base = 0;
            end = 0;
            if (array != copy) {
                array = copy;
            }
            return more(Math.min(size, copied)) ? 0 : NOWHERE;
        }
        base = (int) memory.start;
        end = base + size;
        if (array != a) {
            array = a; // compared first, as above
        }
        return base;
    }

    /// Continues the copy up to a position behind its end.
    ///
    /// @return false if the buffer is too short or too large
    private boolean more(long to) {
        if (to > base + size) {
            return false;
        }
        long target = to + end; // at least twice as far as now
        int next = target > MOST_KEPT ? size : (int) Math.min(target, size);
        if (next > MOST_COPIED) {
            return false;
        }
        if (next > copy.length) {
            // Of a batch, the first part is enough; a schema is needed as a whole.
            int whole = copy.length == 0 ? next : Math.min(size, MOST_KEPT);
            copy = Arrays.copyOf(copy, Math.max(next, whole));
            array = copy;
        }
        byte[] a = source.array;
        if (a != null) {
            System.arraycopy(a, (int) source.start + end, copy, end, next - end);
        } else {
            MemorySegment s = source.segment();
            MemorySegment.copy(s, ValueLayout.JAVA_BYTE, source.start + end, copy, end, next - end);
        }
        end = next;
        return true;
    }

    /// Returns a byte of a field, which is available.
    public byte int8(int position) {
        return array[position];
    }

    /// Returns a 16-bit number of a field, which is available.
    public short int16(int position) {
        return Wire.int16(array, null, position);
    }

    /// Returns a 64-bit number of a field, which is available.
    public long int64(int position) {
        return Wire.int64(array, position);
    }

    // ---- tables

    /// Counts and checks a table, without its depth and what it refers to. Its fields are then
    /// available.
    ///
    /// @param position a result of [#follow]
    /// @return the plan of its vtable, valid until the next table of this kind is opened; null if
    ///     the table is not known to be valid
    public VtablePlan open(int kind, int position) {
        if (position == NOWHERE || ++tableCount > maxTables) {
            return null;
        }
        long vtable = (long) position - Wire.int32(array, position);
        VtablePlan plan =
                vtable >= base && vtable <= end - Wire.WIDE_VTABLE_BYTES
                        ? plan(kind, (int) vtable)
                        : planNearEnd(kind, vtable);
        return plan != null
                        && (plan.reach <= end - position || more((long) position + plan.reach))
                        && (plan.unfit >>> (position - base & Long.BYTES - 1) & 1) == 0
                ? plan
                : null;
    }

    /// Finds the plan of a vtable that is followed by available bytes.
    ///
    /// @return null if the vtable is not in the buffer, or misaligned
    private VtablePlan plan(int kind, int position) {
        int slots = position + Wire.VTABLE_HEAD_BYTES;
        VtablePlan plan =
                plans.of(
                        kind,
                        Wire.int32(array, position),
                        Wire.int64(array, slots),
                        Wire.int64(array, slots + Long.BYTES));
        return isInside(plan, position) ? plan : null;
    }

    private boolean isInside(VtablePlan plan, int position) {
        return plan.vtableBytes <= base + size - position && (position - base & vtableMask) == 0;
    }

    /// [#plan] near the end of the available bytes, or anywhere else.
    private VtablePlan planNearEnd(int kind, long position) {
        int behind = base + size;
        if (position < base || position > behind - Short.BYTES) {
            return null;
        }
        if (end < behind && !more(Math.min(position + Wire.WIDE_VTABLE_BYTES, behind))) {
            return null;
        }
        int from = (int) position;
        if (from <= behind - Wire.WIDE_VTABLE_BYTES) {
            return plan(kind, from);
        }
        int slots = from + Wire.VTABLE_HEAD_BYTES;
        VtablePlan plan = plans.of(kind, (int) word(from), word(slots), word(slots + Long.BYTES));
        return isInside(plan, from) ? plan : null;
    }

    /// Reads eight bytes of a vtable near the end of the buffer. Bytes after the end are
    /// undefined: a vtable that fits does not use them.
    private long word(int position) {
        int missing = Math.max(position + Long.BYTES - (base + size), 0);
        return Wire.int64(array, position - missing) >>> missing * Byte.SIZE;
    }

    private boolean offsets(int kind, VtablePlan plan, int position, int depth) {
        int made = plan.made;
        long offset;
        for (int i = 0; (offset = plan.offsets[i]) != 0; i++) {
            int offsetAt = position + VtablePlan.distance(offset);
            int detail = VtablePlan.detail(offset);
            boolean isRight =
                    switch (VtablePlan.code(offset)) {
                        case VtablePlan.STRING -> string(offsetAt);
                        case VtablePlan.VECTOR ->
                                vector(offsetAt, detail & 0xFFFF, detail >>> 16) != NOWHERE;
                        case VtablePlan.TABLE -> table(detail, offsetAt, depth);
                        case VtablePlan.TABLES -> tableVector(detail, offsetAt, depth) != NOWHERE;
                        default -> {
                            byte tag = array[position + detail];
                            int member = member(kind, VtablePlan.slotOf(offset), tag);
                            yield member != NOWHERE && table(member, offsetAt, depth);
                        }
                    };
            if (!isRight || plan.made != made) { // replaced for a table below
                return false;
            }
        }
        return true;
    }

    /// Finds the kind of table of a union's value; [#NOWHERE] for an unknown tag.
    private int member(int kind, int slot, byte tag) {
        int[] members = rules.declared.targets(kind)[slot];
        int index = (tag & 0xFF) - 1;
        return index >= 0 && index < members.length ? members[index] : NOWHERE;
    }

    /// Checks the table that a field refers to, with all that it refers to.
    ///
    /// @param offsetAt position of the offset, which is available
    /// @param depth of the table; 1 for a root
    public boolean table(int kind, int offsetAt, int depth) {
        if (depth > maxDepth) {
            return false;
        }
        int position = follow(offsetAt);
        VtablePlan plan = open(kind, position);
        return plan != null && (plan.offsets[0] == 0 || offsets(kind, plan, position, depth + 1));
    }

    /// Checks a vector of tables with all that they refer to.
    ///
    /// @param offsetAt position of its offset, which is available
    /// @param depth of the tables
    /// @return its position in the low half, its count in the high half; [#NOWHERE] if it is not
    ///     known to be valid
    public long tableVector(int kind, int offsetAt, int depth) {
        int position = follow(offsetAt);
        if (position == NOWHERE || (position - base & wordMask) != 0) {
            return NOWHERE;
        }
        int count = Wire.int32(array, position);
        int first = position + Wire.OFFSET_BYTES;
        long behind = first + ((count & 0xFFFF_FFFFL) << 2);
        return behind <= base + size
                        && (!alignedElements || isAligned(position, count, Integer.BYTES))
                        && (behind <= end || more(behind))
                        && elements(kind, first, (int) behind, depth)
                ? (long) count << Integer.SIZE | position
                : NOWHERE;
    }

    private boolean elements(int kind, int first, int behind, int depth) {
        for (int element = first; element < behind; element += Wire.OFFSET_BYTES) {
            if (!table(kind, element, depth)) {
                return false;
            }
        }
        return true;
    }

    // ---- offsets, strings, vectors

    /// Follows an offset to four available bytes.
    ///
    /// @return their index; [#NOWHERE] if there are none
    public int follow(int offsetAt) {
        int offset = Wire.int32(array, offsetAt);
        return offset > 0
                        && (offset <= end - Wire.OFFSET_BYTES - offsetAt
                                || more((long) offsetAt + offset + Wire.OFFSET_BYTES))
                ? offsetAt + offset
                : NOWHERE;
    }

    private boolean string(int offsetAt) {
        int position = follow(offsetAt);
        if (position == NOWHERE || (position - base & wordMask) != 0) {
            return false;
        }
        int length = Wire.int32(array, position);
        int chars = position + Wire.OFFSET_BYTES;
        return (Integer.compareUnsigned(length, end - chars) < 0
                        || (length >= 0 && more((long) chars + length + 1)))
                && array[chars + length] == 0
                && (utf8 == null || isUtf8(chars, length));
    }

    private boolean isUtf8(int chars, int length) {
        return utf8.isDirect(length) && utf8.isUtf8(array, null, base, chars - base, length);
    }

    /// Checks a vector of numbers or structs, and returns what [#tableVector] returns. Its length
    /// word need not be in the copy.
    public long vector(int offsetAt, int elementBytes, int alignment) {
        int offset = Wire.int32(array, offsetAt);
        int last = base + size - Wire.OFFSET_BYTES;
        if (offset <= 0 || offset > last - offsetAt) {
            return NOWHERE;
        }
        int position = offsetAt + offset;
        int count =
                position <= end - Wire.OFFSET_BYTES
                        ? Wire.int32(array, position)
                        : int32InSource(position);
        return (position - base & wordMask) == 0
                        && (count & 0xFFFF_FFFFL) * elementBytes <= last - position
                        && (!alignedElements || isAligned(position, count, alignment))
                ? (long) count << Integer.SIZE | position
                : NOWHERE;
    }

    private int int32InSource(int position) {
        byte[] a = source.array;
        return Wire.int32(a, a == null ? source.segment() : null, source.start + position);
    }

    private boolean isAligned(int vector, int count, int alignment) {
        return rules.options.allowVector(vector - base, count, alignment);
    }
}
