// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.util.Arrays;

/// The size of memory for bytes whose number an input claims. It grows with the bytes that arrive,
/// not with that number: to at most twice as many, and so in linear time.
public final class Growth {
    private Growth() {}

    /// {@return the next size of the memory, when all of it is full}
    ///
    /// @param arrived number of bytes that have arrived
    /// @param claimed number of bytes that should arrive in all; the size is at most this
    /// @param least the size is at least this if so many bytes should arrive
    public static long size(long arrived, long claimed, long least) {
        return Math.min(claimed, Math.max(2 * arrived, least));
    }

    /// {@return the same array, or a copy with room up to an index: at least twice as long}
    public static <T> T[] withIndex(T[] array, int index) {
        return index < array.length
                ? array
                : Arrays.copyOf(array, Math.max(index + 1, 2 * array.length));
    }
}
