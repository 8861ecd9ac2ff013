// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Numbers of the framing: little-endian on every host, at any alignment.
final class Words {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// `ARROW1`, at both ends of a file.
    static final long MAGIC = 0x3157_4F52_5241L;

    static final int MAGIC_BYTES = 6;

    /// `FEA1`, at both ends of a file in the first version of Feather.
    static final int FEATHER_V1 = 0x3141_4546;

    private Words() {}

    /// Reads a number by steps that C2 does not see through: it crashes where a page of a mapped file
    /// is gone, if it makes one instruction of a load and its widening. See `docs/sharing.md`.
    static int int32(MemorySegment memory, long at) {
        return (memory.get(INT, at) ^ Integer.MIN_VALUE) + Integer.MIN_VALUE;
    }

    static long int64(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    /// As many of a word's first bytes, and zeros for the others.
    static long firstBytes(long word, int bytes) {
        return bytes >= Long.BYTES ? word : word & ((1L << (bytes << 3)) - 1);
    }
}
