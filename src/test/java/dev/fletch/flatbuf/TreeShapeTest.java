// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// The bits that tell a value that is as usual, against all places that its fields may have.
class TreeShapeTest {
    @Test
    void oddBitsAreThoseOfNoPlaceThatAFieldMayHave() {
        int[] sizes = {0, 1, 2, 4, 0x0401, 0x0204, 0x0002_0004, 0x0004_0401, 0x0404_0404};
        long[] odd = TreeShape.oddSlots(sizes);
        assertEquals(sizes.length, odd.length);
        for (int i = 0; i < sizes.length; i++) {
            long usual = 0;
            long known = 0;
            for (int slot = 0; slot < 3; slot++) {
                int size = sizes[i] >>> 8 * slot & 0xFF;
                for (int at = 0; size != 0 && at + size <= 16; at += size) {
                    usual |= (long) at << 16 * slot;
                    known |= 0xFFFFL << 16 * slot;
                }
            }
            assertEquals(known & ~usual, odd[i], Integer.toHexString(sizes[i]));
        }
    }
}
