// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Content that lies somewhere in a segment, with poison before and after it where the segment has
/// room. Owns what the segment needs; closing it invalidates the segment.
///
/// @param segment what a reader is given
/// @param offset of the content in the segment, in bytes
/// @param length of the content, in bytes
/// @param release frees what the segment needs
public record PlacedSegment(MemorySegment segment, long offset, long length, Runnable release)
        implements Placed {
    /// What stands around the content.
    public static final byte POISON = (byte) 0xEE;

    /// Poison bytes looked at by [#surroundingsIntact] on each side.
    private static final int LOOKED_AT_BYTES = 64;

    @Override
    public byte[] content() {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public boolean surroundingsIntact() {
        long start = Math.max(0, offset - LOOKED_AT_BYTES);
        long end = offset + length;
        return isPoison(start, offset)
                && isPoison(end, Math.min(segment.byteSize(), end + LOOKED_AT_BYTES));
    }

    private boolean isPoison(long start, long end) {
        for (long i = start; i < end; i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != POISON) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        release.run();
    }
}
