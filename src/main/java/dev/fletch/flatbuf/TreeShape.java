// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// The shape of the tables of a tree that [TreeWalk] goes through: which slot holds what.
///
/// @param sizes of the table's fields in bytes, slot 0 in the lowest byte; none is longer than four
/// @param name slot of a string
/// @param flag slot of a byte that is 0 where it is absent
/// @param tag slot of a union's number, which is 0 where it is absent
/// @param value slot of the union's table
/// @param mark slot of another table
/// @param children slot of the vector of children
/// @param pairs slot of a vector of tables with two strings, in their slots 0 and 1
/// @param valueSizes for each of the union's numbers the sizes of its table's fields, slot 0 in the
///   lowest byte, of which three are looked at; 0 for a table without fields, as for numbers beyond
///   the array
/// @param valueVectors for each of the union's numbers what its slot 1 leads to: 1 for a vector of
///   bytes, 3 for one of elements of four bytes, 0 for none
/// @param oddSlots as [#oddSlots(int\[\])] has it
public record TreeShape(
        long sizes,
        int name,
        int flag,
        int tag,
        int value,
        int mark,
        int children,
        int pairs,
        int[] valueSizes,
        byte[] valueVectors,
        long[] oddSlots) {
    private static final int VALUE_SLOTS = 3;
    private static final int LANES = 0xFFFF;

    /// Works out from `valueSizes` the bits that are never set in the slots of a value whose fields are
    /// aligned and within its first sixteen bytes, slot 0 in the lowest 16 bits.
    ///
    /// @param valueSizes as [TreeShape] has them
    /// @return for each number of the union these bits, 0 where there are no fields
    public static long[] oddSlots(int[] valueSizes) {
        final long[] odd = new long[valueSizes.length];
        for (int i = 0; i < odd.length; i++) {
            for (int slot = 0; slot < VALUE_SLOTS; slot++) {
                final int size = valueSizes[i] >>> (slot << 3) & 0xFF;
                final long usual = TreeNode.VALUE_BYTES - size & -size;
                odd[i] |= size == 0 ? 0 : (LANES & ~usual) << (slot << 4);
            }
        }
        return odd;
    }
}
