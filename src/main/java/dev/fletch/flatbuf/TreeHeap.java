// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// Reads a table of a tree, and all of it that a walk wants, in one call: from heap bytes.
///
/// [TreeNative] is the same for native memory, statement by statement; the tests of walks over
/// every kind of memory hold the two together. What it buys: on the heap, one method for both took
/// 1.3 times as long once it had seen both (`docs/experiments.md`, which says how sure that is).
///
/// These methods read only what is usual and in range. Where anything else comes they return false,
/// and [TreeNode] goes the long way, which reads everything and names faults.
///
/// The same few lines for each string and vector are written out: by a method that gives back a
/// position or -1, walks of direct memory took 13 to 27 % longer.
final class TreeHeap {
    private TreeHeap() {}

    /// Reads the table that an offset leads to.
    ///
    /// @param node takes the results
    /// @param reference position of the offset, in range
    /// @param start first position of the range
    /// @param last the last position that an offset can have
    /// @return whether that was possible; if not, the results are unspecified
    static boolean read(TreeNode node, byte[] m, int reference, int start, int last) {
        final int table = target(m, reference, last);
        if (table < 0) {
            return false;
        }
        final int vtable = table - int32(m, table);
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
        int nameAt = 0;
        int nameLength = 0;
        if (plan.name != 0) {
            final int at = table + plan.name;
            final int distance = int32(m, at);
            if (Integer.compareUnsigned(distance, last - at) > 0) {
                return false;
            }
            nameAt = at + distance;
            nameLength = int32(m, nameAt);
            if (Integer.compareUnsigned(nameLength, last - nameAt) > 0) {
                return false;
            }
        }
        node.nameAt = nameAt;
        node.nameLength = nameLength;
        int childrenAt = 0;
        int childrenCount = 0;
        if (plan.children != 0) {
            final int at = table + plan.children;
            final int distance = int32(m, at);
            if (Integer.compareUnsigned(distance, last - at) > 0) {
                return false;
            }
            childrenAt = at + distance;
            childrenCount = int32(m, childrenAt);
            if (Integer.compareUnsigned(childrenCount, (last - childrenAt) >> 2) > 0) {
                return false;
            }
        }
        node.childrenAt = childrenAt;
        node.childrenCount = childrenCount;
        return rest(node, m, table, start, last, plan);
    }

    /// Reads what a table has besides its name and its children.
    private static boolean rest(
            TreeNode node, byte[] m, int table, int start, int last, TreePlan plan) {
        int pairsAt = 0;
        int pairsCount = 0;
        if (plan.pairs != 0) {
            final int at = table + plan.pairs;
            final int distance = int32(m, at);
            if (Integer.compareUnsigned(distance, last - at) > 0) {
                return false;
            }
            pairsAt = at + distance;
            pairsCount = int32(m, pairsAt);
            if (Integer.compareUnsigned(pairsCount, (last - pairsAt) >> 2) > 0) {
                return false;
            }
        }
        node.pairsAt = pairsAt;
        node.pairsCount = pairsCount;
        final byte flag = plan.flag == 0 ? 0 : int8(m, table + plan.flag);
        final int tag = plan.tag == 0 ? 0 : int8(m, table + plan.tag) & 0xFF;
        final int value = plan.value == 0 ? 0 : table + plan.value;
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
            TreeNode node, byte[] m, int reference, int start, int last, long odd) {
        if (reference == 0) {
            node.forgetValue();
            return true;
        }
        final int table = target(m, reference, last);
        if (table < 0 || last - table < TreeNode.VALUE_BYTES - Wire.OFFSET_BYTES) {
            return false;
        }
        final long low = int64(m, table);
        final int vtable = table - (int) low;
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
        final int vectorAt = target(m, table + ((int) slots >>> Short.SIZE), last);
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
    static boolean pair(TreeNode node, byte[] m, int reference, int last) {
        final int table = target(m, reference, last);
        if (table < 0) {
            return false;
        }
        final int vtable = table - int32(m, table);
        final TreePlan plan = node.pairPlan;
        if (plan.vtable != vtable) {
            node.learnPair(table, vtable);
        }
        if (plan.reach > last - table) {
            return false;
        }
        int keyAt = 0;
        int keyLength = 0;
        if (plan.name != 0) {
            final int at = table + plan.name;
            final int distance = int32(m, at);
            if (Integer.compareUnsigned(distance, last - at) > 0) {
                return false;
            }
            keyAt = at + distance;
            keyLength = int32(m, keyAt);
            if (Integer.compareUnsigned(keyLength, last - keyAt) > 0) {
                return false;
            }
        }
        node.keyAt = keyAt;
        node.keyLength = keyLength;
        int textAt = 0;
        int textLength = 0;
        if (plan.value != 0) {
            final int at = table + plan.value;
            final int distance = int32(m, at);
            if (Integer.compareUnsigned(distance, last - at) > 0) {
                return false;
            }
            textAt = at + distance;
            textLength = int32(m, textAt);
            if (Integer.compareUnsigned(textLength, last - textAt) > 0) {
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
    private static int target(byte[] m, int at, int last) {
        final int distance = int32(m, at);
        return Integer.compareUnsigned(distance, last - at) > 0 ? -1 : at + distance;
    }

    /// Reads the length of a string or vector.
    ///
    /// @param at its position; 0 if there is none, -1 if it is out of range
    /// @return how many elements; -1 if they are out of range
    private static int count(byte[] m, int at, int last, int elementShift) {
        if (at <= 0) {
            return at;
        }
        final int count = int32(m, at);
        return Integer.compareUnsigned(count, (last - at) >> elementShift) > 0 ? -1 : count;
    }

    private static byte int8(byte[] m, int at) {
        return Wire.int8(m, null, at);
    }

    private static short int16(byte[] m, int at) {
        return Wire.int16(m, null, at);
    }

    private static int int32(byte[] m, int at) {
        return Wire.int32(m, null, at);
    }

    private static long int64(byte[] m, int at) {
        return Wire.int64(m, null, at);
    }
}
