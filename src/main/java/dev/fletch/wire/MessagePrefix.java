// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;

/// The prefix of a message: the continuation indicator `0xFFFFFFFF` and the metadata length.
/// Writers before Arrow 0.15.0 omit the indicator. A metadata length of 0 ends the stream.
///
/// Source: Columnar format, "Encapsulated message format".
public final class MessagePrefix {
    /// Bytes of the continuation indicator and the metadata length.
    public static final int BYTES = 8;

    /// Bytes of the metadata length alone.
    public static final int LEGACY_BYTES = Integer.BYTES;

    private static final int CONTINUATION = -1;
    private static final long FIRST_WORD = CONTINUATION & 0xFFFF_FFFFL;

    private MessagePrefix() {}

    /// Whether a word is the continuation indicator.
    public static boolean isContinuation(int word) {
        return word == CONTINUATION;
    }

    /// Whether the continuation indicator is at a position.
    public static boolean isContinuation(MemorySegment memory, long at) {
        return Wire.int32(memory, at) == CONTINUATION;
    }

    /// Length of the prefix at a position: [#BYTES], or [#LEGACY_BYTES] without the continuation
    /// indicator.
    public static int length(MemorySegment memory, long at) {
        return isContinuation(memory, at) ? BYTES : LEGACY_BYTES;
    }

    /// The metadata length in a prefix.
    ///
    /// @param bytes length of the prefix
    public static int metadataLength(MemorySegment memory, long at, int bytes) {
        return Wire.int32(memory, at + bytes - Integer.BYTES);
    }

    /// Whether the continuation indicator, or its first byte where it is damaged, is at a position.
    public static boolean mayBeContinuation(MemorySegment memory, long at) {
        return Wire.int8(memory, at) == (byte) CONTINUATION;
    }

    /// Whether bytes begin with the continuation indicator, or with its first part if there are
    /// only few.
    ///
    /// @param words the first bytes, little-endian
    /// @param bytes how many there are
    public static boolean isContinuation(long words, int bytes) {
        int bits = Math.min(Integer.BYTES, bytes) * Byte.SIZE;
        return Wire.lowBits(FIRST_WORD, bits) == Wire.lowBits(words, bits);
    }

    /// Returns a prefix with the continuation indicator, as a little-endian number.
    public static long of(int metadataLength) {
        return FIRST_WORD | (long) metadataLength << Integer.SIZE;
    }
}
