// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Checks the strings of one buffer for UTF-8, in time proportional to the buffer even if strings
/// share its bytes.
///
/// Strings are checked directly while their lengths add up to no more than the buffer's size, as in
/// any normal file. After that, the complete buffer is searched once for malformed bytes: bytes
/// that are neither ASCII nor part of a well-formed character, which depends on neighbouring bytes
/// only. Well-formed characters do not overlap. So a string is UTF-8 if it does not begin with a
/// continuation byte, has no malformed byte, and does not end inside a character; the NUL after it
/// ensures the last condition.
public final class Utf8Checker {
    private static final int BLOCK_SHIFT = 6;
    private static final long[] NONE = {};

    /// The bits that are 0 in eight bytes of ASCII.
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private long size;
    private long budget;
    private long bytesRead;
    private boolean isSearched;

    /// One bit for each malformed byte.
    private long[] malformed = NONE;

    /// For each block, the first malformed byte at or after its start.
    private long[] firstFrom = NONE;

    /// Starts a buffer of `bytes` bytes.
    public void reset(long bytes) {
        size = bytes;
        budget = bytes;
        bytesRead = 0;
        isSearched = false;
    }

    public long bytesRead() {
        return bytesRead;
    }

    /// Returns whether a string of this length is checked directly.
    public boolean isDirect(long length) {
        return length <= budget;
    }

    /// Returns whether a string, which a NUL follows, is UTF-8.
    public boolean isUtf8(byte[] a, MemorySegment s, long base, long position, long length) {
        if (length <= budget) {
            budget -= length;
            bytesRead += length;
            long end = base + position + length;
            return afterWellFormed(a, s, base + position, end, end) == end;
        }
        if (!isSearched) {
            search(a, s, base);
        }
        bytesRead++;
        return !isContinuation(Wire.word8(a, s, base + position))
                && firstMalformed(position) >= position + length;
    }

    /// Does the work of [dev.fletch.flatbuf.ByteSlice#afterUtf8], by positions in memory.
    public static long afterWellFormed(byte[] a, MemorySegment s, long from, long stop, long end) {
        long p = from;
        while (p < stop) {
            // The last word may have bytes before p: short texts often end by one.
            long word = Math.min(p, stop - Long.BYTES);
            if (word >= from && (Wire.any64(a, s, word) & HIGH_BITS) == 0) {
                p = word + Long.BYTES;
                continue;
            }
            int bytes = characterAt(a, s, p, end);
            if (bytes == 0) {
                return p;
            }
            p += bytes;
        }
        return p;
    }

    /// Length in bytes of the well-formed character at `p`; 0 if there is none before `end`.
    private static int characterAt(byte[] a, MemorySegment s, long p, long end) {
        int lead = Wire.word8(a, s, p);
        if (lead >= 0) {
            return 1;
        }
        int first = lead & 0xFF;
        int bytes = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (bytes == 0 || first > 0xF4 || bytes > end - p) {
            return 0;
        }
        byte second = Wire.word8(a, s, p + 1);
        // The second byte reveals over-long forms, surrogates and code points above U+10FFFF.
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int limit = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if ((second & 0xFF) < least || (second & 0xFF) > limit) {
            return 0;
        }
        for (int i = 2; i < bytes; i++) {
            if (!isContinuation(Wire.word8(a, s, p + i))) {
                return 0;
            }
        }
        return bytes;
    }

    /// {@return whether a byte continues a character}
    public static boolean isContinuation(byte b) {
        return b < (byte) 0xC0;
    }

    private void search(byte[] a, MemorySegment s, long base) {
        int blocks = Math.toIntExact((size - 1 >>> BLOCK_SHIFT) + 1);
        if (malformed.length < blocks) {
            malformed = new long[blocks];
            firstFrom = new long[blocks + 1];
        } else {
            Arrays.fill(malformed, 0, blocks, 0);
        }
        for (long p = 0; p < size; ) {
            int bytes = characterAt(a, s, base + p, base + size);
            if (bytes == 0) {
                malformed[(int) (p >>> BLOCK_SHIFT)] |= 1L << p;
            }
            p += Math.max(bytes, 1);
        }
        firstFrom[blocks] = size;
        for (int i = blocks - 1; i >= 0; i--) {
            long bits = malformed[i];
            firstFrom[i] =
                    bits == 0
                            ? firstFrom[i + 1]
                            : ((long) i << BLOCK_SHIFT) + Long.numberOfTrailingZeros(bits);
        }
        bytesRead += size;
        isSearched = true;
    }

    /// The first malformed byte at or after a position; the buffer's size if there is none.
    private long firstMalformed(long position) {
        int block = (int) (position >>> BLOCK_SHIFT);
        long bits = malformed[block] >>> position; // shift counts are modulo 64
        return bits == 0 ? firstFrom[block + 1] : position + Long.numberOfTrailingZeros(bits);
    }
}
