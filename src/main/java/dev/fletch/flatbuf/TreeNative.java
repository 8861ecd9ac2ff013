// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static dev.fletch.flatbuf.Wire.int16;
import static dev.fletch.flatbuf.Wire.int64;
import static dev.fletch.flatbuf.Wire.int8;
import static dev.fletch.flatbuf.Wire.long32;
import static dev.fletch.flatbuf.Wire.uint32;
import static dev.fletch.flatbuf.Wire.word32;
import static dev.fletch.flatbuf.Wire.word8;

import java.lang.foreign.MemorySegment;

/// [TreeHeap] for native memory: the same statements, with positions of 64 bits. The range has
/// fewer than 2<sup>31</sup> bytes, so that what is no negative number as an unsigned one is in no
/// range.
///
/// Each method that may stay a call casts the segment anew. What it buys: C2 knows its class only
/// within the method that casts, and a JVM that has read mapped memory too has seen two.
final class TreeNative {
    private TreeNative() {}

    /// Reads the table that an offset leads to.
    ///
    /// @param node takes the results
    /// @param reference position of the offset, in range
    /// @param start first position of the range
    /// @param last the last position that an offset can have
    /// @return whether that was possible; if not, the results are unspecified
    static boolean read(
            TreeNode node, MemorySegment memory, long reference, long start, long last) {
        final MemorySegment m = Source.cast(memory);
        final long table = target(m, reference, last);
        if (table < 0) {
            return false;
        }
        final long vtable = table - long32(m, table);
        TreePlan plan = node.plan0;
        if (plan.vtable != vtable) {
            plan = node.plan1;
            if (plan.vtable != vtable) {
                plan = node.plan2;
                if (plan.vtable != vtable) {
                    // Anew: no position has to live across the call.
                    node.learn(table, vtable);
                    return read(node, m, reference, start, last);
                }
            }
        }
        if (plan.reach > last - table) {
            return false;
        }
        long nameAt = 0;
        int nameLength = 0;
        if (plan.name != 0) {
            final long at = table + plan.name;
            final long distance = uint32(m, at);
            if (distance > last - at) {
                return false;
            }
            nameAt = at + distance;
            nameLength = word32(m, nameAt);
            if ((nameLength & 0xFFFFFFFFL) > last - nameAt) {
                return false;
            }
        }
        node.nameAt = nameAt;
        node.nameLength = nameLength;
        long childrenAt = 0;
        int childrenCount = 0;
        if (plan.children != 0) {
            final long at = table + plan.children;
            final long distance = uint32(m, at);
            if (distance > last - at) {
                return false;
            }
            childrenAt = at + distance;
            childrenCount = word32(m, childrenAt);
            if ((childrenCount & 0xFFFFFFFFL) > (last - childrenAt) >> 2) {
                return false;
            }
        }
        node.childrenAt = childrenAt;
        node.childrenCount = childrenCount;
        return rest(node, m, table, start, last, plan);
    }

    /// Reads what a table has besides its name and its children.
    private static boolean rest(
            TreeNode node, MemorySegment memory, long table, long start, long last, TreePlan plan) {
        final MemorySegment m = Source.cast(memory);
        long pairsAt = 0;
        int pairsCount = 0;
        if (plan.pairs != 0) {
            final long at = table + plan.pairs;
            final long distance = uint32(m, at);
            if (distance > last - at) {
                return false;
            }
            pairsAt = at + distance;
            pairsCount = word32(m, pairsAt);
            if ((pairsCount & 0xFFFFFFFFL) > (last - pairsAt) >> 2) {
                return false;
            }
        }
        node.pairsAt = pairsAt;
        node.pairsCount = pairsCount;
        final byte flag = plan.flag == 0 ? 0 : word8(m, table + plan.flag);
        final int tag = plan.tag == 0 ? 0 : int8(m, table + plan.tag) & 0xFF;
        final long value = plan.value == 0 ? 0 : table + plan.value;
        node.flag = flag;
        node.tag = tag;
        node.valueAt = value;
        node.markAt = plan.mark == 0 ? 0 : table + plan.mark;
        final long odd = node.oddSlots(tag);
        return odd == 0 || value(node, m, value, start, last, odd);
    }

    /// Reads the parameters of a value, which take no more than two words where nothing is unusual.
    /// Its vtable is read each time: few values share one.
    ///
    /// @param odd the bits that no slot has in a value that is usual; 0 where there is no slot
    private static boolean value(
            TreeNode node, MemorySegment memory, long reference, long start, long last, long odd) {
        final MemorySegment m = Source.cast(memory);
        if (reference == 0) {
            node.forgetValue();
            return true;
        }
        final long table = target(m, reference, last);
        if (table < 0 || last - table < TreeNode.VALUE_BYTES - Wire.OFFSET_BYTES) {
            return false;
        }
        final long low = int64(m, table);
        final long vtable = table - (int) low;
        if (vtable < start || vtable > last - 6) {
            return false;
        }
        final long head = int64(m, vtable);
        final int size = (int) head & 0xFFFF;
        if (size > last - vtable) {
            return false;
        }
        long slots = head >>> Integer.SIZE;
        if (size < 8) {
            slots = size < 6 ? 0 : slots & 0xFFFF;
        } else if (size >= 10) {
            slots |= (int16(m, vtable + 8) & 0xFFFFL) << Integer.SIZE;
        }
        if ((slots & odd) != 0) {
            return false;
        }
        node.valueLow = low;
        node.valueHigh = int64(m, table + Long.BYTES);
        node.valueSlots = slots;
        node.vectorAt = 0;
        node.vectorCount = 0;
        final int shift = node.vectorShift();
        if (shift < 0 || (slots & 0xFFFF_0000L) == 0) {
            return true;
        }
        final long vectorAt = target(m, table + ((int) slots >>> Short.SIZE), last);
        final int vectorCount = count(m, vectorAt, last, shift);
        node.vectorAt = vectorAt;
        node.vectorCount = vectorCount;
        return vectorCount >= 0;
    }

    /// Reads the pair that an offset leads to.
    ///
    /// @param node takes the results
    /// @param reference position of the offset, in range
    /// @param last the last position that an offset can have
    /// @return whether that was possible; if not, the results are unspecified
    static boolean pair(TreeNode node, MemorySegment memory, long reference, long last) {
        final MemorySegment m = Source.cast(memory);
        final long table = target(m, reference, last);
        if (table < 0) {
            return false;
        }
        final long vtable = table - long32(m, table);
        final TreePlan plan = node.pairPlan;
        if (plan.vtable != vtable) {
            node.learnPair(table, vtable);
        }
        if (plan.reach > last - table) {
            return false;
        }
        long keyAt = 0;
        int keyLength = 0;
        if (plan.name != 0) {
            final long at = table + plan.name;
            final long distance = uint32(m, at);
            if (distance > last - at) {
                return false;
            }
            keyAt = at + distance;
            keyLength = word32(m, keyAt);
            if ((keyLength & 0xFFFFFFFFL) > last - keyAt) {
                return false;
            }
        }
        node.keyAt = keyAt;
        node.keyLength = keyLength;
        long textAt = 0;
        int textLength = 0;
        if (plan.value != 0) {
            final long at = table + plan.value;
            final long distance = uint32(m, at);
            if (distance > last - at) {
                return false;
            }
            textAt = at + distance;
            textLength = word32(m, textAt);
            if ((textLength & 0xFFFFFFFFL) > last - textAt) {
                return false;
            }
        }
        node.textAt = textAt;
        node.textLength = textLength;
        return true;
    }

    /// Follows an offset.
    ///
    /// @return where to; -1 if that is out of range
    private static long target(MemorySegment m, long at, long last) {
        final long distance = uint32(m, at);
        return distance > last - at ? -1 : at + distance;
    }

    /// Reads the length of a string or vector.
    ///
    /// @param at its position; 0 if there is none, -1 if it is out of range
    /// @return how many elements; -1 if they are out of range
    private static int count(MemorySegment m, long at, long last, int elementShift) {
        if (at <= 0) {
            return (int) at;
        }
        final int count = word32(m, at);
        return (count & 0xFFFFFFFFL) > (last - at) >> elementShift ? -1 : count;
    }
}
