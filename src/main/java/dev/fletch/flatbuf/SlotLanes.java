// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// Slots of a vtable side by side in a word: slots 0 to 3 in one, 4 to 7 in another, 16 bits each,
/// the lowest slot lowest. Of a small table all eight in one, 8 bits each: see [SmallVtables].
final class SlotLanes {
    /// Slots that fit into a word.
    static final int IN_A_WORD = 4;

    /// Slots that are kept in two of them: more than any table of Arrow has.
    static final int NEAR = 2 * IN_A_WORD;

    private static final long LOWEST_BITS = 0x0001_0001_0001_0001L;
    private static final long HIGHEST_BITS = LOWEST_BITS << Short.SIZE - 1;

    private SlotLanes() {}

    /// Slots 0 to 3 out of eight, as lanes of 16 bits.
    static long low(long eight) {
        final long pairs = eight & 0xFFFF | (eight & 0xFFFF_0000L) << Short.SIZE;
        return (pairs | pairs << Byte.SIZE) & 0x00FF_00FF_00FF_00FFL;
    }

    /// Slots 4 to 7 out of eight, as lanes of 16 bits.
    static long high(long eight) {
        return low(eight >>> Integer.SIZE);
    }

    /// Eight slots in one word; each is at most 255.
    static long narrow(long low, long high) {
        return narrow(low) | narrow(high) << Integer.SIZE;
    }

    private static long narrow(long lanes) {
        final long pairs = (lanes | lanes >>> Byte.SIZE) & 0x0000_FFFF_0000_FFFFL;
        return (pairs | pairs >>> Short.SIZE) & 0xFFFF_FFFFL;
    }

    /// Turns four distances from the table's end into those from its start, as a vtable has them;
    /// what is 0 stays 0.
    static long fromStart(long lanes, int tableBytes) {
        final long present = (lanes & ~HIGHEST_BITS) + ~HIGHEST_BITS | lanes;
        final long all = ((present & HIGHEST_BITS) >>> Short.SIZE - 1) * 0xFFFF;
        return tableBytes * LOWEST_BITS - lanes & all;
    }

    /// One of eight slots in two words.
    static int slot(long low, long high, int slot) {
        return (int) ((slot < IN_A_WORD ? low : high) >>> slot % IN_A_WORD * Short.SIZE) & 0xFFFF;
    }

    /// Number of slots up to the last one that is not 0.
    static int used(long low, long high) {
        return high != 0
                ? NEAR - Long.numberOfLeadingZeros(high) / Short.SIZE
                : IN_A_WORD - Long.numberOfLeadingZeros(low) / Short.SIZE;
    }
}
