// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;

/// The prefix of a message: the continuation indicator `0xFFFFFFFF` and the metadata length.
/// Writers before Arrow 0.15.0 omit the indicator. A metadata length of 0 ends the stream.
///
/// A prefix is one number, so that reading it allocates nothing: its length in the upper half, the
/// metadata length in the lower.
///
/// Source: Columnar format, "Encapsulated message format".
public final class MessagePrefix {
    /// Bytes of the continuation indicator and the metadata length.
    public static final int BYTES = 8;

    /// Bytes of the metadata length alone.
    public static final int LEGACY_BYTES = Integer.BYTES;

    /// A prefix that is not complete. Has no length, and a negative metadata length.
    public static final long CUT_OFF = of(0, -1);

    /// An end-of-stream marker with the continuation indicator.
    public static final long MARKER = of(BYTES, 0);

    private static final int CONTINUATION = -1;
    private static final long FIRST_WORD = CONTINUATION & 0xFFFF_FFFFL;

    private MessagePrefix() {}

    /// Whether a word is the continuation indicator.
    public static boolean isContinuation(int word) {
        return word == CONTINUATION;
    }

    /// Whether the continuation indicator is at a position.
    public static boolean isContinuation(MemorySegment memory, long position) {
        return Wire.int32(memory, position) == CONTINUATION;
    }

    /// Reads the prefix at a position. Its metadata length may be any number.
    ///
    /// @param room number of bytes at the position
    /// @return the prefix, or [#CUT_OFF]
    public static long read(MemorySegment memory, long position, long room) {
        if (room >= BYTES) {
            long words = Wire.int64(memory, position);
            return isContinuation((int) words)
                    ? of(BYTES, (int) (words >>> Integer.SIZE))
                    : of(LEGACY_BYTES, (int) words);
        }
        return room < LEGACY_BYTES || isContinuation(memory, position)
                ? CUT_OFF
                : of(LEGACY_BYTES, Wire.int32(memory, position));
    }

    private static long of(int bytes, int metadataLength) {
        return (long) bytes << Integer.SIZE | metadataLength & 0xFFFF_FFFFL;
    }

    /// Length of a prefix: [#BYTES], or [#LEGACY_BYTES] without the continuation indicator.
    public static int bytes(long prefix) {
        return (int) (prefix >>> Integer.SIZE);
    }

    /// The metadata length in a prefix.
    public static int metadataLength(long prefix) {
        return (int) prefix;
    }

    /// Whether a prefix has the continuation indicator.
    public static boolean isCurrent(long prefix) {
        return bytes(prefix) == BYTES;
    }

    /// Whether the continuation indicator, or its first byte where it is damaged, is at a position.
    public static boolean mayBeContinuation(MemorySegment memory, long position) {
        return Wire.int8(memory, position) == (byte) CONTINUATION;
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
    public static long words(int metadataLength) {
        return FIRST_WORD | (long) metadataLength << Integer.SIZE;
    }
}
