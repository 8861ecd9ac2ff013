// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;

/// The long way of a [TreeWalk]: reads any bytes in any memory, and names faults.
final class TreeTables {
    private static final long PAIR_SIZES = 0x404L;

    private TreeTables() {}

    /// A table of the tree.
    static final class Node extends Table {
        private final TreeNode node;

        Node(TreeNode node) {
            this.node = node;
        }

        @Override
        protected void decode(byte[] a, MemorySegment s, long reference) {
            final TreeNode n = node;
            final TreeShape shape = n.shape;
            open(a, s, reference, shape.sizes());
            n.nameAt = target(a, s, shape.name());
            n.nameLength = count(a, s, n.nameAt, 0);
            n.flag = int8(a, s, shape.flag(), 0);
            n.tag = int8(a, s, shape.tag(), 0) & 0xFF;
            n.valueAt = field(shape.value());
            n.markAt = field(shape.mark());
            n.childrenAt = target(a, s, shape.children());
            n.childrenCount = count(a, s, n.childrenAt, 2);
            n.pairsAt = target(a, s, shape.pairs());
            n.pairsCount = count(a, s, n.pairsAt, 2);
            n.forgetValue();
            if (n.valueAt != 0 && n.oddSlots(n.tag) != 0) {
                n.readValue();
            }
        }
    }

    /// The parameters of a value; it packs them into the form that the fast way finds them in.
    static final class Value extends Table {
        private final TreeNode node;

        Value(TreeNode node) {
            this.node = node;
        }

        @Override
        protected void decode(byte[] a, MemorySegment s, long reference) {
            final TreeNode n = node;
            final int sizes = n.shape.valueSizes()[n.tag];
            open(a, s, reference, sizes);
            n.valueLow = (long) word(a, s, 0, sizes) << Integer.SIZE;
            n.valueHigh =
                    (long) word(a, s, 2, sizes) << Integer.SIZE
                            | word(a, s, 1, sizes) & 0xFFFF_FFFFL;
            n.valueSlots =
                    (slot(0) == 0 ? 0 : 4)
                            | (slot(1) == 0 ? 0 : 8 << Short.SIZE)
                            | (slot(2) == 0 ? 0 : 12L << Integer.SIZE);
            final int vector = n.shape.valueVectors()[n.tag];
            if (vector != 0) {
                n.vectorAt = target(a, s, 1);
                n.vectorCount = count(a, s, n.vectorAt, vector - 1);
            }
        }

        private int word(byte[] a, MemorySegment s, int slot, int sizes) {
            return switch (sizes >>> (slot << 3) & 0xFF) {
                case Byte.BYTES -> int8(a, s, slot, 0);
                case Short.BYTES -> int16(a, s, slot, 0);
                case Integer.BYTES -> int32(a, s, slot, 0);
                default -> 0;
            };
        }
    }

    /// A pair of strings.
    static final class Pair extends Table {
        private final TreeNode node;

        Pair(TreeNode node) {
            this.node = node;
        }

        @Override
        protected void decode(byte[] a, MemorySegment s, long reference) {
            final TreeNode n = node;
            open(a, s, reference, PAIR_SIZES);
            n.keyAt = target(a, s, 0);
            n.keyLength = count(a, s, n.keyAt, 0);
            n.textAt = target(a, s, 1);
            n.textLength = count(a, s, n.textAt, 0);
        }
    }
}
