// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// The small loop of [TableScan] over heap bytes.
///
/// [ScanNative] is the same for native memory, statement by statement; the tests of scans over every
/// kind of memory hold the two together. What it buys: one method for both took twice as long once
/// it had seen both.
///
/// In the loop nothing is called that is not inlined, nothing is stored, and its end does not
/// change: with any of these it took 1.3 to 1.9 times as long (`docs/experiments.md`). Wherever it
/// ends, [TableScan] goes on.
final class ScanHeap {
    private ScanHeap() {}

    /// Passes tables of one vtable, whose children, if any, have none and the same vtable.
    ///
    /// @param scan what to do, and takes the results
    /// @param plan of the tables, which has a name and children
    /// @param vtable position of theirs
    /// @param lastWord the last position that eight bytes can have
    static void pass(TableScan scan, byte[] m, long plan, long vtable, long lastWord) {
        final long lastTable = lastWord - (plan >>> TableScan.REACH_SHIFT);
        final int toName = (int) plan & TableScan.LANE;
        final int toTag = (int) (plan >>> TableScan.TAG_SHIFT) & TableScan.LANE;
        final int toChildren = (int) (plan >>> TableScan.CHILDREN_SHIFT) & TableScan.LANE;
        final int length = scan.length;
        final int toPart = Wire.OFFSET_BYTES + scan.window;
        final long mask = Wire.lowBits(-1, Math.min(length, Long.BYTES) << 3);
        final long part = scan.part();
        final long lastName = lastWord - Wire.OFFSET_BYTES - Math.max(0, length - Long.BYTES);
        final long first = scan.vector + Wire.OFFSET_BYTES;
        final long[] weights = scan.weights;
        final int stop = scan.stop;
        final long slack = scan.slack;
        long sum = scan.weight;
        long below = 0;
        int i = scan.index;
        for (; i < stop; i++) {
            final long offset = first + ((long) i << 2);
            final long table = offset + uint32(m, offset);
            if (table > lastTable || table - int32(m, table) != vtable) {
                break;
            }
            final long name = table + toName + uint32(m, table + toName);
            if (name > lastName) {
                break;
            }
            final int size = int32(m, name);
            if (size == length) {
                if ((int64(m, name + toPart) & mask) == part) {
                    break;
                }
            } else if ((size & 0xFFFFFFFFL) > lastWord - name) {
                break;
            }
            long own = weights[int8(m, table + toTag) & 0xFF];
            final long children = table + toChildren + uint32(m, table + toChildren);
            if (own < 0 || children > lastWord) {
                break;
            }
            final int count = int32(m, children);
            if (count != 0) {
                if (count < 0 || count > slack - below || count > (lastWord - children) >>> 2) {
                    break;
                }
                final long more = leaves(m, children, count, plan, vtable, lastWord, weights);
                if (more < 0) {
                    break;
                }
                own += more;
                below += count;
            }
            sum += own;
        }
        scan.below += (int) below;
        scan.weight = sum;
        scan.index = i;
    }

    /// {@return what children weigh that have the vtable and no children; negative if others come}
    private static long leaves(
            byte[] m,
            long children,
            int count,
            long plan,
            long vtable,
            long lastWord,
            long[] weights) {
        final long lastTable = lastWord - (plan >>> TableScan.REACH_SHIFT);
        final int toTag = (int) (plan >>> TableScan.TAG_SHIFT) & TableScan.LANE;
        final int toChildren = (int) (plan >>> TableScan.CHILDREN_SHIFT) & TableScan.LANE;
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final long offset = children + Wire.OFFSET_BYTES + ((long) i << 2);
            final long child = offset + uint32(m, offset);
            if (child > lastTable || child - int32(m, child) != vtable) {
                return -1;
            }
            final long own = weights[int8(m, child + toTag) & 0xFF];
            final long next = child + toChildren + uint32(m, child + toChildren);
            if (own < 0 || next > lastWord || int32(m, next) != 0) {
                return -1;
            }
            sum += own;
        }
        return sum;
    }

    private static byte int8(byte[] m, long at) {
        return Wire.int8(m, null, at);
    }

    private static int int32(byte[] m, long at) {
        return Wire.int32(m, null, at);
    }

    private static long uint32(byte[] m, long at) {
        return int32(m, at) & 0xFFFFFFFFL;
    }

    private static long int64(byte[] m, long at) {
        return Wire.int64(m, null, at);
    }
}
